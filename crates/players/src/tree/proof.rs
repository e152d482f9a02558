//! What is proven of states by what is proven of those after them.
//!
//! What a role gets lies between two bounds. The one that chooses gets at least the best of
//! what its moves bring at least, and at most the best of what they bring at most. Of the
//! others nothing follows before all is known, except where two roles share a constant sum:
//! then the bounds of one are those of the other (score bounded search, Cazenave and Saffidine
//! 2010), and moves that cannot be better than another are not looked at again.

use super::{Arm, NEAR, NodeId, Tree, Who};

impl Tree {
    /// Narrows the bounds of a state down; returns whether there was news.
    pub(crate) fn prove(&mut self, node: NodeId) -> bool {
        let open = self.proven(node).is_none();
        let news = self.narrow_by_children(node);
        if open && self.proven(node).is_some() {
            self.set_turns(node, self.shortest(node).saturating_add(1));
        }
        news
    }

    /// How many turns the shortest way has that brings what is proven of a state.
    fn shortest(&self, node: NodeId) -> u32 {
        let (Who::Role(role) | Who::Chance(role)) = self.who(node) else {
            let only = self.known(node, 0).next();
            return only.map_or(0, |(child, _)| self.turns(child));
        };
        let value = self.bounds(node).0[role];
        let known = self.known(node, role);
        let best = known.filter(|(_, values)| values[role] > value - NEAR);
        best.map(|(child, _)| self.turns(child)).min().unwrap_or(0)
    }

    fn narrow_by_children(&mut self, node: NodeId) -> bool {
        match self.who(node) {
            Who::Role(role) => self.prove_choice(node, role),
            Who::Chance(role) => self.prove_chance(node, role),
            Who::Nobody => {
                let child = self.arms(node, 0)[0].child();
                child.is_some_and(|child| self.equal(node, child))
            }
            Who::Several | Who::Over | Who::Open => false,
        }
    }

    /// One state is worth what another is.
    fn equal(&mut self, node: NodeId, child: NodeId) -> bool {
        let mut news = false;
        for role in 0..self.roles() {
            let (low, high) = self.bounds(child);
            let bounds = (low[role], high[role]);
            news |= self.narrow(node, role, bounds);
        }
        news
    }

    fn prove_choice(&mut self, node: NodeId, role: usize) -> bool {
        let (low, high) = self.best_bounds(node, role);
        let mut all_closed = true;
        let mut best = None;
        for arm in 0..self.arms(node, role).len() {
            let Some(child) = self.arms(node, role)[arm].child() else {
                all_closed = false;
                continue;
            };
            let settled = self.proven(child).is_some();
            if settled && self.bounds(child).0[role] >= low {
                best = best.or(Some(child));
            }
            if settled || self.bounds(child).1[role] <= low && self.bounds(child).0[role] < low {
                self.close(node, role, arm as u32);
            }
            all_closed &= self.arms(node, role)[arm].is_closed();
        }
        match best {
            Some(best) if all_closed || low >= self.most(role) => self.equal(node, best),
            _ => self.narrow_both(node, role, (low, high)),
        }
    }

    /// What a role gets at least, and at most, by its best move.
    fn best_bounds(&self, node: NodeId, role: usize) -> (f32, f32) {
        let mut best = (0.0, 0.0);
        for arm in self.arms(node, role) {
            let (low, high) = match arm.child() {
                Some(child) => {
                    let (low, high) = self.bounds(child);
                    (low[role], high[role])
                }
                None => (0.0, self.most(role)),
            };
            best = (low.max(best.0), high.max(best.1));
        }
        best
    }

    /// Narrows the bounds of the one that chooses, and of the other where they share a sum.
    fn narrow_both(&mut self, node: NodeId, role: usize, (low, high): (f32, f32)) -> bool {
        let Some(shared) = self.shape.sum else {
            return self.narrow(node, role, (low, high));
        };
        let other = shared.roles[usize::from(shared.roles[0] == role)];
        let news = self.narrow(node, role, (low, high));
        self.narrow(node, other, (shared.sum - high, shared.sum - low)) || news
    }

    /// The average, where chance decides.
    fn prove_chance(&mut self, node: NodeId, chance: usize) -> bool {
        let mut news = false;
        let count = self.arms(node, chance).len() as f32;
        for role in 0..self.roles() {
            let bounds = |arm: &Arm| match arm.child() {
                Some(child) => {
                    let (low, high) = self.bounds(child);
                    (low[role], high[role])
                }
                None => (0.0, self.most(role)),
            };
            let sum = |a: (f32, f32), b: (f32, f32)| (a.0 + b.0, a.1 + b.1);
            let arms = self.arms(node, chance).iter().map(bounds);
            let (low, high) = arms.fold((0.0, 0.0), sum);
            news |= self.narrow(node, role, (low / count, high / count));
        }
        news
    }

    /// The states after moves of a role of which everything is proven, and what they bring.
    pub(crate) fn known(
        &self,
        node: NodeId,
        role: usize,
    ) -> impl Iterator<Item = (NodeId, &[f32])> {
        let children = self.arms(node, role).iter().filter_map(Arm::child);
        children.filter_map(|child| Some((child, self.proven(child)?)))
    }
}
