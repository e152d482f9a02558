//! How fast the networks of a game's states are solved.
//!
//! States come from random matches. Each is solved as a whole: loaded, and all its solutions
//! visited, once with arc consistency and once with forward checking.

use super::{Settings, Subject, peak_memory};
use crate::random;
use constraint::{Query, Strength};
use encoding::{Encoding, Micro, NotEncoded};
use game::{BitsBuf, Game, Unanswered};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use std::ops::ControlFlow;
use std::time::Instant;

/// How many states are solved in turn.
const STATES: usize = 200;
/// A state with more solutions than this is left after so many.
const SOLUTIONS: u64 = 20_000;

/// What was measured of one game.
#[derive(Clone, Debug, Serialize)]
pub struct Rates {
    /// What the game is called.
    pub game: String,
    /// The name of the engine.
    pub engine: &'static str,
    /// How long it took to load.
    pub load_seconds: f64,
    /// How long it took to encode a round.
    pub encode_seconds: f64,
    /// Variables of a round.
    pub variables: usize,
    /// The size of its largest domain.
    pub largest_domain: usize,
    /// Constraints of a round.
    pub constraints: usize,
    /// With arc consistency.
    pub mac: Rate,
    /// With forward checking.
    pub fc: Rate,
    /// The most memory the process had.
    pub peak_memory_bytes: u64,
}

/// How fast networks of states were solved.
#[derive(Clone, Debug, Serialize)]
pub struct Rate {
    /// Networks in a second.
    pub networks_per_second: f64,
    /// Their solutions in a second.
    pub solutions_per_second: f64,
}

/// Why networks were not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoNetworks {
    /// A round is too large.
    #[error(transparent)]
    NotEncoded(#[from] NotEncoded),
    /// The game has no ground program.
    #[error("a network needs a ground program")]
    NotGround,
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// A game whose rounds are encoded.
#[derive(Debug)]
pub struct Networks<'g> {
    game: &'g Game,
    encoding: &'g Encoding,
    /// How long that took.
    seconds: f64,
}

impl<'g> Networks<'g> {
    /// Encodes the rounds of a game, which is part of loading.
    pub fn new(game: &'g Game) -> Result<Networks<'g>, NoNetworks> {
        let started = Instant::now();
        let encoding = match game.encoding() {
            Some(encoding) => encoding.map_err(Clone::clone)?,
            None => return Err(NoNetworks::NotGround),
        };
        Ok(Networks {
            game,
            encoding,
            seconds: started.elapsed().as_secs_f64(),
        })
    }

    /// Solves networks until the time is over: one half with each kind of propagation.
    pub fn measure(&self, subject: Subject, settings: &Settings) -> Result<Rates, NoNetworks> {
        let states = states(self.game, settings.seed)?;
        let seconds = settings.seconds / 2.0;
        let size = self.encoding.size();
        let rate = |strength| rate(self.encoding, &states, (strength, seconds));
        Ok(Rates {
            game: subject.game,
            engine: subject.engine,
            load_seconds: subject.load_seconds,
            encode_seconds: self.seconds,
            variables: size.variables,
            largest_domain: size.largest,
            constraints: size.constraints,
            mac: rate(Strength::Arc),
            fc: rate(Strength::Forward),
            peak_memory_bytes: peak_memory(),
        })
    }
}

/// States of random matches that are not over.
pub(crate) fn states(game: &Game, seed: u64) -> Result<Vec<BitsBuf>, Unanswered> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut scratch = game.scratch();
    let mut states = Vec::new();
    while states.len() < STATES {
        let mut state = game.initial(&mut scratch)?;
        loop {
            let view = game.view(&mut scratch, &state)?;
            if view.terminal || states.len() == STATES {
                break;
            }
            let Some(joint) = random::joint(&view.legal, &mut random) else {
                break;
            };
            states.extend(game.packed(&state));
            (state, _) = game.next(&mut scratch, &state, &joint)?;
        }
    }
    Ok(states)
}

/// Solves states in turn until the time is over.
fn rate(encoding: &Encoding, states: &[BitsBuf], (strength, seconds): (Strength, f64)) -> Rate {
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
    pub fn line(&self) -> String {
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
