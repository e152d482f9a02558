//! How fast the networks of a game's states are solved, for `ludex bench --engine scsp`.
//!
//! States come from random matches. Each is solved as a whole: loaded, and all its solutions
//! visited, once with arc consistency and once with forward checking.

use super::bench::peak_memory;
use crate::args::Bench;
use crate::input;
use crate::progress::Spinner;
use anyhow::{Result, bail};
use constraint::{Query, Strength};
use encoding::{Encoding, Micro};
use game::{Game, TermId};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// How many states are solved in turn.
const STATES: usize = 200;
/// A state with more solutions than this is left after so many.
const SOLUTIONS: u64 = 20_000;

/// What was measured of one game.
#[derive(Serialize)]
pub(super) struct Rates {
    game: String,
    engine: &'static str,
    load_seconds: f64,
    encode_seconds: f64,
    variables: usize,
    largest_domain: usize,
    constraints: usize,
    mac: Rate,
    fc: Rate,
    peak_memory_bytes: u64,
}

/// How fast networks of states were solved.
#[derive(Serialize)]
struct Rate {
    networks_per_second: f64,
    solutions_per_second: f64,
}

pub(super) fn measure(file: &Path, arguments: &Bench) -> Result<Rates> {
    let started = Instant::now();
    let title = input::title(file);
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(file, &arguments.reading, &spinner)? else {
        bail!("the rules were refused");
    };
    let game = Game::new(&program, arguments.engine.chosen(), &spinner.limits())?;
    let load_seconds = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let encoding = match game.encoding() {
        Some(Ok(encoding)) => encoding,
        Some(Err(reason)) => return Err(reason.clone().into()),
        None => bail!("a network needs a ground program"),
    };
    let encode_seconds = started.elapsed().as_secs_f64();
    drop(spinner);
    let states = states(&game, arguments.seed)?;
    let seconds = arguments.seconds / 2.0;
    let size = encoding.size();
    Ok(Rates {
        game: title,
        engine: arguments.engine.name(),
        load_seconds,
        encode_seconds,
        variables: size.variables,
        largest_domain: size.largest,
        constraints: size.constraints,
        mac: rate(encoding, &states, (Strength::Arc, seconds)),
        fc: rate(encoding, &states, (Strength::Forward, seconds)),
        peak_memory_bytes: peak_memory(),
    })
}

/// States of random matches that are not over.
fn states(game: &Game, seed: u64) -> Result<Vec<Vec<u64>>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = game.scratch();
    let mut states = Vec::new();
    while states.len() < STATES {
        let mut state = game.initial(&mut scratch)?;
        loop {
            let view = game.view(&mut scratch, &state)?;
            if view.terminal || view.legal.iter().any(Vec::is_empty) || states.len() == STATES {
                break;
            }
            states.extend(game.packed(&state));
            let any = |legal: &Vec<TermId>| legal[random.next_u64() as usize % legal.len()];
            let joint: Vec<TermId> = view.legal.iter().map(any).collect();
            (state, _) = game.next(&mut scratch, &state, &joint)?;
        }
    }
    Ok(states)
}

/// Solves states in turn until the time is over.
fn rate(encoding: &Encoding, states: &[Vec<u64>], (strength, seconds): (Strength, f64)) -> Rate {
    let mut micro = Micro::with_strength(encoding, strength);
    let mut query = Query::default();
    query.limits.solutions = Some(SOLUTIONS);
    let started = Instant::now();
    let (mut networks, mut solutions) = (0, 0);
    for state in states.iter().cycle() {
        if started.elapsed().as_secs_f64() >= seconds {
            break;
        }
        if micro.load(state).is_ok() {
            solutions += micro.each(&query, |_| ControlFlow::Continue(())).solutions;
        }
        networks += 1;
    }
    let elapsed = started.elapsed().as_secs_f64();
    Rate {
        networks_per_second: f64::from(networks) / elapsed,
        solutions_per_second: solutions as f64 / elapsed,
    }
}

impl Rates {
    /// The figures on a line.
    pub(super) fn line(&self) -> String {
        let rate = |name: &str, rate: &Rate| {
            format!(
                "{name} {:.0} networks/s, {:.0} solutions/s",
                rate.networks_per_second, rate.solutions_per_second
            )
        };
        format!(
            "{}: loaded in {:.2} s, encoded in {:.2} s, {} variables, largest domain {}, {} \
             constraints; {}; {}; {} MB",
            self.game,
            self.load_seconds,
            self.encode_seconds,
            self.variables,
            self.largest_domain,
            self.constraints,
            rate("MAC", &self.mac),
            rate("FC", &self.fc),
            self.peak_memory_bytes >> 20
        )
    }
}
