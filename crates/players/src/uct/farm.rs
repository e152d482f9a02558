//! Tree parallel search: one tree here, playouts elsewhere.
//!
//! Every round sends each helper batches of states at the end of ways down until it has
//! [`DEPTH`] of them, does one batch here, and adds up what is back. A way that is not back
//! counts as a visit that brought nothing, so that the next ways part from it. What does not
//! come back is taken out of the tree as if the way was never gone.
//!
//! With a counted budget answers are added up in the order of the orders, however they come, so
//! that the search can be repeated; with a clock, nobody is waited for.

use super::rule::Means;
use super::search::{Adding, Way};
use super::worker::{Shared, Worker};
use crate::Budget;
use crate::kit::crew::{self, Spent};
use crate::kit::decide::lock;
use crate::kit::{By, Estimate, Thread};
use crate::tree::Tree;
use game::{Bits, BitsBuf};
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// How many batches a helper has at a time: one to work on, and one for when that is done.
const DEPTH: usize = 2;
/// How many states a batch has where playouts are made one at a time.
const BATCH: usize = 16;

/// Plays states out elsewhere.
pub(crate) trait Farm: Send {
    /// Those that take batches now.
    fn ready(&mut self) -> Vec<usize>;

    /// Sends a batch to a helper; returns its ticket.
    fn send(&mut self, helper: usize, states: Vec<BitsBuf>, budget: &Budget) -> u64;

    /// Whether a batch is back, waiting for it until a time, or for as long as it takes.
    fn take(&mut self, ticket: u64, until: Option<Instant>) -> Taken;

    /// A batch is not wanted any more.
    fn forget(&mut self, ticket: u64);
}

/// What became of a batch.
pub(crate) enum Taken {
    /// Estimates of its states.
    Back(Vec<Estimate>),
    /// It will not come back.
    Lost,
    /// It is not back yet.
    Away,
}

/// Batches that are elsewhere, in the order in which they were sent.
pub(crate) struct Field<'f> {
    farm: &'f mut dyn Farm,
    adding: Adding,
    away: VecDeque<Away>,
    /// How many playouts and batches came back.
    pub(super) playouts: u64,
    pub(super) batches: u64,
}

struct Away {
    helper: usize,
    ticket: u64,
    ways: Vec<Way>,
}

