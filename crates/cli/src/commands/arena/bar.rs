//! How far an experiment is, on the terminal of someone who waits.

use anstream::eprintln;
use arena::schedule::Schedule;
use arena::{Ledger, MatchResult, Progress};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

const LINE: &str = "{wide_bar} {pos} of {len} matches, {rate}, {eta} left  {msg}";
/// How often the line is drawn while nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// A line with a bar, until it is dropped. There is none if standard error is no terminal, or
/// if quiet was asked for.
pub(crate) struct Bar {
    pub(crate) bar: ProgressBar,
    quiet: bool,
    schedule: Arc<Schedule>,
    /// For each series the sum of the first player's scores, and how many there are.
    scores: Vec<(f64, f64)>,
}

impl Bar {
    pub(crate) fn new(ledger: &Ledger, quiet: bool) -> Bar {
        let target = match quiet {
            true => ProgressDrawTarget::hidden(),
            // It hides itself where there is no terminal.
            false => ProgressDrawTarget::stderr(),
        };
        let rate = |state: &ProgressState, out: &mut dyn fmt::Write| {
            // A terminal that cannot be written to is no reason to stop.
            let _ = write!(out, "{:.1} a second", state.per_sec());
        };
        let style = ProgressStyle::with_template(LINE).expect("a template of known keys");
        let style = style.with_key("rate", rate);
        let mut bar = Bar {
            bar: ProgressBar::with_draw_target(None, target).with_style(style),
            quiet,
            scores: vec![(0.0, 0.0); ledger.schedule.series.len()],
            schedule: Arc::clone(&ledger.schedule),
        };
        ledger.results.iter().for_each(|result| bar.count(result));
        bar
    }

    /// Shows how far it is. At first it is what was there before.
    pub(crate) fn tell(&mut self, progress: &Progress<'_>) {
        let (done, wanted) = (progress.done as u64, progress.wanted as u64);
        self.bar.set_length(wanted);
        match progress.last {
            Some(result) => {
                self.count(result);
                self.bar.set_position(done);
                self.bar.set_message(self.score(result.series));
            }
            None => self.begin(done, wanted),
        }
    }

    fn begin(&self, done: u64, wanted: u64) {
        if done > 0 && !self.quiet {
            eprintln!("ludex: {done} of {wanted} matches were there already");
        }
        self.bar.set_position(done);
        self.bar.reset_eta();
        self.bar.reset_elapsed();
        self.bar.enable_steady_tick(TICK);
    }

    fn count(&mut self, result: &MatchResult) {
        let solo = self.schedule.series[result.series].players.len() == 1;
        let score = match solo {
            true => result.goal(0),
            false => 0.5 + (result.goal(0) - result.goal(1)) / 2.0,
        };
        let (sum, count) = &mut self.scores[result.series];
        *sum += score;
        *count += 1.0;
    }

    /// How a series stands.
    fn score(&self, number: usize) -> String {
        let series = &self.schedule.series[number];
        let experiment = &self.schedule.experiment;
        let game = &experiment.games[series.game].name;
        let players = series.players.iter();
        let players: Vec<&str> = players.map(|&it| &experiment.players[it][..]).collect();
        let (sum, count) = self.scores[number];
        let score = 100.0 * sum / f64::max(count, 1.0);
        format!("{game}: {} {score:.1} %", players.join(" – "))
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
