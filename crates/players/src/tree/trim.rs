//! What cannot be reached any more is forgotten.

use super::{Arm, CLOSED, Fresh, Key, NO_CHILD, NodeId, Stats, Tree};
use crate::kit::Clock;
use game::{Bits, Game};

impl<S: Stats + 'static, K: Key + 'static> Tree<S, K> {
    /// The node of a state to search from, in a tree that has room for more. What cannot be
    /// reached from it goes, if there is time to look for that; else everything. None if there is
    /// no time to find out about the state.
    pub(crate) fn root(&mut self, state: &Bits, (game, clock): (&Game, &Clock)) -> Option<NodeId> {
        let known = self.find(state);
        if let Some(root) = known.filter(|&root| self.proven(root).is_some()) {
            return Some(root);
        }
        if self.bytes() > self.shape.memory / 4 * 3 {
            match known.filter(|_| clock.has_time_for(self.bytes())) {
                Some(root) => self.keep(root),
                None => {
                    let mut empty = Tree::with_key(self.shape.clone(), self.key.clone());
                    empty.generation = self.generation + 1;
                    let old = std::mem::replace(self, empty);
                    // That takes its time, too.
                    std::thread::spawn(move || drop(old));
                }
            }
        }
        self.find(state).or_else(|| {
            let mut walk = clock.walk(game);
            walk.load(state);
            let mut fresh = Fresh::default();
            fresh.take(&mut walk, self.roles);
            (!fresh.unknown).then(|| self.enter(&fresh))
        })
    }
}

impl<S: Stats, K: Key> Tree<S, K> {
    /// Forgets what cannot be reached from a node.
    pub(super) fn keep(&mut self, root: NodeId) {
        let (numbers, order) = self.reached(root);
        let renumbered = |child: NodeId| numbers[child as usize];
        let mut kept: Tree<S, K> = Tree::with_key(self.shape.clone(), self.key.clone());
        for &node in &order {
            let first = self.place(node, 0).start as u32;
            let shift = kept.arms.len() as u32;
            for role in 0..=self.roles {
                let place = self.places[node as usize * (self.roles + 1) + role];
                kept.places.push(place - first + shift);
            }
            let arms = self.place(node, 0).start..self.place(node, self.roles - 1).end;
            kept.arms.extend(self.arms[arms].iter().map(|arm| Arm {
                child: arm.child & CLOSED | arm.child().map_or(NO_CHILD, renumbered),
                ..arm.clone()
            }));
            let (low, high) = self.bounds(node);
            kept.low.extend_from_slice(low);
            kept.high.extend_from_slice(high);
            let number = kept.add(self.state(node), self.nodes[node as usize].clone());
            kept.numbers_mut(number).copy_from_slice(self.numbers(node));
            if let Some(children) = self.joint.get(&node) {
                let children = children.iter().map(|&(key, it)| (key, renumbered(it)));
                kept.joint.insert(number, children.collect());
                kept.joints += kept.joint[&number].len();
            }
        }
        kept.link_parents();
        kept.generation = self.generation + 1;
        *self = kept;
    }

    /// Finds the parents of all nodes.
    fn link_parents(&mut self) {
        let Some(mut parents) = self.parents.take() else {
            return;
        };
        for node in 0..self.nodes.len() as NodeId {
            for child in self.children(node) {
                parents.add(child, node);
            }
        }
        self.parents = Some(parents);
    }

    /// The states after the moves of a node, as far as they are known.
    fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let places = self.place(node, 0).start..self.place(node, self.roles - 1).end;
        let arms = self.arms[places].iter().filter_map(Arm::child);
        let joint = self.joint.get(&node).into_iter().flatten();
        arms.chain(joint.map(|child| child.1))
    }

    /// The nodes that can be reached from one, and the place of each among them.
    fn reached(&self, root: NodeId) -> (Vec<NodeId>, Vec<NodeId>) {
        let mut numbers = vec![NO_CHILD; self.nodes.len()];
        let mut order = vec![root];
        numbers[root as usize] = 0;
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            for child in self.children(node) {
                if numbers[child as usize] == NO_CHILD {
                    numbers[child as usize] = order.len() as NodeId;
                    order.push(child);
                }
            }
            next += 1;
        }
        (numbers, order)
    }
}
