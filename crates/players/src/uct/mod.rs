//! UCT: tree search by confidence bounds (Kocsis and Szepesvári 2006).
//!
//! Every role maximises what it gets itself (Sturtevant 2008). Where several roles choose at
//! once, each has its own statistics and chooses by them alone. Chance is drawn. What is
//! proven is not visited again.
//!
//! Playouts run in lanes: a number of ways down are taken before any is played out, each to a
//! state of its own, and the lanes are shared out among these states. Threads share one tree,
//! which is locked while they go down and up, not while they play out.

mod search;
mod worker;

use crate::crew::{self, Searcher, Task, lock};
use crate::options::{MEGABYTE, flag, number};
use crate::pace::Pace;
use crate::sampler::Sampler;
use crate::tree::{Shape, Tree};
use crate::{BadOption, Budget, Decision, OptionText, Player, Refusal, Seat, Turn};
use game::State;
use std::sync::Mutex;
use worker::{Shared, Worker};

/// Options as the roster shows them: key, default, meaning.
pub(crate) const OPTIONS: &[(&str, &str, &str)] = &[
    (
        "c",
        "0.15 or 0.4",
        "how much is explored; less if each visit is worth many playouts, as in lanes",
    ),
    ("batch", "16", "how many states are played out at once"),
    (
        "playouts",
        "lanes",
        "how many playouts these have together; as many as there are lanes",
    ),
    ("memory", "512", "how many megabytes the tree may take"),
    ("lanes", "yes", "whether playouts run in lanes"),
    (
        "threads",
        "cores",
        "how many threads search; a counted budget has one",
    ),
];

/// How the search is done.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    exploration: Option<f32>,
    batch: usize,
    playouts: Option<u64>,
    memory: usize,
    lanes: bool,
    threads: Option<usize>,
}

impl Options {
    pub(crate) fn new(text: &OptionText<'_>) -> Result<Options, BadOption> {
        let mut options = Options {
            exploration: None,
            batch: 16,
            playouts: None,
            memory: 512,
            lanes: true,
            threads: None,
        };
        for &(key, value) in &text.options {
            match key {
                "c" => options.exploration = Some(number(key, value, (0.0, 100.0), "0 to 100")?),
                "batch" => options.batch = number(key, value, (1, 4096), "1 to 4096")?,
                "playouts" => {
                    options.playouts = Some(number(key, value, (1, 1 << 20), "1 to 1048576")?);
                }
                "memory" => options.memory = number(key, value, (1, 1 << 20), "1 to 1048576")?,
                "threads" => options.threads = Some(number(key, value, (1, 1024), "1 to 1024")?),
                "lanes" => options.lanes = flag(key, value)?,
                _ => {
                    return Err(BadOption::Key {
                        player: "uct",
                        key: key.to_string(),
                    });
                }
            }
        }
        if !options.lanes {
            options.batch = 1;
        }
        Ok(options)
    }

    /// How much is explored. Measured in the arena on breakthrough and connect four: with one
    /// playout a visit 0.4 is better than 0.2; with lanes 0.1 and 0.2 are better than 0.4.
    fn exploration(&self) -> f32 {
        let usual = if self.lanes { 0.15 } else { 0.4 };
        self.exploration.unwrap_or(usual)
    }
}

/// The player.
pub(crate) struct Uct {
    seat: Seat,
    options: Options,
    tree: Mutex<Tree>,
    /// The most that each role can get.
    most: Vec<f32>,
    turns: u64,
    pace: Pace,
}

impl Uct {
    pub(crate) fn new(seat: Seat, options: Options) -> Uct {
        let shape = Shape::new(&seat.game, options.memory * MEGABYTE, 0);
        Uct {
            most: shape.most.clone(),
            tree: Mutex::new(Tree::new(shape)),
            options,
            seat,
            turns: 0,
            pace: Pace::default(),
        }
    }
}

impl Searcher for Uct {
    fn seat(&self) -> &Seat {
        &self.seat
    }

    fn flat_exploration(&self) -> f32 {
        self.options.exploration()
    }

    fn search(&mut self, state: &[u64], budget: &Budget) -> Option<Decision> {
        let game = &self.seat.game;
        let network = game.network()?;
        let simulator = game.simulator().filter(|_| self.options.lanes);
        let shared = Shared {
            tree: &self.tree,
            most: &self.most,
            exploration: self.options.exploration(),
            batch: self.options.batch,
            playouts: self.options.playouts,
            solo: self.most.len() == 1 && game.chance().is_none(),
        };
        self.turns += 1;
        let task = Task {
            tree: &self.tree,
            state,
            budget,
            threads: self.options.threads.unwrap_or(self.seat.threads),
            seed: self.seat.seed.wrapping_add(self.turns),
            pace: self.pace,
        };
        let searched = crew::search(&task, |seed| {
            Worker::new(shared, Sampler::new((network, simulator), seed, budget))
        });
        self.pace = searched.pace;
        let tree = lock(&self.tree);
        let arms = tree.arms(searched.root, self.seat.role);
        crew::decide((&self.seat, &tree), &searched, |arm| arms[arm].mean())
    }
}

impl Player for Uct {
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        if self.seat.game.hides() {
            return Err(Refusal::Hidden { player: "uct" });
        }
        let first = self.seat.game.network().map(|it| it.initial().to_vec());
        if let Some(first) = first {
            self.search(&first, budget);
        }
        Ok(())
    }

    fn ponder(&mut self, state: &State, budget: &Budget) -> bool {
        crew::ponder(self, state, budget)
    }

    fn choose(&mut self, turn: &Turn<'_>, budget: &Budget) -> Decision {
        crew::choose(self, turn, budget)
    }
}
