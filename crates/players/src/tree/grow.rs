//! Nodes are made.

use super::{Arm, Fresh, Key, Node, NodeId, Stats, Tree, Who};
use foldhash::fast::FixedState;
use game::{Bits, BitsBuf};
use std::hash::BuildHasher;

/// When there are this many states, room is made for many more at once.
const FEW: usize = 1 << 15;
/// For how many, at the most.
const ROOM: usize = 4 << 20;

impl<S: Stats, K: Key> Tree<S, K> {
    /// The node of a state, if there is one.
    pub(crate) fn find(&self, state: &Bits) -> Option<NodeId> {
        let mut buffer = BitsBuf::default();
        self.find_key(self.key.of(state, &mut buffer))
    }

    fn find_key(&self, key: &Bits) -> Option<NodeId> {
        let hash = FixedState::default().hash_one(key.words());
        let same = |&node: &NodeId| self.state(node) == key;
        self.by_key.find(hash, same).copied()
    }

    /// The node of a state, which is made if there is none.
    pub(crate) fn enter(&mut self, fresh: &Fresh) -> NodeId {
        let mut buffer = BitsBuf::default();
        let key = self.key.of(&fresh.state, &mut buffer);
        if let Some(node) = self.find_key(key) {
            return node;
        }
        let place = self.arms.len() as u32;
        self.places.push(place);
        (self.places).extend(fresh.ends.iter().map(|end| place + end));
        (self.arms).extend(fresh.moves.iter().map(|&action| Arm::new(action)));
        if fresh.over {
            self.low.extend_from_slice(&fresh.values);
            self.high.extend_from_slice(&fresh.values);
        } else {
            self.low.extend(std::iter::repeat_n(0.0, self.roles));
            self.high.extend_from_slice(&self.shape.most);
        }
        let who = fresh.who(self.shape.chance);
        self.add(key, Node::new(who))
    }

    /// The node of a state, which is made, without its moves, if there is none.
    pub(crate) fn enter_open(&mut self, state: &Bits) -> NodeId {
        let mut buffer = BitsBuf::default();
        let key = self.key.of(state, &mut buffer);
        if let Some(node) = self.find_key(key) {
            return node;
        }
        let place = self.arms.len() as u32;
        (self.places).extend(std::iter::repeat_n(place, self.roles + 1));
        self.low.extend(std::iter::repeat_n(0.0, self.roles));
        self.high.extend_from_slice(&self.shape.most);
        self.add(key, Node::new(Who::Open))
    }

    /// Adds the moves of an open node.
    pub(crate) fn open(&mut self, node: NodeId, fresh: &Fresh) {
        debug_assert_eq!(self.who(node), Who::Open);
        let place = self.arms.len() as u32;
        let places = std::iter::once(place).chain(fresh.ends.iter().map(|end| place + end));
        let first = node as usize * (self.roles + 1);
        for (place, value) in self.places[first..].iter_mut().zip(places) {
            *place = value;
        }
        (self.arms).extend(fresh.moves.iter().map(|&action| Arm::new(action)));
        if fresh.over {
            self.settle(node, &fresh.values);
        }
        self.nodes[node as usize].who = fresh.who(self.shape.chance);
    }

    /// Settles a node in which the match is over: what the roles get.
    pub(crate) fn settle(&mut self, node: NodeId, values: &[f32]) {
        self.nodes[node as usize].who = Who::Over;
        let first = node as usize * self.roles;
        self.low[first..][..self.roles].copy_from_slice(values);
        self.high[first..][..self.roles].copy_from_slice(values);
    }

    pub(super) fn add(&mut self, key: &Bits, node: Node) -> NodeId {
        let number = self.nodes.len() as NodeId;
        self.nodes.push(node);
        self.keys.extend_from_slice(key.words());
        if self.shape.words.is_none() {
            self.key_ends.push(self.keys.len());
        }
        (self.numbers).extend(std::iter::repeat_n(0.0, self.numbers_per_node));
        if let Some(parents) = &mut self.parents {
            parents.grow(self.nodes.len());
        }
        let hasher = FixedState::default();
        if number as usize == FEW {
            self.make_room();
        }
        let mut by_key = std::mem::take(&mut self.by_key);
        let hash = |node: &NodeId| hasher.hash_one(self.state(*node).words());
        by_key.insert_unique(hasher.hash_one(key.words()), number, hash);
        self.by_key = by_key;
        number
    }

    /// Makes the table of keys as large as it may become, or nearly: growing it takes long once it
    /// is large, and a turn may end meanwhile.
    fn make_room(&mut self) {
        let each = self.node_bytes() + 8 * self.shape.words.unwrap_or(0);
        let all = (self.shape.memory / each).min(ROOM);
        let hasher = FixedState::default();
        let mut by_key = std::mem::take(&mut self.by_key);
        by_key.reserve(all.saturating_sub(FEW), |node| {
            hasher.hash_one(self.state(*node).words())
        });
        self.by_key = by_key;
    }
}

impl Node {
    fn new(who: Who) -> Node {
        Node {
            visits: 0,
            who,
            turns: 0,
        }
    }
}