impl<'f> Field<'f> {
    pub(super) fn new(farm: &'f mut dyn Farm, adding: Adding) -> Field<'f> {
        Field {
            farm,
            adding,
            away: VecDeque::new(),
            playouts: 0,
            batches: 0,
        }
    }

    fn away(&self, helper: usize) -> usize {
        self.away.iter().filter(|it| it.helper == helper).count()
    }

    /// Adds up the batch at a place, if it is back by a time.
    fn bring_in(
        &mut self,
        place: usize,
        until: Option<Instant>,
        tree: &Mutex<Tree<Means>>,
    ) -> bool {
        let ticket = self.away[place].ticket;
        let estimates = match self.farm.take(ticket, until) {
            Taken::Back(estimates) => estimates,
            Taken::Lost => Vec::new(),
            Taken::Away => return false,
        };
        let away = self.away.remove(place);
        let mut ways = away.map_or_else(Vec::new, |it| it.ways);
        self.playouts += estimates.iter().map(|it| it.weight as u64).sum::<u64>();
        self.batches += u64::from(!estimates.is_empty());
        back_up(&mut ways, &estimates, (&mut lock(tree), self.adding));
        true
    }

    /// Adds up what is back: the oldest of those that have all they may have, or with a clock
    /// whatever there is.
    fn bring_in_some(&mut self, counted: bool, tree: &Mutex<Tree<Means>>) {
        let mut place = 0;
        while place < self.away.len() {
            let full = self.away(self.away[place].helper) >= DEPTH;
            let until = match counted {
                true if full => None,
                true => {
                    place += 1;
                    continue;
                }
                false => Some(Instant::now()),
            };
            if !self.bring_in(place, until, tree) {
                place += 1;
            }
        }
    }

    /// Waits for the rest until a time, or for as long as it takes, and takes back what is not there
    /// then.
    pub(super) fn bring_in_all(&mut self, until: Option<Instant>, tree: &Mutex<Tree<Means>>) {
        let mut place = 0;
        while place < self.away.len() {
            if !self.bring_in(place, until, tree) {
                place += 1;
            }
        }
        for away in &mut self.away {
            self.farm.forget(away.ticket);
            back_up(&mut away.ways, &[], (&mut lock(tree), self.adding));
        }
        self.away.clear();
    }
}

/// Adds up what was found of ways whose states were played out; those without a playout are
/// taken back.
fn back_up(ways: &mut [Way], estimates: &[Estimate], (tree, by): (&mut Tree<Means>, Adding)) {
    let mut estimates = estimates.iter();
    for way in ways {
        if let Some(known) = way.known().map(<[f32]>::to_vec) {
            way.values = known;
            way.back_up(tree, by);
            continue;
        }
        let estimate = match is_open(way) {
            true => estimates.next(),
            false => None,
        };
        match estimate.filter(|it| it.weight > 0.0) {
            Some(estimate) => {
                way.values.clear();
                way.values.extend_from_slice(&estimate.values);
                way.back_up(tree, by);
            }
            None => {
                tree.take_back(&way.path, way.stop);
                if let Some(dag) = by.nodes {
                    dag.update(tree, &way.path, by.open);
                }
            }
        }
    }
}

/// Whether the state at the end of a way is to be played out.
fn is_open(way: &Way) -> bool {
    way.known().is_none() && !way.fresh.unknown
}

/// A search thread that has others play out for it.
pub(super) struct Farmer<'s, 'f> {
    worker: Worker<'s>,
    shared: Shared<'s>,
    field: &'s Mutex<Field<'f>>,
    budget: &'s Budget,
    root: &'s Bits,
}

impl<'s, 'f> Farmer<'s, 'f> {
    pub(super) fn new(
        worker: Worker<'s>,
        (shared, field): (Shared<'s>, &'s Mutex<Field<'f>>),
        (root, budget): (&'s Bits, &'s Budget),
    ) -> Farmer<'s, 'f> {
        Farmer {
            worker,
            shared,
            field,
            budget,
            root,
        }
    }

    fn field(&self) -> MutexGuard<'s, Field<'f>> {
        self.field.lock().expect("one thread sends and receives")
    }

    /// Gives every helper that is ready as much as it may have.
    fn send_out(&mut self, field: &mut Field<'f>) {
        for helper in field.farm.ready() {
            while field.away(helper) < DEPTH {
                let size = if self.shared.batch > 1 {
                    self.shared.batch
                } else {
                    BATCH
                };
                let ways = self.worker.go_down(size);
                let open = ways.iter().filter(|way| is_open(way));
                let states: Vec<BitsBuf> = open.map(|it| it.fresh.state.clone()).collect();
                if states.is_empty() {
                    // All that was reached is over: it is added up here.
                    let mut ways = ways;
                    back_up(&mut ways, &[], (&mut lock(self.shared.tree), field.adding));
                    break;
                }
                let ticket = field.farm.send(helper, states, self.budget);
                field.away.push_back(Away {
                    helper,
                    ticket,
                    ways,
                });
            }
        }
    }
}

impl<'s> crew::Worker<'s> for Farmer<'s, '_> {
    fn thread(&mut self) -> &mut Thread<'s> {
        self.worker.thread()
    }

    fn iterate(&mut self, by: By) -> bool {
        let mut field = self.field();
        // With little time left, a batch would not come back.
        let goes_on = by == By::Lanes || self.shared.batch == 1;
        if goes_on {
            self.send_out(&mut field);
        }
        let done = self.worker.iterate(by);
        let counted = matches!(self.budget, Budget::Iterations(_));
        field.bring_in_some(counted, self.shared.tree);
        let tree = lock(self.shared.tree);
        done || tree
            .find(self.root)
            .is_some_and(|it| tree.proven(it).is_some())
    }

    fn pursue(&mut self) -> bool {
        self.worker.pursue()
    }

    fn spent(&self) -> Spent {
        self.worker.spent()
    }
}
