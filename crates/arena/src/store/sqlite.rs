//! A store in a file: SQLite.
//!
//! Results are written in transactions that are on the disk when they are done: a kill or a full
//! disk loses nothing that was written, and leaves nothing half written. Several processes may
//! share a file. Version 2 of the tables added the texts of rules; files of version 1 are
//! upgraded when they are opened, and their experiments have no texts.

use super::{Found, Store, StoreError};
use crate::experiment::{Experiment, rules_fingerprint};
use crate::results::{MatchResult, Results, SeatResult};
use crate::schedule::Schedule;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, TransactionBehavior, params};
use std::path::Path;
use std::time::Duration;

/// Marks a file as ours, "LDXA".
const APPLICATION: i64 = 0x4c44_5841;
/// The version of the tables.
pub(super) const VERSION: i64 = 2;
/// How long another process may keep the file locked.
const PATIENCE: Duration = Duration::from_secs(10);

/// The tables of version 1.
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

/// The table that version 2 added.
const RULES: &str = "
    CREATE TABLE rules (
        -- As in the description of an experiment.
        fingerprint TEXT PRIMARY KEY,
        text TEXT NOT NULL
    );";

/// An error of SQLite, in words that say what to do.
pub(super) fn plainly(error: &rusqlite::Error) -> String {
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
pub struct SqliteStore {
    connection: Connection,
}

impl SqliteStore {
    /// Opens a file, or makes a new one.
    pub fn open(path: &Path) -> Result<SqliteStore, StoreError> {
        let mut connection = Connection::open(path)?;
        connection.busy_timeout(PATIENCE)?;
        prepare(&mut connection)?;
        // Readers do not wait for writers, where the file system allows it.
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
        connection.execute_batch("PRAGMA synchronous = FULL")?;
        Ok(SqliteStore { connection })
    }
}

impl Store for SqliteStore {
    fn take_up(&mut self, experiment: &Experiment, rules: &[String]) -> Result<i64, StoreError> {
        let description = serde_json::to_string(experiment)
            .map_err(|reason| StoreError::Experiment { number: 0, reason })?;
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        for text in rules {
            let insert = "INSERT INTO rules VALUES (?1, ?2) ON CONFLICT DO NOTHING";
            transaction.execute(insert, [&rules_fingerprint(text), text])?;
        }
        let insert = "INSERT INTO experiments (description) VALUES (?1) ON CONFLICT DO NOTHING";
        transaction.execute(insert, [&description])?;
        let select = "SELECT number FROM experiments WHERE description = ?1";
        let number = transaction.query_row(select, [&description], |row| row.get(0))?;
        transaction.commit()?;
        Ok(number)
    }

    fn find(&mut self, number: Option<i64>) -> Result<Found, StoreError> {
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
        Ok(Found { number, experiment })
    }

    fn add(
        &mut self,
        number: i64,
        schedule: &Schedule,
        results: &[MatchResult],
    ) -> Result<(), StoreError> {
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        let writer = Writer {
            connection: &transaction,
            experiment: number,
            schedule,
        };
        results.iter().try_for_each(|result| writer.add(result))?;
        Ok(transaction.commit()?)
    }

    fn results(&mut self, number: i64) -> Result<Results, StoreError> {
        read(&self.connection, number)
    }

    fn rules(&mut self, fingerprint: &str) -> Result<Option<String>, StoreError> {
        let select = "SELECT text FROM rules WHERE fingerprint = ?1";
        let text = self
            .connection
            .query_row(select, [fingerprint], |row| row.get(0));
        Ok(text.optional()?)
    }
}

fn pragma(connection: &Connection, text: &str) -> rusqlite::Result<i64> {
    connection.query_row(text, [], |row| row.get(0))
}

/// The version of the tables; none if the file is not marked as ours.
fn version(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let is_ours = pragma(connection, "PRAGMA application_id")? == APPLICATION;
    let version = pragma(connection, "PRAGMA user_version")?;
    Ok(is_ours.then_some(version))
}

/// Makes the tables or upgrades them, and refuses files that are something else.
fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    if version(connection)? == Some(VERSION) {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Asked again: another process may have made the tables in the meantime.
    match version(&transaction)? {
        Some(VERSION) => return Ok(()),
        Some(1) => transaction.execute_batch(RULES)?,
        Some(found) => return Err(StoreError::Version { found }),
        None if pragma(&transaction, "SELECT count(*) FROM sqlite_schema")? > 0 => {
            return Err(StoreError::NotOurs);
        }
        None => {
            transaction.execute_batch(TABLES)?;
            transaction.execute_batch(RULES)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
        }
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

/// Writes results of an experiment.
struct Writer<'w> {
    connection: &'w Connection,
    experiment: i64,
    schedule: &'w Schedule,
}

impl Writer<'_> {
    fn add(&self, result: &MatchResult) -> Result<(), StoreError> {
        let MatchResult { series, number, .. } = *result;
        let game = self.schedule.series[series].game;
        let insert = "INSERT INTO matches VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
                      ON CONFLICT DO NOTHING";
        let row = params![
            self.experiment,
            series as i64,
            number,
            self.schedule.experiment.games[game].name,
            result.seed as i64,
            result.turns as i64,
            result.completed,
            result.seconds,
            result.threads as i64
        ];
        if self.connection.execute(insert, row)? == 0 {
            return Err(StoreError::Twice { series, number });
        }
        let mut seats = result.seats.iter();
        seats.try_for_each(|seat| self.add_seat(result, seat))
    }

    fn add_seat(&self, result: &MatchResult, seat: &SeatResult) -> Result<(), StoreError> {
        let player = self.schedule.series[result.series].players[seat.side];
        let insert = "INSERT INTO seats VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
        let row = params![
            self.experiment,
            result.series as i64,
            result.number,
            seat.role as i64,
            seat.side as i64,
            self.schedule.experiment.players[player],
            seat.goal,
            seat.faults
        ];
        self.connection.execute(insert, row)?;
        Ok(())
    }
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

    fn experiment() -> Experiment {
        Experiment {
            games: vec![GameEntry {
                name: "game".to_string(),
                rules: rules_fingerprint("(role a)"),
                seats: 1,
            }],
            players: vec!["random".to_string()],
            clocks: Clocks::Iterations { start: 1, play: 1 },
            seed: 1,
            build: String::new(),
        }
    }

    /// A file with the experiment, which is the first in it.
    fn store(path: &Path) -> SqliteStore {
        let mut store = SqliteStore::open(path).unwrap();
        let rules = ["(role a)".to_string()];
        assert_eq!(store.take_up(&experiment(), &rules).unwrap(), 1);
        store
    }

    fn add(store: &mut SqliteStore, numbers: std::ops::Range<u32>) -> Result<(), StoreError> {
        store.add(1, &Schedule::new(experiment()), &results(numbers))
    }

    fn stored(store: &mut SqliteStore) -> Vec<MatchResult> {
        store.results(1).unwrap().iter().cloned().collect()
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
        let mut first = store(&path);
        add(&mut first, 0..3).unwrap();

        let full = "PRAGMA max_page_count = 1";
        first.connection.query_row(full, [], |_| Ok(())).unwrap();
        let refused = add(&mut first, 3..2000).unwrap_err().to_string();
        assert_eq!(refused, "the disk is full");

        let other = store(&path);
        other.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        first.connection.busy_timeout(Duration::ZERO).unwrap();
        let refused = add(&mut first, 3..4).unwrap_err().to_string();
        assert_eq!(refused, "another process keeps the file to itself");
        drop(other);

        assert_eq!(stored(&mut store(&path)), results(0..3));
    }

    /// Makes a file as version 1 of the tables had it.
    fn version_1(path: &Path) {
        let connection = Connection::open(path).unwrap();
        connection.execute_batch(TABLES).unwrap();
        connection
            .pragma_update(None, "application_id", APPLICATION)
            .unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        let description = serde_json::to_string(&experiment()).unwrap();
        let insert = "INSERT INTO experiments (description) VALUES (?1)";
        connection.execute(insert, [&description]).unwrap();
        let schedule = Schedule::new(experiment());
        let writer = Writer {
            connection: &connection,
            experiment: 1,
            schedule: &schedule,
        };
        results(0..2).iter().for_each(|it| writer.add(it).unwrap());
    }

    #[test]
    fn files_of_version_1_are_upgraded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        version_1(&path);
        let fingerprint = rules_fingerprint("(role a)");
        let mut old = SqliteStore::open(&path).unwrap();
        assert_eq!(old.find(None).unwrap().experiment, experiment());
        assert_eq!(stored(&mut old), results(0..2));
        assert_eq!(old.rules(&fingerprint).unwrap(), None);
        // The experiment is taken up where it was left, and now its rules are known.
        let mut old = store(&path);
        add(&mut old, 2..3).unwrap();
        assert_eq!(stored(&mut old), results(0..3));
        assert_eq!(old.rules(&fingerprint).unwrap().unwrap(), "(role a)");
        assert_eq!(version(&old.connection).unwrap(), Some(VERSION));
    }
}
