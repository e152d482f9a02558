//! Progress of loading a game.

use std::fmt;

/// A stage of loading a game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum LoadStage {
    /// Finding the atoms that can be reached.
    Grounding {
        /// Atoms found so far.
        atoms: usize,
    },
    /// Simplifying and ordering the ground rules.
    Ordering {
        /// How many rules there are.
        rules: usize,
    },
    /// Building the engine from the ground program.
    Building,
}

/// Receives progress. It is called often and should return quickly.
pub trait Progress: fmt::Debug {
    /// Called when a stage begins or goes on.
    fn at(&self, stage: LoadStage);

    /// Whether loading should stop.
    fn is_cancelled(&self) -> bool {
        false
    }
}
