//! A way down the tree and back: where it ends, and what is added up on the way back.

use super::dag::Dag;
use super::ends::EndingMove;
use super::rule::Means;
use crate::kit::path::Path;
use crate::tree::{Fresh, Key, NodeId, Stop, Tree, Who};
use game::{BitsBuf, MoveId, RoleId};

/// How values are added up.
#[derive(Copy, Clone, Debug)]
pub(super) struct Adding {
    /// To nodes as well as to moves, and to their ancestors as UCD's depths ask for it.
    pub(super) nodes: Option<Dag>,
    /// Of moves that are proven to be no better than others, those of the others instead.
    pub(super) open: bool,
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
    /// Its moves that end the match.
    pub(super) ends: Vec<EndingMove>,
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
            ends: Vec::new(),
            values: Vec::new(),
        }
    }
}

impl Way {
    /// Notes where the way stopped.
    pub(super) fn note<K: Key>(&mut self, tree: &Tree<Means, K>, stop: Stop) {
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

    /// What the roles get where a move wins at once, or the match is over.
    pub(super) fn known(&self) -> Option<&[f32]> {
        if self.fresh.over {
            return Some(&self.fresh.values);
        }
        let won = self.ends.iter().find(|it| it.won);
        won.map(|it| &it.values[..])
    }

    /// Puts the state at the end into the tree, if there is room, and adds the values to the arms
    /// on the way back up, as is wanted.
    pub(super) fn back_up<K: Key>(&mut self, tree: &mut Tree<Means, K>, by: Adding) {
        let mut news = self.enter(tree);
        if let (Some(dag), Some(end)) = (by.nodes, self.path.end) {
            // The way down did not visit it.
            let begun = matches!(self.stop, Stop::Edge(_) | Stop::Open(_));
            self.add_to_node(tree, end);
            dag.note_end(tree, end, (&self.values, begun));
        }
        let mut has_end = self.path.end.is_some();
        for (node, arms) in self.path.upward() {
            news = news && tree.prove(node);
            if by.open {
                leave_out_closed(tree, (node, arms), &mut self.values);
            }
            tree.clamp(node, &mut self.values);
            if let Some(dag) = by.nodes {
                self.add_to_node(tree, node);
                if !has_end {
                    dag.note_end(tree, node, (&self.values, false));
                    has_end = true;
                }
            }
            for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
                tree.arm_mut(node, role, arm).stats.sum += self.values[role.index()];
            }
        }
        if let Some(dag) = by.nodes {
            dag.update(tree, &self.path, by.open);
        }
    }

    /// Finds the node at the end, or makes it if there is room. Returns whether its bounds may be
    /// news to the nodes before it.
    fn enter<K: Key>(&mut self, tree: &mut Tree<Means, K>) -> bool {
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
            self.enter_ends(tree, child);
        }
        let Some(end) = self.path.end else {
            return false;
        };
        tree.clamp(end, &mut self.values);
        let open = |role: RoleId| tree.bounds_of(end, role) == (0.0, tree.most(role));
        !RoleId::all(tree.roles()).all(open)
    }

    /// Puts the states after moves that end the match into the tree, and proves what follows.
    fn enter_ends<K: Key>(&self, tree: &mut Tree<Means, K>, node: NodeId) {
        if self.ends.is_empty() {
            return;
        }
        let Who::Role(role) = tree.who(node) else {
            return;
        };
        let mut arms = vec![0; tree.roles()];
        for end in &self.ends {
            let child = tree.enter_open(&end.state);
            if tree.who(child) == Who::Open {
                tree.settle(child, &end.values);
            }
            arms[role.index()] = end.arm;
            tree.link(node, &arms, child);
        }
        tree.prove(node);
    }

    /// Adds the values to what is known of a node.
    fn add_to_node<K: Key>(&self, tree: &mut Tree<Means, K>, node: NodeId) {
        let numbers = tree.numbers_mut(node);
        numbers[0] += 1.0;
        for (number, value) in numbers[1..].iter_mut().zip(&self.values) {
            *number += value;
        }
    }
}

/// Where the role that decides would not make the move of the way, as it is proven to be no better
/// than others, what the open moves brought goes up instead: else states in which most moves lose
/// at once seem to be bad.
fn leave_out_closed<K: Key>(
    tree: &Tree<Means, K>,
    (node, arms): (NodeId, &[u32]),
    values: &mut [f32],
) {
    let Who::Role(role) = tree.who(node) else {
        return;
    };
    let all = tree.arms(node, role);
    if !all[arms[role.index()] as usize].is_closed() {
        return;
    }
    let open = all.iter().filter(|arm| !arm.is_closed() && arm.visits > 0);
    let (sum, visits) = open.fold((0.0, 0), |(sum, visits), arm| {
        (sum + arm.stats.sum, visits + arm.visits)
    });
    if visits == 0 {
        return;
    }
    let own = sum / visits as f32;
    let shared = tree.shape.sum;
    if let Some((other, sum)) = shared.and_then(|it| Some((it.other(role)?, it.sum))) {
        values[other.index()] = sum - own;
    }
    values[role.index()] = own;
}
