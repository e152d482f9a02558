//! The tree: states that were reached, and what came of each move.
//!
//! A state is there once, however it was reached. What is known of a move is kept with the
//! state it is made in, so that it does not matter how the state after it is reached.

use circuit::Single;
use std::collections::HashMap;

/// A node by its number.
pub(super) type NodeId = u32;
/// What each role gets, from 0 to 1.
pub(super) type Values = Box<[f32]>;

/// A state.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) state: Box<[u64]>,
    pub(super) visits: u32,
    /// For each role its moves; empty if the match is over.
    pub(super) arms: Box<[Arms]>,
    /// The states after joint moves, by their keys.
    pub(super) children: Vec<(u64, NodeId)>,
    /// What the roles get if all play best, if that is proven.
    pub(super) proven: Option<Values>,
}

/// The moves of a role in a state.
#[derive(Debug)]
pub(super) struct Arms {
    /// By number.
    pub(super) moves: Box<[u32]>,
    pub(super) visits: Box<[u32]>,
    /// The sum of what the role got.
    pub(super) sums: Box<[f32]>,
}

impl Arms {
    /// What a move has brought on the average.
    pub(super) fn mean(&self, arm: usize) -> f32 {
        self.sums[arm] / self.visits[arm].max(1) as f32
    }
}

impl Node {
    /// The number of a joint move, given by the number of each role's arm.
    pub(super) fn key(&self, arms: &[u16]) -> u64 {
        let digits = self.arms.iter().zip(arms);
        digits.fold(0, |key, (of_role, &arm)| {
            key.wrapping_mul(of_role.moves.len() as u64)
                .wrapping_add(u64::from(arm))
        })
    }

    pub(super) fn child(&self, key: u64) -> Option<NodeId> {
        let place = self.children.binary_search_by_key(&key, |child| child.0);
        place.ok().map(|place| self.children[place].1)
    }

    fn link(&mut self, key: u64, child: NodeId) {
        if let Err(place) = self.children.binary_search_by_key(&key, |child| child.0) {
            self.children.insert(place, (key, child));
        }
    }
}

/// Nodes by number and by state.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_state: HashMap<Box<[u64]>, NodeId, foldhash::fast::FixedState>,
    limit: usize,
}

impl Tree {
    /// A tree of at most so many nodes.
    pub(super) fn new(limit: usize) -> Tree {
        Tree {
            nodes: Vec::new(),
            by_state: HashMap::default(),
            limit,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() >= self.limit
    }

    pub(super) fn find(&self, state: &[u64]) -> Option<NodeId> {
        self.by_state.get(state).copied()
    }

    /// The node of the state that a simulator is in, and whether it is new.
    pub(super) fn enter(&mut self, single: &mut Single<'_>, roles: usize) -> (NodeId, bool) {
        if let Some(node) = self.find(single.state()) {
            return (node, false);
        }
        let state: Box<[u64]> = single.state().into();
        let node = self.nodes.len() as NodeId;
        self.nodes.push(new_node(single, roles, state.clone()));
        self.by_state.insert(state, node);
        (node, true)
    }

    pub(super) fn link(&mut self, parent: NodeId, key: u64, child: NodeId) {
        self.node_mut(parent).link(key, child);
    }

    /// Forgets what cannot be reached from a node, and returns its new number.
    pub(super) fn keep(&mut self, root: NodeId) -> NodeId {
        let mut numbers = vec![None; self.nodes.len()];
        let mut order = vec![root];
        numbers[root as usize] = Some(0);
        let mut next = 0;
        while next < order.len() {
            for &(_, child) in &self.nodes[order[next] as usize].children {
                if numbers[child as usize].is_none() {
                    numbers[child as usize] = Some(order.len() as NodeId);
                    order.push(child);
                }
            }
            next += 1;
        }
        let mut old: Vec<Option<Node>> = self.nodes.drain(..).map(Some).collect();
        self.by_state.clear();
        for &node in &order {
            let mut node = old[node as usize].take().expect("a node is kept once");
            for (_, child) in &mut node.children {
                *child = numbers[*child as usize].expect("children are reached");
            }
            self.by_state
                .insert(node.state.clone(), self.nodes.len() as NodeId);
            self.nodes.push(node);
        }
        0
    }
}

fn new_node(single: &mut Single<'_>, roles: usize, state: Box<[u64]>) -> Node {
    let over = single.terminal();
    let arms = |role: usize| {
        let moves: Box<[u32]> = single.legal(role).collect();
        Arms {
            visits: vec![0; moves.len()].into(),
            sums: vec![0.0; moves.len()].into(),
            moves,
        }
    };
    let arms: Box<[Arms]> = if over {
        Box::default()
    } else {
        (0..roles).map(arms).collect()
    };
    let value = |role: usize| single.goal(role).unwrap_or(0) as f32 / 100.0;
    // Rules may leave a role without a move: nobody can go on from there.
    let stuck = arms.iter().any(|arms| arms.moves.is_empty());
    let proven = (over || stuck).then(|| (0..roles).map(value).collect());
    Node {
        state,
        visits: 0,
        arms: if stuck { Box::default() } else { arms },
        children: Vec::new(),
        proven,
    }
}
