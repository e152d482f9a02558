//! A way down a tree.

use crate::tree::NodeId;

/// A longer way down is cut: states may come back.
pub(crate) const DEEPEST: usize = 1000;

/// A way down a tree: nodes with the joint moves made in them, and the node at the end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Path {
    nodes: Vec<NodeId>,
    /// For each node the arm of each role.
    arms: Vec<u32>,
    roles: usize,
    /// The node after the last joint move, if it is in the tree.
    pub(crate) end: Option<NodeId>,
}

impl Path {
    /// Begins anew, in a game of so many roles.
    pub(crate) fn clear(&mut self, roles: usize) {
        self.nodes.clear();
        self.arms.clear();
        self.roles = roles;
        self.end = None;
    }

    /// How many joint moves it has.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Goes on from a node; its arms are pushed role by role.
    pub(crate) fn push_node(&mut self, node: NodeId) {
        self.nodes.push(node);
    }

    /// Adds the arm of the next role.
    pub(crate) fn push_arm(&mut self, arm: u32) {
        self.arms.push(arm);
    }

    /// Takes the last joint move back; its node becomes the end.
    pub(crate) fn pop(&mut self) {
        self.end = self.nodes.pop();
        self.arms.truncate(self.nodes.len() * self.roles);
    }

    /// A node and the arms of the joint move made in it.
    pub(crate) fn step(&self, number: usize) -> (NodeId, &[u32]) {
        let arms = &self.arms[number * self.roles..][..self.roles];
        (self.nodes[number], arms)
    }

    /// The last joint move, and the node it was made in.
    pub(crate) fn last(&self) -> Option<(NodeId, &[u32])> {
        self.nodes.len().checked_sub(1).map(|it| self.step(it))
    }

    /// The beginning of it, with so many joint moves.
    pub(crate) fn up_to(&self, steps: usize) -> Path {
        Path {
            nodes: self.nodes[..steps].to_vec(),
            arms: self.arms[..steps * self.roles].to_vec(),
            roles: self.roles,
            end: self.nodes.get(steps).copied().or(self.end),
        }
    }

    /// The nodes in which joint moves were made, from the first on.
    pub(crate) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// All steps, the last first.
    pub(crate) fn upward(&self) -> impl Iterator<Item = (NodeId, &[u32])> {
        (0..self.len()).rev().map(|it| self.step(it))
    }
}
