//! Helpers: other processes that search the same game. This crate knows no process; what starts
//! and reaches them is behind two traits, and comes with the [`Seat`](crate::Seat).
//!
//! | from | message |
//! |---|---|
//! | the player | [`Order`]: take up a game, search a state, play states out |
//! | a helper | [`Answer`]: ready or refused, what it found, what states are worth |
//!
//! A helper may be lost at any time, or never answer. That costs its share of the work: a player
//! waits for nobody beyond its budget, and its own search stands alone if need be.

use crate::ary::Report;
use crate::kit::Estimate;
use game::BitsBuf;
use std::fmt;
use std::time::{Duration, Instant};

/// Starts helpers.
pub trait Recruiter: Send + Sync + fmt::Debug {
    /// How many processes search if nobody says how many, this one among them.
    fn usual(&self) -> usize;

    /// Starts so many helpers, or fewer if there are no more.
    fn recruit(&self, count: usize) -> Result<Box<dyn Helpers>, NoHelp>;
}

/// Helpers that were started, by number. They end when this is dropped.
pub trait Helpers: Send {
    /// How many were started, those lost since included.
    fn count(&self) -> usize;

    /// Gives an order; it never waits for the helper.
    fn send(&mut self, to: usize, order: &Order);

    /// The next news, or none if there are none until a time. Without a time it waits until there
    /// are news; a helper that gives no sign of life for long is then lost. None if all are lost.
    fn receive(&mut self, until: Option<Instant>) -> Option<(usize, News)>;
}

/// Why there are no helpers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoHelp(pub String);

/// What comes from a helper.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    /// It answers.
    Answer(Answer),
    /// It is gone, and why.
    Lost(String),
}

/// What a helper is told to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Order {
    /// Take up a game; the first order.
    Begin(Begin),
    /// Search from a state, and report its moves.
    Search {
        /// The number of the search; the answer has it.
        number: u64,
        /// The state.
        state: BitsBuf,
        /// How long.
        limit: Limit,
        /// How many moves to report, the best first.
        most: u32,
    },
    /// Play states out.
    Evaluate {
        /// The number of the batch; the answer has it.
        ticket: u64,
        /// The states.
        states: Vec<BitsBuf>,
        /// How long; iterations are not counted here.
        limit: Limit,
    },
}

/// A game to take up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Begin {
    /// The text of the rules.
    pub rules: String,
    /// What the ids and the ground rules of the game are, see
    /// [`fingerprint`](crate::fingerprint): states mean the same on both sides only if this agrees.
    pub fingerprint: u64,
    /// The options of the player, as they are written behind its name.
    pub options: String,
    /// The role to search for, by its number.
    pub role: u32,
    /// The seed of this helper.
    pub seed: u64,
    /// How many threads it may keep busy.
    pub threads: u32,
}

/// How long a helper works. Clocks of machines differ, so it is told how long and not until when.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Limit {
    /// So many iterations.
    Iterations(u64),
    /// So much time, from when the order is taken up.
    Time(Duration),
}

/// What a helper answers.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// It has taken up the game.
    Ready,
    /// It cannot, and why.
    Refused(String),
    /// What a search found.
    Found {
        /// The number of the search.
        number: u64,
        /// What it says of the moves.
        report: Report,
    },
    /// What states are worth, one estimate for each.
    Values {
        /// The number of the batch.
        ticket: u64,
        /// The estimates.
        estimates: Vec<Estimate>,
    },
}
