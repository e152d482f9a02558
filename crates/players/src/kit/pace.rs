//! How long iterations take, so that none begins that would be late.

use crate::Budget;
use std::time::{Duration, Instant};

/// How playouts are made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum By {
    /// Many at once.
    Lanes,
    /// One at a time.
    One,
}

/// How long iterations by lanes have taken lately. A slow one is forgotten by and by, as the
/// machine may have been busy; none is expected to be faster than the fastest. Iterations one at
/// a time are made in pieces, and end when there is no time for another piece.
#[derive(Copy, Clone, Debug, Default)]
pub struct Pace {
    slow: Duration,
    fastest: Option<Duration>,
    /// How long a piece takes.
    pub(super) piece: Duration,
}

/// How much of a slow iteration is remembered after the next.
const KEPT: f32 = 0.9;

impl Pace {
    /// How to go on: by lanes if there is time for it, else one at a time; none if time is over.
    pub(super) fn next(&self, budget: &Budget, iterations: u64, lanes: bool) -> Option<By> {
        if !budget.is_left(iterations) {
            return None;
        }
        let expected = self.slow.max(self.fastest.unwrap_or_default());
        // Half as much again: machines are busy with other things too.
        let fits = |left: Duration| left > expected.mul_f32(1.5);
        match lanes && budget.time_left().is_none_or(fits) {
            true => Some(By::Lanes),
            false => Some(By::One),
        }
    }

    /// Notes an iteration that began at a time.
    pub(super) fn note(&mut self, by: By, began: Instant) {
        self.slow = self.slow.mul_f32(KEPT);
        if by == By::Lanes {
            let elapsed = began.elapsed();
            self.slow = self.slow.max(elapsed);
            self.fastest = Some(self.fastest.map_or(elapsed, |it| it.min(elapsed)));
        }
    }

    /// The slower of both.
    pub(super) fn max(self, other: Pace) -> Pace {
        let fastest = [self.fastest, other.fastest].into_iter().flatten().min();
        Pace {
            slow: self.slow.max(other.slow),
            fastest,
            piece: self.piece.max(other.piece),
        }
    }
}
