//! MAC-UCB and FC-UCB: a state's network is solved, its solutions are sampled, and the best of
//! them leads to the next network (P1, §4).
//!
//! The network of a round with the fluents of a state given is a µSCSP. Its feasible solutions
//! are the joint moves that are legal there, each with the state after it, and all are found:
//! by maintaining arc consistency (MAC), here from one network to the next, so that only what is
//! different is propagated; or by forward checking (FC), from the start. They are sampled by
//! playouts in lanes, all in one run, and are the arms of UCB. The arm that promises most is
//! where the next µSCSP is made; what is found there becomes the arm's worth.
//!
//! Where we leave the papers, and why:
//!
//! - **Whose threshold.** In the papers θ speaks of all players: a policy is wanted with which
//!   each gets at least θ, and θ is raised to the worst of them. Against opponents that is no
//!   help: they do not look for my θ. So at each state the role that decides has a threshold of
//!   its own: what it is known to get by the best of its moves. A move that brings the role less
//!   than its threshold is pruned, as it would not be played, whatever it brings the others.
//!   Where players share one reward this is the papers' θ.
//! - **Pruning.** (1) Exact: a state all of whose ways are explored has a proven value; bounds
//!   go up the tree, and a move that cannot reach the threshold is never visited again. (2) By
//!   confidence: a move whose upper bound is below the lower bound of the best is left out of
//!   the mean and not visited, until what is known of the others changes that.
//! - **Chance.** The moves of chance depend on the state alone, never on what the players choose
//!   in the same turn. So every choice of the players is feasible with each of them: the
//!   constraint c_s of the papers is the whole product, and nothing is to be split off. What
//!   chance may do is taken in turn, not drawn, and counts with equal weight.
//! - **Several roles at once** choose by statistics of their own, and solutions are found for the
//!   joint moves that come up.
//! - **Time.** The papers give 90 % to solving. Here `solving` is a limit, and where it is reached
//!   a state is sampled again instead of being solved. Measured, every limit is a loss, so the
//!   share is what comes of it.
//!
//! Until the network of a game is made, and where there is none, gates find the same solutions.

mod search;
mod solve;
mod worker;

use crate::crew::{self, Searcher, Task, lock};
use crate::options::{MEGABYTE, number};
use crate::pace::Pace;
use crate::sampler::Sampler;
use crate::tree::{Shape, Tree};
use crate::{BadOption, Budget, Decision, OptionText, Player, Refusal, Seat, Turn};
use constraint::Strength;
use encoding::Encoding;
use game::State;
use search::Taste;
use solve::{Kit, Numbers, Solver};
use std::sync::{Arc, Mutex};
use std::thread;
use worker::{Shared, Worker};

/// Options as the roster shows them: key, default, meaning.
pub(crate) const OPTIONS: &[(&str, &str, &str)] = &[
    ("c", "0.15", "how much is explored"),
    (
        "batch",
        "16",
        "how many states are sampled at once, at least",
    ),
    (
        "playouts",
        "lanes",
        "how many playouts these have together; as many as there are lanes",
    ),
    (
        "solutions",
        "1000",
        "a state with more moves than this is not solved as a whole",
    ),
    (
        "confidence",
        "2",
        "how many standard errors a move must be worse to be left out",
    ),
    (
        "sharpness",
        "4",
        "how much more the better moves count in what a state is worth",
    ),
    (
        "solving",
        "1",
        "the share of the time that is for solving at the most, if time counts",
    ),
    (
        "solver",
        "network",
        "network, or gates: what finds moves and the states after them",
    ),
    ("memory", "512", "how many megabytes the tree may take"),
    (
        "threads",
        "cores",
        "how many threads search; a counted budget has one",
    ),
];

/// How the search is done.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    player: &'static str,
    /// How networks are solved; none for gates.
    strength: Option<Strength>,
    taste: Taste,
    batch: usize,
    playouts: Option<u64>,
    solving: f32,
    solutions: u64,
    memory: usize,
    threads: Option<usize>,
}

