//! Experiments and their results in a file: SQLite.
//!
//! Results are written in transactions that are on the disk when they are done; a kill or a
//! full disk loses none that was written, and leaves nothing half. A match is there once: its
//! experiment, series and number are the key. Several experiments, and several processes, may
//! share a file.

use crate::experiment::Experiment;
use crate::results::{MatchResult, Results, SeatResult};
use crate::schedule::Schedule;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, TransactionBehavior, params};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Marks a file as ours, "LDXA".
const APPLICATION: i64 = 0x4c44_5841;
/// The version of the tables.
const VERSION: i64 = 1;
/// How long another process may keep the file to itself.
const PATIENCE: Duration = Duration::from_secs(10);

const TABLES: &str = "
    CREATE TABLE experiments (
        number INTEGER PRIMARY KEY,
        -- Games, players, clocks, seed and build, as JSON.
        description TEXT NOT NULL UNIQUE,
        started TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
    );
    CREATE TABLE matches (
        experiment INTEGER NOT NULL REFERENCES experiments,
        series INTEGER NOT NULL,
        number INTEGER NOT NULL,
        game TEXT NOT NULL,
        -- 64 bits, with a sign here.
        seed INTEGER NOT NULL,
        turns INTEGER NOT NULL,
        completed INTEGER NOT NULL,
        seconds REAL NOT NULL,
        threads INTEGER NOT NULL,
        PRIMARY KEY (experiment, series, number)
    ) WITHOUT ROWID;
    CREATE TABLE seats (
        experiment INTEGER NOT NULL,
        series INTEGER NOT NULL,
        number INTEGER NOT NULL,
        role INTEGER NOT NULL,
        side INTEGER NOT NULL,
        player TEXT NOT NULL,
        goal INTEGER,
        faults INTEGER NOT NULL,
        PRIMARY KEY (experiment, series, number, role),
        FOREIGN KEY (experiment, series, number) REFERENCES matches
    ) WITHOUT ROWID;";

/// Why results cannot be stored or read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A file that is something else.
    #[error("it is no file of arena results")]
    NotOurs,
    /// A file of another version of this program.
    #[error("its tables are of version {found}, and this program knows version {VERSION}")]
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
    /// A file without experiments.
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
    /// What SQLite says.
    #[error("{}", plainly(.0))]
    Sqlite(rusqlite::Error),
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> StoreError {
        // Not as its source: it would be told twice.
        StoreError::Sqlite(error)
    }
}

/// What SQLite says, in the words of someone who wants to know what to do.
fn plainly(error: &rusqlite::Error) -> String {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process keeps the file to itself".to_string()
        }
        Some(ErrorCode::DiskFull) => "the disk is full".to_string(),
        Some(ErrorCode::NotADatabase) => "it is no file of arena results".to_string(),
        Some(ErrorCode::DatabaseCorrupt) => "the file is damaged".to_string(),
        Some(ErrorCode::ReadOnly) => "the file may not be written".to_string(),
        Some(ErrorCode::CannotOpen) => "the file cannot be opened".to_string(),
        _ => error.to_string(),
    }
}

/// A file of experiments.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// An experiment in a store, with its results.
#[derive(Debug)]
pub struct Ledger {
    connection: Connection,
    /// The number of the experiment in the file.
    pub number: i64,
    /// What is to be played.
    pub schedule: Arc<Schedule>,
    /// What was played; what is in the file too.
    pub results: Results,
}

impl Store {
    /// Opens a file, or makes a new one.
    pub fn open(path: &Path) -> Result<Store, StoreError> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        prepare(&mut connection)?;
        // Readers do not wait for writers; where a file system cannot do that, they do.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.execute_batch("PRAGMA synchronous = FULL")?;
        Ok(Store { connection })
    }

    /// Takes up an experiment: where it was left, if it is there already.
    pub fn take_up(self, experiment: Experiment) -> Result<Ledger, StoreError> {
        let text = serde_json::to_string(&experiment)
            .map_err(|reason| StoreError::Experiment { number: 0, reason })?;
        let insert = "INSERT INTO experiments (description) VALUES (?1) ON CONFLICT DO NOTHING";
        self.connection.execute(insert, [&text])?;
        let select = "SELECT number FROM experiments WHERE description = ?1";
        let number = self
            .connection
            .query_row(select, [&text], |row| row.get(0))?;
        self.ledger(number, experiment)
    }

    /// An experiment that is there, by its number; the one started last if none is given.
    pub fn find(self, number: Option<i64>) -> Result<Ledger, StoreError> {
        let last = "SELECT max(number) FROM experiments";
        let last: Option<i64> = self.connection.query_row(last, [], |row| row.get(0))?;
        let last = last.ok_or(StoreError::Empty)?;
        let number = number.unwrap_or(last);
        let select = "SELECT description FROM experiments WHERE number = ?1";
        let text = self
            .connection
            .query_row(select, [number], |row| row.get(0));
        let text: Option<String> = text.optional()?;
        let text = text.ok_or(StoreError::Missing { number, last })?;
        let experiment = serde_json::from_str(&text)
            .map_err(|reason| StoreError::Experiment { number, reason })?;
        self.ledger(number, experiment)
    }

    fn ledger(self, number: i64, experiment: Experiment) -> Result<Ledger, StoreError> {
        let results = read(&self.connection, number)?;
        Ok(Ledger {
            connection: self.connection,
            number,
            schedule: Arc::new(Schedule::new(experiment)),
            results,
        })
    }
}

impl Ledger {
    /// Writes results down. They are on the disk when this returns, or none of them is.
    pub fn add(&mut self, results: Vec<MatchResult>) -> Result<(), StoreError> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        for result in &results {
            write(&transaction, self.number, &self.schedule, result)?;
        }
        transaction.commit()?;
        results
            .into_iter()
            .for_each(|result| self.results.add(result));
        Ok(())
    }
}

