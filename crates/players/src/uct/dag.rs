//! UCD's adapted means and counts (Saffidine, Cazenave and Méhat 2012): a result is passed on to all
//! parents of the states that it came through, as far up as a depth says.
//!
//! Let e be a move, v the state after it, f the moves of v; n and μ the visits and the mean of a move;
//! n′ and μ′ those of the samples that ended in v. Then
//!
//! - the adapted mean is μ₀(e) = μ(e) and μ_d(e) = (Σ n(f)·μ_{d−1}(f) + n′·μ′) / (Σ n(f) + n′),
//! - the adapted count is n₀(e) = n(e) and n_d(e) = Σ n_{d−1}(f) + n′,
//! - that of all moves of a state is p_d = Σ n_d over these,
//!
//! and a move is selected by μ_{d1} + c·√(ln p_{d2} / n_{d3}).
//!
//! From d = 1 on both depend on v alone, so they are kept with v, and every parent reads the same.
//! At d = 1 they are all samples that came through v, by any way: its own sums. From d = 2 on a change
//! at v is one at level d + 1 for each parent of v, which is made when the sample goes up: parents are
//! known to the tree, and each ancestor is renewed once a level, in the order of levels. Collecting
//! from the states below when a move is selected would give the same numbers; a test does that, from
//! a record of all samples.
//!
//! Where it differs: n counts samples under way, too, which are renewed as they come back. Where
//! several roles choose at once, moves of all of them lead to v, and depths end there at 1. A sample
//! whose last state found no room ends in the state before. A parent for which the tree had no room is
//! not told, but renewed when a sample comes through it. Moves that are proven to be no better are
//! left out of means, if others were tried and `ends` is set, and means are clamped to what is proven.

use super::rule::Means;
use crate::kit::path::Path;
use crate::tree::{Arm, Choice, Key, Mean, NodeId, Shape, Tree, Who};
use game::RoleId;
use smallvec::SmallVec;

/// A count, and a mean for each role.
type Adapted = SmallVec<[f32; 5]>;

/// What nodes keep beside their samples and sums: how many samples reached the node over a move that
/// was new; how many ended there, with their sums; from level 2 on, the adapted count and means.
#[derive(Copy, Clone, Debug)]
pub(super) struct Dag {
    /// For means, for the visits of all moves, for those of a move.
    depths: [u32; 3],
    roles: usize,
}

impl Dag {
    pub(super) fn new(depths: [u32; 3], roles: usize) -> Dag {
        Dag { depths, roles }
    }

    fn deepest(self) -> u32 {
        self.depths.into_iter().max().unwrap_or(0)
    }

    /// The shape of a tree that keeps what is needed.
    pub(super) fn shape(self, shape: Shape) -> Shape {
        shape.keeping(self.numbers(), self.deepest() > 1)
    }

    /// How many numbers a node has for it; none if its own sums are enough.
    fn numbers(self) -> usize {
        let [means, parents, arms] = self.depths;
        match means > 1 || parents > 0 || arms > 0 {
            true => 1 + (self.roles + 1) * self.deepest() as usize,
            false => 0,
        }
    }

    /// Where the samples that came over a new move are counted; those that ended here follow.
    fn begun(self) -> usize {
        1 + self.roles
    }

    /// Where the adapted numbers of a level from 2 on begin.
    fn place(self, level: u32) -> usize {
        self.begun() + 1 + (level as usize - 1) * (self.roles + 1)
    }

    /// μ_{d1} of a move, for a role.
    #[inline]
    pub(super) fn mean<K: Key>(self, tree: &Tree<Means, K>, arm: &Arm<Mean>, role: RoleId) -> f32 {
        let level = self.depths[0];
        let below = arm.child().filter(|_| level > 0);
        let below = below.and_then(|child| self.below(tree, (child, level), role));
        below.unwrap_or_else(|| arm.mean())
    }

    /// n_{d3} of a move.
    #[inline]
    pub(super) fn arm_visits<K: Key>(self, tree: &Tree<Means, K>, arm: &Arm<Mean>) -> u32 {
        self.count(tree, arm, self.depths[2]) as u32
    }

    /// p_{d2}, for the role that chooses.
    #[inline]
    pub(super) fn parent_visits<K: Key>(self, tree: &Tree<Means, K>, choice: Choice) -> u32 {
        let level = self.depths[1];
        if level == 0 {
            return tree.visits(choice.node);
        }
        let arms = tree.arms(choice.node, choice.role).iter();
        arms.map(|arm| self.count(tree, arm, level)).sum::<f32>() as u32
    }

    /// The adapted count of a move. An untried move counts nothing: where it leads is not known yet.
    fn count<K: Key>(self, tree: &Tree<Means, K>, arm: &Arm<Mean>, level: u32) -> f32 {
        let visits = arm.visits as f32;
        match arm.child().filter(|_| level > 0 && arm.visits > 0) {
            Some(child) => visits.max(self.through(tree, child, level)),
            None => visits,
        }
    }

