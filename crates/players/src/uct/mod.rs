//! UCT: tree search by confidence bounds (Kocsis and Szepesvári 2006).
//!
//! Every role maximises its own goal (Sturtevant 2008). Where several roles choose at once, each
//! selects by statistics of its own. Chance is drawn. A proven state is not visited again.
//!
//! Playouts run in lanes: several ways down are taken before any is played out, each to a
//! state of its own, and the lanes are shared out among these states. Threads share one tree,
//! which is locked while they go down and up, not while they play out.

mod farm;
mod report;
mod search;
mod worker;

pub(crate) use farm::{Farm, Taken};

use crate::kit::crew::{self, Done, Job, Work};
use crate::kit::decide::{decide, lock};
use crate::kit::solo::Lines;
use crate::kit::{Clock, Pace, Playouts, Search, Thread};
use crate::options::{MEGABYTE, MEMORY, OptionSpec, Options, PLAYOUTS, THREADS, Takes};
use crate::tree::{Arm, Shape, Tree};
use crate::{Budget, Decision, Seat};
use farm::{Farmer, Field};
use game::Bits;
use search::Ucb1;
use std::sync::Mutex;
use std::time::Instant;
use worker::{Shared, Worker};

/// The options of the player.
pub(crate) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        key: "c",
        default: "0.15 or 0.4",
        about: "exploration: the greater, the more often moves that look worse are tried; 0.15 with lanes",
        takes: Takes::Real(0.0, 100.0),
    },
    OptionSpec {
        key: "batch",
        default: "16",
        about: "states that are played out at once",
        takes: Takes::Count(1, 4096),
    },
    PLAYOUTS,
    MEMORY,
    OptionSpec {
        key: "lanes",
        default: "yes",
        about: "whether many playouts run at once, a bit each: yes or no",
        takes: Takes::Flag,
    },
    THREADS,
];

/// How the search is done.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    exploration: Option<f32>,
    batch: usize,
    playouts: Option<u64>,
    memory: usize,
    lanes: bool,
    threads: Option<usize>,
}

impl Settings {
    pub(crate) fn new(options: &Options) -> Settings {
        let lanes = options.flag("lanes").unwrap_or(true);
        Settings {
            exploration: options.real("c"),
            batch: match lanes {
                true => options.count("batch").unwrap_or(16) as usize,
                false => 1,
            },
            playouts: options.count("playouts"),
            memory: options.count("memory").unwrap_or(512) as usize * MEGABYTE,
            lanes,
            threads: options.count("threads").map(|it| it as usize),
        }
    }

    /// How much is explored. Measured in the arena on breakthrough and connect four: with one
    /// playout a visit 0.4 is better than 0.2; with lanes 0.1 and 0.2 are better than 0.4.
    fn exploration(&self, lanes: bool) -> f32 {
        let usual = if lanes { 0.15 } else { 0.4 };
        self.exploration.unwrap_or(usual)
    }
}

/// The search.
pub(crate) struct Uct {
    seat: Seat,
    settings: Settings,
    tree: Mutex<Tree<Ucb1>>,
    lines: Lines,
    /// How many searches there were: each has other random numbers.
    searches: u64,
    pace: Pace,
    work: Work,
}

impl Uct {
    pub(crate) fn new(seat: Seat, settings: Settings) -> Uct {
        let shape = Shape::new(&seat.game, settings.memory);
        Uct {
            tree: Mutex::new(Tree::new(shape)),
            lines: Lines::default(),
            settings,
            seat,
            searches: 0,
            pace: Pace::default(),
            work: Work::default(),
        }
    }

    /// Searches from a state; others play out for it, if there is a farm and how long to wait for
    /// what it owes at the end.
    pub(crate) fn search_with(
        &mut self,
        state: &Bits,
        budget: &Budget,
        farm: Option<(&mut dyn Farm, Option<Instant>)>,
    ) -> Option<Decision> {
        let game = &self.seat.game;
        let lanes = self.settings.lanes && game.lanes().is_some();
        self.searches += 1;
        let seed = self.seat.seed.wrapping_add(self.searches);
        let root = lock(&self.tree).root(state, (game, &Clock::new(budget)))?;
        self.lines.turn_to(state);
        let shared = Shared {
            tree: &self.tree,
            lines: &self.lines,
            root,
            selector: Ucb1::new(self.settings.exploration(lanes)),
            batch: if lanes { self.settings.batch } else { 1 },
        };
        let job = Job {
            budget,
            threads: self.settings.threads.unwrap_or(self.seat.threads),
            seed,
            lanes,
            pace: self.pace,
        };
        let worker = |seed| {
            let playouts = Playouts::uniform(game, lanes).sharing(self.settings.playouts);
            Worker::new(shared, Thread::new(game, seed, budget), playouts)
        };
        let done = match farm {
            None => crew::run(&job, worker),
            Some((farm, wait)) => {
                let field = Mutex::new(Field::new(farm));
                // Helpers are the threads here.
                let done = crew::run(&Job { threads: 1, ..job }, |seed| {
                    Farmer::new(worker(seed), (shared, &field), (state, budget))
                });
                gather(done, field, (&self.tree, wait))
            }
        };
        self.pace = done.pace;
        self.work += done.work;
        decide(&lock(&self.tree), root, (&self.seat, &done), Arm::mean)
    }
}

/// Adds what helpers still owe, and what they did.
fn gather(
    mut done: Done,
    field: Mutex<Field<'_>>,
    (tree, until): (&Mutex<Tree<Ucb1>>, Option<Instant>),
) -> Done {
    let mut field = field.into_inner().expect("the search has ended");
    field.bring_in_all(until, tree);
    done.work.playouts += field.playouts;
    done.work.iterations += field.batches;
    done
}

impl Search for Uct {
    fn seat(&self) -> &Seat {
        &self.seat
    }

    fn work(&self) -> Work {
        self.work
    }

    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        self.search_with(state, budget, None)
    }
}
