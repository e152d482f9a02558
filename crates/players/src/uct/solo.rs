//! Games of one player: a line that brings all there is to get need not be looked for again.

use super::search::{Search, TURNS, prove};
use super::tree::NodeId;

impl Search<'_> {
    /// Plays once at random from a state. If that brings the player everything, the states on
    /// the way are put into the tree, and proven.
    pub(super) fn try_line(&mut self, state: &[u64], role: usize) {
        self.single.load(state);
        let Some(line) = self.random_line() else {
            return;
        };
        if self.single.goal(role) == Some(100) {
            self.remember(state, &line);
        }
    }

    /// The joint moves of a random match; none if it has no end.
    fn random_line(&mut self) -> Option<Vec<Vec<u32>>> {
        let mut line = Vec::new();
        while !self.single.terminal() {
            if line.len() as u64 == TURNS {
                return None;
            }
            let roles = 0..self.roles;
            let joint = roles.map(|role| self.single.any_legal(role, &mut self.random));
            let joint: Vec<u32> = joint.collect::<Option<_>>()?;
            self.single.play(&joint);
            line.push(joint);
        }
        Some(line)
    }

    fn remember(&mut self, state: &[u64], line: &[Vec<u32>]) {
        self.single.load(state);
        let (mut node, _) = self.tree.enter(&mut self.single, self.roles);
        let mut way: Vec<NodeId> = Vec::new();
        for joint in line {
            let arms = self.tree.node(node).arms.iter().zip(joint);
            let arms = arms.map(|(arms, number)| arms.moves.iter().position(|it| it == number));
            let arms = arms.map(|arm| arm.map(|arm| arm as u16));
            let Some(arms) = arms.collect::<Option<Vec<u16>>>() else {
                return;
            };
            let key = self.tree.node(node).key(&arms);
            self.single.play(joint);
            let (child, _) = self.tree.enter(&mut self.single, self.roles);
            self.tree.link(node, key, child);
            way.push(node);
            node = child;
        }
        for &node in way.iter().rev() {
            if self.tree.node(node).proven.is_none() {
                let proven = prove(self.tree, node, None);
                self.tree.node_mut(node).proven = proven;
            }
        }
    }
}
