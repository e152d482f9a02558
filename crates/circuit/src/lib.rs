//! Ground rules as gates: many states at once, one bit per lane, or one state by what changes.
//!
//! | stage | built by |
//! |---|---|
//! | [`Circuit`]: gates of two inputs | [`Circuit::new`] |
//! | [`Simulator`]: the circuit as code, for up to 1024 states at once, and playouts | [`Simulator::new`] |
//! | [`Propnet`]: counting gates of any number of inputs | [`Propnet::new`] |
//! | [`Single`]: one state, changes propagated through a propnet | [`Single::new`] |

mod build;
mod circuit;
mod common;
mod kernel;
mod lanes;
mod moves;
mod net;
mod share;
mod single;
mod steps;
mod sum;
mod tally;

pub use circuit::{Circuit, NotBuilt, TooManyGates};
pub use kernel::Code;
pub use lanes::{
    Answers, Decisive, Outcomes, Request, Simulator, SimulatorOptions, Start, Successor, Weights,
    Width,
};
pub use moves::{MoveTable, MoveTally};
pub use single::{End, Propnet, Single};
pub use tally::Tally;
