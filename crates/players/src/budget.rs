//! How long a player may think.

use std::time::{Duration, Instant};

/// Time, or a number of iterations. With a number, what a player does depends on the game,
/// its seed and the budget alone.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Budget {
    /// Until this time.
    Until(Instant),
    /// So many iterations, whatever an iteration of the player is.
    Iterations(u64),
}

impl Budget {
    /// How much time is left; none if it is not time that counts.
    pub fn time_left(&self) -> Option<Duration> {
        match self {
            Budget::Until(end) => Some(end.saturating_duration_since(Instant::now())),
            Budget::Iterations(_) => None,
        }
    }

    /// Whether there is anything left after so many iterations.
    pub fn is_left(&self, iterations: u64) -> bool {
        match self {
            Budget::Until(end) => Instant::now() < *end,
            Budget::Iterations(count) => iterations < *count,
        }
    }
}
