//! Plays the missing matches of an experiment, several at a time.

use crate::clocks::Patience;
use crate::judge::Judge;
use crate::lineup::Makers;
use crate::results::MatchResult;
use crate::store::{Ledger, StoreError};
use crate::workers::{Finished, Workers};
use game::{Game, Unanswered};
use players::BadOption;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

/// Loads the game of a number, or says why it cannot be loaded.
pub type LoadGame = dyn Fn(usize) -> Result<Arc<Game>, String> + Send + Sync;

/// How an experiment is carried out.
#[derive(Clone)]
pub struct RunOptions {
    /// Matches of each series.
    pub matches: u32,
    /// The error at which a pairing is decided, and not played any more.
    pub error: Option<f64>,
    /// Matches played at a time.
    pub parallel: usize,
    /// Threads of each player. With counted budgets it is one, so that matches can be repeated.
    pub threads: usize,
    /// How much later than its clock a move may come.
    pub patience: Patience,
    /// Set when the run is to stop: what has ended is kept.
    pub stop: Arc<AtomicBool>,
    /// Loads games.
    pub load: Arc<LoadGame>,
    /// Makes players.
    pub makers: Makers,
}

/// The progress of an experiment.
#[derive(Clone, Debug)]
pub struct Progress<'p> {
    /// How many of the wanted matches are in the store.
    pub done: usize,
    /// How many are wanted.
    pub wanted: usize,
    /// The match stored last; none before the first one.
    pub last: Option<&'p MatchResult>,
}

/// Why not all matches were played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A game cannot be loaded.
    #[error("{game}: {reason}")]
    Load {
        /// Its name.
        game: String,
        /// Why.
        reason: String,
    },
    /// The rules do not say how a match goes on.
    #[error("{game}, match {number}: {reason}")]
    Match {
        /// The name of the game.
        game: String,
        /// The number of the match.
        number: u32,
        /// What is wrong.
        reason: Unanswered,
    },
    /// Results cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such player.
    #[error(transparent)]
    Player(#[from] BadOption),
    /// All worker threads ended early: a defect of this program.
    #[error("a match broke down")]
    Broken,
}

/// How long it may take until it is noticed that a run is to stop.
const GLANCE: Duration = Duration::from_millis(100);

/// Plays the missing matches and stores each result as it comes. `tell` is called after each.
/// It ends when all are there, or when it is to stop; matches in progress are then left.
/// Pairings that are decided are not played any more. Results beyond the wanted number stay in
/// the store and leave the ledger.
pub fn run(
    options: &RunOptions,
    ledger: &mut Ledger,
    tell: &mut dyn FnMut(&Progress<'_>),
) -> Result<(), RunError> {
    let schedule = Arc::clone(&ledger.schedule);
    ledger.results.keep(&schedule, options.matches);
    let mut judge = Judge::new(&schedule, options.error);
    judge.update(&schedule, &ledger.results);
    let fixtures = schedule.fixtures(options.matches);
    let fixtures = fixtures.filter(|it| ledger.results.get(it.series, it.number).is_none());
    let fixtures = fixtures.collect();
    let workers = Workers::new(Arc::clone(&schedule), options.clone(), fixtures);
    workers.close_decided(|series| judge.is_open(&schedule, series));
    let workers = Arc::new(workers);
    Collector {
        workers: &workers,
        judge,
        finished: workers.start(),
        there: vec![0; schedule.series.len()],
    }
    .collect(ledger, tell)
}

/// Stores the results of the workers.
struct Collector<'w> {
    workers: &'w Workers,
    judge: Judge,
    finished: Receiver<Finished>,
    /// For each series the number of matches in the store.
    there: Vec<usize>,
}

impl Collector<'_> {
    fn collect(
        mut self,
        ledger: &mut Ledger,
        tell: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<(), RunError> {
        let results = ledger.results.iter();
        results.for_each(|it| self.there[it.series] += 1);
        tell(&self.progress(None));
        while !self.is_over() {
            let first = match self.finished.recv_timeout(GLANCE) {
                Ok(first) => first,
                Err(RecvTimeoutError::Timeout) if self.is_stopped() => return Ok(()),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(RunError::Broken),
            };
            // All results that wait are written at once, as disks are slow.
            let finished = std::iter::once(first).chain(self.finished.try_iter());
            let (results, error) = sound(finished);
            let last = results.last().cloned();
            results.iter().for_each(|it| self.there[it.series] += 1);
            ledger.add(results)?;
            error.map_or(Ok(()), Err)?;
            let schedule = &self.workers.schedule;
            self.judge.update(schedule, &ledger.results);
            self.workers
                .close_decided(|series| self.judge.is_open(schedule, series));
            tell(&self.progress(last.as_ref()));
            if self.is_stopped() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.workers.options.stop.load(Ordering::Relaxed)
    }

    fn is_over(&self) -> bool {
        let Progress { done, wanted, .. } = self.progress(None);
        done == wanted
    }

    /// Counts the matches. Of decided series no more are wanted than are there.
    fn progress<'p>(&self, last: Option<&'p MatchResult>) -> Progress<'p> {
        let (schedule, matches) = (&self.workers.schedule, self.workers.options.matches);
        let there = self.there.iter().enumerate();
        let wanted = there.map(
            |(series, &there)| match self.judge.is_open(schedule, series) {
                true => schedule.length(series, matches) as usize,
                false => there,
            },
        );
        Progress {
            done: self.there.iter().sum(),
            wanted: wanted.sum(),
            last,
        }
    }
}

/// The results, and the first error.
fn sound(finished: impl Iterator<Item = Finished>) -> (Vec<MatchResult>, Option<RunError>) {
    let (mut results, mut error) = (Vec::new(), None);
    for one in finished {
        match one {
            Ok(result) => results.push(result),
            Err(other) => error = error.or(Some(other)),
        }
    }
    (results, error)
}
