//! Checksums: whether a file still says what was written into it.
//!
//! A match has one, of its row and the rows of its seats. The table `sums` has for each
//! experiment how many matches it has and the sum of their checksums, and under number 0 the
//! same of the experiments themselves. So a row that was changed is found, and so is one that
//! is missing or was never written. They tell damage, not forgery.

use super::rows::{self, Row};
use super::{StoreError, Unsound};
use crate::experiment::fingerprint;
use rusqlite::{Connection, OptionalExtension, params};

/// Under this number are the experiments themselves.
const EXPERIMENTS: i64 = 0;

/// How many entries there are, and the sum of their checksums.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Sums {
    entries: i64,
    sum: i64,
}

impl Sums {
    /// Counts an entry with this checksum.
    pub(super) fn add(&mut self, checksum: i64) {
        self.entries = self.entries.wrapping_add(1);
        self.sum = self.sum.wrapping_add(checksum);
    }

    /// What the file says of an experiment, or of all experiments.
    fn read(connection: &Connection, experiment: i64) -> Result<Sums, StoreError> {
        let select = "SELECT entries, sum FROM sums WHERE experiment = ?1";
        let sums = connection.query_row(select, [experiment], |row| {
            let (entries, sum) = (row.get(0)?, row.get(1)?);
            Ok(Sums { entries, sum })
        });
        (sums.optional()?).ok_or(StoreError::damaged("a checksum is missing"))
    }

    fn write(&self, connection: &Connection, experiment: i64) -> Result<(), StoreError> {
        let insert = "INSERT OR REPLACE INTO sums VALUES (?1, ?2, ?3)";
        connection.execute(insert, params![experiment, self.entries, self.sum])?;
        Ok(())
    }
}

/// The checksum of numbers and texts.
#[derive(Debug, Default)]
pub(super) struct Bytes(Vec<u8>);

impl Bytes {
    pub(super) fn number(&mut self, number: i64) {
        self.0.extend(number.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as i64);
        self.0.extend(text.as_bytes());
    }

    pub(super) fn checksum(&self) -> i64 {
        fingerprint(&self.0) as i64
    }
}

/// An experiment as it is written.
pub(super) struct Described {
    pub(super) number: i64,
    pub(super) description: String,
}

impl Described {
    fn checksum(&self) -> i64 {
        let mut bytes = Bytes::default();
        bytes.number(self.number);
        bytes.text(&self.description);
        bytes.checksum()
    }
}

/// All experiments, in the order of their numbers; an error if they are not as they were written.
pub(super) fn experiments(connection: &Connection) -> Result<Vec<Described>, StoreError> {
    let all = listed(connection)?;
    match total(&all) == Sums::read(connection, EXPERIMENTS)? {
        true => Ok(all),
        false => Err(StoreError::damaged(
            "its list of experiments is not as it was written",
        )),
    }
}

/// All experiments, unchecked. The index of descriptions is not asked: it may be damaged alone.
fn listed(connection: &Connection) -> Result<Vec<Described>, StoreError> {
    let select = "SELECT number, description FROM experiments NOT INDEXED ORDER BY number";
    let mut statement = connection.prepare(select)?;
    let all = statement.query_map([], |row| {
        let (number, description) = (row.get(0)?, row.get(1)?);
        Ok(Described {
            number,
            description,
        })
    })?;
    Ok(all.collect::<Result<_, _>>()?)
}

fn total(experiments: &[Described]) -> Sums {
    let mut sums = Sums::default();
    experiments.iter().for_each(|it| sums.add(it.checksum()));
    sums
}

/// Counts an experiment that was added.
pub(super) fn add_experiment(
    connection: &Connection,
    experiment: &Described,
) -> Result<(), StoreError> {
    let mut sums = Sums::read(connection, EXPERIMENTS)?;
    sums.add(experiment.checksum());
    sums.write(connection, EXPERIMENTS)?;
    Sums::default().write(connection, experiment.number)
}

/// Counts matches that were added.
pub(super) fn add_matches(
    connection: &Connection,
    experiment: i64,
    checksums: &[i64],
) -> Result<(), StoreError> {
    let mut sums = Sums::read(connection, experiment)?;
    checksums.iter().for_each(|&it| sums.add(it));
    sums.write(connection, experiment)
}

/// Checks the matches of an experiment against what was written.
pub(super) fn check(
    connection: &Connection,
    experiment: i64,
    rows: &[Row],
) -> Result<(), StoreError> {
    let mut sums = Sums::default();
    for row in rows {
        if row.checksum != row.checksum_of(experiment) {
            let (series, number) = (row.result.series, row.result.number);
            return Err(Unsound::Changed { series, number }.into());
        }
        sums.add(row.checksum);
    }
    let written = Sums::read(connection, experiment)?;
    match sums == written {
        true => Ok(()),
        false => Err(Unsound::Count {
            experiment,
            found: sums.entries,
            written: written.entries,
        }
        .into()),
    }
}

/// Writes the checksums of a file that has none.
pub(super) fn fill(connection: &Connection) -> Result<(), StoreError> {
    let experiments = listed(connection)?;
    total(&experiments).write(connection, EXPERIMENTS)?;
    for Described { number, .. } in experiments {
        let mut sums = Sums::default();
        for row in rows::read(connection, number)? {
            let checksum = row.checksum_of(number);
            row.sign(connection, number, checksum)?;
            sums.add(checksum);
        }
        sums.write(connection, number)?;
    }
    Ok(())
}
