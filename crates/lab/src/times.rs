//! The networks of rounds in several forms: how large they are, how long they take to build, and
//! what a state costs.
//!
//! States come from random matches. In each, the first legal joint move is decided, without the
//! end of the round and with it. The tables of a round are solved as a whole, with arc consistency
//! and with forward checking, all variables by weighted degree.

use crate::bench::states;
use crate::load::{self, Engine, NotLoaded, Unmeasured};
use crate::{Table, Watch, limits};
use constraint::{Ending, Query, Strength};
use encoding::{Ahead, Encoding, Micro, Scout, Tables};
use game::{BitsBuf, Game, MoveId};
use library::OurGame;
use std::ops::ControlFlow;
use std::time::Instant;

/// The seed of the random matches.
const SEED: u64 = 1;
/// How many networks of tables are solved, and how many nodes one may take.
const SOLVED: usize = 20;
const NODES: u64 = 1000;

const HEAD: [&str; 8] = [
    "game",
    "with end: variables",
    "constraints",
    "tables: variables",
    "tables, tuples, definitions left",
    "seconds to build: round, end, tables",
    "µs a move: round, with end",
    "nodes a network: MAC, FC",
];

/// The table of some of our games.
pub fn times(names: &[&str], watch: &impl Watch) -> Result<Table, Unmeasured> {
    let mut rows = Vec::new();
    for game in names.iter().filter_map(|name| library::find(name)) {
        rows.push(row(game, watch).map_err(|reason| {
            let game = game.name;
            Unmeasured { game, reason }
        })?);
    }
    let note = format!(
        "Nodes are values tried in the networks of {SOLVED} states, {NODES} a network at most (≥), \
         by weighted degree among all variables. In the order of the stage, actions before what \
         follows from them, both take the same."
    );
    Ok(Table {
        title: "Networks with their end, and in extension".to_string(),
        notes: vec![note],
        ..Table::new(HEAD, rows)
    })
}

fn row(ours: OurGame, watch: &impl Watch) -> Result<[String; 8], NotLoaded> {
    let task = watch.begin("measuring", ours.name);
    let game = load::ours(ours, Engine::Ground, &limits(&task))?;
    let began = Instant::now();
    let encoding = game.encoding().and_then(Result::ok);
    let round = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let ahead = game.ahead().and_then(Result::ok);
    let end = began.elapsed().as_secs_f64();
    let began = Instant::now();
    let tables = game.tables().and_then(Result::ok);
    let listed = began.elapsed().as_secs_f64();
    let mut row: [String; 8] = std::array::from_fn(|_| "–".to_string());
    row[0] = ours.name.to_string();
    row[5] = format!("{round:.2}, {end:.2}, {listed:.2}");
    let Some(encoding) = encoding else {
        return Ok(row);
    };
    let states = states(&game, SEED).unwrap_or_default();
    let alone = micros(&states, |states| decide(&game, encoding, states));
    if let Some(ahead) = ahead {
        let size = ahead.size();
        row[1] = size.variables.to_string();
        row[2] = size.constraints.to_string();
        let with_end = micros(&states, |states| {
            look_ahead(&game, (encoding, ahead), states);
        });
        row[6] = format!("{alone:.1}, {with_end:.1}");
    }
    if let Some(tables) = tables {
        let counts = tables.counts();
        row[3] = tables.size().variables.to_string();
        row[4] = format!(
            "{}, {}, {}",
            counts.tables, counts.tuples, counts.definitions
        );
        let some = &states[..states.len().min(SOLVED)];
        let [mac, fc] = [Strength::Arc, Strength::Forward]
            .map(|strength| nodes((encoding, tables), some, strength));
        row[7] = format!("{mac}, {fc}");
    }
    Ok(row)
}

/// Microseconds a state.
fn micros(states: &[BitsBuf], all: impl Fn(&[BitsBuf])) -> f64 {
    let began = Instant::now();
    all(states);
    began.elapsed().as_secs_f64() * 1e6 / states.len().max(1) as f64
}

/// Goes to each state and decides a joint move.
fn decide(game: &Game, encoding: &Encoding, states: &[BitsBuf]) {
    let mut micro = Micro::new(encoding);
    let mut next = BitsBuf::default();
    for state in states {
        if micro.load(state).is_ok() {
            let first = |role| micro.legal(role).next();
            let joint: Option<Vec<MoveId>> = game.role_ids().map(first).collect();
            if let Some(joint) = joint {
                micro.follow(&joint, &mut next);
            }
        }
    }
}

/// The same with the end of the round.
fn look_ahead(game: &Game, (encoding, ahead): (&Encoding, &Ahead), states: &[BitsBuf]) {
    let mut scout = Scout::new(encoding, ahead);
    for state in states {
        if scout.load(state).is_ok() {
            let first = |role| scout.legal(role).next();
            let joint: Option<Vec<MoveId>> = game.role_ids().map(first).collect();
            if let Some(joint) = joint {
                scout.decide(&joint);
            }
        }
    }
}

/// The mean number of nodes of the networks of some states.
fn nodes(
    (encoding, tables): (&Encoding, &Tables),
    states: &[BitsBuf],
    strength: Strength,
) -> String {
    let mut micro = Micro::with_tables(encoding, tables, strength);
    let mut query = Query::default();
    query.limits.nodes = Some(NODES);
    let (mut sum, mut cut) = (0, false);
    for state in states {
        if micro.load(state).is_ok() {
            let report = micro.each(&query, |_| ControlFlow::Continue(()));
            sum += report.nodes;
            cut |= report.ending != Ending::Complete;
        }
    }
    let mean = sum as f64 / states.len().max(1) as f64;
    format!("{}{mean:.1}", if cut { "≥ " } else { "" })
}
