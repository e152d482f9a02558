//! What look-ahead leaves in the tree: nodes that deserve a look, moves that are removed.

use super::look::Several;
use super::search::Revaluation;
use crate::tree::{Key, NEAR, NodeId, Tree, Who};
use game::RoleId;

/// More visits than this, and what others can do is looked at, or what follows then.
const TWO_ROUNDS: u32 = 3;
const THREE_ROUNDS: u32 = 64;

impl<K: Key> Tree<Revaluation, K> {
    /// How many rounds to look ahead from a node, if it was visited so often that it deserves it,
    /// and was not looked at so far.
    pub(super) fn deserves(&self, node: NodeId) -> Option<usize> {
        let visits = self.visits(node);
        let rounds = 1 + usize::from(visits > TWO_ROUNDS) + usize::from(visits > THREE_ROUNDS);
        let open = self.who(node) != Who::Open && self.proven(node).is_none();
        let looked = self.numbers(node)[1 + self.roles()] as usize;
        (open && looked < rounds && rounds > 1).then_some(rounds)
    }

    /// Notes how many rounds were looked ahead from a node.
    pub(super) fn note_rounds(&mut self, node: NodeId, rounds: usize) {
        let roles = self.roles();
        self.numbers_mut(node)[1 + roles] = rounds as f32;
    }

    /// Forgets what is proven of a node if no move is known that brings it: a bound may have come
    /// from look-ahead further up.
    pub(super) fn reopen_unless_known(&mut self, node: NodeId) {
        let known = match self.who(node) {
            Who::Role(role) => {
                let least = self.bounds_of(node, role).0 - NEAR;
                let best = self.best_proven(node, role);
                best.is_some_and(|(value, _)| value > least)
            }
            Who::Open => false,
            Who::Over | Who::Nobody | Who::Chance(_) | Who::Several => true,
        };
        if self.proven(node).is_some() && !known {
            self.reopen(node);
        }
    }

    /// Closes moves of roles that choose at once where another move is as good whatever the others
    /// do; returns how many.
    pub(super) fn drop_dominated(&mut self, node: NodeId, several: &Several) -> usize {
        self.narrow_all(node, &several.bounds, 1);
        let mut closed = 0;
        let chance = self.shape.chance;
        for role in RoleId::all(self.roles()).filter(|&it| chance != Some(it)) {
            let moves = &several.moves[role.index()];
            let best = (0..moves.len()).max_by(|&a, &b| moves[a].0.total_cmp(&moves[b].0));
            let Some(best) = best else { continue };
            let (least, _) = moves[best];
            for (arm, bounds) in moves.iter().enumerate() {
                if arm != best && bounds.1 <= least + NEAR {
                    self.close(node, role, arm);
                    closed += 1;
                }
            }
        }
        closed
    }
}
