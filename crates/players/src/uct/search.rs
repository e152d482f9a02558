//! What is done in the tree: arms are selected by UCB1, and values are added up on the way back.

use crate::kit::path::Path;
use crate::kit::select::{Tried, Ucb};
use crate::tree::{Choice, Fresh, Key, Mean, NodeId, Selector, Stats, Stop, Tree, Who};
use game::{BitsBuf, MoveId, RoleId};

/// Means of what moves brought, selected by UCB1.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Ucb1 {
    exploration: f32,
}

impl Ucb1 {
    pub(super) fn new(exploration: f32) -> Ucb1 {
        Ucb1 { exploration }
    }
}

impl Stats for Ucb1 {
    type Arm = Mean;

    fn node_numbers(_: usize) -> usize {
        0
    }
}

impl<K: Key> Selector<Ucb1, K> for Ucb1 {
    /// By confidence bounds, or at random for chance. Where the role alone decides, moves whose
    /// end is proven are left out.
    #[inline]
    fn select(&self, tree: &Tree<Ucb1, K>, node: NodeId, choice: Choice) -> u32 {
        if tree.is_chance(choice.role) {
            return choice.start as u32;
        }
        let alone = matches!(choice.who, Who::Role(_));
        let ucb = Ucb::new(self.exploration, tree.visits(node), choice.start);
        let arms = tree.arms(node, choice.role);
        let best = ucb.best(arms, |arm| {
            let (visits, value) = (arm.visits, arm.mean());
            (!alone || !arm.is_closed()).then_some(Tried { visits, value })
        });
        best.unwrap_or(choice.start) as u32
    }
}

/// A way down the tree, and what was found at its end.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) path: Path,
    pub(super) stop: Stop,
    /// The state from which the last joint move was made, and that move; or the state at the
    /// end itself.
    pub(super) state: BitsBuf,
    pub(super) joint: Vec<MoveId>,
    /// The state after it.
    pub(super) fresh: Fresh,
    /// What the roles get.
    pub(super) values: Vec<f32>,
}

impl Default for Way {
    fn default() -> Way {
        Way {
            path: Path::default(),
            stop: Stop::Proven(0),
            state: BitsBuf::default(),
            joint: Vec::new(),
            fresh: Fresh::default(),
            values: Vec::new(),
        }
    }
}

impl Way {
    /// Notes where the way stopped.
    pub(super) fn note<K: Key>(&mut self, tree: &Tree<Ucb1, K>, stop: Stop) {
        self.stop = stop;
        match stop {
            Stop::Proven(node) => {
                self.values.clear();
                self.values.extend_from_slice(tree.bounds(node).0);
            }
            Stop::Open(node) | Stop::Deep(node) => self.state.copy_from(tree.state(node)),
            Stop::Edge(node) => {
                self.state.copy_from(tree.state(node));
                if let Some((node, arms)) = self.path.last() {
                    tree.actions(node, arms, &mut self.joint);
                }
            }
        }
    }

    /// Puts the state at the end into the tree, if there is room, and adds the values to the arms
    /// on the way back up.
    pub(super) fn back_up<K: Key>(&mut self, tree: &mut Tree<Ucb1, K>) {
        let mut news = self.enter(tree);
        for (node, arms) in self.path.upward() {
            news = news && tree.prove(node);
            tree.clamp(node, &mut self.values);
            for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
                tree.arm_mut(node, role, arm).stats.sum += self.values[role.index()];
            }
        }
    }

    /// Finds the node at the end, or makes it if there is room. Returns whether its bounds may be
    /// news to the nodes before it.
    fn enter<K: Key>(&mut self, tree: &mut Tree<Ucb1, K>) -> bool {
        if self.fresh.unknown {
            return false;
        }
        if let Stop::Edge(node) = self.stop
            && let Some((_, arms)) = self.path.last()
        {
            if tree.is_full() && tree.find(&self.fresh.state).is_none() {
                return false;
            }
            let child = tree.enter(&self.fresh);
            tree.link(node, arms, child);
            self.path.end = Some(child);
        }
        let Some(end) = self.path.end else {
            return false;
        };
        tree.clamp(end, &mut self.values);
        let open = |role: RoleId| tree.bounds_of(end, role) == (0.0, tree.most(role));
        !RoleId::all(tree.roles()).all(open)
    }
}
