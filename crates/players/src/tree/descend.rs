//! The way down: arms are selected until the tree ends.

use super::{Key, NodeId, Stats, Tree, Who};
use crate::kit::path::{DEEPEST, Path};
use game::RoleId;
use rand_core::Rng;

/// Chooses arms. One role of a node has the choice; where several have, each by itself.
pub(crate) trait Selector<S: Stats, K: Key> {
    /// An arm of a role that has several, at the last node of a way down.
    fn select(&self, tree: &Tree<S, K>, path: &Path, choice: Choice) -> u32;
}

/// A role that has several arms.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Choice {
    pub(crate) node: NodeId,
    pub(crate) role: RoleId,
    /// Who decides at the node.
    pub(crate) who: Who,
    /// An arm, drawn uniformly.
    pub(crate) start: usize,
}

/// Where a way down stops.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    /// At a node of which everything is proven.
    Proven(NodeId),
    /// At a node whose moves are not known.
    Open(NodeId),
    /// At a node: the way is too long.
    Deep(NodeId),
    /// After a joint move that was not made before, in this node.
    Edge(NodeId),
}

impl<S: Stats, K: Key> Tree<S, K> {
    /// Selects moves from a node on, counting visits, until the way stops. The path goes on from
    /// where it ended. An open node is not counted: the caller may open it and go on.
    pub(crate) fn descend(
        &mut self,
        from: NodeId,
        path: &mut Path,
        selector: &impl Selector<S, K>,
        random: &mut impl Rng,
    ) -> Stop {
        let mut node = from;
        loop {
            let stop = if self.proven(node).is_some() {
                Some(Stop::Proven(node))
            } else if self.who(node) == Who::Open {
                Some(Stop::Open(node))
            } else if path.len() >= DEEPEST {
                Some(Stop::Deep(node))
            } else {
                None
            };
            if !matches!(stop, Some(Stop::Open(_))) {
                self.visit(node);
            }
            if let Some(stop) = stop {
                path.end = Some(node);
                return stop;
            }
            self.choose(node, path, selector, random);
            let child = path.last().and_then(|(node, arms)| self.child(node, arms));
            match child {
                Some(child) => node = child,
                None => return Stop::Edge(node),
            }
        }
    }

    /// Takes back the visits of a way whose end was not evaluated, as if it was never gone. No
    /// node may have been forgotten since.
    pub(crate) fn take_back(&mut self, path: &Path, stop: Stop) {
        self.take_back_arms(path);
        for (node, _) in path.upward() {
            self.unvisit(node);
        }
        if let Stop::Proven(node) | Stop::Deep(node) = stop {
            self.unvisit(node);
        }
    }

    /// Takes back the visits of the moves of a way.
    pub(crate) fn take_back_arms(&mut self, path: &Path) {
        for (node, arms) in path.upward() {
            for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
                let visits = &mut self.arm_mut(node, role, arm).visits;
                *visits = visits.saturating_sub(1);
            }
        }
    }

    /// Chooses an arm for each role and counts the visits.
    #[inline]
    fn choose(
        &mut self,
        node: NodeId,
        path: &mut Path,
        selector: &impl Selector<S, K>,
        random: &mut impl Rng,
    ) {
        path.push_node(node);
        let who = self.who(node);
        for role in RoleId::all(self.roles) {
            let count = self.arms(node, role).len() as u64;
            let arm = if count == 1 {
                0
            } else {
                let start = (random.next_u64() % count) as usize;
                let choice = Choice {
                    node,
                    role,
                    who,
                    start,
                };
                selector.select(self, path, choice)
            };
            path.push_arm(arm);
            self.arm_mut(node, role, arm).visits += 1;
        }
    }
}
