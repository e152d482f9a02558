//! A thread of a search: it goes down to states that were not sampled, solving networks on the
//! way, samples them, and takes note. The tree is locked on the way down and up only.

use super::search::{Stop, Taste, Way};
use super::solve::{Solved, Solver};
use crate::crew::{self, lock};
use crate::pace::By;
use crate::sampler::Sampler;
use crate::solo;
use crate::tree::{NodeId, Tree, Who};
use circuit::Tally;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What threads of a search share.
#[derive(Copy, Clone)]
pub(super) struct Shared<'s> {
    pub(super) tree: &'s Mutex<Tree>,
    pub(super) most: &'s [f32],
    pub(super) taste: Taste,
    /// How many states are sampled at once, and how often together.
    pub(super) batch: usize,
    pub(super) playouts: Option<u64>,
    /// How much of the time is for solving at the most, if time counts.
    pub(super) solving: Option<f32>,
    /// Whether there is one role, and no chance.
    pub(super) solo: bool,
}

/// One thread's working memory.
pub(super) struct Worker<'s> {
    shared: Shared<'s>,
    sampler: Sampler<'s>,
    solver: Solver<'s>,
    /// Kept from one iteration to the next, with what they have allocated.
    ways: Vec<Way>,
    solved: Solved,
    joint: Vec<u32>,
    /// The time that was spent on either.
    solving: Duration,
    sampling: Duration,
}

