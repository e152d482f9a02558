//! `Front`: expected utilities of which none dominates another (a Pareto front).
//!
//! With several players there may be many entries; with one player there is at most one.

use crate::scsp::TOLERANCE;
use std::rc::Rc;

/// Utility vectors, each with the policy that reaches it.
#[derive(Debug)]
pub(super) struct Front<T> {
    pub(super) entries: Vec<(Vec<f64>, Rc<T>)>,
}

impl<T> Front<T> {
    pub(super) fn new() -> Front<T> {
        Front {
            entries: Vec::new(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Adds an entry, unless an entry dominates it; drops the entries it dominates.
    pub(super) fn add(&mut self, value: Vec<f64>, what: Rc<T>) {
        if self.entries.iter().any(|(other, _)| reaches(other, &value)) {
            return;
        }
        self.entries.retain(|(other, _)| !reaches(&value, other));
        self.entries.push((value, what));
    }

    /// The highest utility of each player.
    pub(super) fn best(&self) -> Vec<f64> {
        let mut entries = self.entries.iter();
        let Some((first, _)) = entries.next() else {
            return Vec::new();
        };
        let mut best = first.clone();
        for (value, _) in entries {
            best.iter_mut()
                .zip(value)
                .for_each(|(best, it)| *best = best.max(*it));
        }
        best
    }
}

/// Whether a utility is at least the given one for every player.
pub(super) fn reaches(value: &[f64], least: &[f64]) -> bool {
    value
        .iter()
        .zip(least)
        .all(|(value, least)| *value >= least - TOLERANCE)
}
