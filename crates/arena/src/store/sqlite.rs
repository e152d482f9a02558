//! A store in a file: SQLite.
//!
//! Results are written in transactions that are on the disk when they are done: a kill or a full
//! disk loses nothing that was written, and leaves nothing half written. Several processes may
//! share a file. What is read is checked against the checksums that were written with it.

use super::sums::{self, Described};
use super::{Found, Store, StoreError, rows, tables};
use crate::experiment::{Experiment, rules_fingerprint};
use crate::results::{MatchResult, Results};
use crate::schedule::Schedule;
use rows::Row;
use rusqlite::{Connection, Error, ErrorCode, OptionalExtension, TransactionBehavior};
use std::path::Path;
use std::time::Duration;

/// How long another process may keep the file locked.
const PATIENCE: Duration = Duration::from_secs(10);

/// An error of SQLite, in words that say what to do.
pub(super) fn plainly(error: &Error) -> String {
    let text = match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
            "another process keeps the file to itself"
        }
        Some(ErrorCode::DiskFull) => "the disk is full",
        Some(ErrorCode::NotADatabase) => "it is no file of arena results",
        Some(ErrorCode::DatabaseCorrupt) => "the file is damaged",
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => "the file may not be written",
        Some(ErrorCode::CannotOpen) => "the file cannot be opened",
        Some(ErrorCode::SystemIoFailure) => {
            "the file cannot be read or written to its end: it is cut short, or the disk fails"
        }
        Some(ErrorCode::ConstraintViolation) => {
            "the file is damaged: it has something already that was never written"
        }
        Some(_) => return format!("the file is damaged, or not of this program: {error}"),
        None => return format!("the file is damaged: a value in it cannot be: {error}"),
    };
    text.to_string()
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
        tables::prepare(&mut connection)?;
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
        let known = sums::experiments(&transaction)?;
        let known = known.iter().find(|it| it.description == description);
        let number = match known {
            Some(known) => known.number,
            None => begin(&transaction, description)?,
        };
        transaction.commit()?;
        Ok(number)
    }

    fn find(&mut self, number: Option<i64>) -> Result<Found, StoreError> {
        let transaction = self.connection.transaction()?;
        let all = sums::experiments(&transaction)?;
        let last = all.last().ok_or(StoreError::Empty)?.number;
        let number = number.unwrap_or(last);
        let found = all.iter().find(|it| it.number == number);
        let found = found.ok_or(StoreError::Missing { number, last })?;
        let experiment = serde_json::from_str(&found.description)
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
        let mut checksums = Vec::new();
        for result in results {
            let row = Row::new(schedule, number, result);
            row.add(&transaction, number)?;
            checksums.push(row.checksum);
        }
        sums::add_matches(&transaction, number, &checksums)?;
        Ok(transaction.commit()?)
    }

    fn results(&mut self, number: i64) -> Result<Results, StoreError> {
        // One transaction: nobody may add matches between the two questions.
        let transaction = self.connection.transaction()?;
        let rows = rows::read(&transaction, number)?;
        sums::check(&transaction, number, &rows)?;
        let mut results = Results::default();
        rows.into_iter().for_each(|row| results.add(row.result));
        Ok(results)
    }

    fn rules(&mut self, fingerprint: &str) -> Result<Option<String>, StoreError> {
        let select = "SELECT text FROM rules WHERE fingerprint = ?1";
        let text = self
            .connection
            .query_row(select, [fingerprint], |row| row.get(0));
        let text: Option<String> = text.optional()?;
        match text {
            Some(text) if rules_fingerprint(&text) != fingerprint => Err(StoreError::damaged(
                "the rules of a game are not as they were written",
            )),
            text => Ok(text),
        }
    }
}

