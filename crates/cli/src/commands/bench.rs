//! `ludex bench`: how fast random matches are played.

use crate::args::Bench;
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::{Result, bail};
use circuit::{Start, Tally};
use game::{Engine, Game};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Longer matches are cut.
const MAX_TURNS: u64 = 10_000;

/// What was measured of one game.
#[derive(Serialize)]
struct Figures {
    game: String,
    engine: &'static str,
    load_seconds: f64,
    playouts: u64,
    gates: usize,
    playouts_per_second: f64,
    states_per_second: f64,
    mean_length: f64,
    /// For each role the mean and its standard error.
    mean_goals: Vec<(f64, f64)>,
    peak_memory_bytes: u64,
    /// Matches that ended because a role had no legal move.
    stuck: u64,
    /// Matches that were cut off after too many turns.
    cut: u64,
}

pub(crate) fn run(arguments: &Bench) -> Result<Outcome> {
    let mut outcome = Outcome::Fine;
    let mut all = Vec::new();
    for file in &arguments.files {
        match measure(file, arguments) {
            Ok(figures) => {
                if !arguments.json {
                    writeln!(stdout(), "{}", line(&figures))?;
                }
                all.push(figures);
            }
            Err(error) => {
                eprintln!("ludex: {}: {error:#}", input::title(file));
                outcome = Outcome::Failed;
            }
        }
    }
    if arguments.json {
        serde_json::to_writer_pretty(stdout(), &all)?;
        writeln!(stdout())?;
    }
    Ok(outcome)
}

fn measure(file: &Path, arguments: &Bench) -> Result<Figures> {
    let started = Instant::now();
    let title = input::title(file);
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(file, &arguments.reading, &spinner)? else {
        bail!("the rules were refused");
    };
    let game = Game::new(&program, Engine::Lanes, &spinner.limits())?;
    drop(spinner);
    let simulator = game.simulator().expect("a game for lanes has a simulator");
    let circuit = simulator.circuit();
    simulator.step_gates();
    let load_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let mut tally = Tally::new(circuit.roles());
    let mut playouts = 512;
    let mut seed = arguments.seed;
    let state = &pack(circuit.initial());
    while started.elapsed().as_secs_f64() < arguments.seconds {
        let start = Start { state, playouts };
        tally.add(&simulator.playouts(&[start], MAX_TURNS, seed)[0]);
        seed = seed.wrapping_add(1);
        // A batch plays to its end: it should not take much of the time that is left.
        let rate = tally.ended() as f64 / started.elapsed().as_secs_f64();
        playouts = (rate * arguments.seconds / 8.0).clamp(512.0, 2.0 * playouts as f64) as u64;
    }
    let seconds = started.elapsed().as_secs_f64();
    let ended = tally.ended() as f64;
    Ok(Figures {
        game: title,
        engine: "lanes",
        load_seconds,
        playouts: tally.ended(),
        gates: circuit.len(),
        playouts_per_second: ended / seconds,
        states_per_second: (tally.turns as f64 + ended) / seconds,
        mean_length: tally.turns as f64 / ended,
        mean_goals: tally.means(),
        peak_memory_bytes: peak_memory(),
        stuck: tally.stuck,
        cut: tally.cut,
    })
}

fn line(figures: &Figures) -> String {
    let mut line = format!(
        "{}: loaded in {:.2} s, {} gates; {:.0} playouts/s, {:.0} states/s, {:.1} turns",
        figures.game,
        figures.load_seconds,
        figures.gates,
        figures.playouts_per_second,
        figures.states_per_second,
        figures.mean_length,
    );
    let goals = figures.mean_goals.iter();
    let goals: Vec<String> = goals
        .map(|(mean, error)| format!("{mean:.2} ±{error:.2}"))
        .collect();
    if !goals.is_empty() {
        line += &format!("; goals {}", goals.join(", "));
    }
    line += &format!("; {} MB", figures.peak_memory_bytes >> 20);
    if figures.stuck > 0 {
        line += &format!("; {} matches ended without a legal move", figures.stuck);
    }
    if figures.cut > 0 {
        line += &format!("; {} matches cut after {MAX_TURNS} turns", figures.cut);
    }
    line
}

/// The most memory the process had, where the system tells; else 0.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn pack(fluents: &[bool]) -> Vec<u64> {
    let mut packed = vec![0; fluents.len().div_ceil(64)];
    for (number, _) in fluents.iter().enumerate().filter(|(_, holds)| **holds) {
        packed[number / 64] |= 1 << (number % 64);
    }
    packed
}
