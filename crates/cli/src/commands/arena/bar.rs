//! How far an experiment is, on the terminal of someone who waits.

use anstream::eprintln;
use arena::schedule::Schedule;
use arena::{Ledger, MatchResult, Progress};
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const LINE: &str = "{wide_bar} {pos} of {len} matches, {pace}  {msg}";
/// How often the line is drawn while nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// A line with a bar, until it is dropped. There is none if standard error is no terminal, or
/// if quiet was asked for.
pub(crate) struct Bar {
    pub(crate) bar: ProgressBar,
    quiet: bool,
    /// How many matches were there before.
    before: Arc<AtomicU64>,
    schedule: Arc<Schedule>,
    /// For each series the sum of the first player's scores, and how many there are.
    scores: Vec<(f64, f64)>,
}

impl Bar {
    pub(crate) fn new(ledger: &Ledger, quiet: bool) -> Bar {
        let before = Arc::new(AtomicU64::new(0));
        let old = Arc::clone(&before);
        let rate = move |state: &ProgressState, out: &mut dyn fmt::Write| {
            let done = (state.pos().saturating_sub(old.load(Ordering::Relaxed))) as f64;
            let left = state.len().unwrap_or(0).saturating_sub(state.pos()) as f64;
            // A terminal that cannot be written to is no reason to stop.
            let _ = out.write_str(&pace(done, left, state.elapsed()));
        };
        let style = ProgressStyle::with_template(LINE).expect("a template of known keys");
        let style = style.with_key("pace", rate);
        let mut bar = Bar {
            // Nothing is drawn before it is known how many matches are there.
            bar: ProgressBar::hidden().with_style(style),
            quiet,
            before,
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
        self.before.store(done, Ordering::Relaxed);
        self.bar.set_position(done);
        self.bar.reset_elapsed();
        if !self.quiet {
            // It hides itself where there is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
        }
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

/// How fast matches end and how long the rest takes, by those that ended since the start.
fn pace(done: f64, left: f64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64();
    let rate = done / seconds.max(1e-9);
    match Duration::try_from_secs_f64(left / rate) {
        Ok(rest) => format!("{rate:.1} a second, {} left", HumanDuration(rest)),
        Err(_) => "no match has ended yet".to_string(),
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::{Clocks, Experiment, GameEntry, MemoryStore};

    #[test]
    fn a_bar_starts_where_the_run_stands() {
        let entry = GameEntry {
            name: "game".to_string(),
            rules: String::new(),
            seats: 1,
        };
        let experiment = Experiment {
            games: vec![entry],
            players: vec!["random".to_string()],
            clocks: Clocks::Iterations { start: 1, play: 1 },
            seed: 1,
            build: String::new(),
            memory: None,
        };
        let ledger = Ledger::take_up(MemoryStore::default(), experiment, &[]).unwrap();
        let mut bar = Bar::new(&ledger, true);
        bar.tell(&Progress {
            done: 300,
            wanted: 400,
            last: None,
        });
        assert_eq!((bar.bar.position(), bar.bar.length()), (300, Some(400)));
        assert_eq!(bar.before.load(Ordering::Relaxed), 300);
    }

    #[test]
    fn the_pace_is_that_of_matches_since_the_start() {
        let ten = Duration::from_secs(10);
        assert_eq!(pace(20.0, 100.0, ten), "2.0 a second, 50 seconds left");
        assert_eq!(pace(0.0, 100.0, ten), "no match has ended yet");
        assert_eq!(pace(0.0, 0.0, ten), "no match has ended yet");
    }
}
