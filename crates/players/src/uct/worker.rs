//! A thread of a search: it goes down the tree some times, evaluates where that leads, and adds
//! up. The tree is locked on the way down and on the way up only.

use super::search::{Ucb1, Way};
use crate::kit::crew::{self, Spent};
use crate::kit::decide::lock;
use crate::kit::solo;
use crate::kit::{Batch, By, Estimate, Evaluate, Playouts, Thread};
use crate::tree::{NodeId, Stop, Tree};
use game::Bits;
use std::sync::Mutex;
use std::time::Instant;

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) tree: &'s Mutex<Tree<Ucb1>>,
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

    /// In a game of one role, follows a playout that brought all there is to get.
    fn look_for_lines(&mut self, ways: &[Way]) {
        let most = match lock(self.shared.tree).shape {
            ref shape if shape.is_solo() => shape.most[0],
            _ => return,
        };
        let open = ways.iter().filter(|way| !way.fresh.over);
        for (way, estimate) in open.zip(&self.estimates) {
            if estimate.highest[0] >= most
                && let Some(line) = solo::Lines::new(&mut self.thread, self.playouts.lanes(), most)
                    .follow(&way.fresh.state)
            {
                line.enter(&mut lock(self.shared.tree), &mut self.thread.walk);
                return;
            }
        }
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

    fn spent(&self) -> Spent {
        self.spent
    }
}
