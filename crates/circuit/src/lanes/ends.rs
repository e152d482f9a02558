//! Playouts that are over: their goals are counted at once, or held until many can be counted
//! together.
//!
//! Last states are held where goals are not part of every turn, and goals where lanes have several
//! starts; where moves are counted, what was played is held with them. Neighbouring lanes of one
//! start are a [`Piece`], so that a few instructions count many lanes.

use crate::lanes::kernels::Kernels;
use crate::lanes::memory::Memory;
use crate::lanes::played::{Goals, MoveLog};
use crate::lanes::starts::overwrite;
use crate::lanes::word::{Lanewise, Word};
use crate::tally::Tally;
use logic::RoleId;
use std::ops::Range;

/// The results of a batch, start by start. At most one playout of each lane is held.
pub(crate) struct Ends<'b, const P: usize, M> {
    kernels: &'b Kernels<P>,
    pub(crate) tallies: &'b mut [Tally],
    /// The moves of playouts.
    pub(crate) moves: M,
    /// Last states as inputs of the goals' kernel, or goals.
    memory: Memory<P>,
    /// The lanes that are held.
    lanes: Word<P>,
    /// The start of each of them.
    arms: HeldArms,
    /// Kept from one count to the next, with what it has allocated.
    pieces: Vec<Piece>,
}

/// The memory of turns, and where in it last states are, and their goals if they are part of
/// the turn.
pub(crate) struct Last<'w, const P: usize> {
    pub(crate) words: &'w mut [Word<P>],
    pub(crate) state: Range<usize>,
    pub(crate) first_goal: usize,
}

impl<const P: usize> Last<'_, P> {
    fn goals(&self) -> &[Word<P>] {
        &self.words[self.first_goal..]
    }
}

impl<'b, const P: usize, M: MoveLog<P>> Ends<'b, P, M> {
    pub(crate) fn new(
        kernels: &'b Kernels<P>,
        tallies: &'b mut [Tally],
        moves: M,
    ) -> Ends<'b, P, M> {
        let words = match kernels.goals_in_step {
            false => kernels.goals().slots(),
            true => kernels.worth.len(),
        };
        Ends {
            memory: Memory::new(words),
            lanes: [0; P],
            arms: HeldArms {
                one: false,
                of_lane: vec![0; 64 * P],
            },
            pieces: Vec::new(),
            kernels,
            tallies,
            moves,
        }
    }

    /// Some lanes are over.
    #[inline(always)]
    pub(crate) fn add(&mut self, over: Word<P>, last: Last<'_, P>, arms: &impl Arms) {
        if self.kernels.goals_in_step && !M::COUNTS && arms.are_one() {
            let tally = &mut self.tallies[arms.arm(0)];
            count_goals(&self.kernels.worth, last.goals(), over, tally);
            return;
        }
        if !self.lanes.and(over).is_none() {
            self.flush(last.words);
        }
        self.lanes = self.lanes.or(over);
        match self.kernels.goals_in_step {
            true => overwrite(self.memory.words(), last.goals(), over),
            false => overwrite(&mut self.memory.words()[1..], &last.words[last.state], over),
        }
        self.arms.note(over, arms);
    }

    /// Counts all playouts that are held, given the memory of turns.
    pub(crate) fn flush(&mut self, words: &mut [Word<P>]) {
        if self.lanes.is_none() {
            // Moves of playouts that were cut are not those of the next batch.
            self.moves.hold(words);
            return;
        }
        let goals = match self.kernels.goals_in_step {
            true => self.memory.words(),
            false => {
                let kernel = self.kernels.goals();
                kernel.run(self.memory.words());
                &mut self.memory.words()[kernel.first_output()..]
            }
        };
        let lanes = std::mem::replace(&mut self.lanes, [0; P]);
        let worth = &self.kernels.worth;
        for goal in goals.iter_mut().take(worth.len()) {
            *goal = goal.and(lanes);
        }
        if self.arms.are_one() {
            let tally = &mut self.tallies[self.arms.arm(0)];
            count_goals(worth, goals, lanes, tally);
        } else {
            self.pieces.clear();
            self.arms.pieces(lanes, &mut self.pieces);
            count_pieces(worth, goals, &self.pieces, self.tallies);
        }
        let goals = Goals {
            words: goals,
            worth,
        };
        let arms = match self.arms.are_one() {
            true => HeldBy::One(self.arms.arm(0)),
            false => HeldBy::Several(&self.pieces),
        };
        self.moves.count(words, &goals, arms);
    }
}

