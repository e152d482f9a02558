//! How long a player may think.

use std::time::Instant;

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
    /// Whether there is anything left after so many iterations.
    pub fn is_left(&self, iterations: u64) -> bool {
        match self {
            Budget::Until(end) => Instant::now() < *end,
            Budget::Iterations(count) => iterations < *count,
        }
    }
}
