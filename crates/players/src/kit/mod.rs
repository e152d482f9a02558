//! The search kit: what about twenty players share. A player's own folder holds only what makes
//! it that player.
//!
//! | part | what it is |
//! |---|---|
//! | [`Search`], [`Searching`] | a search from a state, and the player that is made of it |
//! | [`Evaluate`], [`Estimate`] | many states at once → what they are worth |
//! | [`Playouts`], [`Policy`] | evaluation by random matches, in lanes or one by one; how they choose |
//! | [`Thread`], [`Clock`] | one thread's working memory; it knows when to be done |
//! | [`crew`] | threads that work for as long as a budget lasts; they know no tree |
//! | [`Looked`] | what look-ahead by constraints did, in counts |
//! | [`select`] | selection by confidence bounds |
//! | `path`, `decide`, `solo` | a way down a tree; the move that comes of it; solutions of solo games |

pub mod crew;
pub(crate) mod decide;
mod estimate;
mod looked;
mod pace;
pub(crate) mod path;
mod playouts;
pub(crate) mod policy;
mod searching;
pub mod select;
pub(crate) mod solo;
mod thread;
pub(crate) mod trial;

pub use estimate::{Batch, Estimate, Evaluate, Values};
pub use looked::Looked;
pub use pace::{By, Pace};
pub use playouts::{Playouts, TURNS};
pub use policy::{Legal, Plain, Policy, Uniform};
pub use searching::{Search, Searching};
pub use thread::{Clock, Thread};
