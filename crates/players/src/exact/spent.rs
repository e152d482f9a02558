//! What solving has used of its limits.

use super::{SolveLimits, Unsolved};

/// Bytes and nodes used so far, and the limits on them.
#[derive(Debug)]
pub(super) struct Spent {
    bytes: usize,
    nodes: u64,
    limits: SolveLimits,
}

impl Spent {
    pub(super) fn new(limits: &SolveLimits) -> Spent {
        Spent {
            bytes: 0,
            nodes: 0,
            limits: *limits,
        }
    }

    /// Fails if so many bytes more exceed the limit.
    pub(super) fn fits(&self, bytes: usize) -> Result<(), Unsolved> {
        match self.bytes.saturating_add(bytes) >= self.limits.memory {
            true => Err(Unsolved::Memory(self.limits.memory >> 20)),
            false => Ok(()),
        }
    }

    /// Uses so many bytes.
    pub(super) fn take(&mut self, bytes: usize) {
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Gives bytes back.
    pub(super) fn give(&mut self, bytes: usize) {
        debug_assert!(bytes <= self.bytes);
        self.bytes -= bytes;
    }

    /// Counts nodes; fails if that exceeds the limit.
    pub(super) fn count(&mut self, nodes: u64) -> Result<(), Unsolved> {
        self.nodes = self.nodes.saturating_add(nodes);
        match self.nodes > self.limits.nodes {
            true => Err(Unsolved::Nodes(self.limits.nodes)),
            false => Ok(()),
        }
    }

    /// How many nodes may still be tried.
    pub(super) fn nodes_left(&self) -> u64 {
        self.limits.nodes.saturating_sub(self.nodes)
    }
}
