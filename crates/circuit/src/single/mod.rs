//! One state at a time, by change propagation: for the descent of tree search, and as the scalar
//! baseline of the lanes.
//!
//! A ground program becomes gates ([`gates`]), simplified by facts about moves ([`choices`],
//! [`turns`]). Gates are sorted into sections by when they are evaluated ([`sections`]), placed
//! ([`layout`], [`guards`]) and wired ([`wiring`]): the result is a [`Propnet`]. A [`Single`] is
//! the working memory of one thread; [`recursion`] evaluates what counters cannot.
//!
//! Callers guarantee that joint moves are legal and states reachable.

mod build;
mod choices;
mod gates;
mod guards;
mod layout;
mod playout;
mod propnet;
mod recursion;
mod sections;
mod simulator;
mod turns;
mod wiring;

pub use playout::End;
pub use propnet::Propnet;
pub use simulator::Single;
