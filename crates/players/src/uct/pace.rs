//! How long iterations take, so that none begins that would be late.

use super::worker::By;
use crate::Budget;
use std::time::{Duration, Instant};

/// How slow iterations have been lately, by lanes and one at a time.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Pace {
    lanes: Speed,
    one: Speed,
}

/// How long iterations of a kind took. What was slow once is forgotten by and by: a machine may
/// have been busy with other things. None will be faster than the fastest.
#[derive(Copy, Clone, Debug, Default)]
struct Speed {
    slow: Duration,
    fastest: Option<Duration>,
}

/// How much of a slow iteration is remembered after the next.
const KEPT: f32 = 0.9;

impl Speed {
    fn expected(self) -> Duration {
        self.slow.max(self.fastest.unwrap_or_default())
    }

    fn note(&mut self, elapsed: Duration) {
        self.slow = elapsed.max(self.slow.mul_f32(KEPT));
        self.fastest = Some(self.fastest.map_or(elapsed, |it| it.min(elapsed)));
    }

    fn max(self, other: Speed) -> Speed {
        let fastest = [self.fastest, other.fastest].into_iter().flatten().min();
        Speed {
            slow: self.slow.max(other.slow),
            fastest,
        }
    }
}

impl Pace {
    /// How to go on: by lanes if there is time for it, else one at a time; none if there is
    /// time for neither.
    pub(super) fn next(&self, budget: &Budget, iterations: u64, lanes: bool) -> Option<By> {
        if !budget.is_left(iterations) {
            return None;
        }
        // Half as much again: machines are busy with other things too.
        let fits = |speed: Speed| {
            let left = budget.time_left();
            left.is_none_or(|left| left > speed.expected().mul_f32(1.5))
        };
        match () {
            () if lanes && fits(self.lanes) => Some(By::Lanes),
            () if fits(self.one) => Some(By::One),
            () => None,
        }
    }

    /// Takes note of an iteration that began at a time.
    pub(super) fn note(&mut self, by: By, began: Instant) {
        match by {
            By::Lanes => self.lanes.note(began.elapsed()),
            By::One => {
                self.one.note(began.elapsed());
                self.lanes.slow = self.lanes.slow.mul_f32(KEPT);
            }
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
