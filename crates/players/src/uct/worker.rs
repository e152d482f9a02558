//! A thread of a search: it goes down the tree some times, evaluates where that leads, and adds
//! up. The tree is locked on the way down and on the way up only.

use super::amaf::Tables;
use super::ends::Tests;
use super::rule::{Means as Stats, Rule, Selection};
use super::search::{Adding, Way};
use crate::kit::crew::{self, Spent};
use crate::kit::decide::lock;
use crate::kit::policy::learn_way;
use crate::kit::solo::{Lines, Means};
use crate::kit::{Batch, By, Estimate, Evaluate, Playouts, Policy, Thread};
use crate::tree::{NodeId, Stop, Tree};
use game::{Bits, BitsBuf, RoleId};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) tree: &'s Mutex<Tree<Stats>>,
    /// Tables of moves, if the rule needs them. They are locked after the tree.
    pub(super) tables: Option<&'s Mutex<Tables>>,
    pub(super) lines: &'s Lines,
    pub(super) root: NodeId,
    pub(super) rule: Rule,
    pub(super) exploration: f32,
    pub(super) urgency: Option<f32>,
    /// Whether moves of new states are tested for ending the match, and moves that are proven no
    /// longer count in means.
    pub(super) ends: bool,
    /// Whether the policy learns from the moves made in the tree.
    pub(super) learns_of_tree: bool,
    /// How many states are evaluated at once.
    pub(super) batch: usize,
}

impl Shared<'_> {
    /// How values are added up in a game of so many roles.
    pub(super) fn adding(&self, roles: usize) -> Adding {
        Adding {
            nodes: self.rule.dag(roles),
            open: self.ends,
        }
    }
}

/// Locks the tables.
fn lock_tables(tables: &Mutex<Tables>) -> MutexGuard<'_, Tables> {
    tables.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    shared: Shared<'s>,
    thread: Thread<'s>,
    playouts: Playouts<'s, Box<dyn Policy>>,
    tests: Tests,
    chance: Option<RoleId>,
    /// Kept from one iteration to the next, with what they have allocated.
    ways: Vec<Way>,
    estimates: Vec<Estimate>,
    /// A state from which a playout brought all there is to get, in a game of one role.
    good: Option<BitsBuf>,
    spent: Spent,
}

