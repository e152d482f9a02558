//! Matches: players and a game → a record.
//!
//! The [`referee`] runs a match. It draws what chance does, tells every player what the rules
//! let it know, keeps the clocks, and notes faults: a legal move is put in the place of one
//! that was late, illegal, or never came. What it wrote down is a [`Record`], which can be
//! replayed.

mod clocks;
mod record;
pub mod referee;
mod seat;

pub use clocks::Clocks;
pub use record::{Difference, Fault, Record, Round};
