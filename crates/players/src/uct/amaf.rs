//! All moves as first: for nodes that were visited more than once, what the playouts below them
//! brought in which a role made a move at any time.
//!
//! A table has all moves of the game, not only those that are legal at its node, since GRAVE asks
//! it about later states. Lanes count in which playouts a move was made; a batch fills the tables
//! of all nodes above it. What the moves on the way itself brought counts, too.

use crate::kit::Estimate;
use crate::kit::path::Path;
use crate::kit::policy::Quality;
use crate::tree::{NodeId, Stats, Tree};
use game::{MoveId, MoveTable, MoveTally, RoleId};
use hashbrown::HashMap;

/// What is known below one node.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    moves: MoveTable<Quality>,
    playouts: f32,
}

impl Table {
    /// Playouts in which a role made a move, and what they brought it on the average; none if
    /// there was none.
    pub(super) fn amaf(&self, action: (RoleId, MoveId)) -> Option<(f32, f32)> {
        let quality = self.moves[action];
        (quality.playouts > 0.0).then(|| (quality.playouts, quality.sum / quality.playouts))
    }
}

/// The tables of nodes.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    by_node: HashMap<NodeId, Table>,
    /// The tree for which they were made: its nodes may get other numbers.
    generation: u64,
    /// Bytes that all tables may take.
    memory: usize,
    bytes: usize,
    /// Playouts and visits in all.
    playouts: f32,
    visits: f32,
}

impl Tables {
    /// No tables; they may take so many bytes.
    pub(super) fn new(memory: usize) -> Tables {
        Tables {
            memory,
            ..Tables::default()
        }
    }

    /// Forgets all if the nodes of a tree have other numbers than before.
    pub(super) fn turn_to<S: Stats>(&mut self, tree: &Tree<S>) {
        if self.generation != tree.generation() {
            self.by_node.clear();
            self.bytes = 0;
            self.generation = tree.generation();
        }
    }

    /// The table of a node, if it has one.
    pub(super) fn of(&self, node: NodeId) -> Option<&Table> {
        self.by_node.get(&node)
    }

    /// The table of the last node on a way that has so many playouts.
    pub(super) fn reference(&self, path: &Path, playouts: f32) -> Option<&Table> {
        let tables = path.nodes().iter().rev().filter_map(|&it| self.of(it));
        let mut enough = tables.filter(|it| it.playouts >= playouts);
        enough.next()
    }

    /// How many playouts a visit has on the average.
    pub(super) fn playouts_a_visit(&self) -> f32 {
        match self.visits > 0.0 {
            true => self.playouts / self.visits,
            false => 1.0,
        }
    }

    /// Notes what playouts at the end of a way brought, in the tables of all nodes on it.
    pub(super) fn note<S: Stats>(&mut self, tree: &Tree<S>, path: &Path, estimate: &mut Estimate) {
        let Some(moves) = &mut estimate.moves else {
            return;
        };
        self.playouts += estimate.weight;
        self.visits += 1.0;
        for (node, arms) in path.upward() {
            for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
                let action = tree.arms(node, role)[arm as usize].action;
                // All playouts from here made this move.
                moves[(role, action)] = MoveTally {
                    playouts: estimate.weight as u64,
                    goals: (100.0 * estimate.weight * estimate.values[role.index()]) as u64,
                };
            }
            if tree.visits(node) > 1 {
                self.add(node, moves, estimate.weight);
            }
        }
    }

    fn add(&mut self, node: NodeId, moves: &MoveTable<MoveTally>, playouts: f32) {
        let size = moves.values().len() * size_of::<Quality>();
        if !self.by_node.contains_key(&node) {
            if self.bytes + size > self.memory {
                return;
            }
            self.bytes += size;
        }
        let table = self.by_node.entry(node).or_insert_with(|| {
            let sizes = RoleId::all(moves.roles()).map(|role| moves.of_role(role).len());
            Table {
                moves: MoveTable::new(sizes, Quality::default()),
                playouts: 0.0,
            }
        });
        table.playouts += playouts;
        let qualities = table.moves.values_mut().iter_mut();
        for (quality, tally) in qualities.zip(moves.values()) {
            quality.playouts += tally.playouts as f32;
            quality.sum += tally.goals as f32 / 100.0;
        }
    }
}