/// Adds an experiment; its number.
fn begin(connection: &Connection, description: String) -> Result<i64, StoreError> {
    let insert = "INSERT INTO experiments (description) VALUES (?1)";
    connection.execute(insert, [&description])?;
    let number = connection.last_insert_rowid();
    let experiment = Described {
        number,
        description,
    };
    sums::add_experiment(connection, &experiment)?;
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clocks;
    use crate::experiment::GameEntry;
    use crate::results::SeatResult;

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
            memory: None,
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
                slow: 0,
            }],
            turns: 3,
            completed: false,
            broken: None,
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

    /// Makes a file as an older version of this program did, with three matches.
    fn older(path: &Path, version: i64) {
        let connection = Connection::open(path).unwrap();
        tables::older(&connection, version);
        let description = serde_json::to_string(&experiment()).unwrap();
        let insert = "INSERT INTO experiments (description) VALUES (?1)";
        connection.execute(insert, [&description]).unwrap();
        for number in 0..2 {
            let insert = "INSERT INTO matches VALUES (1, 0, ?1, 'game', -1, 3, 0, 0.25, 1)";
            connection.execute(insert, [number]).unwrap();
            let insert = "INSERT INTO seats VALUES (1, 0, ?1, 0, 0, 'random', NULL, 2)";
            connection.execute(insert, [number]).unwrap();
        }
    }

    #[test]
    fn older_files_are_upgraded() {
        for version in [1, 2] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("arena.sqlite");
            older(&path, version);
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
            let version = tables::version(&old.connection).unwrap();
            assert_eq!(version, Some(tables::VERSION));
        }
    }

    /// What the store says after somebody else changed the file.
    fn after(change: &str) -> Result<Vec<MatchResult>, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        add(&mut store(&path), 0..3).unwrap();
        let other = Connection::open(&path).unwrap();
        let change = format!("PRAGMA foreign_keys = OFF; {change}");
        other.execute_batch(&change).unwrap();
        drop(other);
        let mut store = SqliteStore::open(&path).unwrap();
        let results = store.find(None).and_then(|it| store.results(it.number));
        let results = results.map_err(|error| error.to_string())?;
        Ok(results.iter().cloned().collect())
    }

    #[test]
    fn what_was_not_written_is_not_read() {
        let changed = "the file is damaged: match 1 of series 0 is not as it was written";
        let refused = |change: &str| after(change).unwrap_err();
        for change in [
            "UPDATE seats SET side = 99 WHERE number = 1",
            "UPDATE seats SET goal = 100 WHERE number = 1",
            "UPDATE seats SET player = 'uct' WHERE number = 1",
            "UPDATE matches SET turns = 4 WHERE number = 1",
            "UPDATE matches SET seconds = 0.5 WHERE number = 1",
            "UPDATE matches SET checksum = 5 WHERE number = 1",
        ] {
            assert_eq!(refused(change), changed, "{change}");
        }
        let missing = "the file is damaged: experiment 1 has 2 matches, and 3 were written";
        assert_eq!(refused("DELETE FROM matches WHERE number = 1"), missing);
        assert_eq!(refused("DELETE FROM seats WHERE number = 1"), missing);
        let list = "the file is damaged: its list of experiments is not as it was written";
        let other = "INSERT INTO experiments (description) VALUES ('')";
        assert_eq!(refused(other), list);
        let other = "UPDATE experiments SET description = replace(description, 'random', 'legal')";
        assert_eq!(refused(other), list);
        let kind = "the file is damaged: a value in it cannot be: ";
        let text = refused("UPDATE matches SET turns = 'many' WHERE number = 1");
        assert!(text.starts_with(kind), "{text}");
        let text = refused("UPDATE matches SET series = -1 WHERE number = 1");
        assert!(text.starts_with("the file is damaged: "), "{text}");
        assert_eq!(after("VACUUM").unwrap(), results(0..3));
    }

    #[test]
    fn errors_of_sqlite_are_sentences() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("arena.sqlite");
        let mut store = store(&path);
        // Seats of a match that is not there.
        let orphan = "PRAGMA foreign_keys = OFF; INSERT INTO seats VALUES (1, 0, 0, 0, 0, 'random', NULL, 2, 0)";
        store.connection.execute_batch(orphan).unwrap();
        assert_eq!(
            add(&mut store, 0..1).unwrap_err().to_string(),
            "the file is damaged: it has something already that was never written"
        );
        let failed = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_IOERR);
        assert_eq!(
            plainly(&Error::SqliteFailure(failed, None)),
            "the file cannot be read or written to its end: it is cut short, or the disk fails"
        );
    }
}
