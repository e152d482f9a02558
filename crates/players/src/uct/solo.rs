//! Games of one player: a line that brings all there is to get need not be looked for again.
//!
//! Playouts in lanes tell that there is such a line, not which: it is found again from move to
//! move, which is quicker at each step.

use super::tree::{Fresh, NodeId};
use super::worker::{TURNS, Worker};
use circuit::{Start, Tally};
use rand_core::Rng;

/// How many playouts from each state are made at a time, and how often at most.
const PLAYOUTS: u64 = 256;
const TIMES: usize = 1 << 16;

impl Worker<'_> {
    /// Looks for the line of a playout from a state that brought everything. The states on the
    /// way are put into the tree, and proven.
    pub(super) fn follow(&mut self, state: &[u64]) {
        let mut line = Vec::new();
        let mut state = state.to_vec();
        loop {
            self.single.load(&state);
            if self.single.terminal() {
                break;
            }
            let Some((number, next)) = self.promising(&state) else {
                return;
            };
            line.push((std::mem::replace(&mut state, next), number));
            if line.len() as u64 > TURNS || self.is_late() {
                return;
            }
        }
        self.remember(&line, &state);
    }

    /// A move that can still bring everything, and the state after it.
    fn promising(&mut self, state: &[u64]) -> Option<(u32, Vec<u64>)> {
        self.single.load(state);
        let moves: Vec<u32> = self.single.legal(0).collect();
        let mut after = Vec::new();
        for number in moves {
            self.single.load(state);
            self.single.play(&[number]);
            if !self.single.terminal() {
                after.push((number, self.single.state().to_vec()));
            } else if self.brings_all() {
                return Some((number, self.single.state().to_vec()));
            }
        }
        if after.len() < 2 {
            return after.pop();
        }
        for _ in 0..TIMES {
            if let Some(best) = self.best(&after) {
                return Some(after.swap_remove(best));
            }
            if self.is_late() {
                return None;
            }
        }
        None
    }

    /// One of some states from which a playout brought everything: by lanes, the one from
    /// which they bring most.
    fn best(&mut self, after: &[(u32, Vec<u64>)]) -> Option<usize> {
        let most = (self.shared.most[0] * 100.0) as u32;
        if let Some(simulator) = self.shared.simulator {
            let start = |state| Start {
                state,
                playouts: PLAYOUTS,
            };
            let starts: Vec<Start<'_>> = after.iter().map(|(_, state)| start(state)).collect();
            let tallies = simulator.playouts(&starts, TURNS, self.random.next_u64());
            let mean = |tally: &Tally| tally.means().first().map_or(0.0, |mean| mean.0);
            let brings_all = |tally: &Tally| tally.playouts > 0 && tally.highest(0) >= most;
            let good = (0..tallies.len()).filter(|&it| brings_all(&tallies[it]));
            return good.max_by(|&a, &b| mean(&tallies[a]).total_cmp(&mean(&tallies[b])));
        }
        after.iter().position(|(_, state)| {
            (0..PLAYOUTS).any(|_| {
                self.single.load(state);
                let (end, _) = self.single.playout(&mut self.random, TURNS);
                end == circuit::End::Over && self.brings_all()
            })
        })
    }

    /// Whether the player has got all there is to get.
    fn brings_all(&mut self) -> bool {
        let goal = self.single.goal(0).unwrap_or(0) as f32 / 100.0;
        goal >= self.shared.most[0]
    }

    fn remember(&mut self, line: &[(Vec<u64>, u32)], last: &[u64]) {
        let mut tree = self.shared.tree();
        let mut fresh = Fresh::default();
        let mut node_of = |state: &[u64]| -> NodeId {
            self.single.load(state);
            fresh.take(&mut self.single, 1);
            tree.enter(&fresh)
        };
        let nodes: Vec<NodeId> = line.iter().map(|(state, _)| node_of(state)).collect();
        let mut child = node_of(last);
        for (&node, &(_, number)) in nodes.iter().zip(line).rev() {
            let arms = tree.arms(node, 0);
            let arm = arms.iter().position(|arm| arm.number == number);
            let arm = [arm.expect("a move that was made was legal") as u32];
            tree.link(node, &arm, child);
            tree.prove(node, &self.shared.rules);
            child = node;
        }
    }
}
