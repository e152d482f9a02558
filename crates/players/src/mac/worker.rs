//! A thread of a search: it goes down to states that were not sampled, solving networks on the
//! way, samples them, and revalues. The tree is locked on the way down and up only.

use super::effort::{Depth, Effort};
use super::search::Revaluation;
use super::solve::{Solved, Solver};
use super::trust::Trust;
use crate::kit::crew::{self, Spent};
use crate::kit::decide::lock;
use crate::kit::path::{DEEPEST, Path};
use crate::kit::policy::learn_way;
use crate::kit::solo::{Lines, Means};
use crate::kit::{Batch, By, Estimate, Evaluate, Looked, Playouts, Policy, Thread};
use crate::tree::{NodeId, Stop, Tree, Who};
use crate::{Budget, Memory};
use game::{Bits, BitsBuf, MoveId, RoleId};
use std::sync::{Mutex, PoisonError};
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
    /// Whether the policy learns from the moves made in the tree.
    pub(super) learns_of_tree: bool,
    /// The share of the time that solving networks gets, if it is fixed.
    pub(super) solving: Option<f32>,
    pub(super) effort: &'s Mutex<Effort>,
    pub(super) trust: &'s Mutex<Trust>,
    /// Whether the moves of the root race, and for how long.
    pub(super) race: Option<Race>,
    /// What earlier matches proved.
    pub(super) memory: Option<&'s Memory>,
}

/// Sequential halving: the more of the budget is spent, the fewer moves of the root go on.
#[derive(Copy, Clone, Debug)]
pub(super) struct Race {
    pub(super) began: Instant,
    pub(super) budget: Budget,
}

