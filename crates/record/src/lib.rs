//! What happened in a match.
//!
//! A [`Record`] is a match in terms of its game, which can be replayed against the rules. A
//! [`MatchFile`] is the same as JSON, in the format of ggp.org, and all it claims can be verified;
//! a [`Key`] signs it, and [`signed`] verifies the signature. Nothing here touches files.

mod file;
mod record;
mod signature;
mod verify;

pub use file::{BadRecord, Circumstances, MatchFile, PERSON, id, terms};
pub use record::{Delays, Difference, Fault, Record, Round, goal};
pub use signature::{BadKey, Key, Signed, public_key, signed};
pub use verify::Wrong;