    /// The adapted count of a state, from level 1 on.
    fn through<K: Key>(self, tree: &Tree<Means, K>, node: NodeId, level: u32) -> f32 {
        let numbers = tree.numbers(node);
        let samples = tree.visits(node) as f32 + numbers[self.begun()];
        match level > 1 {
            true => numbers[self.place(level)].max(samples),
            false => samples,
        }
    }

    /// The adapted mean of a state, from level 1 on; none if no sample came through it.
    fn below<K: Key>(
        self,
        tree: &Tree<Means, K>,
        (node, level): (NodeId, u32),
        role: RoleId,
    ) -> Option<f32> {
        let numbers = tree.numbers(node);
        let samples = Some(numbers[0]).filter(|&it| it > 0.0)?;
        Some(match level > 1 {
            true => numbers[self.place(level) + 1 + role.index()],
            false => numbers[1 + role.index()] / samples,
        })
    }

    /// A sample ended in a node; `begun` if it came over a move that was new.
    pub(super) fn note_end<K: Key>(
        self,
        tree: &mut Tree<Means, K>,
        node: NodeId,
        (values, begun): (&[f32], bool),
    ) {
        if self.numbers() == 0 {
            return;
        }
        let numbers = &mut tree.numbers_mut(node)[self.begun()..];
        numbers[0] += f32::from(u8::from(begun));
        numbers[1] += 1.0;
        for (number, value) in numbers[2..].iter_mut().zip(values) {
            *number += value;
        }
    }

    /// Renews what depends on the nodes of a way: level by level, these and all parents of what was
    /// renewed at the level before.
    pub(super) fn update<K: Key>(self, tree: &mut Tree<Means, K>, path: &Path, open: bool) {
        if self.deepest() < 2 {
            return;
        }
        let way: Vec<NodeId> = path.nodes().iter().copied().chain(path.end).collect();
        let mut changed = way.clone();
        for level in 2..=self.deepest() {
            let parents = changed.iter().flat_map(|&it| tree.parents(it));
            let mut next: Vec<NodeId> = way.iter().copied().chain(parents).collect();
            next.sort_unstable();
            next.dedup();
            for &node in &next {
                let mut renewed = self.adapted(tree, (node, level), open);
                tree.clamp(node, &mut renewed[1..]);
                tree.numbers_mut(node)[self.place(level)..][..renewed.len()]
                    .copy_from_slice(&renewed);
            }
            changed = next;
        }
    }

    /// The adapted numbers of a node by those that its children have a level below.
    fn adapted<K: Key>(
        self,
        tree: &Tree<Means, K>,
        (node, level): (NodeId, u32),
        open: bool,
    ) -> Adapted {
        let deciding = match tree.who(node) {
            Who::Role(role) | Who::Chance(role) => role,
            Who::Nobody => RoleId::new(0),
            Who::Several | Who::Over | Who::Open => return self.own(tree, node),
        };
        let arms = tree.arms(node, deciding);
        let leaves_out = open && arms.iter().any(|arm| arm.visits > 0 && !arm.is_closed());
        let leaves_out = leaves_out && matches!(tree.who(node), Who::Role(_));
        let ended = &tree.numbers(node)[self.begun() + 1..][..self.roles + 1];
        let mut sums = Adapted::from_slice(ended);
        let mut count = self.through(tree, node, 1);
        for arm in arms.iter().filter(|arm| arm.visits > 0) {
            count += self.count(tree, arm, level - 1) - arm.visits as f32;
            let child = arm.child().filter(|_| !(leaves_out && arm.is_closed()));
            if let Some(child) = child.filter(|&it| tree.numbers(it)[0] > 0.0) {
                self.weigh(tree, (child, level - 1, arm.visits as f32), &mut sums);
            }
        }
        if sums[0] == 0.0 {
            return self.own(tree, node);
        }
        let weight = std::mem::replace(&mut sums[0], count);
        sums[1..].iter_mut().for_each(|sum| *sum /= weight);
        sums
    }

    /// Adds the means of a child with a weight.
    fn weigh<K: Key>(
        self,
        tree: &Tree<Means, K>,
        (child, level, weight): (NodeId, u32, f32),
        sums: &mut Adapted,
    ) {
        sums[0] += weight;
        for (role, sum) in RoleId::all(self.roles).zip(&mut sums[1..]) {
            *sum += weight * self.below(tree, (child, level), role).unwrap_or(0.0);
        }
    }

    /// What all samples through a node say.
    fn own<K: Key>(self, tree: &Tree<Means, K>, node: NodeId) -> Adapted {
        let count = std::iter::once(self.through(tree, node, 1));
        let mean = |role| self.below(tree, (node, 1), role).unwrap_or(0.0);
        count.chain(RoleId::all(self.roles).map(mean)).collect()
    }
}

#[cfg(test)]
mod tests;
