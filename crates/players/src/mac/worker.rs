//! A thread of a search: it goes down to states that were not sampled, solving networks on the
//! way, samples them, and revalues. The tree is locked on the way down and up only.

use super::search::Revaluation;
use super::solve::{Solved, Solver};
use crate::kit::crew::{self, Spent};
use crate::kit::decide::lock;
use crate::kit::path::{DEEPEST, Path};
use crate::kit::solo::{Lines, Means};
use crate::kit::{Batch, By, Estimate, Evaluate, Playouts, Thread};
use crate::tree::{NodeId, Stop, Tree, Who};
use game::{Bits, BitsBuf, MoveId, RoleId};
use std::sync::Mutex;
use std::time::Instant;

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) tree: &'s Mutex<Tree<Revaluation>>,
    pub(super) lines: &'s Lines,
    pub(super) root: NodeId,
    pub(super) revaluation: Revaluation,
    /// How many states are sampled at once.
    pub(super) batch: usize,
    /// Greatest share of the clock spent on solving networks.
    pub(super) solving: Option<f32>,
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    shared: Shared<'s>,
    thread: Thread<'s>,
    playouts: Playouts<'s>,
    solver: Solver<'s>,
    /// Kept from one iteration to the next, with what they have allocated.
    paths: Vec<Path>,
    solved: Solved,
    joint: Vec<MoveId>,
    estimates: Vec<Estimate>,
    /// A state from which a playout brought all there is to get, in a game of one role.
    good: Option<BitsBuf>,
    spent: Spent,
}

/// Where a way ends.
enum End {
    /// At a node that is to be sampled.
    Sample(NodeId),
    /// At a node of which everything is proven.
    Proven,
    /// Nowhere: the root is proven.
    Solved,
}

