//! The parents of nodes, for searches that tell them of results below.
//!
//! A row of links: each node has the place of its latest link, each link a parent and the place
//! of the link before. A parent is kept once, however many of its moves lead to the node.

use super::NodeId;

/// The end of a chain of links.
const NONE: u32 = u32::MAX;

/// The parents of all nodes, by the numbers of these.
#[derive(Clone, Debug, Default)]
pub(super) struct Parents {
    latest: Vec<u32>,
    links: Vec<(NodeId, u32)>,
}

impl Parents {
    /// Makes room for the parents of so many nodes.
    pub(super) fn grow(&mut self, nodes: usize) {
        self.latest.resize(nodes.max(self.latest.len()), NONE);
    }

    /// Adds a parent of a node.
    pub(super) fn add(&mut self, node: NodeId, parent: NodeId) {
        if self.of(node).any(|known| known == parent) {
            return;
        }
        let link = self.links.len() as u32;
        let before = std::mem::replace(&mut self.latest[node as usize], link);
        self.links.push((parent, before));
    }

    /// The parents of a node, the latest first.
    pub(super) fn of(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut next = self.latest[node as usize];
        std::iter::from_fn(move || {
            let &(parent, before) = self.links.get(next as usize)?;
            next = before;
            Some(parent)
        })
    }

    /// About how many bytes they take.
    pub(super) fn bytes(&self) -> usize {
        size_of::<u32>() * self.latest.len() + size_of::<(NodeId, u32)>() * self.links.len()
    }
}
