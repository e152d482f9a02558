//! What chooses moves: a game, a seat and a budget → a move.
//!
//! | part | what it is |
//! |---|---|
//! | [`Player`] | what every player can be asked |
//! | [`Budget`] | how long it may think: until a time, or so many iterations |
//! | [`roster`] | all players by name, with their options |

mod budget;
mod crew;
pub mod exact;
mod flat;
mod mac;
mod options;
mod pace;
pub mod roster;
mod sampler;
mod simple;
mod solo;
mod tree;
mod uct;

pub use budget::Budget;
use game::{Game, State, TermId};
pub use options::{BadOption, OptionText};
use std::sync::Arc;

/// Where a player sits.
#[derive(Clone, Debug)]
pub struct Seat {
    /// What is played.
    pub game: Arc<Game>,
    /// The number of the player's role.
    pub role: usize,
    /// The seed of its random choices.
    pub seed: u64,
    /// How many threads it may keep busy.
    pub threads: usize,
}

/// What a player is told when it has to move.
#[derive(Copy, Clone, Debug)]
pub struct Turn<'t> {
    /// The state; none if the game hides it.
    pub state: Option<&'t State>,
    /// The legal moves of the player, at least one.
    pub legal: &'t [TermId],
    /// The joint move before; none in the first turn, or if the game hides it.
    pub joint: Option<&'t [TermId]>,
    /// What the player saw of it.
    pub percepts: &'t [TermId],
    /// The move that was made for the player in it: another than its own, if that was not legal
    /// or late. None in the first turn.
    pub own: Option<TermId>,
}

/// A move, and what the player thinks of it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Decision {
    /// The move.
    pub action: TermId,
    /// What the player expects to get, from 0 to 1.
    pub value: Option<f64>,
    /// Whether that is proven.
    pub proven: bool,
    /// How many playouts were made.
    pub playouts: u64,
}

impl Decision {
    /// A move without a thought.
    pub fn plain(action: TermId) -> Decision {
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
    /// The game hides the state.
    #[error("{player} plays only games without hidden information")]
    Hidden {
        /// The name of the player.
        player: &'static str,
    },
    /// It did not answer, but may do so later, and keeps its seat.
    #[error("it did not answer: {0}")]
    Silent(Failure),
}

/// Why there is no move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// There was no time left.
    #[error("late")]
    Late,
    /// Nobody can be reached.
    #[error("not reached")]
    Unreachable,
    /// What was said is no legal move.
    #[error("`{0}` is no legal move")]
    NoMove(String),
}

/// What chooses the moves of one role in one match.
pub trait Player: Send {
    /// The match begins; there is time to prepare.
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal>;

    /// Chooses one of the legal moves.
    fn choose(&mut self, turn: &Turn<'_>, budget: &Budget) -> Decision;

    /// Chooses one of the legal moves, or fails, as who is far away may.
    fn answer(&mut self, turn: &Turn<'_>, budget: &Budget) -> Result<Decision, Failure> {
        Ok(self.choose(turn, budget))
    }

    /// The match is over, as the rules say; or it is given up, if it is not completed.
    fn finish(&mut self, _last: &Turn<'_>, _completed: bool) {}

    /// Thinks of a state that may come, while others think. Returns whether that is of use.
    fn ponder(&mut self, _state: &State, _budget: &Budget) -> bool {
        false
    }
}
