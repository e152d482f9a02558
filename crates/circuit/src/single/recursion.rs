//! Nodes that depend on each other, evaluated as a whole: counters would let two nodes support
//! only each other.
//!
//! Rules count their missing conditions. If ports only came to hold, derivation continues; if one
//! ceased to hold, it starts over.

use super::build;
use std::ops::Range;

/// Nodes that depend on each other, and the rules between them.
#[derive(Debug)]
pub(crate) struct Recursion {
    /// The slots of the ports: conditions outside the recursion.
    pub(crate) ports: Range<usize>,
    /// The slots of the nodes.
    pub(crate) nodes: Range<usize>,
    heads: Vec<u32>,
    /// For each rule how many conditions it has.
    needs: Vec<u32>,
    /// The rules that need each port, then those that need each node.
    users: Vec<Vec<u32>>,
}

impl Recursion {
    /// A recursion of rules, each with its port if it has a condition outside.
    pub(crate) fn new(
        rules: &[(build::Rule, Option<usize>)],
        ports: Range<usize>,
        nodes: Range<usize>,
    ) -> Recursion {
        let mut users = vec![Vec::new(); ports.len() + nodes.len()];
        for (number, (rule, port)) in rules.iter().enumerate() {
            let inside = rule.inside.iter().map(|node| ports.len() + node);
            for need in port.iter().copied().chain(inside) {
                users[need].push(number as u32);
            }
        }
        let needs = |(rule, port): &(build::Rule, Option<usize>)| {
            (rule.inside.len() + usize::from(port.is_some())) as u32
        };
        Recursion {
            heads: rules.iter().map(|(rule, _)| rule.head as u32).collect(),
            needs: rules.iter().map(needs).collect(),
            ports,
            nodes,
            users,
        }
    }
}

/// The nodes derived in the present state.
#[derive(Clone, Debug)]
pub(crate) struct Derivation {
    /// The ports that held when it was derived.
    ports: Vec<u64>,
    /// The nodes derived.
    pub(crate) nodes: Vec<u64>,
    missing: Vec<u32>,
    open: Vec<u32>,
}

impl Derivation {
    /// The derivation where no port holds.
    pub(crate) fn new(recursion: &Recursion) -> Derivation {
        Derivation {
            ports: vec![0; recursion.ports.len().div_ceil(64)],
            nodes: vec![0; recursion.nodes.len().div_ceil(64)],
            missing: recursion.needs.clone(),
            open: Vec::new(),
        }
    }

    /// Derives nodes from the ports that hold now; false if the ports did not change.
    pub(crate) fn update(&mut self, recursion: &Recursion, ports: &[u64]) -> bool {
        if self.ports == ports {
            return false;
        }
        if self
            .ports
            .iter()
            .zip(ports)
            .any(|(old, new)| old & !new != 0)
        {
            self.ports.fill(0);
            self.nodes.fill(0);
            self.missing.copy_from_slice(&recursion.needs);
        }
        for (place, &now) in ports.iter().enumerate() {
            let mut new = now & !std::mem::replace(&mut self.ports[place], now);
            while new != 0 {
                let port = place * 64 + new.trailing_zeros() as usize;
                new &= new - 1;
                self.supply(recursion, port);
            }
        }
        while let Some(node) = self.open.pop() {
            self.supply(recursion, recursion.ports.len() + node as usize);
        }
        true
    }

    /// Counts a port or node as given in the rules that need it.
    fn supply(&mut self, recursion: &Recursion, need: usize) {
        for &rule in &recursion.users[need] {
            let missing = &mut self.missing[rule as usize];
            *missing -= 1;
            if *missing > 0 {
                continue;
            }
            let head = recursion.heads[rule as usize];
            let (word, bit) = (&mut self.nodes[head as usize / 64], 1 << (head % 64));
            if *word & bit == 0 {
                *word |= bit;
                self.open.push(head);
            }
        }
    }
}
