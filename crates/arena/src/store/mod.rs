//! Where experiments, their rules and their results are kept.
//!
//! A [`Store`] is SQLite ([`SqliteStore`]) or memory ([`MemoryStore`]). Several processes may
//! share one: a match is kept once, its experiment, series and number are the key, and results
//! are added all or none. A [`Ledger`] is one experiment of a store.

mod memory;
mod rows;
mod sqlite;
mod sums;
mod tables;

pub use memory::MemoryStore;
pub use sqlite::SqliteStore;

use crate::experiment::{BadExperiment, Experiment};
use crate::results::{MatchResult, Results};
use crate::schedule::Schedule;
use std::fmt;
use std::sync::Arc;

/// Keeps experiments and their results.
pub trait Store: fmt::Debug + Send {
    /// The number of an experiment, which is added if it is new. Texts of rules are kept with it,
    /// each under its fingerprint.
    fn take_up(&mut self, experiment: &Experiment, rules: &[String]) -> Result<i64, StoreError>;

    /// An experiment by its number; the last one if no number is given.
    fn find(&mut self, number: Option<i64>) -> Result<Found, StoreError>;

    /// Adds results of an experiment: all of them, or none if this fails. They are permanent
    /// when it returns.
    fn add(
        &mut self,
        number: i64,
        schedule: &Schedule,
        results: &[MatchResult],
    ) -> Result<(), StoreError>;

    /// All results of an experiment.
    fn results(&mut self, number: i64) -> Result<Results, StoreError>;

    /// The text of rules by their fingerprint ([`GameEntry::rules`](crate::GameEntry::rules)).
    /// Experiments of older versions have none.
    fn rules(&mut self, fingerprint: &str) -> Result<Option<String>, StoreError>;
}

/// An experiment of a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Its number.
    pub number: i64,
    /// The experiment.
    pub experiment: Experiment,
}

/// Why results cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file that is something else.
    #[error("it is no file of arena results")]
    NotOurs,
    /// A file of a later version of this program.
    #[error(
        "its tables are of version {found}, and this program knows version {}",
        tables::VERSION
    )]
    Version {
        /// The version.
        found: i64,
    },
    /// A match that is there already.
    #[error(
        "match {number} of series {series} is there already: is someone else playing this experiment?"
    )]
    Twice {
        /// Its series.
        series: usize,
        /// Its number.
        number: u32,
    },
    /// An experiment that is not there.
    #[error("there is no experiment {number}; the last one is {last}")]
    Missing {
        /// The number asked for.
        number: i64,
        /// The last one.
        last: i64,
    },
    /// A store without experiments.
    #[error("there is no experiment in it")]
    Empty,
    /// An experiment that cannot be understood.
    #[error("experiment {number} cannot be understood: {reason}")]
    Experiment {
        /// Its number.
        number: i64,
        /// Why.
        reason: serde_json::Error,
    },
    /// A store that says something else than was written, or what cannot be.
    #[error(transparent)]
    Unsound(#[from] Unsound),
    /// An experiment that cannot be carried out.
    #[error("experiment {number} cannot be: {reason}")]
    BadExperiment {
        /// Its number.
        number: i64,
        /// Why.
        reason: BadExperiment,
    },
    /// An error of SQLite.
    #[error("{}", sqlite::plainly(.0))]
    Sqlite(rusqlite::Error),
}

/// What is wrong with the contents of a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsound {
    /// A match whose checksum is of something else.
    #[error("the file is damaged: match {number} of series {series} is not as it was written")]
    Changed {
        /// Its series.
        series: usize,
        /// Its number.
        number: u32,
    },
    /// Matches that are missing, or were never written.
    #[error(
        "the file is damaged: experiment {experiment} has {found} matches, and {written} were written"
    )]
    Count {
        /// The experiment.
        experiment: i64,
        /// How many there are.
        found: i64,
        /// How many there should be.
        written: i64,
    },
    /// A match with values that no match has.
    #[error("the file is damaged: match {number} of series {series} cannot be: {what}")]
    Impossible {
        /// Its series.
        series: usize,
        /// Its number.
        number: u32,
        /// What no match has.
        what: &'static str,
    },
    /// Anything else.
    #[error("the file is damaged: {what}")]
    Damaged {
        /// What is wrong.
        what: &'static str,
    },
}

impl StoreError {
    fn damaged(what: &'static str) -> StoreError {
        Unsound::Damaged { what }.into()
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        // Not as its source: it would be printed twice.
        StoreError::Sqlite(error)
    }
}

/// One experiment of a store, with its results.
#[derive(Debug)]
pub struct Ledger {
    store: Box<dyn Store>,
    /// The number of the experiment in the store.
    pub number: i64,
    /// The matches to be played.
    pub schedule: Arc<Schedule>,
    /// The results so far; all of them are in the store, too.
    pub results: Results,
}

impl Ledger {
    /// Takes up an experiment where it was left, or begins it. The store keeps the texts of the
    /// rules.
    pub fn take_up(
        mut store: impl Store + 'static,
        experiment: Experiment,
        rules: &[String],
    ) -> Result<Ledger, StoreError> {
        let number = store.take_up(&experiment, rules)?;
        Ledger::open(store, Found { number, experiment })
    }

    /// An experiment that is in a store, by its number; the last one if no number is given.
    pub fn find(
        mut store: impl Store + 'static,
        number: Option<i64>,
    ) -> Result<Ledger, StoreError> {
        let found = store.find(number)?;
        Ledger::open(store, found)
    }

    fn open(mut store: impl Store + 'static, found: Found) -> Result<Ledger, StoreError> {
        let Found { number, experiment } = found;
        (experiment.check()).map_err(|reason| StoreError::BadExperiment { number, reason })?;
        let schedule = Schedule::new(experiment);
        let results = store.results(number)?;
        results.iter().try_for_each(|it| possible(&schedule, it))?;
        Ok(Ledger {
            results,
            store: Box::new(store),
            number,
            schedule: Arc::new(schedule),
        })
    }

    /// Adds results: all of them, or none if this fails. They are permanent when it returns.
    pub fn add(&mut self, results: Vec<MatchResult>) -> Result<(), StoreError> {
        self.store.add(self.number, &self.schedule, &results)?;
        results
            .into_iter()
            .for_each(|result| self.results.add(result));
        Ok(())
    }

    /// The text of the rules of a game, if the store has it.
    pub fn rules(&mut self, game: usize) -> Result<Option<String>, StoreError> {
        self.store
            .rules(&self.schedule.experiment.games[game].rules)
    }
}

/// Checks that a result can be one of a schedule. Files of older versions had no checksums.
fn possible(schedule: &Schedule, result: &MatchResult) -> Result<(), Unsound> {
    let (number, seats) = (result.number, &result.seats);
    let impossible = |what| Unsound::Impossible {
        series: result.series,
        number,
        what,
    };
    let series = schedule.series.get(result.series);
    let series = series.ok_or(impossible("the experiment has no such series"))?;
    let game = &schedule.experiment.games[series.game];
    if seats.len() != game.seats {
        return Err(impossible("the game has another number of seats"));
    }
    if seats.iter().any(|seat| seat.side >= series.players.len()) {
        return Err(impossible("a seat belongs to no player"));
    }
    if (seats.iter()).any(|seat| seat.faults.max(seat.slow) as usize > result.turns) {
        return Err(impossible("a player has more faults than turns"));
    }
    Ok(())
}
