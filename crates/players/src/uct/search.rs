//! What is done in the tree: go down, and come back up with what was found.

use crate::tree::{Arm, Fresh, NodeId, Tree, Who};
use rand_core::Rng;

/// A longer way down is cut: states may come back.
const DEEPEST: usize = 1000;

/// A way down the tree, and what was found at its end.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    nodes: Vec<NodeId>,
    /// For each node the arm of each role.
    arms: Vec<u32>,
    pub(super) end: End,
    /// The state from which the last joint move was made, and that move; or the state at the
    /// end itself.
    pub(super) state: Vec<u64>,
    pub(super) joint: Vec<u32>,
    /// The state after it.
    pub(super) fresh: Fresh,
    /// What the roles get.
    pub(super) values: Vec<f32>,
}

/// Where a way ends.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum End {
    /// At a node of which everything is known.
    #[default]
    Known,
    /// At a node: the way was too long.
    Node,
    /// After a joint move that was not made before.
    Move,
}

impl Tree {
    /// Selects moves down to a state that is new, or known.
    pub(super) fn descend(
        &mut self,
        root: NodeId,
        way: &mut Way,
        (exploration, random): (f32, &mut impl Rng),
    ) {
        way.nodes.clear();
        way.arms.clear();
        let mut node = root;
        loop {
            self.visit(node);
            if let Some(values) = self.proven(node) {
                way.values.clear();
                way.values.extend_from_slice(values);
                way.end = End::Known;
                return;
            }
            if way.nodes.len() >= DEEPEST {
                way.end = End::Node;
                way.state.clear();
                way.state.extend_from_slice(self.state(node));
                return;
            }
            let first = way.arms.len();
            self.select(node, way, (exploration, random));
            let arms = &way.arms[first..];
            for (role, &arm) in arms.iter().enumerate() {
                self.arm_mut(node, role, arm).visits += 1;
            }
            match self.child(node, arms) {
                Some(child) => node = child,
                None => return self.leave(node, way),
            }
        }
    }

    /// An arm for each role: by confidence bounds, or at random for chance.
    fn select(&self, node: NodeId, way: &mut Way, (exploration, random): (f32, &mut impl Rng)) {
        way.nodes.push(node);
        let alone = matches!(self.who(node), Who::Role(_));
        for role in 0..self.roles() {
            let arms = self.arms(node, role);
            let count = arms.len() as u64;
            way.arms.push(if count == 1 {
                0
            } else if self.is_chance(role) {
                (random.next_u64() % count) as u32
            } else {
                let start = (random.next_u64() % count) as usize;
                let log = (self.visits(node).max(1) as f32).ln();
                best_arm(arms, exploration * log.sqrt(), start, alone)
            });
        }
    }

    /// Takes note of a joint move that leads out of the tree.
    fn leave(&self, node: NodeId, way: &mut Way) {
        way.end = End::Move;
        way.state.clear();
        way.state.extend_from_slice(self.state(node));
        let last = &way.arms[way.arms.len() - self.roles()..];
        way.joint.clear();
        let numbers = (last.iter().enumerate())
            .map(|(role, &arm)| self.arms(node, role)[arm as usize].number);
        way.joint.extend(numbers);
    }

    /// Puts the state at the end of a way into the tree, if there is room, and takes note of
    /// the values on the way back up.
    pub(super) fn back_up(&mut self, way: &mut Way) {
        let roles = self.roles();
        let mut news = self.end(way);
        for step in (0..way.nodes.len()).rev() {
            let node = way.nodes[step];
            news = news && self.prove(node);
            self.within_bounds(node, &mut way.values);
            let arms = &way.arms[step * roles..][..roles];
            for (role, &arm) in arms.iter().enumerate() {
                self.arm_mut(node, role, arm).sum += way.values[role];
            }
        }
    }

    /// Values as far as they agree with what is proven of a state.
    fn within_bounds(&self, node: NodeId, values: &mut [f32]) {
        let (low, high) = self.bounds(node);
        for (value, (&low, &high)) in values.iter_mut().zip(low.iter().zip(high)) {
            *value = value.max(low).min(high);
        }
    }

    /// Finds the node at the end of a way, or makes it if there is room. Returns whether
    /// something is proven of it.
    fn end(&mut self, way: &mut Way) -> bool {
        let roles = self.roles();
        let Some(last) = way.nodes.len().checked_sub(1) else {
            return false;
        };
        let (node, arms) = (way.nodes[last], &way.arms[last * roles..]);
        if way.end == End::Move {
            if self.is_full() && self.find(&way.fresh.state).is_none() {
                return false;
            }
            let child = self.enter(&way.fresh);
            self.link(node, arms, child);
        }
        let child = self.child(node, arms);
        child.is_some_and(|child| {
            self.within_bounds(child, &mut way.values);
            let (low, high) = self.bounds(child);
            let open = |role: usize| low[role] == 0.0 && high[role] == self.most(role);
            !(0..roles).all(open)
        })
    }
}

/// The arm with the highest upper bound; those never tried come first. Ties fall to the first
/// from `start` on. Where the role alone decides, moves whose end is proven are left out.
fn best_arm(arms: &[Arm], exploration: f32, start: usize, alone: bool) -> u32 {
    let mut best = (f32::NEG_INFINITY, start);
    let order = (start..arms.len()).chain(0..start);
    for number in order {
        let arm = &arms[number];
        if alone && arm.is_closed() {
            continue;
        }
        if arm.visits == 0 {
            return number as u32;
        }
        let tried = arm.visits as f32;
        let bound = arm.sum / tried + exploration / tried.sqrt();
        if bound > best.0 {
            best = (bound, number);
        }
    }
    best.1 as u32
}