impl<'s> Worker<'s> {
    pub(super) fn new(
        shared: Shared<'s>,
        thread: Thread<'s>,
        (playouts, solver): (Playouts<'s>, Solver<'s>),
    ) -> Worker<'s> {
        Worker {
            paths: vec![Path::default(); shared.batch],
            solved: Solved::default(),
            joint: Vec::new(),
            estimates: Vec::new(),
            good: None,
            spent: Spent::default(),
            shared,
            thread,
            playouts,
            solver,
        }
    }

    /// Takes ways down, each to a state to sample; those to proven states are done with. Returns
    /// the states, in the order of the paths that lead there.
    fn descend(&mut self, most: usize) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        for _ in 0..most {
            let mut path = std::mem::take(&mut self.paths[nodes.len()]);
            let end = self.way(&mut path);
            let open = nodes.len();
            match end {
                End::Sample(node) => nodes.push(node),
                End::Proven => self.back_up(&path, 0.0),
                End::Solved => {}
            }
            self.paths[open] = path;
            if matches!(end, End::Solved) || self.thread.clock.is_late() {
                break;
            }
        }
        nodes
    }

    /// One way down, along which networks are solved.
    fn way(&mut self, path: &mut Path) -> End {
        let Shared {
            root, revaluation, ..
        } = self.shared;
        let mut node = root;
        let mut tree = lock(self.shared.tree);
        path.clear(tree.roles());
        loop {
            if tree.proven(root).is_some() {
                return End::Solved;
            }
            let stop = tree.descend(node, path, &revaluation, &mut self.thread.random);
            match stop {
                Stop::Proven(_) => return End::Proven,
                Stop::Deep(node) => return End::Sample(node),
                Stop::Open(open) => {
                    let again = path.len() >= DEEPEST || tree.is_full();
                    let enough = open != root && self.has_solved_enough();
                    if tree.is_blank(open) || again || enough {
                        tree.visit(open);
                        return End::Sample(open);
                    }
                    let state = tree.state(open).to_owned();
                    drop(tree);
                    if !self.solve(open, &state) {
                        lock(self.shared.tree).visit(open);
                        return End::Sample(open);
                    }
                    node = open;
                }
                Stop::Edge(last) if tree.is_full() => {
                    path.pop();
                    return End::Sample(last);
                }
                Stop::Edge(last) => {
                    let state = tree.state(last).to_owned();
                    if let Some((node, arms)) = path.last() {
                        tree.actions(node, arms, &mut self.joint);
                    }
                    drop(tree);
                    let Some(next) = self.follow(last, &state, path) else {
                        path.pop();
                        return End::Sample(last);
                    };
                    node = next;
                }
            }
            tree = lock(self.shared.tree);
        }
    }

    /// Whether solving has had its share of the time: then a state is sampled again.
    fn has_solved_enough(&self) -> bool {
        let solving = self.spent.states.as_secs_f32();
        let all = solving + self.spent.evaluation.as_secs_f32();
        (self.shared.solving).is_some_and(|share| solving > share * all)
    }

    /// Solves the network of a state, and puts the solutions into the tree; false if there was no
    /// time to find out about the state. Solutions may be missing if there was no time for all.
    fn solve(&mut self, node: NodeId, state: &Bits) -> bool {
        let began = Instant::now();
        self.solver.solve(state, &mut self.thread, &mut self.solved);
        if self.solved.fresh.unknown {
            return false;
        }
        self.thread.clock.note_piece(began);
        self.spent.states += began.elapsed();
        let mut tree = lock(self.shared.tree);
        if tree.who(node) != Who::Open {
            // Another thread was here before.
            return true;
        }
        tree.open(node, &self.solved.fresh);
        let roles = tree.roles();
        let solutions = self.solved.arms.chunks_exact(roles);
        for (arms, state) in solutions.zip(self.solved.states()) {
            let child = tree.enter_open(state);
            tree.link(node, arms, child);
        }
        tree.prove(node);
        true
    }

    /// Finds the state after the last joint move of a path, and puts it into the tree; none if
    /// there is no time for that.
    fn follow(&mut self, node: NodeId, state: &Bits, path: &Path) -> Option<NodeId> {
        let began = Instant::now();
        let walk = &mut self.thread.walk;
        let next = self.solver.follow(state, &self.joint, walk)?;
        self.thread.clock.note_piece(began);
        self.spent.states += began.elapsed();
        let mut tree = lock(self.shared.tree);
        let child = tree.enter_open(&next);
        if let Some((_, arms)) = path.last() {
            tree.link(node, arms, child);
        }
        Some(child)
    }

    /// Finds what states are worth, and notes it in the tree.
    fn sample(&mut self, nodes: &[NodeId], by: By) {
        let tree = lock(self.shared.tree);
        let states = nodes.iter().map(|&it| tree.state(it).to_owned());
        let states: Vec<BitsBuf> = states.collect();
        drop(tree);
        let states: Vec<&Bits> = states.iter().map(|state| &**state).collect();
        let began = Instant::now();
        self.estimates.clear();
        let batch = Batch {
            states: &states,
            by,
        };
        let (thread, estimates) = (&mut self.thread, &mut self.estimates);
        self.playouts.evaluate(thread, &batch, estimates);
        self.spent.evaluation += began.elapsed();
        let mut tree = lock(self.shared.tree);
        for (&node, estimate) in nodes.iter().zip(&self.estimates) {
            if !estimate.over {
                tree.add_samples(node, estimate.weight, &estimate.values);
                continue;
            }
            let walk = &mut self.thread.walk;
            walk.load(tree.state(node));
            let values: Vec<f32> = RoleId::all(tree.roles())
                .map(|role| walk.value(role))
                .collect();
            tree.settle(node, &values);
            tree.add_samples(node, 1.0, &values);
        }
        drop(tree);
        self.look_for_lines(&states);
    }

    fn back_up(&self, path: &Path, samples: f32) {
        let by = &self.shared.revaluation;
        lock(self.shared.tree).back_up(path, samples, by);
    }

    /// In a game of one role, notes a state from which a playout brought all there is to get.
    fn look_for_lines(&mut self, states: &[&Bits]) {
        let Some(most) = lock(self.shared.tree).shape.solo_most() else {
            return;
        };
        let mut good = states.iter().zip(&self.estimates);
        let good = good.find(|(_, it)| !it.over && it.highest[0] >= most);
        self.good = good.map(|(&state, _)| state.to_owned());
    }
}

impl<'s> crew::Worker<'s> for Worker<'s> {
    fn thread(&mut self) -> &mut Thread<'s> {
        &mut self.thread
    }

    fn iterate(&mut self, by: By) -> bool {
        let most = match by {
            By::Lanes => self.shared.batch,
            By::One => 1,
        };
        let began = Instant::now();
        let others = self.spent.states + self.spent.evaluation;
        let nodes = self.descend(most);
        self.sample(&nodes, by);
        for (path, estimate) in self.paths.iter().zip(&self.estimates) {
            self.back_up(path, estimate.weight);
        }
        let others = self.spent.states + self.spent.evaluation - others;
        self.spent.tree += began.elapsed().saturating_sub(others);
        lock(self.shared.tree).proven(self.shared.root).is_some()
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
