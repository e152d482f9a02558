//! Matches as rows of a results file.

use super::StoreError;
use super::sums::Bytes;
use crate::results::{MatchResult, SeatResult};
use crate::schedule::Schedule;
use rusqlite::{Connection, params};

/// A match as it is stored: its result, the names that go with it, and its checksum.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) result: MatchResult,
    game: String,
    /// The player of each seat.
    players: Vec<String>,
    pub(super) checksum: i64,
}

impl Row {
    /// The row of a result of this schedule, in this experiment.
    pub(super) fn new(schedule: &Schedule, experiment: i64, result: &MatchResult) -> Row {
        let series = &schedule.series[result.series];
        let all = &schedule.experiment;
        let player = |seat: &SeatResult| all.players[series.players[seat.side]].clone();
        let mut row = Row {
            result: result.clone(),
            game: all.games[series.game].name.clone(),
            players: result.seats.iter().map(player).collect(),
            checksum: 0,
        };
        row.checksum = row.checksum_of(experiment);
        row
    }

    /// The checksum of what the row says.
    pub(super) fn checksum_of(&self, experiment: i64) -> i64 {
        let result = &self.result;
        let mut bytes = Bytes::default();
        bytes.number(experiment);
        bytes.number(result.series as i64);
        bytes.number(result.number.into());
        bytes.text(&self.game);
        bytes.number(result.seed as i64);
        bytes.number(result.turns as i64);
        bytes.number(result.completed.into());
        bytes.number(result.seconds.to_bits() as i64);
        bytes.number(result.threads as i64);
        bytes.number(result.broken.is_some().into());
        bytes.text(result.broken.as_deref().unwrap_or_default());
        for (seat, player) in result.seats.iter().zip(&self.players) {
            bytes.number(seat.role as i64);
            bytes.number(seat.side as i64);
            bytes.text(player);
            bytes.number(seat.goal.is_some().into());
            bytes.number(seat.goal.unwrap_or(0));
            bytes.number(seat.faults.into());
            bytes.number(seat.slow.into());
        }
        bytes.checksum()
    }

    /// Adds the match; an error if it is there already.
    pub(super) fn add(&self, connection: &Connection, experiment: i64) -> Result<(), StoreError> {
        let result = &self.result;
        let (series, number) = (result.series, result.number);
        let insert = "INSERT INTO matches
                      (experiment, series, number, game, seed, turns, completed, seconds, threads,
                       checksum, broken)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT DO NOTHING";
        let row = params![
            experiment,
            series as i64,
            number,
            self.game,
            result.seed as i64,
            result.turns as i64,
            result.completed,
            result.seconds,
            result.threads as i64,
            self.checksum,
            result.broken,
        ];
        if connection.execute(insert, row)? == 0 {
            return Err(StoreError::Twice { series, number });
        }
        let mut seats = result.seats.iter().zip(&self.players);
        seats.try_for_each(|(seat, player)| self.add_seat(connection, experiment, (seat, player)))
    }

    fn add_seat(
        &self,
        connection: &Connection,
        experiment: i64,
        (seat, player): (&SeatResult, &String),
    ) -> Result<(), StoreError> {
        let insert = "INSERT INTO seats
                      (experiment, series, number, role, side, player, goal, faults, slow)
                      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let row = params![
            experiment,
            self.result.series as i64,
            self.result.number,
            seat.role as i64,
            seat.side as i64,
            player,
            seat.goal,
            seat.faults,
            seat.slow,
        ];
        connection.execute(insert, row)?;
        Ok(())
    }

    /// Writes the checksum of a match that is there already.
    pub(super) fn sign(
        &self,
        connection: &Connection,
        experiment: i64,
        checksum: i64,
    ) -> Result<(), StoreError> {
        let update = "UPDATE matches SET checksum = ?4
                      WHERE experiment = ?1 AND series = ?2 AND number = ?3";
        let (series, number) = (self.result.series as i64, self.result.number);
        connection.execute(update, params![experiment, series, number, checksum])?;
        Ok(())
    }
}

/// All matches of an experiment, unchecked, by series and number.
pub(super) fn read(connection: &Connection, experiment: i64) -> Result<Vec<Row>, StoreError> {
    let select = "SELECT series, number, game, seed, turns, completed, seconds, threads, checksum,
                         broken, role, side, player, goal, faults, slow
                  FROM matches JOIN seats USING (experiment, series, number)
                  WHERE experiment = ?1 ORDER BY series, number, role";
    let mut statement = connection.prepare(select)?;
    let mut rows = statement.query([experiment])?;
    let mut all: Vec<Row> = Vec::new();
    while let Some(row) = rows.next()? {
        let next = head(row)?;
        let key = |it: &Row| (it.result.series, it.result.number);
        if all.last().is_none_or(|last| key(last) != key(&next)) {
            all.push(next);
        }
        if let Some(last) = all.last_mut() {
            last.result.seats.push(seat(row)?);
            last.players.push(row.get("player")?);
        }
    }
    Ok(all)
}

/// A match without its seats.
fn head(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let result = MatchResult {
        series: row.get::<_, u32>("series")? as usize,
        number: row.get("number")?,
        seed: row.get::<_, i64>("seed")? as u64,
        seats: Vec::new(),
        turns: row.get::<_, u32>("turns")? as usize,
        completed: row.get("completed")?,
        broken: row.get("broken")?,
        seconds: row.get("seconds")?,
        threads: row.get::<_, u32>("threads")? as usize,
    };
    Ok(Row {
        result,
        game: row.get("game")?,
        players: Vec::new(),
        checksum: row.get("checksum")?,
    })
}

fn seat(row: &rusqlite::Row<'_>) -> rusqlite::Result<SeatResult> {
    Ok(SeatResult {
        role: row.get::<_, u32>("role")? as usize,
        side: row.get::<_, u32>("side")? as usize,
        goal: row.get("goal")?,
        faults: row.get("faults")?,
        slow: row.get("slow")?,
    })
}
