//! MAC-UCB and FC-UCB: the network of a state is solved, constraints remove decisions from it before
//! they are sampled, and confidence bounds choose among the rest (P1, §4).
//!
//! The network of a round with the fluents of a state given is a µSCSP; its feasible solutions are
//! the legal joint moves, each with the state after it. With the end and the goals of that state in
//! the network, a threshold can be asked for: which moves bring a role at least θ, whatever others
//! do, and which let others bring it less?
//!
//! | part | what it does |
//! |---|---|
//! | `solve.rs` | the moves of a state, and what is proven of them: by ends, by nogoods, by looking further |
//! | `look.rs` | two and three rounds: decisions of a role exist, those of others are for all, chance is averaged |
//! | `nogoods.rs` | proofs as patterns of fluents, from the reasons of propagation: they hold in other states |
//! | `effort.rs` | how much look-ahead pays |
//! | `search.rs`, `trust.rs` | selection: worths, standard errors; how well playouts foretell what moves are worth |
//! | `backup.rs`, `removal.rs` | what states are worth by those after them; moves that look-ahead removes |
//! | `worker.rs`, `looks.rs` | one thread of it; when it looks ahead |
//!
//! Where we follow the papers: a µSCSP for each state, solved by MAC (or FC, on tables); solutions
//! are the arms of UCB, sampled by uniform playouts; the best arm leads to the next µSCSP; what is
//! explored below the threshold is removed for good (exact pruning), and what is below it with
//! enough confidence can be left out (`confidence`; off by default: no gain in 1,200 matches of 60
//! iterations a turn, and a loss is likely with more time); shares of time for solving and sampling
//! can be fixed (`solving`, `sampling`).
//!
//! Where we leave them, and why:
//!
//! - **Whose threshold.** In the papers θ speaks of all players: a policy is wanted with which
//!   each gets at least θ, and θ is raised to the worst of them. Against opponents that is no
//!   help: they do not look for my θ. So at each state the role that decides has a threshold of
//!   its own: what it is known to get by the best of its moves. A move that brings the role less
//!   than its threshold is pruned, as it would not be played, whatever it brings the others.
//!   Where players share one reward this is the papers' θ.
//! - **The constraint c_s.** The moves of chance depend on the state alone, never on what the
//!   players choose in the same turn, so the papers' table of feasible policies is the whole
//!   product at first. It is never written out: the arms of a node are its tuples, and a tuple is
//!   deleted by closing its arm. Deletions are proofs: an end, a bound from two or three rounds, or
//!   a nogood. A state in which others threaten to win keeps only the moves that break every
//!   threat.
//! - **Not every state is looked at.** Looks are paid for by the moves they remove (`effort.rs`);
//!   where they never pay they rest. Where none is made, networks only list moves.
//! - **Definitions, not tables.** MAC updates the network of the state before by what differs. FC-UCB
//!   solves networks of tables from scratch, as the papers do; so does `mac-ucb:encoding=tables`.
//!   Look-ahead uses definitions in both.
//! - **Worth.** A state is worth the mean of its open moves, each at what it is worth now, by its
//!   visits; what is proven or removed below no longer counts. How sure a worth is follows from how
//!   much the samples below a move differ (`errors`), so exploration is in standard errors, whatever
//!   the game. Ways of one batch that are not back yet count as if they had brought nothing, so that
//!   they part.
//! - **Order.** A move that was not tried is judged by playouts in which it was made later
//!   (`ordering`): a state with 81 moves does not cost 81 samples. How well that foretells what a
//!   move is worth differs from game to game, so it is measured while the search goes on: where it
//!   foretells nothing, it counts for nothing.
//! - **Playouts** are uniform, but take moves that win at once and answer threats where lanes can do
//!   both; where they can only take wins, if a trial at the start of a match shows a clear gain
//!   (`decisive=auto`, `kit/policy/ready.rs`). Other policies can be asked for (`policy`).
//! - **Chance** is taken in turn, not drawn, and counts with equal weight.
//! - **Several roles at once** choose by statistics of their own. A move is removed if another is as
//!   good whatever the others do.
//!
//! Until the network of a game is made, and where there is none, gates find the same moves.

mod backup;
mod effort;
mod look;
mod looks;
pub(crate) mod nogoods;
mod recall;
mod removal;
mod search;
mod solve;
#[cfg(test)]
mod tests;
mod trust;
mod worker;

