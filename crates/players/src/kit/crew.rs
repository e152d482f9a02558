//! Threads that work for as long as a budget lasts. They know no tree: what an iteration does is
//! the worker's business.

use super::{By, Looked, Pace, Thread};
use crate::Budget;
use std::ops::AddAssign;
use std::thread;
use std::time::{Duration, Instant};

/// One thread of a search.
pub trait Worker<'g> {
    /// Its working memory.
    fn thread(&mut self) -> &mut Thread<'g>;

    /// Does some work; returns whether there is nothing left to find out.
    fn iterate(&mut self, by: By) -> bool;

    /// Work beside an iteration, whose time says nothing about the next iteration; returns whether
    /// there is nothing left to find out.
    fn pursue(&mut self) -> bool {
        false
    }

    /// How its time was spent so far.
    fn spent(&self) -> Spent;

    /// What look-ahead did so far, if there is any.
    fn looked(&self) -> Looked {
        Looked::default()
    }
}

/// What is done, and for how long.
#[derive(Copy, Clone, Debug)]
pub struct Job<'j> {
    /// How long.
    pub budget: &'j Budget,
    /// In how many threads; a counted budget has one, so that it can be repeated exactly.
    pub threads: usize,
    /// The seed of the first thread; others are derived from it.
    pub seed: u64,
    /// Whether workers can evaluate in lanes.
    pub lanes: bool,
    /// How long iterations took in the turns before.
    pub pace: Pace,
}

/// How the time of a search divides.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Going down and up the tree.
    pub tree: Duration,
    /// Finding new states, their moves and goals.
    pub states: Duration,
    /// Playouts, or other evaluation.
    pub evaluation: Duration,
}

impl AddAssign for Spent {
    fn add_assign(&mut self, other: Spent) {
        self.tree += other.tree;
        self.states += other.states;
        self.evaluation += other.evaluation;
    }
}

/// What was done.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// How many playouts were made.
    pub playouts: u64,
    /// How many iterations.
    pub iterations: u64,
    /// How the time was spent.
    pub spent: Spent,
    /// What look-ahead did.
    pub looked: Looked,
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.playouts += other.playouts;
        self.iterations += other.iterations;
        self.spent += other.spent;
        self.looked += other.looked;
    }
}

/// What all threads did, and how long iterations took.
#[derive(Copy, Clone, Debug, Default)]
pub struct Done {
    /// What was done.
    pub work: Work,
    /// How long iterations took, for the next turn.
    pub pace: Pace,
}

/// Works in threads, each with a worker that is made for a seed.
pub fn run<'g, W: Worker<'g>>(job: &Job<'_>, worker: impl Fn(u64) -> W + Sync) -> Done {
    let threads = match job.budget {
        Budget::Until(_) => job.threads as u64,
        Budget::Iterations(_) => 1,
    };
    thread::scope(|scope| {
        let worker = &worker;
        let others = (1..threads).map(|number| {
            let seed = job.seed ^ number << 32;
            scope.spawn(move || work(&mut worker(seed), job))
        });
        let others: Vec<_> = others.collect();
        let mut all = work(&mut worker(job.seed), job);
        for other in others {
            let done = other.join().expect("search thread panicked");
            all.work += done.work;
            all.pace = all.pace.max(done.pace);
        }
        all
    })
}

/// Works as long as the budget lasts, or until there is nothing left to find out.
fn work<'g>(worker: &mut impl Worker<'g>, job: &Job<'_>) -> Done {
    let mut pace = job.pace;
    let mut iterations = 0;
    worker.thread().clock.piece = pace.piece;
    let mut is_done = false;
    while !is_done
        && !worker.thread().clock.is_late()
        && let Some(by) = pace.next(job.budget, iterations, job.lanes)
    {
        let began = Instant::now();
        is_done = worker.iterate(by);
        pace.note(by, began);
        is_done = is_done || worker.pursue();
        iterations += 1;
    }
    pace.piece = worker.thread().clock.piece;
    let work = Work {
        playouts: worker.thread().playouts,
        iterations,
        spent: worker.spent(),
        looked: worker.looked(),
    };
    Done { work, pace }
}
