//! What is done in the tree: down to a state that was not sampled, and back up with what it is
//! worth.
//!
//! A node's notes are how many samples there were below it, and what each role is thought to
//! get. That follows from the states after it: where a role decides, the mean of its moves,
//! weighted by how often the search went there, without those that are worse for it beyond
//! doubt; where chance decides, the mean of all that may come. So what is learned of a state
//! counts at once in every state before it, and early doubts are not averaged in for ever.

use crate::tree::{Arm, NodeId, Tree, Who};
use rand_core::Rng;

/// A longer way down is cut: states may come back.
const DEEPEST: usize = 1000;

/// How the search chooses, and what it takes for sure.
#[derive(Copy, Clone, Debug)]
pub(super) struct Taste {
    /// How much is explored.
    pub(super) exploration: f32,
    /// How many standard errors are beyond doubt.
    pub(super) confidence: f32,
    /// How much more the better of a role's moves count.
    pub(super) sharpness: f32,
}

/// A way down the tree.
#[derive(Clone, Debug, Default)]
pub(super) struct Way {
    pub(super) nodes: Vec<NodeId>,
    /// For each node the arm of each role; none for the last.
    arms: Vec<u32>,
}

/// Where a way stops.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// At a node of which everything is known.
    Known,
    /// At a node that is to be sampled: it was not, or the way leads no further.
    Sample(NodeId),
    /// At a node whose moves are not known.
    Solve(NodeId),
    /// At a node, before a joint move that was not made before.
    Move(NodeId),
}

impl Way {
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.arms.clear();
    }

    /// The arms of the last joint move.
    pub(super) fn last(&self, roles: usize) -> &[u32] {
        &self.arms[self.arms.len() - roles..]
    }
}

impl Tree {
    /// What a role is thought to get.
    pub(super) fn worth(&self, node: NodeId, role: usize) -> f32 {
        let (low, high) = self.bounds(node);
        self.notes(node)[1 + role].max(low[role]).min(high[role])
    }

    /// How many samples there were below a node.
    fn samples(&self, node: NodeId) -> f32 {
        self.notes(node)[0]
    }

    /// Whether nothing is known of what a node is worth.
    fn is_blank(&self, node: NodeId) -> bool {
        self.samples(node) == 0.0 && self.proven(node).is_none()
    }

    /// The state after an arm, if something is known of what it is worth.
    fn valued(&self, arm: &Arm) -> Option<NodeId> {
        arm.child().filter(|&child| !self.is_blank(child))
    }

    /// Takes note of samples of a node.
    pub(super) fn sampled(&mut self, node: NodeId, count: f32, values: impl Iterator<Item = f32>) {
        let notes = self.notes_mut(node);
        let before = notes[0];
        notes[0] += count;
        for (note, value) in notes[1..].iter_mut().zip(values) {
            *note = (*note * before + value * count) / (before + count).max(1.0);
        }
    }

    /// Selects moves from a node on, down to where a way stops.
    pub(super) fn go_down(
        &mut self,
        from: NodeId,
        way: &mut Way,
        (taste, random): (&Taste, &mut impl Rng),
    ) -> Stop {
        let mut node = from;
        loop {
            let again = way.nodes.len() >= DEEPEST || self.is_full();
            if self.proven(node).is_some() {
                return self.stop(node, way, Stop::Known);
            }
            if self.who(node) == Who::Open {
                if self.is_blank(node) || again {
                    return self.stop(node, way, Stop::Sample(node));
                }
                return Stop::Solve(node);
            }
            if way.nodes.len() >= DEEPEST {
                return self.stop(node, way, Stop::Sample(node));
            }
            self.choose(node, way, (taste, random));
            match self.child(node, way.last(self.roles())) {
                Some(child) => node = child,
                None if again => {
                    way.arms.truncate(way.arms.len() - self.roles());
                    return Stop::Sample(node);
                }
                None => return Stop::Move(node),
            }
        }
    }

    /// Ends a way at a node.
    pub(super) fn stop(&mut self, node: NodeId, way: &mut Way, stop: Stop) -> Stop {
        self.visit(node);
        way.nodes.push(node);
        stop
    }

