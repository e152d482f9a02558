//! How fast random matches are played, networks of states solved (`networks.rs`), and how fast
//! players search (`search.rs`).

mod networks;
mod search;

pub(crate) use networks::states;
pub use networks::{Networks, NoNetworks, Rate, Rates};
pub use search::{NoSearch, Search};

use circuit::{Propnet, Simulator, Single, Start, Tally};
use game::{Game, Unanswered};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::time::Instant;

/// Longer matches are cut.
const MAX_TURNS: u64 = 10_000;

/// What is measured.
#[derive(Clone, Debug)]
pub struct Subject {
    /// What the game is called.
    pub game: String,
    /// The name of the engine.
    pub engine: &'static str,
    /// How long it took to load.
    pub load_seconds: f64,
}

/// How it is measured.
#[derive(Copy, Clone, Debug)]
pub struct Settings {
    /// In how many threads.
    pub threads: usize,
    /// For how long.
    pub seconds: f64,
    /// The seed of the random choices.
    pub seed: u64,
}

/// How fast matches were played.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// What the game is called.
    pub game: String,
    /// The name of the engine.
    pub engine: &'static str,
    /// In how many threads it was played.
    pub threads: usize,
    /// How long it took to load.
    pub load_seconds: f64,
    /// Matches that ended.
    pub playouts: u64,
    /// Gates of the engine.
    pub gates: usize,
    /// Matches in a second.
    pub playouts_per_second: f64,
    /// States in a second.
    pub states_per_second: f64,
    /// The mean number of turns.
    pub mean_length: f64,
    /// For each role the mean and its standard error.
    pub mean_goals: Vec<(f64, f64)>,
    /// The most memory the process had.
    pub peak_memory_bytes: u64,
    /// Matches that ended because a role had no legal move.
    pub stuck: u64,
    /// Matches that were cut off after too many turns.
    pub cut: u64,
}

impl Figures {
    /// The figures on a line.
    pub fn line(&self) -> String {
        let mut line = format!(
            "{}: loaded in {:.2} s, {} gates; {:.0} playouts/s, {:.0} states/s, {:.1} turns",
            self.game,
            self.load_seconds,
            self.gates,
            self.playouts_per_second,
            self.states_per_second,
            self.mean_length,
        );
        let goals = self.mean_goals.iter();
        let goals: Vec<String> = goals
            .map(|(mean, error)| format!("{mean:.2} ±{error:.2}"))
            .collect();
        if !goals.is_empty() {
            line += &format!("; goals {}", goals.join(", "));
        }
        line += &format!("; {} MB", self.peak_memory_bytes >> 20);
        if self.stuck > 0 {
            line += &format!("; {} matches ended without a legal move", self.stuck);
        }
        if self.cut > 0 {
            line += &format!("; {} matches cut after {MAX_TURNS} turns", self.cut);
        }
        line
    }
}

/// A game that is ready to be played at once.
#[derive(Debug)]
pub struct Bench<'g> {
    player: Player<'g>,
    gates: usize,
}

impl<'g> Bench<'g> {
    /// Makes an engine ready, which is part of loading.
    pub fn new(game: &'g Game) -> Bench<'g> {
        let (player, gates) = if let Some(simulator) = game.simulator() {
            simulator.step_gates();
            (Player::Lanes(simulator), simulator.circuit().len())
        } else if let Some(network) = game.propnet() {
            (Player::Single(network), network.len())
        } else {
            let rules = game.ground().map_or(0, |it| it.size().0);
            (Player::Other(game), rules)
        };
        Bench { player, gates }
    }

    /// Plays until the time is over.
    pub fn measure(&self, subject: Subject, settings: &Settings) -> Result<Figures, Unanswered> {
        let started = Instant::now();
        let tally = self.player.play_in_threads(settings)?;
        let seconds = started.elapsed().as_secs_f64();
        let ended = tally.ended() as f64;
        Ok(Figures {
            game: subject.game,
            engine: subject.engine,
            threads: settings.threads,
            load_seconds: subject.load_seconds,
            playouts: tally.ended(),
            gates: self.gates,
            playouts_per_second: ended / seconds,
            states_per_second: (tally.turns as f64 + ended) / seconds,
            mean_length: tally.turns as f64 / ended,
            mean_goals: tally.means(),
            peak_memory_bytes: peak_memory(),
            stuck: tally.stuck,
            cut: tally.cut,
        })
    }
}

#[derive(Copy, Clone, Debug)]
enum Player<'g> {
    Lanes(&'g Simulator),
    Single(&'g Propnet),
    /// Whatever answers questions.
    Other(&'g Game),
}

impl Player<'_> {
    /// Plays until the time is over, in every thread with a seed of its own.
    fn play_in_threads(self, settings: &Settings) -> Result<Tally, Unanswered> {
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..settings.threads)
                .map(|_| seeds.next_u64())
                .map(|seed| scope.spawn(move || self.play(seed, settings.seconds)))
                .collect();
            let mut total = Tally::new(self.roles());
            for thread in threads {
                total.add(&thread.join().expect("playing at random does not panic")?);
            }
            Ok(total)
        })
    }

    fn roles(self) -> usize {
        match self {
            Player::Lanes(simulator) => simulator.circuit().roles(),
            Player::Single(network) => network.roles(),
            Player::Other(game) => game.roles().len(),
        }
    }

    fn play(self, seed: u64, seconds: f64) -> Result<Tally, Unanswered> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let tally = Tally::new(self.roles());
        match self {
            Player::Lanes(simulator) => {
                let state = &simulator.initial();
                batches(tally, 512, seconds, |playouts| {
                    let start = Start { state, playouts };
                    Ok(simulator
                        .playouts(&[start], MAX_TURNS, random.next_u64())
                        .remove(0))
                })
            }
            Player::Single(network) => {
                let mut single = Single::new(network);
                batches(tally, 1, seconds, |count| {
                    Ok(single.playouts(&mut random, count, MAX_TURNS))
                })
            }
            Player::Other(game) => {
                let mut walk = game.walk();
                batches(tally, 1, seconds, |_| {
                    game.playout(&mut walk, &mut random, MAX_TURNS)
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
    mut playouts: impl FnMut(u64) -> Result<Tally, Unanswered>,
) -> Result<Tally, Unanswered> {
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

/// The most memory the process had, where the system tells; else 0.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Silent, limits, load};

    #[test]
    fn every_engine_plays_whole_matches() {
        let ours = library::find("rock-paper-scissors").expect("a game of ours");
        for engine in [Engine::Ground, Engine::Single, Engine::Lanes] {
            let game = load::ours(ours, engine, &limits(&Silent)).unwrap();
            let subject = Subject {
                game: ours.name.to_string(),
                engine: engine.name(),
                load_seconds: 0.0,
            };
            let settings = Settings {
                threads: 2,
                seconds: 0.2,
                seed: 1,
            };
            let figures = Bench::new(&game).measure(subject, &settings).unwrap();
            assert!(figures.playouts > 0, "{}", engine.name());
            assert_eq!((figures.mean_length, figures.stuck), (1.0, 0));
        }
    }
}
