//! Which wins are worth the gates that find them.

use super::Win;
use crate::net::{Net, Node, Wire};
use crate::steps::Turn;
use std::collections::HashSet;

/// Gates that may be spent.
pub(super) struct Purse {
    left: usize,
    /// Nodes that are there anyway.
    paid: Vec<bool>,
}

impl Purse {
    pub(super) fn new(turn: &Turn<'_>, gates: usize) -> Purse {
        let outputs = &turn.circuit.outputs;
        let wires = outputs.legal.iter().flatten().copied();
        let wires = wires.chain([turn.circuit.terminal()]);
        Purse {
            left: gates,
            paid: turn.net.cone(wires.map(|it| turn.copies.of(it))),
        }
    }

    /// Those of a role's wins that can be afforded, the cheapest first. The role chooses among so
    /// many moves.
    pub(super) fn buy(&mut self, net: &Net, wins: Vec<Win>, moves: usize) -> Vec<Win> {
        // A gate for each move that is not to be done where another one wins.
        let Some(left) = self.left.checked_sub(moves).filter(|_| !wins.is_empty()) else {
            return Vec::new();
        };
        self.paid.resize(net.len(), false);
        let mut wins: Vec<(usize, Win)> = (wins.into_iter())
            .map(|win| (self.unpaid(net, win.wire).len(), win))
            .collect();
        wins.sort_by_key(|(cost, _)| *cost);
        let before = std::mem::replace(&mut self.left, left);
        let mut bought = Vec::new();
        for (_, win) in wins {
            let unpaid = self.unpaid(net, win.wire);
            // It is joined with other wins, and with the legal moves.
            let cost = unpaid.len() + 2;
            if cost <= self.left {
                self.left -= cost;
                unpaid.into_iter().for_each(|node| self.paid[node] = true);
                bought.push(win);
            }
        }
        if bought.is_empty() {
            self.left = before;
        }
        bought
    }

    /// The gates that a wire needs beyond those that are there, as far as they can be afforded.
    fn unpaid(&self, net: &Net, wire: Wire) -> Vec<usize> {
        let mut seen = HashSet::new();
        let mut open = vec![wire.node()];
        while let Some(node) = open.pop() {
            if self.paid[node] || seen.len() > self.left {
                continue;
            }
            if let Node::And(a, b) | Node::Xor(a, b) = net.node(node)
                && seen.insert(node)
            {
                open.extend([a.node(), b.node()]);
            }
        }
        let mut unpaid: Vec<usize> = seen.into_iter().collect();
        unpaid.sort_unstable();
        unpaid
    }
}