    /// The numbers of the moves that arms stand for.
    pub(super) fn numbers(&self, node: NodeId, arms: &[u32], joint: &mut Vec<u32>) {
        let number = |(role, &arm): (usize, &u32)| self.arms(node, role)[arm as usize].number;
        joint.clear();
        joint.extend(arms.iter().enumerate().map(number));
    }

    /// Chooses an arm for each role, and takes note of the visit.
    fn choose(&mut self, node: NodeId, way: &mut Way, (taste, random): (&Taste, &mut impl Rng)) {
        self.visit(node);
        way.nodes.push(node);
        let who = self.who(node);
        for role in 0..self.roles() {
            let count = self.arms(node, role).len();
            let arm = if count == 1 {
                0
            } else {
                let start = (random.next_u64() % count as u64) as usize;
                match who {
                    Who::Chance(_) => self.least_tried(node, role, start),
                    Who::Role(_) => self.most_promising(node, (role, start), taste),
                    _ if self.is_chance(role) => start as u32,
                    _ => self.best_alone(node, (role, start), taste.exploration),
                }
            };
            way.arms.push(arm);
            self.arm_mut(node, role, arm).visits += 1;
        }
    }

    /// What chance does is not drawn but taken in turn: the mean of all that may come counts.
    fn least_tried(&self, node: NodeId, role: usize, start: usize) -> u32 {
        let arms = self.arms(node, role);
        let order = (start..arms.len()).chain(0..start);
        let done = |arm: &Arm| arm.child().is_some_and(|it| self.proven(it).is_some());
        let open = order.filter(|&it| !done(&arms[it]));
        open.min_by_key(|&it| arms[it].visits).unwrap_or(start) as u32
    }

    /// The arm with the highest upper bound among those that may still be the best.
    fn most_promising(&self, node: NodeId, (role, start): (usize, usize), taste: &Taste) -> u32 {
        let arms = self.arms(node, role);
        let log = (self.visits(node).max(1) as f32).ln();
        let exploration = taste.exploration * log.sqrt();
        let threshold = self.threshold(node, role, taste);
        let mut best = (f32::NEG_INFINITY, start);
        for number in (start..arms.len()).chain(0..start) {
            let arm = &arms[number];
            if arm.is_closed() {
                continue;
            }
            if arm.visits == 0 {
                return number as u32;
            }
            let error = 1.0 / (arm.visits as f32).sqrt();
            let bound = arm.sum + exploration * error;
            if bound > best.0 && arm.sum + taste.confidence * error >= threshold {
                best = (bound, number);
            }
        }
        best.1 as u32
    }

    /// The arm of a role that does not decide alone, by its own statistics.
    fn best_alone(&self, node: NodeId, (role, start): (usize, usize), exploration: f32) -> u32 {
        let arms = self.arms(node, role);
        let log = (self.visits(node).max(1) as f32).ln();
        let exploration = exploration * log.sqrt();
        let mut best = (f32::NEG_INFINITY, start);
        for number in (start..arms.len()).chain(0..start) {
            let arm = &arms[number];
            if arm.visits == 0 {
                return number as u32;
            }
            let bound = arm.mean() + exploration / (arm.visits as f32).sqrt();
            if bound > best.0 {
                best = (bound, number);
            }
        }
        best.1 as u32
    }

    /// What the best of a role's moves brings at least, as far as can be told: a move that
    /// brings less beyond doubt would not be played. Samples are many, but of random play: what
    /// they say becomes right as the search goes on below, so visits tell how sure it is.
    fn threshold(&self, node: NodeId, role: usize, taste: &Taste) -> f32 {
        let tried = self.arms(node, role).iter().filter(|arm| arm.visits > 0);
        let lower = tried.map(|arm| arm.sum - taste.confidence / (arm.visits as f32).sqrt());
        lower.fold(self.bounds(node).0[role], f32::max)
    }

