//! What loading a game may cost, and how far it is: one limit of time and memory for all stages.
//!
//! A stage says what it does ([`Loading::spend`]) with what it holds, about, in bytes; it goes on
//! as long as that is within the limits. What a finished stage leaves behind counts in the stages
//! after it ([`Loading::keep`]).

use crate::grounder::GroundLimits;
use crate::progress::{Cancel, LoadStage, Progress};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// The limits are looked at whenever so much work was done: well below a millisecond of it.
const LOOK: usize = 1 << 14;

/// Why loading ended early.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum Exceeded {
    /// It took longer than the limit.
    #[error("loading takes more than {limit} seconds")]
    Time {
        /// The limit.
        limit: f64,
    },
    /// It needed more memory than the limit.
    #[error("loading needs more than {} MB of memory", .limit >> 20)]
    Memory {
        /// The limit, in bytes.
        limit: usize,
    },
    /// It was cancelled.
    #[error("loading was cancelled")]
    Cancelled,
}

/// A game being loaded.
#[derive(Debug)]
pub struct Loading<'p> {
    started: Instant,
    seconds: f64,
    memory: usize,
    progress: Option<&'p dyn Progress>,
    cancel: Cancel,
    /// Work since the limits were last looked at.
    work: Cell<usize>,
    /// Bytes of finished stages.
    kept: Cell<usize>,
}

impl<'p> Loading<'p> {
    /// Begins now.
    pub fn new(limits: &GroundLimits<'p>, cancel: &Cancel) -> Loading<'p> {
        Loading {
            started: Instant::now(),
            seconds: limits.seconds,
            memory: limits.memory,
            progress: limits.progress,
            cancel: cancel.clone(),
            work: Cell::new(0),
            kept: Cell::new(0),
        }
    }

    /// Without limits, for tools and tests that build one stage.
    pub fn unlimited() -> Loading<'p> {
        let limits = GroundLimits {
            seconds: f64::INFINITY,
            memory: usize::MAX,
            ..GroundLimits::default()
        };
        Loading::new(&limits, &Cancel::default())
    }

    /// Reports progress.
    pub fn report(&self, stage: LoadStage) {
        if let Some(progress) = self.progress {
            progress.at(stage);
        }
    }

    /// Counts some work, and looks at the limits at intervals. `bytes` is what the stage holds.
    pub fn spend(&self, work: usize, bytes: impl FnOnce() -> usize) -> Result<(), Exceeded> {
        let work = self.work.get().saturating_add(work);
        self.work.set(work);
        if work < LOOK {
            return Ok(());
        }
        self.work.set(0);
        self.check(bytes())
    }

    /// Looks at the limits. `bytes` is what the stage holds.
    pub fn check(&self, bytes: usize) -> Result<(), Exceeded> {
        if self.cancel.is_cancelled() || self.progress.is_some_and(Progress::is_cancelled) {
            return Err(Exceeded::Cancelled);
        }
        if self.started.elapsed().as_secs_f64() > self.seconds {
            return Err(self.late());
        }
        match self.kept.get().saturating_add(bytes) > self.memory {
            true => Err(Exceeded::Memory { limit: self.memory }),
            false => Ok(()),
        }
    }

    /// When time is over; none if it never is.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        let seconds = Duration::try_from_secs_f64(self.seconds).ok()?;
        self.started.checked_add(seconds)
    }

    /// What is said when time is over.
    pub(crate) fn late(&self) -> Exceeded {
        Exceeded::Time {
            limit: self.seconds,
        }
    }

    /// A stage is finished, and leaves so many bytes behind.
    pub fn keep(&self, bytes: usize) {
        self.kept.set(self.kept.get().saturating_add(bytes));
    }
}
