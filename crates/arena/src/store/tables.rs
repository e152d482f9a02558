//! The tables of a results file, and how older files get them.
//!
//! Version 2 added the texts of rules, version 3 checksums, slow moves
//! and broken games. Older files are
//! upgraded when they are opened: their matches get checksums of what they say by then, so
//! damage that came before and that SQLite does not notice stays unknown.

use super::StoreError;
use super::sums;
use rusqlite::{Connection, TransactionBehavior};

/// Marks a file as ours, "LDXA".
const APPLICATION: i64 = 0x4c44_5841;
/// The version of the tables.
pub(super) const VERSION: i64 = 3;

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

/// What version 3 added.
const SUMS: &str = "
    -- Of the match and its seats.
    ALTER TABLE matches ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0;
    -- What is wrong with the game, if that ended the match.
    ALTER TABLE matches ADD COLUMN broken TEXT;
    -- In how many turns the move came later than its clock, and was taken all the same.
    ALTER TABLE seats ADD COLUMN slow INTEGER NOT NULL DEFAULT 0;
    CREATE TABLE sums (
        -- 0 for the list of experiments.
        experiment INTEGER PRIMARY KEY,
        -- How many matches it has, or how many experiments there are.
        entries INTEGER NOT NULL,
        -- The sum of their checksums.
        sum INTEGER NOT NULL
    );";

/// Makes the tables or upgrades them, and refuses files that are something else.
pub(super) fn prepare(connection: &mut Connection) -> Result<(), StoreError> {
    if version(connection)? == Some(VERSION) {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Asked again: another process may have made the tables in the meantime.
    match version(&transaction)? {
        Some(VERSION) => return Ok(()),
        Some(found @ (1 | 2)) => upgrade(&transaction, found)?,
        Some(found) => return Err(StoreError::Version { found }),
        None if pragma(&transaction, "SELECT count(*) FROM sqlite_schema")? > 0 => {
            return Err(StoreError::NotOurs);
        }
        None => {
            transaction.execute_batch(TABLES)?;
            transaction.execute_batch(RULES)?;
            transaction.execute_batch(SUMS)?;
            sums::fill(&transaction)?;
            transaction.pragma_update(None, "application_id", APPLICATION)?;
        }
    }
    transaction.pragma_update(None, "user_version", VERSION)?;
    Ok(transaction.commit()?)
}

/// Upgrades a file without checksums, unless SQLite finds it damaged.
fn upgrade(connection: &Connection, from: i64) -> Result<(), StoreError> {
    let check = "PRAGMA integrity_check(1)";
    let found: String = connection.query_row(check, [], |row| row.get(0))?;
    if found != "ok" {
        return Err(StoreError::damaged("its tables contradict each other"));
    }
    if from == 1 {
        connection.execute_batch(RULES)?;
    }
    connection.execute_batch(SUMS)?;
    sums::fill(connection)
}

fn pragma(connection: &Connection, text: &str) -> rusqlite::Result<i64> {
    connection.query_row(text, [], |row| row.get(0))
}

/// The version of the tables; none if the file is not marked as ours.
pub(super) fn version(connection: &Connection) -> Result<Option<i64>, StoreError> {
    let is_ours = pragma(connection, "PRAGMA application_id")? == APPLICATION;
    let version = pragma(connection, "PRAGMA user_version")?;
    Ok(is_ours.then_some(version))
}

/// Makes an empty file as an older version of this program did.
#[cfg(test)]
pub(super) fn older(connection: &Connection, version: i64) {
    connection.execute_batch(TABLES).unwrap();
    if version > 1 {
        connection.execute_batch(RULES).unwrap();
    }
    let marks = [("application_id", APPLICATION), ("user_version", version)];
    for (name, value) in marks {
        connection.pragma_update(None, name, value).unwrap();
    }
}
