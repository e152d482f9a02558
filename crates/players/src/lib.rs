//! What chooses moves: a game, a seat and a budget → a move.
//!
//! | part | what it is |
//! |---|---|
//! | [`Player`] | the contract: what a match asks of every player |
//! | [`Budget`] | how long it may think: until a time, or so many iterations |
//! | [`roster`] | all players by name, with their options |
//! | [`kit`] | what searching players share: evaluation, selection, threads, deciding |
//! | [`Belief`] | matches that fit what a role saw, where the game hides the state |
//! | [`exact`] | games solved to the end |
//! | [`Recruiter`], [`Helpers`] | other processes that search the same game |
//! | [`Memory`] | what is proven about a game, kept from one match to the next |

pub mod ary;
mod belief;
mod budget;
pub mod exact;
mod helpers;
pub mod kit;
mod mac;
mod memory;
mod options;
mod player;
pub mod roster;
mod simple;
mod solo;
mod tree;
mod uct;
pub mod witness;

pub use belief::{Belief, Fit, Seen};
pub use budget::Budget;
pub use helpers::{Answer, Begin, Helpers, Limit, News, NoHelp, Order, Recruiter};
pub use memory::{BadMemory, Flaw, Memory, fingerprint};
pub use options::{BadOption, OptionSpec, Options, Takes};
pub use player::{Decision, Ending, Failure, Observation, Player, Refusal, Seat, fits};
