//! Games of one player: a line that brings all there is to get need not be looked for again.
//!
//! Playouts in lanes tell that there is such a line, not which: it is found again from move to
//! move, which is quicker at each step.

use super::{TURNS, Thread};
use crate::tree::{Fresh, Key, NodeId, Stats, Tree, Who};
use game::{Bits, BitsBuf, End, Lanes, MoveId, RoleId, Start, Tally, Walk};
use rand_core::Rng;

/// How many playouts from each state are made at a time, and how often at most.
const PLAYOUTS: u64 = 256;
const TIMES: usize = 1 << 16;
/// The only role.
const ROLE: RoleId = RoleId::new(0);

/// Looks for lines.
pub(crate) struct Lines<'l, 'g> {
    thread: &'l mut Thread<'g>,
    lanes: Option<Lanes<'g>>,
    /// All there is to get.
    most: f32,
}

/// A line that brings everything: states with the moves made in them, and the state after.
#[derive(Debug)]
pub(crate) struct Line {
    moves: Vec<(BitsBuf, MoveId)>,
    last: BitsBuf,
}

impl<'l, 'g> Lines<'l, 'g> {
    pub(crate) fn new(
        thread: &'l mut Thread<'g>,
        lanes: Option<Lanes<'g>>,
        most: f32,
    ) -> Lines<'l, 'g> {
        Lines {
            thread,
            lanes,
            most,
        }
    }

    /// Looks for the line of a playout from a state that brought everything.
    pub(crate) fn follow(mut self, state: &Bits) -> Option<Line> {
        let mut moves = Vec::new();
        let mut state = state.to_owned();
        loop {
            self.thread.walk.load(&state);
            if self.thread.walk.terminal() {
                return Some(Line { moves, last: state });
            }
            let (action, next) = self.promising(&state)?;
            moves.push((std::mem::replace(&mut state, next), action));
            if moves.len() as u64 > TURNS || self.thread.clock.is_late() {
                return None;
            }
        }
    }

    /// A move that can still bring everything, and the state after it.
    fn promising(&mut self, state: &Bits) -> Option<(MoveId, BitsBuf)> {
        let mut after = Vec::new();
        for action in self.thread.walk.legal(ROLE) {
            let walk = &mut self.thread.walk;
            walk.load(state);
            walk.play(&[action]);
            let next = walk.state().to_owned();
            if !walk.terminal() {
                after.push((action, next));
            } else if walk.value(ROLE) >= self.most {
                return Some((action, next));
            }
        }
        if after.len() < 2 {
            return after.pop();
        }
        for _ in 0..TIMES {
            if let Some(best) = self.best(&after) {
                return Some(after.swap_remove(best));
            }
            if self.thread.clock.is_late() {
                return None;
            }
        }
        None
    }

    /// One of some states from which a playout brought everything: by lanes, the one whose
    /// playouts bring most on the average.
    fn best(&mut self, after: &[(MoveId, BitsBuf)]) -> Option<usize> {
        let Some(lanes) = self.lanes else {
            return after
                .iter()
                .position(|(_, state)| (0..PLAYOUTS).any(|_| self.one_brings_all(state)));
        };
        let most = (self.most * 100.0) as u32;
        let playouts = PLAYOUTS;
        let starts = after.iter().map(|(_, state)| Start { state, playouts });
        let starts: Vec<Start<'_>> = starts.collect();
        let tallies = lanes.playouts(&starts, TURNS, self.thread.random.next_u64());
        let mean = |tally: &Tally| tally.means().first().map_or(0.0, |mean| mean.0);
        let brings_all = |tally: &Tally| tally.playouts > 0 && tally.highest(ROLE) >= most;
        let good = (0..tallies.len()).filter(|&it| brings_all(&tallies[it]));
        good.max_by(|&a, &b| mean(&tallies[a]).total_cmp(&mean(&tallies[b])))
    }

    fn one_brings_all(&mut self, state: &Bits) -> bool {
        let Thread { walk, random, .. } = &mut *self.thread;
        walk.load(state);
        let (end, _) = walk.playout(random, TURNS);
        end == End::Over && walk.value(ROLE) >= self.most
    }
}

impl Line {
    /// Puts the states on the way into a tree, proven.
    pub(crate) fn enter<S: Stats, K: Key>(&self, tree: &mut Tree<S, K>, walk: &mut Walk<'_>) {
        let mut fresh = Fresh::default();
        let mut node_of = |tree: &mut Tree<S, K>, state: &Bits| -> NodeId {
            walk.load(state);
            fresh.take(walk, 1);
            let node = tree.enter(&fresh);
            if tree.who(node) == Who::Open {
                tree.open(node, &fresh);
            }
            node
        };
        let states = self.moves.iter().map(|(state, _)| state);
        let nodes: Vec<NodeId> = states.map(|state| node_of(tree, state)).collect();
        let mut child = node_of(tree, &self.last);
        for (&node, &(_, action)) in nodes.iter().zip(&self.moves).rev() {
            let arms = tree.arms(node, ROLE);
            let arm = arms.iter().position(|arm| arm.action == action);
            let arm = [arm.expect("a move that was made was legal") as u32];
            tree.link(node, &arm, child);
            tree.prove(node);
            child = node;
        }
    }
}
