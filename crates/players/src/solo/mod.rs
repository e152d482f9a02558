//! Puzzles: games of one role without chance, in which a line that brings much can be kept and
//! followed.
//!
//! | part | what it is |
//! |---|---|
//! | [`Solo`] | the search: both of the below, on one best line; what `nested` and `ida` are made of |
//! | [`WithTree`] | the same with UCT to fall back on: `solo`, and for other players to use on puzzles |
//! | `line` | the best line so far |
//! | `nested`, `playing` | nested Monte Carlo search; the states after a state, and recorded playouts |
//! | `ida`, `table` | iterative deepening; what it knows of states |
//! | `goals`, `dead` | what the rules tell of the goal; states from which it is out of reach |
//! | `worker` | a thread, which divides its time between them |
//!
//! Games with several players, chance or hidden information are refused: there a line is no plan. One
//! iteration of a counted budget is 64 states for deepening, and the moves of one state played out
//! for nested search.

mod dead;
mod goals;
mod ida;
mod line;
mod nested;
mod playing;
mod table;
mod with_tree;
mod worker;

use crate::kit::crew::{self, Job, Work};
use crate::kit::{Clock, Pace, Playouts, Search, Thread};
use crate::options::{MEGABYTE, MEMORY, OptionSpec, Options, PLAYOUTS, THREADS, Takes};
use crate::uct::{self, Uct};
use crate::{Budget, Decision, Seat};
use game::{Bits, Feature, Game};
use goals::Goals;
use ida::Ida;
use line::{Best, ROLE};
use nested::Nested;
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
pub(crate) use with_tree::WithTree;
use worker::{Searches, Shared, Worker};

/// What is no puzzle.
pub(crate) const CANNOT: &[Feature] = &[
    Feature::SeveralPlayers,
    Feature::Chance,
    Feature::HiddenInformation,
];

const LEVEL: OptionSpec = OptionSpec {
    key: "level",
    default: "rising",
    about: "the level of nested search; by default 1, and the next one when a level brings nothing new",
    takes: Takes::Count(1, 9),
};
const TABLE: OptionSpec = OptionSpec {
    about: "megabytes that the table of states may take",
    ..MEMORY
};
const LANES: OptionSpec = OptionSpec {
    key: "lanes",
    default: "yes",
    about: "whether many playouts run at once, a bit each: yes or no",
    takes: Takes::Flag,
};
const SHARE: OptionSpec = OptionSpec {
    key: "share",
    default: "0.5",
    about: "the part of the first thread's other time that is for deepening; the rest is for nested search",
    takes: Takes::Real(0.0, 1.0),
};

const TREE: OptionSpec = OptionSpec {
    key: "tree",
    default: "0.4",
    about: "the part of the time that is for a tree (UCT)",
    takes: Takes::Real(0.0, 1.0),
};

/// The options of `nested`.
pub(crate) const NESTED: &[OptionSpec] = &[LEVEL, PLAYOUTS, LANES, THREADS];
/// The options of `ida`.
pub(crate) const IDA: &[OptionSpec] = &[TABLE, LANES, THREADS];
/// The options of `solo`.
pub(crate) const BOTH: &[OptionSpec] = &[TREE, SHARE, LEVEL, PLAYOUTS, TABLE, LANES, THREADS];

/// How a search is done.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The part of the first thread's time that is for deepening.
    share: f32,
    level: Option<usize>,
    playouts: Option<u64>,
    memory: usize,
    lanes: bool,
    threads: Option<usize>,
}

impl Settings {
    /// Nested search alone.
    pub(crate) fn nested(options: &Options) -> Settings {
        Settings::both(options, 0.0)
    }

    /// Deepening, and a little nested search, so that there is always a line to follow.
    pub(crate) fn ida(options: &Options) -> Settings {
        Settings::both(options, 0.9)
    }