impl Race {
    /// How many of so many moves go on after so many iterations.
    fn left(&self, moves: usize, iterations: u64) -> usize {
        let spent = match self.budget {
            Budget::Iterations(all) => iterations as f32 / all.max(1) as f32,
            Budget::Until(until) => {
                let all = until.saturating_duration_since(self.began).as_secs_f32();
                self.began.elapsed().as_secs_f32() / all.max(1e-6)
            }
        };
        let rounds = (moves as f32).log2();
        let halvings = (spent.clamp(0.0, 1.0) * rounds).floor();
        ((moves as f32 / halvings.exp2()).ceil() as usize).max(2)
    }
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    pub(super) shared: Shared<'s>,
    pub(super) thread: Thread<'s>,
    pub(super) playouts: Playouts<'s, Box<dyn Policy>>,
    pub(super) solver: Solver<'s>,
    /// Kept from one iteration to the next, with what they have allocated.
    pub(super) paths: Vec<Path>,
    pub(super) solved: Solved,
    joint: Vec<MoveId>,
    estimates: Vec<Estimate>,
    /// A state from which a playout brought all there is to get, in a game of one role.
    good: Option<BitsBuf>,
    pub(super) spent: Spent,
    pub(super) looked: Looked,
    iterations: u64,
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
        (playouts, solver): (Playouts<'s, Box<dyn Policy>>, Solver<'s>),
    ) -> Worker<'s> {
        let mut solver = solver;
        solver.look_until(thread.clock.until());
        Worker {
            paths: vec![Path::default(); shared.batch],
            solved: Solved::default(),
            joint: Vec::new(),
            estimates: Vec::new(),
            good: None,
            spent: Spent::default(),
            looked: Looked::default(),
            iterations: 0,
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
                End::Sample(node) => {
                    lock(self.shared.tree).send_off(&path);
                    nodes.push(node);
                }
                End::Proven => self.back_up(&path, None),
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
            root,
            mut revaluation,
            ..
        } = self.shared;
        let mut node = root;
        let mut tree = lock(self.shared.tree);
        if let (Some(race), Who::Role(role)) = (self.shared.race, tree.who(root)) {
            let moves = tree.arms(root, role).len() - tree.closed(root, role);
            revaluation.race = Some((root, race.left(moves, self.iterations)));
        }
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
                    // A new state is sampled before it is opened, unless it is looked at.
                    let blank = tree.is_blank(open);
                    if again || enough || blank && self.far().is_none() {
                        tree.visit(open);
                        return End::Sample(open);
                    }
                    let state = tree.state(open).to_owned();
                    drop(tree);
                    // A sample would have told whether the match is over there.
                    let over = blank && self.settle_end((open, &state));
                    let solved = over || self.solve((open, &state), path);
                    tree = lock(self.shared.tree);
                    if !solved || blank && tree.proven(open).is_none() {
                        tree.visit(open);
                        return End::Sample(open);
                    }
                    node = open;
                    continue;
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

    /// Settles a node whose state was not sampled, if the match is over there: look-ahead at the
    /// state before it may have left that open, and a network has moves even so.
    fn settle_end(&mut self, (node, state): (NodeId, &Bits)) -> bool {
        let walk = &mut self.thread.walk;
        walk.load(state);
        if !walk.terminal() || walk.is_broken_off() {
            return false;
        }
        let mut tree = lock(self.shared.tree);
        let values = RoleId::all(tree.roles()).map(|role| walk.value(role));
        let values: Vec<f32> = values.collect();
        tree.settle(node, &values);
        true
    }

    /// Solves the network of a state, and puts what is proven into the tree; false if there was no
    /// time to find out about the state.
    fn solve(&mut self, (node, state): (NodeId, &Bits), path: &Path) -> bool {
        let began = Instant::now();
        if self.solver.solves_tables() {
            self.solver.solve(state, &mut self.thread, &mut self.solved);
            self.looked.tables += 1;
            self.looked.tried += self.solved.tried;
        }
        let far = self.far();
        let looked = far.is_some_and(|far| {
            let with = (&mut self.thread, far);
            self.solver.look(state, with, &mut self.solved)
        });
        if !looked && !self.solver.solves_tables() {
            self.solver.solve(state, &mut self.thread, &mut self.solved);
            self.solver
                .recall(state, &mut self.thread, &mut self.solved);
            // A look asks the clock itself.
            self.thread.clock.note_piece(began);
        }
        if self.solved.fresh.unknown {
            return false;
        }
        self.spent.states += began.elapsed();
        let mut tree = lock(self.shared.tree);
        if tree.who(node) != Who::Open {
            // Another thread was here before.
            return true;
        }
        tree.open(node, &self.solved.fresh);
        tree.inherit(node, path);
        let gain = self.enter(&mut tree, (node, path));
        drop(tree);
        self.looked.solved += 1;
        self.looked.reused += u64::from(!looked) * self.solved.reused as u64;
        if let (true, Some(far)) = (looked, far) {
            let cost = self.note_look(far, gain, began);
            self.effort().note(Depth::Ends, cost, gain);
        }
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
        if let Some(memory) = self.shared.memory {
            tree.recall(child, memory);
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
                tree.add_sample(node, estimate.weight, &estimate.values);
                if let (Some(moves), false) = (&estimate.moves, tree.who(node) == Who::Open) {
                    tree.note_moves(node, moves);
                }
                continue;
            }
            let walk = &mut self.thread.walk;
            walk.load(tree.state(node));
            let values: Vec<f32> = RoleId::all(tree.roles())
                .map(|role| walk.value(role))
                .collect();
            tree.settle(node, &values);
            tree.add_sample(node, 1.0, &values);
        }
        drop(tree);
        self.look_for_lines(&states);
    }

    /// Lets the policy learn from the moves made in the tree.
    fn learn_of_tree(&mut self) {
        let tree = lock(self.shared.tree);
        for (path, estimate) in self.paths.iter().zip(&self.estimates) {
            let policy = self.playouts.policy_mut();
            learn_way(policy, (&tree, path), (&estimate.values, estimate.weight));
        }
    }

    fn back_up(&self, path: &Path, sample: Option<&mut Estimate>) {
        let trust = self.shared.trust.lock();
        let mut trust = trust.unwrap_or_else(PoisonError::into_inner);
        lock(self.shared.tree).back_up(path, sample, &mut trust);
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
        let began = Instant::now();
        let others = self.spent.states + self.spent.evaluation;
        let before = self.spent.evaluation;
        if let Some(expected) = &mut self.shared.revaluation.ordering {
            let trust = self.shared.trust.lock();
            *expected = trust.unwrap_or_else(PoisonError::into_inner).expected();
        }
        let most = match by {
            By::Lanes => self.shared.batch,
            By::One => 1,
        };
        let nodes = self.descend(most);
        self.sample(&nodes, by);
        if self.shared.learns_of_tree {
            self.learn_of_tree();
        }
        let mut estimates = std::mem::take(&mut self.estimates);
        for (path, estimate) in self.paths.iter().zip(&mut estimates) {
            lock(self.shared.tree).bring_back(path);
            match estimate.weight > 0.0 || estimate.over {
                true => self.back_up(path, Some(estimate)),
                // Playouts that were all cut say nothing.
                false => lock(self.shared.tree).take_back_arms(path),
            }
        }
        self.estimates = estimates;
        self.iterations += 1;
        let timed = self.thread.clock.until();
        let sampling = timed.map(|_| (self.spent.evaluation - before).as_nanos() as f32);
        self.effort().pay(nodes.len(), sampling);
        self.look_deeper(nodes.len());
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

    fn looked(&self) -> Looked {
        self.looked
    }
}
