//! Progress of what takes long: told to a caller, never printed.

use game::{Limits, Progress};

/// Shows tasks while they run.
pub trait Watch {
    /// What is shown of one task, until it is dropped.
    type Task: Progress;

    /// A task begins: what is done, and with which game.
    fn begin(&self, doing: &'static str, title: &str) -> Self::Task;
}

/// Shows nothing.
#[derive(Copy, Clone, Debug)]
pub struct Silent;

impl Watch for Silent {
    type Task = Silent;

    fn begin(&self, _: &'static str, _: &str) -> Silent {
        Silent
    }
}

impl Progress for Silent {
    fn at(&self, _: game::LoadStage) {}
}

/// The usual limits of loading a game, with its stages told to a task.
pub fn limits(task: &dyn Progress) -> Limits<'_> {
    let mut limits = Limits::default();
    limits.ground.progress = Some(task);
    limits
}
