//! What came of an experiment: for people, as JSON, and match by match.

mod plot;

pub use plot::svg;

use crate::Table;
use arena::{Clocks, Experiment, Interval, Ledger, MatchResult, PlayerRow, Row, Standings, Trust};
use serde::Serialize;

/// The standings as JSON has them.
#[derive(Serialize)]
struct File<'f> {
    number: i64,
    experiment: &'f Experiment,
    trust: &'f Trust,
    #[serde(flatten)]
    standings: &'f Standings,
}

/// The standings as JSON.
pub fn json(ledger: &Ledger, standings: &Standings, trust: &Trust) -> serde_json::Result<String> {
    let file = File {
        number: ledger.number,
        experiment: &ledger.schedule.experiment,
        trust,
        standings,
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}

/// The standings as tables: pairings, and players if they have ratings.
pub fn tables(ledger: &Ledger, standings: &Standings, trust: &Trust) -> Vec<Table> {
    let experiment = &ledger.schedule.experiment;
    let totals = standings.totals.iter();
    let totals = totals.filter(|_| experiment.games.len() > 1);
    let pairings = Table {
        title: format!(
            "{}experiment {}: {}, seed {}{}",
            warning(standings, trust),
            ledger.number,
            clocks(&experiment.clocks),
            experiment.seed,
            remembered(experiment.memory.as_deref())
        ),
        ..Table::new(PAIRINGS, standings.pairings.iter().chain(totals).map(row))
    };
    let mut tables = vec![pairings];
    if standings.players.iter().any(|it| it.rating.is_some()) {
        tables.push(Table::new(PLAYERS, ranking(&standings.players)));
    }
    let last = tables.last_mut().expect("there is a table of pairings");
    last.notes = notes(standings);
    tables
}

/// The standings for people.
pub fn text(ledger: &Ledger, standings: &Standings, trust: &Trust) -> String {
    let tables = tables(ledger, standings, trust);
    let texts: Vec<String> = tables.iter().map(Table::text).collect();
    texts.join("\n")
}

/// What stands above a table that is not to be trusted: games that are broken, and who was at fault
/// how often.
fn warning(standings: &Standings, trust: &Trust) -> String {
    let broken = standings.broken.iter();
    let broken: String = broken
        .map(|it| format!("BROKEN, no scores: {}: {}\n", it.game, it.reason))
        .collect();
    let players = standings.players.iter();
    let players = players.filter(|it| trust.at_fault.contains(&it.player));
    let lines: String = players
        .map(|it| {
            let (share, allowed) = (100.0 * it.fault_share(), 100.0 * trust.faults_allowed);
            format!(
                "NOT TO BE TRUSTED: {} of {} moves of {} were faults, and random legal moves were put \
                 in their place: {share:.1} %, and {allowed} % is allowed.\n",
                it.faults, it.moves, it.player
            )
        })
        .collect();
    let lines = broken + &lines;
    match lines.is_empty() {
        true => lines,
        false => lines + "\n",
    }
}

const PAIRINGS: [&str; 9] = [
    "game",
    "first",
    "second",
    "matches",
    "won",
    "drawn",
    "lost",
    "goals",
    "score, 95 %",
];
const PLAYERS: [&str; 4] = ["player", "rating", "95 %", "faults"];

fn clocks(clocks: &Clocks) -> String {
    match clocks {
        Clocks::Times { start, play } => {
            let (start, play) = (start.as_secs_f64(), play.as_secs_f64());
            format!("{play} s a turn, {start} s before the first")
        }
        Clocks::Iterations { play: 1, .. } => "an iteration a turn".to_string(),
        Clocks::Iterations { play, .. } => format!("{play} iterations a turn"),
    }
}

/// Where players keep what they remember, if they do.
fn remembered(folder: Option<&str>) -> String {
    folder.map_or(String::new(), |it| format!(", memory in {it}"))
}

fn row(row: &Row) -> [String; 9] {
    let goals = match row.second_goal {
        Some(second) => format!("{:.1} : {second:.1}", row.first_goal),
        None => format!("{:.1}", row.first_goal),
    };
    let count = |count: u32| match row.second {
        Some(_) => count.to_string(),
        None => String::new(),
    };
    let better = row.better.as_ref();
    let better = better.map_or(String::new(), |it| format!("  {it} is better"));
    [
        row.game.clone().unwrap_or("all games".to_string()),
        row.first.clone(),
        row.second.clone().unwrap_or_default(),
        row.matches.to_string(),
        count(row.wins),
        count(row.draws),
        count(row.losses),
        goals,
        format!("{}{better}", percent(&row.score)),
    ]
}

fn percent(score: &Interval) -> String {
    let Interval { mean, low, high } = *score;
    let [mean, low, high] = [mean, low, high].map(|it| 100.0 * it);
    format!("{mean:.1} % ({low:.1} to {high:.1})")
}

/// The players, best first.
fn ranking(players: &[PlayerRow]) -> Vec<[String; 4]> {
    let elo = |it: &PlayerRow| it.rating.map_or(f64::NEG_INFINITY, |it| it.elo);
    let mut players: Vec<&PlayerRow> = players.iter().collect();
    players.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
    let row = |player: &PlayerRow| {
        let (elo, reach) = match player.rating {
            Some(it) => (
                format!("{:+.0}", it.elo),
                format!("±{:.0}", 1.96 * it.error),
            ),
            None => (String::new(), String::new()),
        };
        [player.player.clone(), elo, reach, player.faults.to_string()]
    };
    players.into_iter().map(row).collect()
}

fn notes(standings: &Standings) -> Vec<String> {
    let mut notes = Vec::new();
    let unfinished: u32 = standings.pairings.iter().map(|it| it.unfinished).sum();
    if unfinished > 0 {
        notes.push(format!(
            "Matches that did not come to an end: {unfinished}."
        ));
    }
    let slow: u64 = standings.players.iter().map(|it| it.slow).sum();
    if slow > 0 {
        let moves: u64 = standings.players.iter().map(|it| it.moves).sum();
        notes.push(format!(
            "The machine was busy: {slow} of {moves} moves came later than their clocks, and were \
             taken all the same."
        ));
    }
    if standings.draws_added {
        let note = "Someone never got a point: ratings are with a draw added between all.";
        notes.push(note.to_string());
    }
    notes
}

const COLUMNS: [&str; 12] = [
    "game",
    "first",
    "second",
    "number",
    "seed",
    "turns",
    "completed",
    "seconds",
    "threads",
    "seats",
    "goals",
    "faults",
];

/// One row a match. What there is of every seat is in the order of the roles, with spaces.
pub fn matches(ledger: &Ledger) -> Table {
    let rows = ledger.results.iter().map(|result| line(ledger, result));
    Table::new(COLUMNS, rows)
}

fn line(ledger: &Ledger, result: &MatchResult) -> [String; 12] {
    let experiment = &ledger.schedule.experiment;
    let series = &ledger.schedule.series[result.series];
    let player = |side: usize| &experiment.players[series.players[side]][..];
    let list = |text: &dyn Fn(&arena::SeatResult) -> String| {
        let texts: Vec<String> = result.seats.iter().map(text).collect();
        texts.join(" ")
    };
    [
        experiment.games[series.game].name.clone(),
        player(0).to_string(),
        if series.players.len() > 1 {
            player(1)
        } else {
            ""
        }
        .to_string(),
        result.number.to_string(),
        result.seed.to_string(),
        result.turns.to_string(),
        result.completed.to_string(),
        format!("{:.6}", result.seconds),
        result.threads.to_string(),
        list(&|seat| player(seat.side).to_string()),
        list(&|seat| seat.goal.map_or("-".to_string(), |goal| goal.to_string())),
        list(&|seat| seat.faults.to_string()),
    ]
}