/// Makes the tables if there are none, and refuses files that are something else.
fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    let number = |connection: &Connection, text: &str| -> rusqlite::Result<i64> {
        connection.query_row(text, [], |row| row.get(0))
    };
    let application = number(connection, "PRAGMA application_id")?;
    let version = number(connection, "PRAGMA user_version")?;
    match (application, version) {
        (APPLICATION, VERSION) => return Ok(()),
        (APPLICATION, found) => return Err(StoreError::Version { found }),
        _ => {}
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Someone else may have made the tables since.
    if number(&transaction, "PRAGMA application_id")? == APPLICATION {
        return Ok(());
    }
    if number(&transaction, "SELECT count(*) FROM sqlite_schema")? > 0 {
        return Err(StoreError::NotOurs);
    }
    transaction.execute_batch(TABLES)?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

fn write(
    connection: &Connection,
    experiment: i64,
    schedule: &Schedule,
    result: &MatchResult,
) -> Result<(), StoreError> {
    let (series, number) = (result.series, result.number);
    let of = &schedule.series[series];
    let game = &schedule.experiment.games[of.game].name;
    let insert = "INSERT INTO matches VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                  ON CONFLICT DO NOTHING";
    let (seed, turns, threads) = (
        result.seed as i64,
        result.turns as i64,
        result.threads as i64,
    );
    let (completed, seconds) = (result.completed, result.seconds);
    let key = (experiment, series as i64, number);
    let row = params![
        key.0, key.1, key.2, game, seed, turns, completed, seconds, threads
    ];
    if connection.execute(insert, row)? == 0 {
        return Err(StoreError::Twice { series, number });
    }
    for seat in &result.seats {
        let insert = "INSERT INTO seats VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let player = &schedule.experiment.players[of.players[seat.side]];
        let (role, side) = (seat.role as i64, seat.side as i64);
        let row = params![
            key.0,
            key.1,
            key.2,
            role,
            side,
            player,
            seat.goal,
            seat.faults
        ];
        connection.execute(insert, row)?;
    }
    Ok(())
}

/// All results of an experiment.
fn read(connection: &Connection, experiment: i64) -> Result<Results, StoreError> {
    let select = "SELECT series, number, seed, turns, completed, seconds, threads,
                         role, side, goal, faults
                  FROM matches JOIN seats USING (experiment, series, number)
                  WHERE experiment = ?1 ORDER BY series, number, role";
    let mut statement = connection.prepare(select)?;
    let mut rows = statement.query([experiment])?;
    let mut results = Results::default();
    let mut current: Option<MatchResult> = None;
    while let Some(row) = rows.next()? {
        let next = head(row)?;
        let same = |it: &MatchResult| (it.series, it.number) == (next.series, next.number);
        if !current.as_ref().is_some_and(same)
            && let Some(done) = current.replace(next)
        {
            results.add(done);
        }
        if let Some(current) = &mut current {
            current.seats.push(seat(row)?);
        }
    }
    current.into_iter().for_each(|done| results.add(done));
    Ok(results)
}

/// A match without its seats.
fn head(row: &Row<'_>) -> rusqlite::Result<MatchResult> {
    Ok(MatchResult {
        series: row.get::<_, u32>("series")? as usize,
        number: row.get("number")?,
        seed: row.get::<_, i64>("seed")? as u64,
        seats: Vec::new(),
        turns: row.get::<_, u32>("turns")? as usize,
        completed: row.get("completed")?,
        seconds: row.get("seconds")?,
        threads: row.get::<_, u32>("threads")? as usize,
    })
}

fn seat(row: &Row<'_>) -> rusqlite::Result<SeatResult> {
    Ok(SeatResult {
        role: row.get::<_, u32>("role")? as usize,
        side: row.get::<_, u32>("side")? as usize,
        goal: row.get("goal")?,
        faults: row.get("faults")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clocks;
    use crate::experiment::GameEntry;

    fn ledger(path: &Path) -> Ledger {
        let experiment = Experiment {
            games: vec![GameEntry {
                name: "game".to_string(),
                rules: String::new(),
                seats: 1,
            }],
            players: vec!["random".to_string()],
            clocks: Clocks::Iterations { start: 1, play: 1 },
            seed: 1,
            build: String::new(),
        };
        Store::open(path).unwrap().take_up(experiment).unwrap()
    }

    fn results(numbers: std::ops::Range<u32>) -> Vec<MatchResult> {
        let result = |number| MatchResult {
            series: 0,
            number,
            seed: u64::MAX,
            seats: vec![SeatResult {
                role: 0,
                side: 0,
                goal: None,
                faults: 2,
            }],
            turns: 3,
            completed: false,
            seconds: 0.25,
            threads: 1,
        };
        numbers.map(result).collect()
    }

    #[test]
    fn a_full_disk_and_a_locked_file_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        let mut first = ledger(&path);
        first.add(results(0..3)).unwrap();

        let full = "PRAGMA max_page_count = 1";
        first.connection.query_row(full, [], |_| Ok(())).unwrap();
        let refused = first.add(results(3..2000)).unwrap_err().to_string();
        assert_eq!(refused, "the disk is full");

        let other = ledger(&path);
        other.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        first.connection.busy_timeout(Duration::ZERO).unwrap();
        let refused = first.add(results(3..4)).unwrap_err().to_string();
        assert_eq!(refused, "another process keeps the file to itself");
        drop(other);

        let there: Vec<MatchResult> = ledger(&path).results.iter().cloned().collect();
        assert_eq!(there, results(0..3));
    }
}