use crate::kit::crew::{self, Job, Work};
use crate::kit::decide::{decide, lock};
use crate::kit::policy::{self, Knowledge, PolicySettings, Wanted};
use crate::kit::solo::Lines;
use crate::kit::{Clock, Pace, Playouts, Search, Thread};
use crate::options::{
    MEGABYTE, MEMORY, OptionSpec, Options, PLAYOUTS, THREADS, TIME, Takes, joined,
};
use crate::tree::{Shape, Tree};
use crate::{Budget, Decision, Seat};
use constraint::Strength;
use effort::Effort;
use encoding::{Ahead, Encoding, Scout, Tables};
use game::{Bits, Game};
use look::Pool;
use nogoods::Nogoods;
use search::Revaluation;
use solve::{Solver, Source};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;
use trust::Trust;
use worker::{Race, Shared, Worker};

/// The look from the root has random numbers of its own.
const ROOT: u64 = 1 << 63;

/// The options of the players.
pub(crate) const OPTIONS: &[OptionSpec] = &joined::<
    { SEARCH.len() + policy::OPTIONS.len() + WORK.len() },
>(&[SEARCH, &policy::OPTIONS, WORK]);

/// How it searches.
const SEARCH: &[OptionSpec] = &[
    OptionSpec {
        key: "c",
        default: "1",
        about: "exploration, in standard errors: the greater, the more often moves that look worse are tried",
        takes: Takes::Real(0.0, 100.0),
    },
    OptionSpec {
        key: "batch",
        default: "16",
        about: "states that are played out at once, at least",
        takes: Takes::Count(1, 4096),
    },
    PLAYOUTS,
    OptionSpec {
        key: "solutions",
        default: "1000",
        about: "states with more joint moves than this are solved in part",
        takes: Takes::Count(1, 1 << 20),
    },
    OptionSpec {
        key: "look",
        default: "yes",
        about: "whether networks are looked ahead in, and refuted moves removed: yes or no",
        takes: Takes::Flag,
    },
    OptionSpec {
        key: "nogoods",
        default: "yes",
        about: "whether what look-ahead proves is kept for other states: yes or no",
        takes: Takes::Flag,
    },
    OptionSpec {
        key: "errors",
        default: "yes",
        about: "whether the spread of samples says how sure a worth is, not visits alone: yes or no",
        takes: Takes::Flag,
    },
    OptionSpec {
        key: "confidence",
        default: "0",
        about: "standard errors after which a move that seems worse than the best is left out; 0: none is",
        takes: Takes::Real(0.0, 100.0),
    },
    OptionSpec {
        key: "ordering",
        default: "yes",
        about: "whether moves are judged by playouts in which they came later, before they are tried: yes or no",
        takes: Takes::Flag,
    },
];

/// How much it does at a time, and with what.
const WORK: &[OptionSpec] = &[
    OptionSpec {
        key: "race",
        default: "no",
        about: "whether moves of the root are halved as time goes by: yes or no",
        takes: Takes::Flag,
    },
    OptionSpec {
        key: "solving",
        default: "as it yields",
        about: "share of the time that solving networks gets, the rest is for sampling, from 0 to 1",
        takes: Takes::Real(0.0, 1.0),
    },
    OptionSpec {
        key: "sampling",
        default: "as it yields",
        about: "the same the other way round: share of the time that sampling gets, from 0 to 1",
        takes: Takes::Real(0.0, 1.0),
    },
    OptionSpec {
        key: "encoding",
        default: "definitions; tables for fc-ucb",
        about: "how rules stand in the networks that moves are found by: definitions, or tables of tuples",
        takes: Takes::Word(&["definitions", "tables"]),
    },
    OptionSpec {
        key: "solver",
        default: "network",
        about: "what finds moves and the states after them: network or gates",
        takes: Takes::Word(&["network", "gates"]),
    },
    MEMORY,
    THREADS,
    TIME,
];

/// How the search is done.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// How networks are solved; none for gates.
    strength: Option<Strength>,
    revaluation: Revaluation,
    policy: PolicySettings,
    batch: usize,
    playouts: Option<u64>,
    solving: Option<f32>,
    /// Whether networks are solved by relations in extension.
    tables: bool,
    look: bool,
    nogoods: bool,
    race: bool,
    solutions: usize,
    memory: usize,
    threads: Option<usize>,
}