    /// Takes note on the way back up of what was found at the end, in so many samples.
    pub(super) fn come_up(&mut self, way: &Way, samples: f32, taste: &Taste) {
        let roles = self.roles();
        let mut child = None;
        for step in (0..way.nodes.len()).rev() {
            let node = way.nodes[step];
            if let Some(child) = child {
                let arms = &way.arms[step * roles..][..roles];
                self.note_arms((node, child), arms);
                self.prove(node);
                self.notes_mut(node)[0] += samples;
                self.revalue(node, taste);
            }
            child = Some(node);
        }
    }

    /// Takes note of what the moves brought that lead from one node to another. An arm of a role
    /// that alone decides has what is thought of it now; else all that came of it.
    fn note_arms(&mut self, (node, child): (NodeId, NodeId), arms: &[u32]) {
        match self.who(node) {
            Who::Role(role) => {
                let value = self.worth(child, role);
                self.arm_mut(node, role, arms[role]).sum = value;
            }
            Who::Several => {
                for (role, &arm) in arms.iter().enumerate() {
                    let value = self.worth(child, role);
                    self.arm_mut(node, role, arm).sum += value;
                }
            }
            Who::Over | Who::Nobody | Who::Chance(_) | Who::Open => {}
        }
    }

    /// What a node is worth by what comes after it.
    fn revalue(&mut self, node: NodeId, taste: &Taste) {
        if let Who::Role(role) = self.who(node) {
            return self.revalue_choice(node, role, taste);
        }
        for role in 0..self.roles() {
            let value = match self.who(node) {
                Who::Over | Who::Open | Who::Role(_) => continue,
                Who::Nobody => self.mean(node, 0, role),
                Who::Chance(chance) => self.mean(node, chance, role),
                Who::Several => {
                    let arms = self.arms(node, role).iter();
                    let (sum, visits) =
                        arms.fold((0.0, 0), |all, arm| (all.0 + arm.sum, all.1 + arm.visits));
                    sum / visits.max(1) as f32
                }
            };
            self.notes_mut(node)[1 + role] = value;
        }
    }

    /// The mean of what a role gets after the moves of another, all equally likely.
    fn mean(&self, node: NodeId, deciding: usize, role: usize) -> f32 {
        let children = (self.arms(node, deciding).iter()).filter_map(|arm| self.valued(arm));
        let worth = children.map(|child| self.worth(child, role));
        let (sum, count) = worth.fold((0.0, 0), |all, it| (all.0 + it, all.1 + 1));
        match count {
            0 => self.worth(node, role),
            _ => sum / count as f32,
        }
    }

    /// What a node is worth where a role decides, which is thought to take its better moves.
    fn revalue_choice(&mut self, node: NodeId, deciding: usize, taste: &Taste) {
        let threshold = self.threshold(node, deciding, taste);
        let tried = |arm: &&Arm| arm.visits > 0 && !arm.is_closed();
        let arms = self.arms(node, deciding).iter().filter(tried);
        let best = arms.clone().fold(0.0f32, |best, arm| best.max(arm.sum));
        let weight = |arm: &Arm| {
            let visits = arm.visits as f32;
            let sharp = (taste.sharpness * (arm.sum - best)).exp();
            let doubt = arm.sum + taste.confidence / visits.sqrt() >= threshold;
            if doubt { visits * sharp } else { 0.0 }
        };
        let weights: f32 = arms.clone().map(weight).sum();
        if weights <= 0.0 {
            // Everything is proven, and the bounds say it.
            return;
        }
        let mean = |worth: &dyn Fn(&Arm) -> f32| {
            let sum: f32 = arms.clone().map(|arm| weight(arm) * worth(arm)).sum();
            sum / weights
        };
        let own = mean(&|arm| arm.sum);
        let values: Vec<f32> = (0..self.roles())
            .map(|role| match self.other_share(deciding, role, own) {
                _ if role == deciding => own,
                Some(rest) => rest,
                None => mean(&|arm| arm.child().map_or(own, |it| self.worth(it, role))),
            })
            .collect();
        self.notes_mut(node)[1..].copy_from_slice(&values);
    }
}
