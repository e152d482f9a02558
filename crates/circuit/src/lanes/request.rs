//! What is asked of playouts, and what they give.

use crate::lanes::clock::{Clock, Deadline};
use crate::lanes::ends::Ends;
use crate::lanes::kernels::{Kernels, MOST_DIGITS};
use crate::lanes::memory::Memory;
use crate::lanes::played::{MoveLog, NoMoves, Played};
use crate::lanes::playout::{Batch, play};
use crate::lanes::random::Random;
use crate::lanes::starts::{Start, Starts};
use crate::moves::{MoveTable, MoveTally};
use crate::tally::Tally;
use std::time::Instant;

/// Weights of moves: a legal move is chosen with its share of the weights of all legal moves.
#[derive(Copy, Clone, Debug)]
pub struct Weights<'w> {
    /// The weight of each move. 0 counts as 1, and more than [`Weights::highest`] as that.
    pub table: &'w MoveTable<u8>,
    /// How many binary digits weights have, from 1 to 8. Each needs gates of its own, and each
    /// number of digits has code of its own.
    pub digits: usize,
}

impl Weights<'_> {
    /// The highest weight that so many digits can tell from lower ones.
    pub fn highest(self) -> u8 {
        u8::MAX >> (MOST_DIGITS - self.places())
    }

    /// How many digits there are.
    pub(crate) fn places(self) -> usize {
        self.digits.clamp(1, MOST_DIGITS)
    }
}

/// Playouts to be made.
#[derive(Copy, Clone, Debug, Default)]
pub struct Request<'r> {
    /// Where from, and how many.
    pub starts: &'r [Start<'r>],
    /// A match is cut off after so many turns.
    pub turns: u64,
    /// The same seed gives the same results.
    pub seed: u64,
    /// How much moves weigh; all the same if nothing is said.
    pub weights: Option<Weights<'r>>,
    /// When to break off: matches under way are cut, and no more begin. Short matches then count
    /// too much, and the same seed does not give the same results.
    pub until: Option<Instant>,
    /// Whether to count, for each move, the playouts in which it was played.
    pub counts: bool,
    /// Whether moves that win at once are looked for.
    pub decisive: Decisive,
}

/// What playouts do about moves that end the match at once with the most a role can get, where such
/// are found; see [`Simulator::decides`](crate::Simulator::decides).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Decisive {
    /// Nothing.
    #[default]
    No,
    /// They are taken.
    Wins,
    /// They are taken, and those of the role that is to move next are prevented, as far as it is
    /// known which moves do.
    Both,
}

/// The results of playouts.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes {
    /// For each start its results.
    pub tallies: Vec<Tally>,
    /// For each start and move, the playouts in which it was played; if asked for.
    pub moves: Option<Vec<MoveTable<MoveTally>>>,
}

/// Plays as requested.
pub(crate) fn playouts<const P: usize>(kernels: &Kernels<P>, request: &Request<'_>) -> Outcomes {
    let starts = request.starts.len();
    let mut tallies = vec![Tally::new(kernels.circuit.roles()); starts];
    if !request.counts {
        play_all(kernels, request, Ends::new(kernels, &mut tallies, NoMoves));
        return Outcomes {
            tallies,
            moves: None,
        };
    }
    let mut moves = vec![kernels.circuit.move_table(MoveTally::default()); starts];
    let record = kernels.record(request.weights.map_or(0, Weights::places));
    let played = Played::new(record, &mut moves);
    play_all(kernels, request, Ends::new(kernels, &mut tallies, played));
    Outcomes {
        tallies,
        moves: Some(moves),
    }
}

/// Plays from all starts: those at each point of the cycle together.
fn play_all<const P: usize, M: MoveLog<P>>(
    kernels: &Kernels<P>,
    request: &Request<'_>,
    mut ends: Ends<'_, P, M>,
) {
    let fluents = kernels.circuit.fluents.len();
    let mut random = Random::new(request.seed);
    let mut memory = Memory::new(1 + fluents);
    let starts = request.starts.iter().copied().enumerate();
    // About a millisecond of turns passes between two looks at the time.
    let interval = ((1 << 20) / (kernels.circuit.len() as u64 + 1)).clamp(1, 1024);
    let deadline = request.until.map(|until| Deadline { until, interval });
    let points: Vec<Option<usize>> = (request.starts.iter())
        .map(|start| kernels.point(start.state))
        .collect();
    for start_point in (0..kernels.cycle.len()).map(Some).chain([None]) {
        let group: Vec<_> = starts
            .clone()
            .filter(|&(number, start)| points[number] == start_point && start.playouts > 0)
            .collect();
        if group.is_empty() {
            continue;
        }
        play(Batch {
            kernels,
            memory: &mut memory,
            random: &mut random,
            starts: Starts::new(group, fluents),
            weights: request.weights,
            decisive: request.decisive,
            start_point,
            clock: Clock::new(request.turns, deadline),
            ends: &mut ends,
            exchanged: false,
        });
    }
}
