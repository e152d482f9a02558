//! The contract between a match and a player.
//!
//! Who runs a match — the referee, the network player, a terminal — asks in this order:
//!
//! 1. [`Player::start`] once; a player that refuses is asked nothing more.
//! 2. In every turn [`Player::observe`] exactly once, the initial state and the last one among
//!    them; then [`Player::choose`], unless the match is over. It may be asked again in the same
//!    turn, with more time, and goes on from what it found before.
//! 3. [`Player::ponder`] any number of times between turns, while others think.
//! 4. [`Player::finish`] once.
//!
//! If turns are taken back, the next observation is of a turn that was observed before.

use crate::kit::crew::Work;
use crate::{Budget, Memory, NoHelp, Recruiter};
use game::{Bits, Feature, Game, MoveId, PerceptId, RoleId};
use std::sync::Arc;

/// Where a player sits.
#[derive(Clone, Debug)]
pub struct Seat {
    /// What is played.
    pub game: Arc<Game>,
    /// The player's role.
    pub role: RoleId,
    /// The seed of its random choices.
    pub seed: u64,
    /// How many threads it may keep busy.
    pub threads: usize,
    /// What earlier matches proved of the game, and where this one adds to it.
    pub memory: Option<Arc<Memory>>,
    /// What starts processes that help; none where there are none.
    pub helpers: Option<Arc<dyn Recruiter>>,
}

/// What a player is told of a turn.
#[derive(Copy, Clone, Debug)]
pub struct Observation<'o> {
    /// How many turns were made before, from 0.
    pub turn: usize,
    /// The state; none if the game hides it.
    pub state: Option<&'o Bits>,
    /// The legal moves of the player, in the order of their terms; empty if the match is over.
    pub legal: &'o [MoveId],
    /// The joint move that led here; none in the first turn, or if the game hides it.
    pub joint: Option<&'o [MoveId]>,
    /// What the player saw of it, in the order of ids.
    pub percepts: &'o [PerceptId],
    /// The move that was made for the player in it: another than its own, if that was illegal
    /// or late. None in the first turn.
    pub own: Option<MoveId>,
}

/// A move, and what the player thinks of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move.
    pub action: MoveId,
    /// What the player expects to get, from 0 to 1.
    pub value: Option<f64>,
    /// Whether that is proven.
    pub proven: bool,
    /// How many playouts were made.
    pub playouts: u64,
}

impl Decision {
    /// A move without a thought.
    pub fn plain(action: MoveId) -> Decision {
        Decision {
            action,
            value: None,
            proven: false,
            playouts: 0,
        }
    }
}

/// Why a player does not take a seat.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The game has something the player cannot handle.
    #[error("{player} cannot play games with {feature}")]
    Unfit {
        /// The name of the player.
        player: &'static str,
        /// What the game has.
        feature: Feature,
    },
    /// The processes that were asked for cannot be had.
    #[error("{player} cannot use {wanted} worker processes: {reason}")]
    Unhelped {
        /// The name of the player.
        player: &'static str,
        /// How many were asked for.
        wanted: usize,
        /// Why there are none.
        reason: NoHelp,
    },
    /// It did not answer, but may do so later, and keeps its seat.
    #[error("it did not answer: {0}")]
    Silent(Failure),
}

/// Checks a game against what a player cannot handle.
pub fn fits(player: &'static str, cannot: &[Feature], game: &Game) -> Result<(), Refusal> {
    let has = |&&feature: &&Feature| game.has(feature) == Some(true);
    match cannot.iter().find(has) {
        Some(&feature) => Err(Refusal::Unfit { player, feature }),
        None => Ok(()),
    }
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// There was no time left.
    #[error("late")]
    Late,
    /// A remote player cannot be reached.
    #[error("not reached")]
    Unreachable,
    /// A remote player's answer is no legal move.
    #[error("`{0}` is no legal move")]
    NoMove(String),
}

/// How a match ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// As the rules say.
    Completed,
    /// It was given up.
    Abandoned,
}

/// What chooses the moves of one role in one match.
pub trait Player: Send {
    /// The match begins; there is time to prepare.
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal>;

    /// Makes at once what [`Player::start`] would begin to make beside the match. For measurements,
    /// whose clock runs from then on.
    fn make_ready(&mut self) {}

    /// A turn was made, or the match is in its initial state.
    fn observe(&mut self, seen: &Observation<'_>);

    /// Chooses one of the legal moves last observed. Fallible, for remote players.
    fn choose(&mut self, budget: &Budget) -> Result<Decision, Failure>;

    /// Thinks ahead while others think. Returns whether more of that is of use.
    fn ponder(&mut self, _budget: &Budget) -> bool {
        false
    }

    /// What it has done so far, if it counts that.
    fn work(&self) -> Work {
        Work::default()
    }

    /// Whether it thinks in another process: its time then runs from when it is asked, whatever
    /// this machine is busy with.
    fn is_elsewhere(&self) -> bool {
        false
    }

    /// The match is over.
    fn finish(&mut self, _ending: Ending) {}
}