/// Lanes of one part of a word that play from one start.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    /// The number of the start.
    pub(crate) arm: usize,
    pub(crate) part: usize,
    pub(crate) mask: u64,
}

/// Whose the lanes are that are held.
#[derive(Copy, Clone, Debug)]
pub(crate) enum HeldBy<'p> {
    /// One start has all.
    One(usize),
    Several(&'p [Piece]),
}

/// Which start each lane plays from.
pub(crate) trait Arms {
    /// Whether there is only one.
    fn are_one(&self) -> bool;
    /// The number of a lane's start.
    fn arm(&self, lane: usize) -> usize;
}

/// The starts of lanes that are held.
pub(crate) struct HeldArms {
    one: bool,
    of_lane: Vec<usize>,
}

impl HeldArms {
    #[inline(always)]
    fn note<const P: usize>(&mut self, lanes: Word<P>, arms: &impl Arms) {
        self.one = arms.are_one();
        if self.one {
            self.of_lane[0] = arms.arm(0);
            return;
        }
        for lane in lanes.lanes() {
            self.of_lane[lane] = arms.arm(lane);
        }
    }

    /// Appends the pieces of some lanes.
    fn pieces<const P: usize>(&self, lanes: Word<P>, pieces: &mut Vec<Piece>) {
        for (part, bits) in lanes.into_iter().enumerate() {
            let first = pieces.len();
            let mut bits = bits;
            while bits != 0 {
                let arm = self.of_lane[64 * part + bits.trailing_zeros() as usize];
                let bit = bits & bits.wrapping_neg();
                bits &= bits - 1;
                // Lanes of a start are neighbours, unless they were given to another start.
                match pieces[first..].iter_mut().rev().find(|it| it.arm == arm) {
                    Some(piece) => piece.mask |= bit,
                    None => pieces.push(Piece {
                        arm,
                        part,
                        mask: bit,
                    }),
                }
            }
        }
    }
}

impl Arms for HeldArms {
    fn are_one(&self) -> bool {
        self.one
    }

    fn arm(&self, lane: usize) -> usize {
        self.of_lane[lane]
    }
}

/// What each output of goals is worth to whom.
pub(crate) type Worth = Vec<(RoleId, u32)>;

/// Counts the goals of lanes that are over and have one start.
#[inline(always)]
fn count_goals<const P: usize>(
    worth: &[Worth],
    goals: &[Word<P>],
    over: Word<P>,
    tally: &mut Tally,
) {
    tally.playouts += over.count();
    for (goal, worth) in goals.iter().zip(worth) {
        let count = goal.and(over).count();
        for &(role, value) in worth {
            tally.add_goals(role, value, count);
        }
    }
}

/// Counts the goals of lanes that are over, piece by piece.
fn count_pieces<const P: usize>(
    worth: &[Worth],
    goals: &[Word<P>],
    pieces: &[Piece],
    tallies: &mut [Tally],
) {
    for &Piece { arm, part, mask } in pieces {
        let tally = &mut tallies[arm];
        tally.playouts += u64::from(mask.count_ones());
        for (goal, worth) in goals.iter().zip(worth) {
            let count = u64::from((goal[part] & mask).count_ones());
            for &(role, value) in worth {
                tally.add_goals(role, value, count);
            }
        }
    }
}
