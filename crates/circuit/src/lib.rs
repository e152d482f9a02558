//! Ground rules as gates, evaluated for many states at once, one bit per lane.
//!
//! | stage | built by |
//! |---|---|
//! | [`Circuit`]: gates of two inputs in the order of their phases | [`Circuit::new`] |
//! | [`Lanes`]: 512 states in one pass over the gates, and playouts | [`Lanes::new`] |

mod build;
mod choice;
mod circuit;
mod clock;
mod lanes;
mod tally;
mod word;

pub use circuit::{Circuit, Gate, TooManyGates, Wire};
pub use lanes::{Answers, Lanes};
pub use tally::Tally;
pub use word::WIDTH;