impl<'s> Worker<'s> {
    pub(super) fn new(
        shared: Shared<'s>,
        thread: Thread<'s>,
        playouts: Playouts<'s, Box<dyn Policy>>,
    ) -> Worker<'s> {
        Worker {
            tests: Tests::new(shared.ends),
            chance: lock(shared.tree).shape.chance,
            ways: vec![Way::default(); shared.batch],
            estimates: Vec::new(),
            good: None,
            spent: Spent::default(),
            shared,
            thread,
            playouts,
        }
    }

    /// Takes ways down; those to proven states are done with, the others come first. Returns
    /// how many these are.
    fn descend(&mut self, ways: &mut [Way]) -> usize {
        let Shared { root, rule, .. } = self.shared;
        let mut tree = lock(self.shared.tree);
        let adding = self.shared.adding(tree.roles());
        let tables = self.shared.tables.map(lock_tables);
        let selection = Selection {
            rule,
            exploration: self.shared.exploration,
            urgency: self.shared.urgency,
            tables: tables.as_deref(),
        };
        let mut open = 0;
        for _ in 0..ways.len() {
            if tree.proven(root).is_some() {
                break;
            }
            let way = &mut ways[open];
            way.path.clear(tree.roles());
            let random = &mut self.thread.random;
            let stop = tree.descend(root, &mut way.path, &selection, random);
            way.note(&tree, stop);
            match stop {
                Stop::Proven(_) => way.back_up(&mut tree, adding),
                Stop::Open(_) | Stop::Deep(_) | Stop::Edge(_) => open += 1,
            }
        }
        open
    }

    /// Finds the state at the end of a way, and its moves that end the match.
    fn expand(&mut self, way: &mut Way, most: &[f32]) {
        let began = Instant::now();
        let walk = &mut self.thread.walk;
        walk.load(&way.state);
        if let Stop::Edge(_) = way.stop {
            walk.play(&way.joint);
        }
        way.fresh.take(walk, most.len());
        self.thread.clock.note_piece(began);
        way.ends.clear();
        let known = way.fresh.over || way.fresh.unknown;
        let time = self.tests.has_time(&self.thread, self.spent.evaluation);
        if matches!(way.stop, Stop::Edge(_)) && !known && time {
            let Way { fresh, ends, .. } = way;
            let who = fresh.who(self.chance);
            self.tests.find(&mut self.thread, (fresh, who), most, ends);
        }
    }

    /// New ways down, at most so many, to states that are not proven; not evaluated yet.
    pub(super) fn go_down(&mut self, count: usize) -> Vec<Way> {
        let mut ways = vec![Way::default(); count];
        let open = self.descend(&mut ways);
        ways.truncate(open);
        let most = lock(self.shared.tree).shape.most.clone();
        ways.iter_mut().for_each(|way| self.expand(way, &most));
        ways
    }

    /// Finds what the states at the end of ways are worth.
    fn evaluate(&mut self, ways: &mut [Way], by: By) {
        let open = || ways.iter().filter(|way| way.known().is_none());
        let states: Vec<&Bits> = open().map(|way| &*way.fresh.state).collect();
        self.estimates.clear();
        let states = &states[..];
        let batch = Batch { states, by };
        let (thread, estimates) = (&mut self.thread, &mut self.estimates);
        self.playouts.evaluate(thread, &batch, estimates);
        let mut estimates = self.estimates.iter();
        for way in ways.iter_mut() {
            let mut values = std::mem::take(&mut way.values);
            values.clear();
            values.extend_from_slice(match way.known() {
                Some(known) => known,
                None => &estimates.next().expect("one for each open state").values,
            });
            way.values = values;
        }
    }

    /// Adds up what the states at the end of ways are worth, on all ways up.
    fn back_up(&mut self, ways: &mut [Way]) -> MutexGuard<'s, Tree<Stats>> {
        let mut tree = lock(self.shared.tree);
        let adding = self.shared.adding(tree.roles());
        let mut tables = self.shared.tables.map(lock_tables);
        let mut estimates = self.estimates.iter_mut();
        for way in ways {
            let estimate = match way.known() {
                Some(_) => None,
                None => estimates.next(),
            };
            if let (Some(tables), Some(estimate)) = (&mut tables, estimate) {
                tables.note(&tree, &way.path, estimate);
            }
            way.back_up(&mut tree, adding);
        }
        tree
    }

    /// Lets the policy learn from the moves made in the tree.
    fn learn_of_tree(&mut self, ways: &[Way]) {
        if !self.shared.learns_of_tree {
            return;
        }
        let tree = lock(self.shared.tree);
        let mut estimates = self.estimates.iter();
        for way in ways.iter().filter(|way| way.known().is_none()) {
            let weight = estimates.next().map_or(0.0, |it| it.weight);
            let policy = self.playouts.policy_mut();
            learn_way(policy, (&tree, &way.path), (&way.values, weight));
        }
    }

    /// In a game of one role, notes a state from which a playout brought all there is to get.
    fn look_for_lines(&mut self, ways: &[Way]) {
        let Some(most) = lock(self.shared.tree).shape.solo_most() else {
            return;
        };
        let open = ways.iter().filter(|way| way.known().is_none());
        let mut good = open.zip(&self.estimates);
        let good = good.find(|(_, estimate)| estimate.highest[0] >= most);
        self.good = good.map(|(way, _)| way.fresh.state.clone());
    }
}

impl<'s> crew::Worker<'s> for Worker<'s> {
    fn thread(&mut self) -> &mut Thread<'s> {
        &mut self.thread
    }

    /// Goes down some times, or once if not by lanes, evaluates where that leads, and adds up.
    fn iterate(&mut self, by: By) -> bool {
        let count = match by {
            By::Lanes => self.ways.len(),
            By::One => 1,
        };
        let began = Instant::now();
        let mut ways = std::mem::take(&mut self.ways);
        let open = self.descend(&mut ways[..count]);
        let most = lock(self.shared.tree).shape.most.clone();
        let descended = Instant::now();
        for way in &mut ways[..open] {
            self.expand(way, &most);
        }
        let expanded = Instant::now();
        self.evaluate(&mut ways[..open], by);
        let evaluated = Instant::now();
        self.look_for_lines(&ways[..open]);
        self.learn_of_tree(&ways[..open]);
        let tree = self.back_up(&mut ways[..open]);
        let proven = tree.proven(self.shared.root).is_some();
        drop(tree);
        self.ways = ways;
        self.spent += Spent {
            tree: descended - began + evaluated.elapsed(),
            states: expanded - descended,
            evaluation: evaluated - expanded,
        };
        proven
    }

    fn pursue(&mut self) -> bool {
        let Shared {
            lines, tree, root, ..
        } = self.shared;
        let Some(most) = lock(tree).shape.solo_most() else {
            return false;
        };
        let mut means = Means {
            lanes: self.playouts.lanes(),
            thread: &mut self.thread,
            most,
        };
        lines.pursue(&mut means, self.good.take(), tree);
        lock(tree).proven(root).is_some()
    }

    fn spent(&self) -> Spent {
        self.spent
    }
}
