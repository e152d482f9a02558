//! Matches: players and games → records → standings.
//!
//! The [`referee`] runs a match. It draws what chance does, tells every player what the rules
//! let it know, keeps the clocks, and notes faults: a legal move is put in the place of one
//! that was late, illegal, or never came. What it wrote down is a [`Record`], which can be
//! replayed.
//!
//! An [`Experiment`] is many matches. The [`schedule`] says which, [`run()`] plays them several
//! at a time, a [`Store`] keeps what came of them, and [`Standings`] tell who is better and how
//! sure that is.

mod clocks;
mod experiment;
mod interval;
mod judge;
mod rating;
mod record;
pub mod referee;
mod results;
mod run;
pub mod schedule;
mod seat;
mod sequential;
mod standings;
mod store;

pub use clocks::Clocks;
pub use experiment::{BadExperiment, Experiment, GameEntry, fingerprint};
pub use interval::Interval;
pub use rating::Rating;
pub use record::{Difference, Fault, Record, Round};
pub use results::{Duel, MatchResult, Results, SeatResult};
pub use run::{Load, Make, NotAdmitted, Occasion, Plan, Progress, RunError, admit, run};
pub use standings::{PlayerRow, Point, Row, Standings, curves};
pub use store::{Ledger, Store, StoreError};
