//! UCT and its family: tree search by confidence bounds (Kocsis and Szepesvári 2006).
//!
//! Every role maximises its own goal (Sturtevant 2008). Where several roles choose at once, each
//! selects by statistics of its own. Chance is drawn. A proven state is not visited again, and the
//! moves of a new state are tested for ending the match (`ends.rs`).
//!
//! What differs between the players of the family is a [`Preset`]: the rule of selection
//! (`rule.rs`: UCB1, RAVE, GRAVE, UCD), its parameters, and the policy of playouts. All of it can be
//! set by options, so that rules and policies combine. UCD keeps adapted means and counts (`dag.rs`).
//!
//! Playouts run in lanes: several ways down are taken before any is played out, each to a
//! state of its own, and the lanes are shared out among these states. Threads share one tree,
//! which is locked while they go down and up, not while they play out.

mod amaf;
mod dag;
mod ends;
mod farm;
mod options;
mod report;
mod rule;
mod search;
mod worker;

pub(crate) use farm::{Farm, Taken};
pub(crate) use options::{
    CADIA_2008, CADIA_2010, GRAVE, OPTIONS, PLAIN, Preset, RAVE, Settings, UCD, UCT,
};

use crate::kit::crew::{self, Done, Job, Work};
use crate::kit::decide::{decide, lock};
use crate::kit::policy::{Knowledge, Ready};
use crate::kit::solo::Lines;
use crate::kit::{Clock, Pace, Playouts, Search, Thread};
use crate::tree::{Arm, Shape, Tree};
use crate::{Budget, Decision, Seat};
use amaf::Tables;
use farm::{Farmer, Field};
use game::Bits;
use rule::Means;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use worker::{Shared, Worker};

/// The search.
pub(crate) struct Uct {
    seat: Seat,
    settings: Settings,
    tree: Mutex<Tree<Means>>,
    tables: Mutex<Tables>,
    knowledge: Arc<Knowledge>,
    /// What the policy needs.
    ready: Arc<Ready>,
    lines: Lines,
    /// How many searches there were: each has other random numbers.
    searches: u64,
    pace: Pace,
    work: Work,
}

impl Uct {
    pub(crate) fn new(seat: Seat, settings: Settings) -> Uct {
        // Tables get half of the memory, if there are any.
        let tables = match settings.rule.needs_tables() {
            true => settings.memory / 2,
            false => 0,
        };
        let shape = Shape::new(&seat.game, settings.memory - tables);
        let knowledge = Arc::new(Knowledge::new(&seat.game));
        let shape = match settings.rule.dag(shape.roles()) {
            Some(dag) => dag.shape(shape),
            None => shape,
        };
        Uct {
            tree: Mutex::new(Tree::new(shape)),
            tables: Mutex::new(Tables::new(tables)),
            ready: Arc::new(Ready::new(&knowledge)),
            knowledge,
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
        let asked = (self.settings.policy, self.settings.rule.needs_tables());
        let (policy, counts) = self.ready.policy(game, asked, budget);
        let lanes = self.settings.lanes && game.lanes().is_some() && policy.runs_in_lanes();
        self.searches += 1;
        let seed = self.seat.seed.wrapping_add(self.searches);
        let root = lock(&self.tree).root(state, (game, &Clock::new(budget)))?;
        self.lines.turn_to(state);
        self.knowledge.age(policy.decay);
        let needs_tables = counts && lanes;
        if needs_tables {
            let tables = self.tables.get_mut();
            let tables = tables.unwrap_or_else(std::sync::PoisonError::into_inner);
            tables.turn_to(&*lock(&self.tree));
        }
        let shared = Shared {
            tree: &self.tree,
            tables: Some(&self.tables).filter(|_| needs_tables),
            lines: &self.lines,
            root,
            rule: self.settings.rule,
            exploration: self.settings.exploration(lanes),
            urgency: self.settings.urgency,
            ends: self.settings.ends,
            learns_of_tree: policy.learns_of_tree(),
            batch: if lanes { self.settings.batch } else { 1 },
        };
        let job = Job {
            budget,
            threads: self.settings.threads.unwrap_or(self.seat.threads),
            seed,
            lanes,
            pace: self.pace,
        };
        let knowledge = &self.knowledge;
        let worker = |seed| {
            let policy = policy.make(game, knowledge, needs_tables);
            let playouts = Playouts::new(game, game.lanes().filter(|_| lanes), policy);
            let playouts = playouts.sharing(self.settings.playouts);
            let playouts = playouts.cutting(self.settings.cutoff);
            Worker::new(shared, Thread::new(game, seed, budget), playouts)
        };
        let done = match farm {
            None => crew::run(&job, worker),
            Some((farm, wait)) => {
                let adding = shared.adding(self.seat.game.roles().len());
                let field = Mutex::new(Field::new(farm, adding));
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
    (tree, until): (&Mutex<Tree<Means>>, Option<Instant>),
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

    /// Begins to make the lanes that play by the policy.
    fn prepare(&mut self) {
        let (game, ready) = (Arc::clone(&self.seat.game), Arc::clone(&self.ready));
        let settings = self.settings.clone();
        std::thread::spawn(move || {
            ready.make(&game, settings.policy, settings.rule.needs_tables());
        });
    }

    fn make_ready(&mut self) {
        let Settings { policy, rule, .. } = self.settings;
        self.ready
            .make(&self.seat.game, policy, rule.needs_tables());
    }

    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        self.search_with(state, budget, None)
    }
}
