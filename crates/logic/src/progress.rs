//! Progress of loading a game, and how work is stopped from outside.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Stops work from outside. Clones share one flag: whoever keeps a clone can stop the work that
/// was given another.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Stops the work; it cannot be resumed.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work should stop.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    /// Stops when the flag is set.
    fn from(flag: Arc<AtomicBool>) -> Cancel {
        Cancel(flag)
    }
}

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
