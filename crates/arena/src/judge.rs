//! Which pairings are decided, as results come in.
//!
//! Matches are judged in the order of their numbers, not in the order in which they end: so
//! the verdict is the same however they were played.

use crate::results::Results;
use crate::schedule::Schedule;
use crate::sequential::Test;

/// That one player is better.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// 0 if it is the first of the pairing, else 1.
    pub better: usize,
    /// After how many matches that was certain.
    pub matches: u32,
}

/// Judges all pairings of a schedule.
#[derive(Clone, Debug)]
pub struct Judge {
    /// The error at which a pairing is decided; none to decide nothing.
    error: Option<f64>,
    trials: Vec<Trial>,
}

#[derive(Copy, Clone, Debug, Default)]
struct Trial {
    /// How many matches were looked at.
    matches: u32,
    /// The sum of their scores since the last rotation was complete.
    sum: f64,
    test: Test,
    verdict: Option<Verdict>,
}

impl Judge {
    /// A judge that has seen nothing. Without an error nothing is decided.
    pub fn new(schedule: &Schedule, error: Option<f64>) -> Judge {
        Judge {
            error,
            trials: vec![Trial::default(); schedule.pairings.len()],
        }
    }

    /// Looks at the results that are new.
    pub fn update(&mut self, schedule: &Schedule, results: &Results) {
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

    /// What is decided of a pairing.
    pub fn verdict(&self, pairing: usize) -> Option<Verdict> {
        self.trials[pairing].verdict
    }

    /// Whether more matches of a series could decide something.
    pub fn is_open(&self, schedule: &Schedule, series: usize) -> bool {
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
