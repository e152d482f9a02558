//! `ludex bench`: how fast random matches are played.

use crate::args::{Bench, Simulator};
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::{Result, bail};
use circuit::{Lanes, Single, Tally};
use game::{Engine, Game, Limits};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
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
    let Some(program) = super::program(file, &arguments.reading)? else {
        bail!("the rules were refused");
    };
    let engine = match arguments.engine {
        Simulator::Single => Engine::Single,
        Simulator::Lanes => Engine::Lanes,
    };
    let game = Game::new(&program, engine, &Limits::default())?;
    let load_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let (gates, tally) = match arguments.engine {
        Simulator::Single => play_single(&game, arguments),
        Simulator::Lanes => play_lanes(&game, arguments),
    };
    let seconds = started.elapsed().as_secs_f64();
    let ended = tally.ended() as f64;
    Ok(Figures {
        game: title,
        engine: match arguments.engine {
            Simulator::Single => "single",
            Simulator::Lanes => "lanes",
        },
        load_seconds,
        gates,
        playouts_per_second: ended / seconds,
        states_per_second: (tally.turns as f64 + ended) / seconds,
        mean_length: tally.turns as f64 / ended,
        mean_goals: tally.means(),
        peak_memory_bytes: peak_memory(),
        stuck: tally.stuck,
        cut: tally.cut,
    })
}

/// Plays 512 matches at once; gives the number of gates too.
fn play_lanes(game: &Game, arguments: &Bench) -> (usize, Tally) {
    let circuit = game.circuit().expect("a game for lanes has a circuit");
    let mut lanes = Lanes::new(circuit, arguments.seed);
    let tally = Tally::new(circuit.roles());
    let playouts = |count| lanes.playouts(count, MAX_TURNS);
    (circuit.len(), play(tally, 512, arguments.seconds, playouts))
}

/// Plays one match after the other.
fn play_single(game: &Game, arguments: &Bench) -> (usize, Tally) {
    let network = game.network().expect("a game for one state has a network");
    let mut single = Single::new(network);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(arguments.seed);
    let tally = Tally::new(network.roles());
    let playouts = |count| single.playouts(&mut random, count, MAX_TURNS);
    (network.len(), play(tally, 1, arguments.seconds, playouts))
}

/// Plays batches that grow until the time is over.
fn play(
    mut tally: Tally,
    first: u64,
    seconds: f64,
    mut playouts: impl FnMut(u64) -> Tally,
) -> Tally {
    let started = Instant::now();
    let mut batch = first;
    while started.elapsed().as_secs_f64() < seconds {
        tally.add(&playouts(batch));
        batch = (batch * 2).min(128 * first);
    }
    tally
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