impl Options {
    pub(crate) fn new(
        (player, strength): (&'static str, Strength),
        text: &OptionText<'_>,
    ) -> Result<Options, BadOption> {
        let mut options = Options {
            player,
            strength: Some(strength),
            taste: Taste {
                exploration: 0.15,
                confidence: 2.0,
                sharpness: 4.0,
            },
            batch: 16,
            playouts: None,
            solving: 1.0,
            solutions: 1000,
            memory: 512,
            threads: None,
        };
        for &(key, value) in &text.options {
            options.set(key, value)?;
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), BadOption> {
        const MOST: u64 = 1 << 20;
        let count = |least| number(key, value, (least, MOST), "1 to 1048576");
        let real = |most, wanted| number(key, value, (0.0f32, most), wanted);
        match key {
            "c" => self.taste.exploration = real(100.0, "0 to 100")?,
            "confidence" => self.taste.confidence = real(100.0, "0 to 100")?,
            "sharpness" => self.taste.sharpness = real(100.0, "0 to 100")?,
            "solving" => self.solving = real(1.0, "0 to 1")?,
            "batch" => self.batch = number(key, value, (1, 4096), "1 to 4096")?,
            "playouts" => self.playouts = Some(count(1)?),
            "solutions" => self.solutions = count(1)?,
            "memory" => self.memory = count(1)? as usize,
            "threads" => self.threads = Some(number(key, value, (1, 1024), "1 to 1024")?),
            "solver" => match value {
                "network" => {}
                "gates" => self.strength = None,
                _ => {
                    return Err(BadOption::Value {
                        key: key.to_string(),
                        value: value.to_string(),
                        wanted: "network or gates",
                    });
                }
            },
            _ => {
                return Err(BadOption::Key {
                    player: self.player,
                    key: key.to_string(),
                });
            }
        }
        Ok(())
    }
}

/// The player.
pub(crate) struct MacUcb {
    seat: Seat,
    options: Options,
    tree: Mutex<Tree>,
    /// The most that each role can get.
    most: Vec<f32>,
    numbers: Numbers,
    turns: u64,
    pace: Pace,
}

impl MacUcb {
    pub(crate) fn new(seat: Seat, options: Options) -> MacUcb {
        let notes = 1 + seat.game.roles().len();
        let shape = Shape::new(&seat.game, options.memory * MEGABYTE, notes);
        MacUcb {
            most: shape.most.clone(),
            numbers: Numbers::new(&seat.game),
            tree: Mutex::new(Tree::new(shape)),
            options,
            seat,
            turns: 0,
            pace: Pace::default(),
        }
    }

    /// The network of a round, if there is one. If time counts, it is there when it is ready.
    fn encoding(&self, budget: &Budget) -> Option<(&Encoding, Strength)> {
        let strength = self.options.strength?;
        let encoding = match budget {
            Budget::Until(_) => self.seat.game.encoding_so_far()?,
            Budget::Iterations(_) => self.seat.game.encoding()?,
        };
        Some((encoding.ok()?, strength))
    }
}

impl Searcher for MacUcb {
    fn seat(&self) -> &Seat {
        &self.seat
    }

    fn flat_exploration(&self) -> f32 {
        FLAT_EXPLORATION
    }

    fn search(&mut self, state: &[u64], budget: &Budget) -> Option<Decision> {
        self.turns += 1;
        let game = &self.seat.game;
        let network = game.network()?;
        let encoding = self.encoding(budget);
        let shared = Shared {
            tree: &self.tree,
            most: &self.most,
            taste: self.options.taste,
            batch: self.options.batch,
            playouts: self.options.playouts,
            solving: budget.time_left().map(|_| self.options.solving),
            solo: self.most.len() == 1 && game.chance().is_none(),
        };
        let task = Task {
            tree: &self.tree,
            state,
            budget,
            threads: self.options.threads.unwrap_or(self.seat.threads),
            seed: self.seat.seed.wrapping_add(self.turns),
            pace: self.pace,
        };
        let kit = Kit {
            encoding,
            numbers: &self.numbers,
            chance: game.chance(),
            most: self.options.solutions,
        };
        let searched = crew::search(&task, |seed| {
            let sampler = Sampler::new((network, game.simulator()), seed, budget);
            Worker::new(shared, sampler, Solver::new(kit))
        });
        self.pace = searched.pace;
        let (tree, role) = (lock(&self.tree), self.seat.role);
        let arms = tree.arms(searched.root, role);
        crew::decide((&self.seat, &tree), &searched, |arm| {
            let child = arms[arm].child();
            child.map_or(arms[arm].mean(), |child| tree.worth(child, role))
        })
    }
}

impl Player for MacUcb {
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        let game = &self.seat.game;
        if game.hides() {
            return Err(Refusal::Hidden {
                player: self.options.player,
            });
        }
        let Some(first) = game.network().map(|it| it.initial().to_vec()) else {
            return Ok(());
        };
        if self.options.strength.is_some() && game.encoding_so_far().is_none() {
            let game = Arc::clone(game);
            thread::spawn(move || _ = game.encoding());
        }
        self.search(&first, budget);
        Ok(())
    }

    fn ponder(&mut self, state: &State, budget: &Budget) -> bool {
        crew::ponder(self, state, budget)
    }

    fn choose(&mut self, turn: &Turn<'_>, budget: &Budget) -> Decision {
        crew::choose(self, turn, budget)
    }
}

/// How much is explored where the interpreter plays out, one playout a visit.
const FLAT_EXPLORATION: f32 = 0.4;
