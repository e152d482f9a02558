//! How far loading a game has come, for those who wait.

use std::fmt;

/// What is being done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    /// What can be reached is being found.
    Grounding {
        /// How many atoms there are so far.
        atoms: usize,
    },
    /// The ground rules are being simplified and put in order.
    Ordering {
        /// How many there are.
        rules: usize,
    },
    /// The engine is being built from the ground program.
    Building,
}

/// Someone who is told what is being done. It is told often, and should be quick.
pub trait Progress: fmt::Debug {
    /// Takes note of what is being done now.
    fn at(&self, stage: Stage);

    /// Whether nobody wants it done any more.
    fn is_cancelled(&self) -> bool {
        false
    }
}
