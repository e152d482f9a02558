//! One state at a time, by change propagation: for the descent of tree search, and the
//! scalar measure of the lanes.
//!
//! A ground program becomes gates ([`gates`]), with what is known of moves ([`choices`],
//! [`turns`]); they are put in sections by when they are needed ([`sections`]), get their
//! places ([`layout`], [`guards`]) and are wired ([`wiring`]): that is a [`Network`].
//! A [`Single`] is the working memory of one thread; [`recursion`] is the part of it that
//! counters cannot do.
//!
//! What is asked of the caller: joint moves are legal, and states can be reached.

mod build;
mod choices;
mod gates;
mod guards;
mod layout;
mod network;
mod playout;
mod recursion;
mod sections;
mod simulator;
mod turns;
mod wiring;

pub use network::Network;
pub use playout::End;
pub use simulator::Single;
