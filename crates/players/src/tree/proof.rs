//! What is proven of states by what is proven of those after them.
//!
//! What a role gets lies between two bounds. The one that chooses gets at least the best of
//! the lower bounds of its moves, and at most the best of the upper ones. Of the others nothing
//! follows before all is known, except where two roles share a constant sum: then the bounds of
//! one are those of the other (score bounded search, Cazenave and Saffidine 2010), and moves that
//! cannot be better than another are not looked at again.
//!
//! Along best play a proven win is taken the shortest way, and a proven loss the longest.

use super::{Arm, CLOSED, Key, NEAR, NodeId, Stats, Tree, Who};
use game::RoleId;
use std::cmp::Ordering;

impl<S: Stats, K: Key> Tree<S, K> {
    /// What each role gets at least, and at most, if all play best.
    pub(crate) fn bounds(&self, node: NodeId) -> (&[f32], &[f32]) {
        let first = node as usize * self.roles;
        (
            &self.low[first..][..self.roles],
            &self.high[first..][..self.roles],
        )
    }

    /// The bounds of one role.
    pub(crate) fn bounds_of(&self, node: NodeId, role: RoleId) -> (f32, f32) {
        let place = node as usize * self.roles + role.index();
        (self.low[place], self.high[place])
    }

    /// What the roles get if all play best, if that is proven.
    pub(crate) fn proven(&self, node: NodeId) -> Option<&[f32]> {
        let (low, high) = self.bounds(node);
        let near = |(low, high): (&f32, &f32)| high - low < NEAR;
        low.iter().zip(high).all(near).then_some(low)
    }

    /// Narrows the bounds of a role; returns whether that is news.
    pub(crate) fn narrow(&mut self, node: NodeId, role: RoleId, (low, high): (f32, f32)) -> bool {
        let place = node as usize * self.roles + role.index();
        let news = low > self.low[place] + NEAR || high < self.high[place] - NEAR;
        self.low[place] = self.low[place].max(low);
        self.high[place] = self.high[place].min(high);
        news
    }

    /// Narrows the bounds of all roles at a node by what was proven elsewhere, with the match over
    /// within so many turns if they are exact.
    pub(crate) fn narrow_all(&mut self, node: NodeId, bounds: &[(f32, f32)], turns: u32) {
        let open = self.proven(node).is_none();
        for (role, &bounds) in RoleId::all(self.roles).zip(bounds) {
            self.narrow(node, role, bounds);
        }
        if open && self.proven(node).is_some() {
            self.nodes[node as usize].turns = turns;
        }
    }

    /// Forgets what is proven of a node, and of its moves that no state is known after.
    pub(crate) fn reopen(&mut self, node: NodeId) {
        let first = node as usize * self.roles;
        self.low[first..][..self.roles].fill(0.0);
        self.high[first..][..self.roles].copy_from_slice(&self.shape.most);
    }

    /// Closes a move of one of several roles that choose at once: another is as good, whatever
    /// the others do.
    pub(crate) fn close(&mut self, node: NodeId, role: RoleId, arm: usize) {
        self.arm_mut(node, role, arm as u32).child |= CLOSED;
    }

    /// How many moves of a role are closed.
    pub(crate) fn closed(&self, node: NodeId, role: RoleId) -> usize {
        let arms = self.arms(node, role).iter();
        arms.filter(|arm| arm.is_closed()).count()
    }

    /// Values as far as they agree with the bounds of a node.
    pub(crate) fn clamp(&self, node: NodeId, values: &mut [f32]) {
        let (low, high) = self.bounds(node);
        for (value, (&low, &high)) in values.iter_mut().zip(low.iter().zip(high)) {
            *value = value.max(low).min(high);
        }
    }

    /// Narrows the bounds of a node by those of its children; returns whether there was news.
    pub(crate) fn prove(&mut self, node: NodeId) -> bool {
        let open = self.proven(node).is_none();
        let news = self.narrow_by_children(node);
        if open && self.proven(node).is_some() {
            self.nodes[node as usize].turns = self.distance(node).saturating_add(1);
        }
        news
    }

    /// The best move of a role that decides alone among those that are proven: what it brings,
    /// and its arm. A win is taken the shortest way, a loss the longest; of losses of the same
    /// length one that was tried often, as it seemed good for longer and the other may err.
    pub(crate) fn best_proven(&self, node: NodeId, role: RoleId) -> Option<(f32, usize)> {
        let arms = self.arms(node, role).iter().enumerate();
        let known = arms.filter_map(|(place, arm)| {
            let child = arm.child()?;
            let value = self.proven(child)?[role.index()];
            Some((value, self.turns(child), (arm.visits, place)))
        });
        let best = known.max_by(|one, other| {
            let value = one.0.total_cmp(&other.0);
            let length = value.then_with(|| prefer(one.0, one.1, other.1));
            length.then_with(|| match one.0 > NEAR {
                true => Ordering::Equal,
                false => one.2.0.cmp(&other.2.0),
            })
        });
        best.map(|(value, _, (_, place))| (value, place))
    }

