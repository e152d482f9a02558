//! One state at a time, by change propagation: for the descent of tree search, and the
//! scalar measure of the lanes.

mod build;
mod choices;
mod gates;
mod layout;
mod network;
mod playout;
mod recursion;
mod sections;
mod simulator;
mod wiring;

pub use network::Network;
pub use playout::End;
pub use simulator::Single;
