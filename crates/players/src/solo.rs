//! Games of one player: a line that brings all there is to get need not be looked for again.
//!
//! Playouts in lanes tell that there is such a line, not which: it is found again from move to
//! move, which is quicker at each step.

use crate::sampler::{Sampler, TURNS};
use crate::tree::{Fresh, NodeId, Tree, Who};
use circuit::{Single, Start, Tally};
use rand_core::Rng;

/// How many playouts from each state are made at a time, and how often at most.
const PLAYOUTS: u64 = 256;
const TIMES: usize = 1 << 16;

/// A line that brings everything: states with the moves made in them, and the state after.
#[derive(Debug)]
pub(crate) struct Line {
    moves: Vec<(Vec<u64>, u32)>,
    last: Vec<u64>,
}

/// Looks for the line of a playout from a state that brought `most`, which is all there is.
pub(crate) fn follow(sampler: &mut Sampler<'_>, state: &[u64], most: f32) -> Option<Line> {
    let mut moves = Vec::new();
    let mut state = state.to_vec();
    loop {
        sampler.single.load(&state);
        if sampler.single.terminal() {
            return Some(Line { moves, last: state });
        }
        let (number, next) = promising(sampler, &state, most)?;
        moves.push((std::mem::replace(&mut state, next), number));
        if moves.len() as u64 > TURNS || sampler.is_late() {
            return None;
        }
    }
}

/// A move that can still bring everything, and the state after it.
fn promising(sampler: &mut Sampler<'_>, state: &[u64], most: f32) -> Option<(u32, Vec<u64>)> {
    let single = &mut sampler.single;
    single.load(state);
    let moves: Vec<u32> = single.legal(0).collect();
    let mut after = Vec::new();
    for number in moves {
        single.load(state);
        single.play(&[number]);
        if !single.terminal() {
            after.push((number, single.state().to_vec()));
        } else if brings_all(single, most) {
            return Some((number, single.state().to_vec()));
        }
    }
    if after.len() < 2 {
        return after.pop();
    }
    for _ in 0..TIMES {
        if let Some(best) = best(sampler, &after, most) {
            return Some(after.swap_remove(best));
        }
        if sampler.is_late() {
            return None;
        }
    }
    None
}

/// One of some states from which a playout brought everything: by lanes, the one from
/// which they bring most.
fn best(sampler: &mut Sampler<'_>, after: &[(u32, Vec<u64>)], most: f32) -> Option<usize> {
    if let Some(simulator) = sampler.simulator {
        let most = (most * 100.0) as u32;
        let start = |state| Start {
            state,
            playouts: PLAYOUTS,
        };
        let starts: Vec<Start<'_>> = after.iter().map(|(_, state)| start(state)).collect();
        let tallies = simulator.playouts(&starts, TURNS, sampler.random.next_u64());
        let mean = |tally: &Tally| tally.means().first().map_or(0.0, |mean| mean.0);
        let brings_all = |tally: &Tally| tally.playouts > 0 && tally.highest(0) >= most;
        let good = (0..tallies.len()).filter(|&it| brings_all(&tallies[it]));
        return good.max_by(|&a, &b| mean(&tallies[a]).total_cmp(&mean(&tallies[b])));
    }
    after.iter().position(|(_, state)| {
        (0..PLAYOUTS).any(|_| {
            sampler.single.load(state);
            let (end, _) = sampler.single.playout(&mut sampler.random, TURNS);
            end == circuit::End::Over && brings_all(&mut sampler.single, most)
        })
    })
}

/// Whether the player has got all there is to get.
fn brings_all(single: &mut Single<'_>, most: f32) -> bool {
    single.goal(0).unwrap_or(0) as f32 / 100.0 >= most
}

impl Line {
    /// Puts the states on the way into a tree, proven.
    pub(crate) fn enter(&self, tree: &mut Tree, single: &mut Single<'_>) {
        let mut fresh = Fresh::default();
        let mut node_of = |tree: &mut Tree, state: &[u64]| -> NodeId {
            single.load(state);
            fresh.take(single, 1);
            let node = tree.enter(&fresh);
            if tree.who(node) == Who::Open {
                tree.open(node, &fresh);
            }
            node
        };
        let states = self.moves.iter().map(|(state, _)| state);
        let nodes: Vec<NodeId> = states.map(|state| node_of(tree, state)).collect();
        let mut child = node_of(tree, &self.last);
        for (&node, &(_, number)) in nodes.iter().zip(&self.moves).rev() {
            let arms = tree.arms(node, 0);
            let arm = arms.iter().position(|arm| arm.number == number);
            let arm = [arm.expect("a move that was made was legal") as u32];
            tree.link(node, &arm, child);
            tree.prove(node);
            child = node;
        }
    }
}
