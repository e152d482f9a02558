//! Ground rules as gates: many states at once, one bit per lane, or one state by what changes.
//!
//! | stage | built by |
//! |---|---|
//! | [`Circuit`]: gates of two inputs | [`Circuit::new`] |
//! | [`Simulator`]: the circuit as code, for up to 512 states at once, and playouts | [`Simulator::new`] |
//! | [`Network`]: counting gates of any number of inputs | [`Network::new`] |
//! | [`Single`]: one state, changes propagated through a network | [`Single::new`] |

mod build;
mod choice;
mod circuit;
mod clock;
mod cycle;
mod held;
mod kernel;
mod kernels;
mod lanes;
mod memory;
#[cfg(target_arch = "x86_64")]
mod native;
mod net;
mod plan;
mod playout;
mod portable;
mod random;
mod share;
mod single;
mod starts;
mod step;
mod tally;
mod transpose;
mod word;

pub use circuit::{Circuit, TooManyGates};
pub use kernel::Code;
pub use lanes::{Answers, Options, Simulator, Width};
pub use net::Wire;
pub use single::{End, Network, Single};
pub use starts::Start;
pub use tally::Tally;