    /// How many turns the way has that best play takes from a proven node's children on.
    fn distance(&self, node: NodeId) -> u32 {
        let role = match self.who(node) {
            Who::Role(role) => role,
            Who::Chance(chance) => {
                let turns = self.known(node, chance).map(|(child, _)| self.turns(child));
                return turns.max().unwrap_or(0);
            }
            _ => {
                let only = self.known(node, RoleId::new(0)).next();
                return only.map_or(0, |(child, _)| self.turns(child));
            }
        };
        let value = self.bounds_of(node, role).0;
        let known = self.known(node, role);
        let best = known.filter(|(_, values)| values[role.index()] > value - NEAR);
        let turns = best.map(|(child, _)| self.turns(child));
        let turns = turns.max_by(|&one, &other| prefer(value, one, other));
        turns.unwrap_or(0)
    }

    fn narrow_by_children(&mut self, node: NodeId) -> bool {
        match self.who(node) {
            Who::Role(role) => self.prove_choice(node, role),
            Who::Chance(role) => self.prove_chance(node, role),
            Who::Nobody => {
                let child = self.arms(node, RoleId::new(0))[0].child();
                child.is_some_and(|child| self.equal(node, child))
            }
            Who::Several | Who::Over | Who::Open => false,
        }
    }

    /// A node is worth what another is.
    fn equal(&mut self, node: NodeId, child: NodeId) -> bool {
        let mut news = false;
        for role in RoleId::all(self.roles) {
            news |= self.narrow(node, role, self.bounds_of(child, role));
        }
        news
    }

    fn prove_choice(&mut self, node: NodeId, role: RoleId) -> bool {
        let (low, high) = self.best_bounds(node, role);
        let mut all_closed = true;
        let mut best = None;
        for arm in 0..self.arms(node, role).len() {
            let Some(child) = self.arms(node, role)[arm].child() else {
                all_closed = false;
                continue;
            };
            let (child_low, child_high) = self.bounds_of(child, role);
            let settled = self.proven(child).is_some();
            if settled && child_low >= low {
                best = best.or(Some(child));
            }
            if settled || child_high <= low && child_low < low {
                self.arm_mut(node, role, arm as u32).child |= CLOSED;
            }
            all_closed &= self.arms(node, role)[arm].is_closed();
        }
        match best {
            Some(best) if all_closed || low >= self.most(role) => self.equal(node, best),
            _ => self.narrow_both(node, role, (low, high)),
        }
    }

    /// The bounds of a role's best move.
    fn best_bounds(&self, node: NodeId, role: RoleId) -> (f32, f32) {
        let arms = self.arms(node, role).iter();
        let bounds = arms.map(|arm| self.arm_bounds(arm, role));
        bounds.fold((0.0, 0.0), |best, it| (best.0.max(it.0), best.1.max(it.1)))
    }

    /// The bounds of a role after a move.
    fn arm_bounds(&self, arm: &Arm<S::Arm>, role: RoleId) -> (f32, f32) {
        match arm.child() {
            Some(child) => self.bounds_of(child, role),
            None => (0.0, self.most(role)),
        }
    }

    /// Narrows the bounds of the role that chooses, and of the other where they share a sum.
    fn narrow_both(&mut self, node: NodeId, role: RoleId, (low, high): (f32, f32)) -> bool {
        let news = self.narrow(node, role, (low, high));
        let shared = self.shape.sum;
        match shared.and_then(|it| Some((it.other(role)?, it.sum))) {
            Some((other, sum)) => self.narrow(node, other, (sum - high, sum - low)) || news,
            None => news,
        }
    }

    /// The average, where chance decides.
    fn prove_chance(&mut self, node: NodeId, chance: RoleId) -> bool {
        let mut news = false;
        let count = self.arms(node, chance).len() as f32;
        for role in RoleId::all(self.roles) {
            let arms = self.arms(node, chance).iter();
            let bounds = arms.map(|arm| self.arm_bounds(arm, role));
            let (low, high) = bounds.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
            news |= self.narrow(node, role, (low / count, high / count));
        }
        news
    }

    /// The states after moves of a role of which everything is proven, and what they bring.
    fn known(&self, node: NodeId, role: RoleId) -> impl Iterator<Item = (NodeId, &[f32])> {
        let children = self.arms(node, role).iter().filter_map(Arm::child);
        children.filter_map(|child| Some((child, self.proven(child)?)))
    }
}

/// Compares two ways to the same value by their lengths: the shorter is better, unless the role
/// gets nothing.
fn prefer(value: f32, one: u32, other: u32) -> Ordering {
    match value > NEAR {
        true => other.cmp(&one),
        false => one.cmp(&other),
    }
}
