//! `ludex bench`: how fast random matches are played.

use super::rates::{self, Rates};
use crate::args::{Bench, Engine};
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::{Context, Result, bail};
use circuit::{Network, Simulator, Single, Start, Tally};
use game::Game;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Longer matches are cut.
const MAX_TURNS: u64 = 10_000;

/// What was measured of one game.
#[derive(Serialize)]
#[serde(untagged)]
enum Measured {
    Playouts(Figures),
    Networks(Rates),
}

/// How fast matches were played.
#[derive(Serialize)]
struct Figures {
    game: String,
    engine: &'static str,
    threads: usize,
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
        let measured = match arguments.engine {
            Engine::Scsp => rates::measure(file, arguments).map(Measured::Networks),
            _ => measure(file, arguments).map(Measured::Playouts),
        };
        match measured {
            Ok(figures) => {
                if !arguments.json {
                    let line = match &figures {
                        Measured::Playouts(figures) => line(figures),
                        Measured::Networks(rates) => rates.line(),
                    };
                    writeln!(stdout(), "{line}")?;
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
    let game = Game::new(&program, arguments.engine.chosen(), &spinner.limits())?;
    let (player, gates) = player(&game);
    drop(spinner);
    let load_seconds = started.elapsed().as_secs_f64();

    let started = Instant::now();
    let tally = player.play_in_threads(arguments)?;
    let seconds = started.elapsed().as_secs_f64();
    let ended = tally.ended() as f64;
    Ok(Figures {
        game: title,
        engine: arguments.engine.name(),
        threads: arguments.threads,
        load_seconds,
        playouts: tally.ended(),
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

/// What plays, and how many gates it has, ready to play at once.
fn player(game: &Game) -> (Player<'_>, usize) {
    if let Some(simulator) = game.simulator() {
        simulator.step_gates();
        return (Player::Lanes(simulator), simulator.circuit().len());
    }
    match game.network() {
        Some(network) => (Player::Single(network), network.len()),
        None => (
            Player::Other(game),
            game.ground().map_or(0, |it| it.size().0),
        ),
    }
}

#[derive(Copy, Clone)]
enum Player<'g> {
    Lanes(&'g Simulator),
    Single(&'g Network),
    /// Whatever answers questions.
    Other(&'g Game),
}

impl Player<'_> {
    /// Plays until the time is over, in every thread with a seed of its own.
    fn play_in_threads(self, arguments: &Bench) -> Result<Tally> {
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(arguments.seed);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..arguments.threads)
                .map(|_| seeds.next_u64())
                .map(|seed| scope.spawn(move || self.play(seed, arguments.seconds)))
                .collect();
            let mut total: Option<Tally> = None;
            for thread in threads {
                let tally = thread.join().expect("a thread that plays does not panic")?;
                match &mut total {
                    Some(total) => total.add(&tally),
                    None => total = Some(tally),
                }
            }
            total.context("no thread to play in")
        })
    }

    fn play(self, seed: u64, seconds: f64) -> Result<Tally> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        match self {
            Player::Lanes(simulator) => {
                let state = &simulator.initial();
                let tally = Tally::new(simulator.circuit().roles());
                batches(tally, 512, seconds, |playouts| {
                    let start = Start { state, playouts };
                    Ok(simulator
                        .playouts(&[start], MAX_TURNS, random.next_u64())
                        .remove(0))
                })
            }
            Player::Single(network) => {
                let mut single = Single::new(network);
                let tally = Tally::new(network.roles());
                batches(tally, 1, seconds, |count| {
                    Ok(single.playouts(&mut random, count, MAX_TURNS))
                })
            }
            Player::Other(game) => {
                let tally = Tally::new(game.roles().len());
                let mut scratch = game.scratch();
                batches(tally, 1, seconds, |_| {
                    Ok(game.playout(&mut scratch, &mut random, MAX_TURNS)?)
                })
            }
        }
    }
}

/// Plays batches until the time is over. A batch plays to its end, so that short matches are
/// not counted too often; it should not take much of the time that is left.
fn batches(
    mut tally: Tally,
    least: u64,
    seconds: f64,
    mut playouts: impl FnMut(u64) -> Result<Tally>,
) -> Result<Tally> {
    let started = Instant::now();
    let mut batch = least;
    while started.elapsed().as_secs_f64() < seconds {
        tally.add(&playouts(batch)?);
        let rate = tally.ended() as f64 / started.elapsed().as_secs_f64();
        let wanted = (rate * seconds / 8.0) as u64;
        batch = wanted.clamp(least, 2 * batch);
    }
    Ok(tally)
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
pub(super) fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
