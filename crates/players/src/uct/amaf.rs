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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kit::Values;
    use crate::tree::{Fresh, NoStats, Shape};
    use game::{Game, Limits};

    const ROLE: RoleId = RoleId::new(0);

    /// One role counts to three, by one of three moves at a time.
    fn game() -> Game {
        let rules = "(role r) (init (at 0)) (next-of 0 1) (next-of 1 2) (next-of 2 3)
            (legal r x) (legal r y) (legal r z)
            (<= (next (at ?m)) (true (at ?n)) (next-of ?n ?m)) (<= terminal (true (at 3)))
            (<= (next (last ?m)) (does r ?m)) (<= (goal r 100) (true (last x))) (goal r 0)";
        Game::load(rules, &Limits::default()).expect("rules are right")
    }

    /// Two turns in the tree, then playouts: every playout counts once for each move that it made
    /// from a node on, in the tree or later.
    #[test]
    fn a_batch_fills_the_tables_of_all_nodes_above_it() {
        let game = game();
        let mut tree: Tree<NoStats> = Tree::new(Shape::new(&game, 1 << 20));
        let (mut walk, mut fresh, mut path) = (game.walk(), Fresh::default(), Path::default());
        path.clear(1);
        let mut nodes = Vec::new();
        for arm in [1, 2] {
            fresh.take(&mut walk, 1);
            let node = tree.enter(&fresh);
            (0..2).for_each(|_| tree.visit(node));
            nodes.push(node);
            path.push_node(node);
            path.push_arm(arm);
            walk.play(&[fresh.moves(ROLE)[arm as usize]]);
        }
        let mut moves = MoveTable::new([3], MoveTally::default());
        // Ten playouts: four made the first move and won, six the second, two of which won.
        for (number, playouts, goals) in [(0, 4, 400), (1, 6, 200)] {
            moves[(ROLE, MoveId::new(number))] = MoveTally { playouts, goals };
        }
        let mut estimate = Estimate {
            values: Values::from_elem(0.6, 1),
            weight: 10.0,
            moves: Some(moves),
            ..Estimate::default()
        };
        let mut tables = Tables::new(1 << 20);
        tables.note(&tree, &path, &mut estimate);
        let told = |node: NodeId, number| {
            let table = tables.of(node).expect("it was visited twice");
            let found = table.amaf((ROLE, MoveId::new(number)));
            found.map(|(playouts, mean)| (playouts, (mean * 100.0).round()))
        };
        let (first, second) = (nodes[0], nodes[1]);
        assert_eq!(told(second, 0), Some((4.0, 100.0)));
        assert_eq!(told(second, 1), Some((6.0, 33.0)), "made later only");
        assert_eq!(
            told(second, 2),
            Some((10.0, 60.0)),
            "made in the tree by all"
        );
        assert_eq!(told(first, 0), Some((4.0, 100.0)));
        assert_eq!(
            told(first, 1),
            Some((10.0, 60.0)),
            "once, though made again later"
        );
        assert_eq!(told(first, 2), Some((10.0, 60.0)));
        assert_eq!(tables.playouts_a_visit(), 10.0);
        let reference = |playouts| tables.reference(&path, playouts).is_some();
        assert!(reference(10.0) && !reference(11.0));
    }

    #[test]
    fn tables_are_bounded_and_go_with_their_nodes() {
        let mut tables = Tables::new(0);
        let moves = MoveTable::new([3], MoveTally::default());
        tables.add(0, &moves, 1.0);
        assert!(tables.of(0).is_none(), "there is no room");
        tables.memory = 1 << 10;
        tables.add(0, &moves, 1.0);
        assert!(tables.of(0).is_some());
        tables.generation = 7;
        tables.turn_to(&Tree::<NoStats>::new(Shape::new(&game(), 1 << 20)));
        assert!(tables.of(0).is_none() && tables.bytes == 0);
    }
}
