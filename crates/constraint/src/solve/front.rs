//! `Front`: the expected utilities that are worth having: none is at most another everywhere.
//!
//! With several players there may be many, as one's gain is another's loss; with one player
//! there is at most one.

use crate::scsp::TOLERANCE;
use std::rc::Rc;

/// Utility vectors, each with what brings it about.
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

    /// Takes an entry in, unless one is as good; drops those it makes useless.
    pub(super) fn add(&mut self, value: Vec<f64>, what: Rc<T>) {
        if self.entries.iter().any(|(other, _)| reaches(other, &value)) {
            return;
        }
        self.entries.retain(|(other, _)| !reaches(&value, other));
        self.entries.push((value, what));
    }

    /// What each player gets at most.
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

/// Whether a value is at least as high for every player.
pub(super) fn reaches(value: &[f64], least: &[f64]) -> bool {
    value
        .iter()
        .zip(least)
        .all(|(value, least)| *value >= least - TOLERANCE)
}