impl Settings {
    pub(crate) fn new(strength: Strength, options: &Options) -> Settings {
        let count = |key, usual| options.count(key).unwrap_or(usual) as usize;
        let real = |key, usual| options.real(key).unwrap_or(usual);
        let flag = |key, usual| options.flag(key).unwrap_or(usual);
        Settings {
            strength: Some(strength).filter(|_| options.word("solver") != Some("gates")),
            revaluation: Revaluation {
                exploration: real("c", 1.0),
                confidence: Some(real("confidence", 0.0)).filter(|&it| it > 0.0),
                errors: flag("errors", true),
                ordering: flag("ordering", true).then(|| Trust::default().expected()),
                race: None,
            },
            policy: PolicySettings::new(options, PolicySettings::named("uniform", Wanted::Auto)),
            look: flag("look", true),
            nogoods: flag("nogoods", true),
            race: flag("race", false),
            batch: count("batch", 16),
            playouts: options.count("playouts"),
            solving: shares(options.real("solving"), options.real("sampling")),
            tables: match options.word("encoding") {
                Some(word) => word == "tables",
                None => strength == Strength::Forward,
            },
            solutions: count("solutions", 1000),
            memory: count("memory", 512) * MEGABYTE,
            threads: options.count("threads").map(|it| it as usize),
        }
    }
}

/// The share of the time for solving networks, of what is asked for solving and for sampling.
fn shares(solving: Option<f32>, sampling: Option<f32>) -> Option<f32> {
    match (solving, sampling) {
        (Some(solving), Some(sampling)) if solving + sampling > 0.0 => {
            Some(solving / (solving + sampling))
        }
        (Some(solving), _) => Some(solving),
        (None, Some(sampling)) => Some(1.0 - sampling),
        (None, None) => None,
    }
}

/// The search.
pub(crate) struct MacUcb {
    seat: Seat,
    settings: Settings,
    tree: Mutex<Tree<Revaluation>>,
    lines: Lines,
    /// How many searches there were: each has other random numbers.
    searches: u64,
    pace: Pace,
    work: Work,
    shape: Shape,
    nogoods: Arc<Nogoods>,
    ready: Arc<Ready>,
    effort: Mutex<Effort>,
    trust: Mutex<Trust>,
    /// What the policy of playouts has learned.
    knowledge: Arc<Knowledge>,
}

impl MacUcb {
    pub(crate) fn new(seat: Seat, settings: Settings) -> MacUcb {
        let shape = Shape::new(&seat.game, settings.memory);
        let knowledge = Arc::new(Knowledge::new(&seat.game));
        MacUcb {
            shape: shape.clone(),
            nogoods: recall::nogoods(&seat),
            ready: Arc::new(Ready::new(&knowledge)),
            effort: Mutex::new(Effort::new(settings.solving)),
            trust: Mutex::default(),
            knowledge,
            tree: Mutex::new(Tree::new(shape)),
            lines: Lines::default(),
            settings,
            seat,
            searches: 0,
            pace: Pace::default(),
            work: Work::default(),
        }
    }

    /// The network of a round, if there is one. If time counts, it is used when it is ready.
    fn encoding(&self, budget: &Budget) -> Option<(&Encoding, Strength)> {
        let strength = self.settings.strength?;
        let encoding = match budget {
            Budget::Until(_) => self.seat.game.encoding_so_far()?,
            Budget::Iterations(_) => self.seat.game.encoding()?,
        };
        Some((encoding.ok()?, strength))
    }

    /// The same in extension, if that is to be solved.
    fn tables(&self, budget: &Budget) -> Option<&Tables> {
        let game = Some(&self.seat.game).filter(|_| self.settings.tables)?;
        let tables = match budget {
            Budget::Until(_) => game.tables_so_far()?,
            Budget::Iterations(_) => game.tables()?,
        };
        tables.ok()
    }

    /// The same with its end, if there is look-ahead.
    fn ahead(&self, budget: &Budget) -> Option<&Ahead> {
        let game = Some(&self.seat.game).filter(|_| self.settings.look)?;
        let ahead = match budget {
            Budget::Until(_) if !self.ready.looks.load(Ordering::Acquire) => return None,
            Budget::Until(_) => game.ahead_so_far()?,
            Budget::Iterations(_) => game.ahead()?,
        };
        ahead.ok()
    }
}

/// What is made ready beside the first searches.
#[derive(Debug)]
struct Ready {
    /// What the policy of playouts needs.
    policy: policy::Ready,
    /// Whether networks are ready to look ahead in.
    looks: AtomicBool,
    /// Networks of the turns before.
    pool: Pool,
}

impl Ready {
    /// Nothing is ready.
    fn new(knowledge: &Arc<Knowledge>) -> Ready {
        Ready {
            policy: policy::Ready::new(knowledge),
            looks: AtomicBool::default(),
            pool: Pool::default(),
        }
    }

