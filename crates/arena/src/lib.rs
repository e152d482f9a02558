//! Matches: players and games → records → standings.
//!
//! The [`referee`] runs a match. It draws the moves of chance, tells every player what the rules
//! let it know, keeps the clocks, and notes faults: a legal move replaces one that was late,
//! illegal, or never came. The result is a [`Record`], which can be replayed.
//!
//! An [`Experiment`] is many matches. A [`Lineup`] says who plays what, the [`schedule`] lists the
//! matches, [`run()`] plays them several at a time, a [`Store`] keeps their results, and
//! [`Standings`] rank players, with intervals.

mod clocks;
mod experiment;
mod interval;
mod judge;
mod lineup;
mod rating;
pub mod referee;
mod results;
mod run;
pub mod schedule;
mod seat;
mod sequential;
mod standings;
mod store;
mod workers;

pub use clocks::{Clocks, Patience};
pub use experiment::{BadExperiment, Experiment, GameEntry, fingerprint, rules_fingerprint};
pub use interval::Interval;
pub use lineup::{
    Conditions, FindMemory, Lineup, MakeRemote, Makers, NotAdmitted, Occasion, is_address,
    split_players,
};
pub use rating::Rating;
pub use record::{Delays, Difference, Fault, Record, Round};
pub use results::{Conduct, Duel, MatchResult, Results, SeatResult};
pub use run::{LoadGame, Progress, RunError, RunOptions, run};
pub use standings::{BrokenGame, PlayerRow, Point, Row, Standings, Trust, curves};
pub use store::{Found, Ledger, MemoryStore, SqliteStore, Store, StoreError, Unsound};
