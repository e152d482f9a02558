//! What something that takes long is at, on the terminal of someone who waits.

use crate::args::Reading;
use game::{Limits, LoadStage, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use lab::Watch;
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// What takes less is over before anyone wonders.
const PATIENCE: Duration = Duration::from_secs(1);
/// How often the line is drawn.
const TICK: Duration = Duration::from_millis(200);

/// A line that tells the stage and the seconds, until it is dropped. There is none if
/// standard error is no terminal, or if quiet was asked for.
#[derive(Debug)]
pub(crate) struct Spinner {
    /// The stage, if it is a load; before the first one the rules are being read.
    stage: Arc<Mutex<Option<LoadStage>>>,
    bar: ProgressBar,
    /// The options that say what a load may cost.
    reading: OnceLock<Reading>,
    /// Dropped to tell the thread which waits that it need not.
    _waiting: Option<Sender<()>>,
}

impl Spinner {
    /// Starts the clock of a load.
    pub(crate) fn new(title: &str, quiet: bool) -> Spinner {
        Spinner::doing("reading", title, quiet)
    }

    /// Starts the clock of something, until it has a stage.
    pub(crate) fn doing(what: &'static str, title: &str, quiet: bool) -> Spinner {
        let stage = Arc::new(Mutex::new(None));
        let bar = ProgressBar::hidden().with_style(style(what, title, &stage));
        let waiting = (!quiet && io::stderr().is_terminal()).then(|| appear(bar.clone()));
        Spinner {
            stage,
            bar,
            reading: OnceLock::new(),
            _waiting: waiting,
        }
    }

    /// Notes what a load may cost.
    pub(crate) fn limit(&self, reading: &Reading) {
        // The first word counts: a command reads its options once.
        let _ = self.reading.set(reading.clone());
    }

    /// The limits for loading a game, which is told about here.
    pub(crate) fn limits(&self) -> Limits<'_> {
        let mut limits = self
            .reading
            .get()
            .map_or_else(Limits::default, Reading::limits);
        limits.ground.progress = Some(self);
        limits
    }

    /// Does something that may print to the terminal.
    pub(crate) fn aside(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }
}

/// Tells of tasks on the terminal, unless quiet was asked for.
pub(crate) struct Terminal {
    pub(crate) quiet: bool,
}

impl Watch for Terminal {
    type Task = Spinner;

    fn begin(&self, doing: &'static str, title: &str) -> Spinner {
        Spinner::doing(doing, title, self.quiet)
    }
}

impl Progress for Spinner {
    fn at(&self, stage: LoadStage) {
        *self.stage.lock().unwrap_or_else(PoisonError::into_inner) = Some(stage);
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// Shows the bar after a while, unless the sender is dropped before.
fn appear(bar: ProgressBar) -> Sender<()> {
    let (sender, receiver) = mpsc::channel::<()>();
    thread::spawn(move || {
        if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) && !bar.is_finished() {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
        }
    });
    sender
}

fn style(what: &'static str, title: &str, stage: &Arc<Mutex<Option<LoadStage>>>) -> ProgressStyle {
    let (title, stage) = (title.to_string(), Arc::clone(stage));
    let line = move |state: &ProgressState, out: &mut dyn fmt::Write| {
        let stage = *stage.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, seconds) = (
            stage.map_or(what.to_string(), text),
            state.elapsed().as_secs(),
        );
        // A terminal that cannot be written to is no reason to stop loading.
        let _ = write!(out, "{title}: {text}, {seconds} s");
    };
    let style = ProgressStyle::with_template("{line}").expect("a template of one key");
    style.with_key("line", line)
}

fn text(stage: LoadStage) -> String {
    match stage {
        LoadStage::Grounding { atoms } => format!("grounding, {atoms} atoms"),
        LoadStage::Ordering { rules } => format!("ordering {rules} ground rules"),
        LoadStage::Building => "building".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_are_told_to_the_line() {
        let spinner = Spinner::new("hex", true);
        let limits = spinner.limits();
        limits.ground.report(LoadStage::Grounding { atoms: 12 });
        let stage = *spinner.stage.lock().unwrap();
        assert_eq!(stage.map(text).as_deref(), Some("grounding, 12 atoms"));
    }
}