    /// Makes the lanes that tell of moves, and the networks.
    fn make(&self, game: &Game, settings: &Settings) {
        let counts = settings.revaluation.ordering.is_some();
        self.policy.make(game, settings.policy, counts);
        if settings.strength.is_none() {
            return;
        }
        _ = game.encoding();
        if settings.tables {
            _ = game.tables();
        }
        if settings.look && !self.looks.load(Ordering::Acquire) {
            self.make_scouts(game);
        }
        self.looks.store(true, Ordering::Release);
    }

    /// Makes networks with their end, in which the initial state is loaded.
    fn make_scouts(&self, game: &Game) {
        let (Some(Ok(ahead)), Some(Ok(encoding))) = (game.ahead(), game.encoding()) else {
            return;
        };
        let walk = game.walk();
        let scout = || {
            let mut scout = Scout::new(encoding, ahead);
            // A state that does not fit is found out about when it is looked at.
            _ = scout.load(walk.state());
            scout.rest()
        };
        let scouts: Vec<_> = (0..look::ROUNDS).map(|_| scout()).collect();
        let pool = self.pool.lock();
        pool.unwrap_or_else(PoisonError::into_inner).extend(scouts);
    }
}

impl Search for MacUcb {
    fn seat(&self) -> &Seat {
        &self.seat
    }

    fn work(&self) -> Work {
        self.work
    }

    /// Begins to make the network and the lanes that tell of moves, which may take longer than there
    /// is time before the match.
    fn prepare(&mut self) {
        let (game, ready) = (Arc::clone(&self.seat.game), Arc::clone(&self.ready));
        let settings = self.settings.clone();
        thread::spawn(move || ready.make(&game, &settings));
    }

    fn make_ready(&mut self) {
        self.ready.make(&self.seat.game, &self.settings);
    }

    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        self.searches += 1;
        let game = &self.seat.game;
        let seed = self.seat.seed.wrapping_add(self.searches);
        let root = lock(&self.tree).root(state, (game, &Clock::new(budget)))?;
        let recalled = recall::at_root(&self.tree, root, (&self.seat, budget));
        self.lines.turn_to(state);
        self.nogoods.age();
        let asked = (
            self.settings.policy,
            self.settings.revaluation.ordering.is_some(),
        );
        let (policy, counts) = self.ready.policy.policy(game, asked, budget);
        self.knowledge.age(policy.decay);
        let shared = Shared {
            tree: &self.tree,
            lines: &self.lines,
            root,
            revaluation: self.settings.revaluation,
            batch: self.settings.batch,
            learns_of_tree: policy.learns_of_tree(),
            solving: self
                .settings
                .solving
                .filter(|_| budget.time_left().is_some()),
            effort: &self.effort,
            trust: &self.trust,
            race: self.settings.race.then(|| Race {
                began: Instant::now(),
                budget: *budget,
            }),
            memory: self.seat.memory.as_deref(),
        };
        let job = Job {
            budget,
            threads: self.settings.threads.unwrap_or(self.seat.threads),
            seed,
            lanes: game.lanes().is_some() && policy.runs_in_lanes(),
            pace: self.pace,
        };
        let source = Source {
            encoding: self.encoding(budget),
            tables: self.tables(budget),
            ahead: self.ahead(budget),
            pool: &self.ready.pool,
            nogoods: Some(&*self.nogoods).filter(|_| self.settings.nogoods),
            shape: &self.shape,
            roles: game.roles().len(),
            chance: game.chance(),
            solutions: self.settings.solutions,
        };
        let worker = |seed| {
            let policy = policy.make(game, &self.knowledge, counts);
            let playouts = Playouts::new(game, game.lanes(), policy);
            let playouts = playouts.sharing(self.settings.playouts);
            let thread = Thread::new(game, seed, budget);
            Worker::new(shared, thread, (playouts, Solver::new(source)))
        };
        let (learned, _) = self.nogoods.counts();
        let mut first = worker(seed ^ ROOT);
        if !recalled {
            first.look_from_root();
        }
        let from_root = crew::Worker::looked(&first);
        drop(first);
        lock(&self.tree).reopen_unless_known(root);
        let done = crew::run(&job, worker);
        self.pace = done.pace;
        self.work += done.work;
        self.work.looked += from_root;
        self.work.looked.learned += self.nogoods.counts().0 - learned;
        let tree = lock(&self.tree);
        decide(&tree, root, (&self.seat, &done), |arm| {
            let child = arm.child();
            child.map_or(arm.mean(), |child| tree.worth(child, self.seat.role))
        })
    }

    fn finish(&mut self) {
        recall::remember(&lock(&self.tree), &self.seat);
    }
}