impl<'s> Worker<'s> {
    pub(super) fn new(shared: Shared<'s>, sampler: Sampler<'s>, solver: Solver<'s>) -> Worker<'s> {
        Worker {
            ways: vec![Way::default(); shared.batch],
            solved: Solved::default(),
            joint: Vec::new(),
            solving: Duration::ZERO,
            sampling: Duration::ZERO,
            shared,
            sampler,
            solver,
        }
    }

    /// Takes ways down, each to a state to sample; those to what is known are done with.
    /// Returns how many lead to a state, and the states.
    fn descend(&mut self, root: NodeId, most: usize) -> (usize, Vec<NodeId>) {
        let (mut open, mut nodes) = (0, Vec::new());
        for _ in 0..most {
            let mut way = std::mem::take(&mut self.ways[open]);
            way.clear();
            let end = self.way(root, &mut way);
            let goes_on = match end {
                Some(Stop::Sample(node)) => {
                    nodes.push(node);
                    true
                }
                Some(_) => {
                    self.come_up(&way, 0.0);
                    false
                }
                None => false,
            };
            self.ways[open] = way;
            open += usize::from(goes_on);
            if end.is_none() || self.sampler.is_late() {
                break;
            }
        }
        (open, nodes)
    }

    /// One way down; none if the root is proven.
    fn way(&mut self, root: NodeId, way: &mut Way) -> Option<Stop> {
        let mut node = root;
        loop {
            let mut tree = lock(self.shared.tree);
            if tree.proven(root).is_some() {
                return None;
            }
            let random = &mut self.sampler.random;
            let stop = tree.go_down(node, way, (&self.shared.taste, random));
            match stop {
                Stop::Known | Stop::Sample(_) => return Some(stop),
                Stop::Solve(end) if end != root && self.has_solved_enough() => {
                    return Some(tree.stop(end, way, Stop::Sample(end)));
                }
                Stop::Solve(end) => {
                    let state = tree.state(end).to_vec();
                    drop(tree);
                    self.solve(end, &state);
                    node = end;
                }
                Stop::Move(end) => {
                    let state = tree.state(end).to_vec();
                    let arms = way.last(self.shared.most.len());
                    tree.numbers(end, arms, &mut self.joint);
                    drop(tree);
                    let began = Instant::now();
                    let joint = (&state[..], &self.joint[..]);
                    let single = &mut self.sampler.single;
                    self.solver.follow(joint, single, &mut self.solved);
                    self.sampler.note_piece(began);
                    let mut tree = lock(self.shared.tree);
                    let child = tree.enter_open(&self.solved.states);
                    tree.link(end, arms, child);
                    node = child;
                }
            }
        }
    }

    /// Whether solving has had its share of the time: then a state is sampled again.
    fn has_solved_enough(&self) -> bool {
        let all = (self.solving + self.sampling).as_secs_f32();
        (self.shared.solving).is_some_and(|share| self.solving.as_secs_f32() > share * all)
    }

    /// Solves the network of a state, and puts the solutions into the tree.
    fn solve(&mut self, node: NodeId, state: &[u64]) {
        let began = Instant::now();
        let single = &mut self.sampler.single;
        self.solver.solve(state, single, &mut self.solved);
        self.sampler.note_piece(began);
        self.solving += began.elapsed();
        let mut tree = lock(self.shared.tree);
        if tree.who(node) != Who::Open {
            // Another thread was here before.
            return;
        }
        tree.open(node, &self.solved.fresh);
        let roles = tree.roles();
        let solutions = self.solved.arms.chunks_exact(roles);
        let states = self.solved.states.chunks_exact(state.len().max(1));
        for (arms, state) in solutions.zip(states) {
            let child = tree.enter_open(state);
            tree.link(node, arms, child);
        }
        tree.prove(node);
    }

    /// Finds what states are worth by playouts; returns how many each had.
    fn sample(&mut self, nodes: &[NodeId], by: By) -> Vec<f32> {
        let tree = lock(self.shared.tree);
        let states: Vec<Vec<u64>> = nodes.iter().map(|&it| tree.state(it).to_vec()).collect();
        drop(tree);
        let states: Vec<&[u64]> = states.iter().map(|state| &state[..]).collect();
        let began = Instant::now();
        let tallies = self.sampler.tallies(&states, self.shared.playouts, by);
        self.sampling += began.elapsed();
        let mut tree = lock(self.shared.tree);
        for (&node, tally) in nodes.iter().zip(&tallies) {
            if tally.turns == 0 {
                // The match is over here, or cannot go on.
                self.sampler.single.load(tree.state(node));
                let single = &mut self.sampler.single;
                let value = |role| single.goal(role).unwrap_or(0) as f32 / 100.0;
                let values: Vec<f32> = (0..tree.roles()).map(value).collect();
                tree.settle(node, &values);
                tree.sampled(node, 1.0, values.iter().copied());
            } else {
                tree.sampled(node, tally.ended() as f32, self.sampler.values(tally));
            }
        }
        drop(tree);
        self.look_for_lines(&states, &tallies);
        tallies.iter().map(|tally| tally.ended() as f32).collect()
    }

    fn come_up(&self, way: &Way, samples: f32) {
        lock(self.shared.tree).come_up(way, samples, &self.shared.taste);
    }

    /// Follows a playout that brought the only player all there is to get.
    fn look_for_lines(&mut self, states: &[&[u64]], tallies: &[Tally]) {
        let most = self.shared.most[0];
        let brings_all = |tally: &Tally| {
            tally.playouts > 0 && tally.turns > 0 && tally.highest(0) as f32 / 100.0 >= most
        };
        for (state, tally) in states.iter().zip(tallies).filter(|_| self.shared.solo) {
            if brings_all(tally)
                && let Some(line) = solo::follow(&mut self.sampler, state, most)
            {
                line.enter(&mut lock(self.shared.tree), &mut self.sampler.single);
                return;
            }
        }
    }
}

impl<'s> crew::Worker<'s> for Worker<'s> {
    fn sampler(&mut self) -> &mut Sampler<'s> {
        &mut self.sampler
    }

    fn iterate(&mut self, root: NodeId, by: By) -> bool {
        let most = match by {
            By::Lanes => self.shared.batch,
            By::One => 1,
        };
        let (open, nodes) = self.descend(root, most);
        let samples = self.sample(&nodes, by);
        for (way, samples) in self.ways[..open].iter().zip(samples) {
            self.come_up(way, samples);
        }
        lock(self.shared.tree).proven(root).is_some()
    }
}
