//! How long iterations take, so that none begins that would be late.

use super::worker::By;
use crate::Budget;
use std::time::{Duration, Instant};

/// How slow iterations have been lately, by lanes and one at a time. What was slow once is
/// forgotten by and by: a machine may have been busy with other things.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Pace {
    lanes: Duration,
    one: Duration,
}

/// How much of a slow iteration is remembered after the next.
const KEPT: f32 = 0.9;

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
        *slowest = began.elapsed().max(slowest.mul_f32(KEPT));
        if by == By::One {
            self.lanes = self.lanes.mul_f32(KEPT);
        }
    }

    /// The slower of both.
    pub(super) fn max(self, other: Pace) -> Pace {
        Pace {
            lanes: self.lanes.max(other.lanes),
            one: self.one.max(other.one),
        }
    }
}
