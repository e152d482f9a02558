//! How long iterations take, so that none begins that would be late.

use super::search::By;
use crate::Budget;
use std::time::{Duration, Instant};

/// The slowest iterations so far, by lanes and one at a time.
#[derive(Debug, Default)]
pub(super) struct Pace {
    lanes: Duration,
    one: Duration,
}

impl Pace {
    /// How to go on: by lanes if there is time for it, else one at a time; none if there is
    /// time for neither.
    pub(super) fn next(&self, budget: &Budget, iterations: u64, lanes: bool) -> Option<By> {
        if !budget.is_left(iterations) {
            return None;
        }
        // Half as much again: machines are busy with other things too.
        let fits = |slowest: Duration| {
            let left = budget.time_left();
            left.is_none_or(|left| left > slowest + slowest / 2)
        };
        match () {
            () if lanes && fits(self.lanes) => Some(By::Lanes),
            () if fits(self.one) => Some(By::One),
            () => None,
        }
    }

    /// Takes note of an iteration that began at a time.
    pub(super) fn note(&mut self, by: By, began: Instant) {
        let slowest = match by {
            By::Lanes => &mut self.lanes,
            By::One => &mut self.one,
        };
        *slowest = (*slowest).max(began.elapsed());
    }
}
