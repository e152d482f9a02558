//! Decides pairings as results come in.
//!
//! Matches are judged in the order of their numbers, not in the order in which they end, so the
//! verdict does not depend on scheduling.

use crate::results::Results;
use crate::schedule::Schedule;
use crate::sequential::Test;

/// The decision that one player is better.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The better player of the pairing: 0 for the first, 1 for the second.
    pub better: usize,
    /// The number of matches after which it was decided.
    pub matches: u32,
}

/// Judges all pairings of a schedule.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The error at which a pairing is decided; without one nothing is.
    error: Option<f64>,
    trials: Vec<Trial>,
    /// For each series whether its game is broken: then nothing can be decided.
    broken: Vec<bool>,
}

#[derive(Copy, Clone, Debug, Default)]
struct Trial {
    /// The number of matches judged.
    matches: u32,
    /// The sum of scores since the last complete rotation.
    sum: f64,
    test: Test,
    verdict: Option<Verdict>,
}

impl Judge {
    /// A judge without results. Without an error nothing is decided.
    pub fn new(schedule: &Schedule, error: Option<f64>) -> Judge {
        Judge {
            error,
            trials: vec![Trial::default(); schedule.pairings.len()],
            broken: vec![false; schedule.series.len()],
        }
    }

    /// Judges the new results.
    pub fn update(&mut self, schedule: &Schedule, results: &Results) {
        let broken = results.broken(schedule);
        let series = schedule.series.iter();
        self.broken = series.map(|it| broken.contains_key(&it.game)).collect();
        let Some(error) = self.error else {
            return;
        };
        for (trial, pairing) in self.trials.iter_mut().zip(&schedule.pairings) {
            while trial.verdict.is_none()
                && pairing.second.is_some()
                && let Some(duel) = results.duel(pairing, trial.matches)
            {
                trial.push(duel.score(), pairing.rotation, error);
            }
        }
    }

    /// The verdict on a pairing, if it is decided.
    pub fn verdict(&self, pairing: usize) -> Option<Verdict> {
        self.trials[pairing].verdict
    }

    /// Whether more matches of a series could decide something.
    pub fn is_open(&self, schedule: &Schedule, series: usize) -> bool {
        if self.broken[series] {
            return false;
        }
        let pairings = schedule.pairings.iter().zip(&self.trials);
        let mut concerned = pairings.filter(|(pairing, _)| pairing.series.contains(&series));
        concerned.any(|(_, trial)| trial.verdict.is_none())
    }
}

impl Trial {
    fn push(&mut self, score: f64, rotation: u32, error: f64) {
        self.matches += 1;
        self.sum += score;
        if self.matches.is_multiple_of(rotation) {
            self.test.push(self.sum / f64::from(rotation));
            self.sum = 0.0;
            let matches = self.matches;
            let better = self.test.better(error);
            self.verdict = better.map(|better| Verdict { better, matches });
        }
    }
}
