//! A thread of a search: it goes down the tree some times, evaluates where that leads, and adds
//! up. The tree is locked on the way down and on the way up only.

use super::search::{Ucb1, Way};
use crate::kit::crew::{self, Spent};
use crate::kit::decide::lock;
use crate::kit::solo::{Lines, Means};
use crate::kit::{Batch, By, Estimate, Evaluate, Playouts, Thread};
use crate::tree::{NodeId, Stop, Tree};
use game::{Bits, BitsBuf};
use std::sync::Mutex;
use std::time::Instant;

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) tree: &'s Mutex<Tree<Ucb1>>,
    pub(super) lines: &'s Lines,
    pub(super) root: NodeId,
    pub(super) selector: Ucb1,
    /// How many states are evaluated at once.
    pub(super) batch: usize,
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    shared: Shared<'s>,
    thread: Thread<'s>,
    playouts: Playouts<'s>,
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
        playouts: Playouts<'s>,
    ) -> Worker<'s> {
        Worker {
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
        let Shared { root, selector, .. } = self.shared;
        let mut tree = lock(self.shared.tree);
        let mut open = 0;
        for _ in 0..ways.len() {
            if tree.proven(root).is_some() {
                break;
            }
            let way = &mut ways[open];
            way.path.clear(tree.roles());
            let random = &mut self.thread.random;
            let stop = tree.descend(root, &mut way.path, &selector, random);
            way.note(&tree, stop);
            match stop {
                Stop::Proven(_) => way.back_up(&mut tree),
                Stop::Open(_) | Stop::Deep(_) | Stop::Edge(_) => open += 1,
            }
        }
        open
    }

    /// Finds the state at the end of a way.
    fn expand(&mut self, way: &mut Way, roles: usize) {
        let began = Instant::now();
        let walk = &mut self.thread.walk;
        walk.load(&way.state);
        if let Stop::Edge(_) = way.stop {
            walk.play(&way.joint);
        }
        way.fresh.take(walk, roles);
        self.thread.clock.note_piece(began);
    }

    /// New ways down, at most so many, to states that are not proven; not evaluated yet.
    pub(super) fn go_down(&mut self, count: usize) -> Vec<Way> {
        let mut ways = vec![Way::default(); count];
        let open = self.descend(&mut ways);
        ways.truncate(open);
        let roles = lock(self.shared.tree).roles();
        ways.iter_mut().for_each(|way| self.expand(way, roles));
        ways
    }

    /// Finds what the states at the end of ways are worth.
    fn evaluate(&mut self, ways: &mut [Way], by: By) {
        let open = || ways.iter().filter(|way| !way.fresh.over);
        let states: Vec<&Bits> = open().map(|way| &*way.fresh.state).collect();
        self.estimates.clear();
        let states = &states[..];
        let batch = Batch { states, by };
        let (thread, estimates) = (&mut self.thread, &mut self.estimates);
        self.playouts.evaluate(thread, &batch, estimates);
        let mut estimates = self.estimates.iter();
        for way in ways.iter_mut() {
            way.values.clear();
            match way.fresh.over {
                true => way.values.extend_from_slice(&way.fresh.values),
                false => {
                    let estimate = estimates.next().expect("one for each open state");
                    way.values.extend_from_slice(&estimate.values);
                }
            }
        }
    }

    /// In a game of one role, notes a state from which a playout brought all there is to get.
    fn look_for_lines(&mut self, ways: &[Way]) {
        let Some(most) = lock(self.shared.tree).shape.solo_most() else {
            return;
        };
        let open = ways.iter().filter(|way| !way.fresh.over);
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
        let roles = lock(self.shared.tree).roles();
        let descended = Instant::now();
        for way in &mut ways[..open] {
            self.expand(way, roles);
        }
        let expanded = Instant::now();
        self.evaluate(&mut ways[..open], by);
        let evaluated = Instant::now();
        self.look_for_lines(&ways[..open]);
        let mut tree = lock(self.shared.tree);
        for way in &mut ways[..open] {
            way.back_up(&mut tree);
        }
        self.ways = ways;
        self.spent += Spent {
            tree: descended - began + evaluated.elapsed(),
            states: expanded - descended,
            evaluation: evaluated - expanded,
        };
        tree.proven(self.shared.root).is_some()
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
