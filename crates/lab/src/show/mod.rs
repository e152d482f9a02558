//! What there is to see of a game, as text: what kind it is, what holds in a state, a match of
//! random moves, the network of a round, an exact solution.

mod about;
mod exact;
mod facts;
mod playthrough;
mod scsp;

pub use about::{Unknown, about, glimpse};
pub use exact::{Exactly, Together};
pub use facts::{Misplayed, NotPlayed, Played, fluents};
pub use playthrough::{Choice, playthrough};
pub use scsp::{
    NoState, Walk, network_of_round, network_of_stages, network_of_state, network_of_tables,
};