    /// Both, if not said otherwise with this part for deepening.
    pub(crate) fn both(options: &Options, share: f32) -> Settings {
        Settings {
            share: options.real("share").unwrap_or(share),
            level: options.count("level").map(|it| it as usize),
            playouts: options.count("playouts"),
            memory: options.count("memory").unwrap_or(512) as usize * MEGABYTE,
            lanes: options.flag("lanes").unwrap_or(true),
            threads: options.count("threads").map(|it| it as usize),
        }
    }
}

/// Whether a game is a puzzle.
pub(crate) fn is_puzzle(game: &Game) -> bool {
    crate::fits("solo", CANNOT, game).is_ok()
}

/// Deepening, nested search and a tree: the player `solo`, and what others use for puzzles.
pub(crate) fn combined(seat: Seat, options: &Options) -> WithTree {
    let tree = Uct::new(seat.clone(), uct::Settings::new(options, &uct::UCT));
    let solo = Solo::new(seat, Settings::both(options, 0.5));
    WithTree::new(solo, tree, options.real("tree").unwrap_or(0.4))
}

/// The search of puzzles.
pub(crate) struct Solo {
    seat: Seat,
    settings: Settings,
    goals: Arc<Goals>,
    best: Best,
    ida: Option<Mutex<Ida>>,
    nested: Mutex<Nested>,
    /// How many searches there were: each has other random numbers.
    searches: u64,
    pace: Pace,
    work: Work,
}

impl Solo {
    /// A search on a seat of a game that has nothing of [`CANNOT`].
    pub(crate) fn new(seat: Seat, settings: Settings) -> Solo {
        let goals = Arc::new(Goals::new(&seat.game));
        let ida = || Ida::new(Arc::clone(&goals), settings.memory);
        Solo {
            best: Best::new(seat.game.most(ROLE)),
            ida: (settings.share > 0.0).then(|| Mutex::new(ida())),
            nested: Mutex::new(Nested::new(settings.level)),
            goals,
            settings,
            seat,
            searches: 0,
            pace: Pace::default(),
            work: Work::default(),
        }
    }

    /// Any legal move, where no line is known.
    fn any(&self, state: &Bits, budget: &Budget) -> Option<Decision> {
        let mut walk = Clock::new(budget).walk(&self.seat.game);
        let seed = self.seat.seed.wrapping_add(self.searches);
        walk.load(state);
        let action = walk.any_legal(ROLE, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
        action.map(Decision::plain)
    }

    /// Searches in threads.
    fn run(&mut self, root: &Bits, budget: &Budget) {
        let game = &self.seat.game;
        let lanes = self.settings.lanes && game.lanes().is_some();
        let seed = self.seat.seed.wrapping_add(self.searches);
        let shared = Shared {
            goals: &self.goals,
            best: &self.best,
            root,
            deepening: self.settings.share,
            is_timed: budget.time_left().is_some(),
        };
        let job = Job {
            budget,
            threads: self.settings.threads.unwrap_or(self.seat.threads),
            seed,
            lanes,
            pace: self.pace,
        };
        let (ida, nested) = (&self.ida, &self.nested);
        let done = crew::run(&job, |one| {
            let thread = Thread::new(game, one, budget);
            let playouts = Playouts::uniform(game, lanes).sharing(self.settings.playouts);
            let searches = match one == seed {
                true => Searches::First(ida.as_ref().map(lock), lock(nested)),
                false => Searches::Other(Nested::new(self.settings.level).at(root)),
            };
            Worker::new(shared, (thread, playouts), searches)
        });
        self.pace = done.pace;
        self.work += done.work;
    }
}

fn lock<T>(search: &Mutex<T>) -> MutexGuard<'_, T> {
    search.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Search for Solo {
    fn seat(&self) -> &Seat {
        &self.seat
    }

    fn work(&self) -> Work {
        self.work
    }

    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        let before = self.work.playouts;
        let keeps = self.best.turn_to(state);
        self.searches += 1;
        if !self.best.is_settled() {
            if let Some(ida) = &self.ida {
                lock(ida).turn_to(state, keeps);
            }
            lock(&self.nested).turn_to(state);
            self.run(state, budget);
        }
        let decision = self.best.decision(self.work.playouts - before);
        decision.or_else(|| self.any(state, budget))
    }
}
