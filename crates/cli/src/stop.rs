//! Ctrl-C: a command that is told to stop ends in good order.

use crate::Outcome;
use anyhow::Result;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether somebody wants the command to stop.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Notes it from now on. Whoever is in a hurry says it twice: then the process ends at once.
    pub(crate) fn when_told() -> Result<Stop> {
        let stop = Stop::default();
        for signal in [SIGINT, SIGTERM] {
            let status = i32::from(Outcome::Stopped.code());
            flag::register_conditional_shutdown(signal, status, Arc::clone(&stop.0))?;
            flag::register(signal, Arc::clone(&stop.0))?;
        }
        Ok(stop)
    }

    /// Notes that the person at the terminal wants it.
    pub(crate) fn ask(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is wanted.
    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The same for those who know no signals.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// How a command ends that was told, or not.
    pub(crate) fn outcome(&self) -> Outcome {
        match self.is_asked() {
            true => Outcome::Stopped,
            false => Outcome::Fine,
        }
    }
}
