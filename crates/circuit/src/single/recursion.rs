//! Nodes that depend on each other: evaluated as a whole, as a counter cannot tell whether
//! two that support each other have any other support.
//!
//! Rules count what they still miss. If something outside came to hold and nothing ceased
//! to, derivation goes on from where it is; else it starts afresh.

use super::build;
use std::ops::Range;

/// Nodes that depend on each other, and the rules between them.
#[derive(Debug)]
pub(crate) struct Recursion {
    /// The slots of the ports through which rules see what is outside.
    pub(crate) ports: Range<usize>,
    /// The slots of the nodes.
    pub(crate) nodes: Range<usize>,
    heads: Vec<u32>,
    /// For each rule how much it needs.
    needs: Vec<u32>,
    /// The rules that need each port, then those that need each node.
    users: Vec<Vec<u32>>,
}

impl Recursion {
    /// A recursion whose rules need the given ports, where they need anything outside.
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

/// What is derived at present.
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
    /// Nothing is derived where nothing holds outside.
    pub(crate) fn new(recursion: &Recursion) -> Derivation {
        Derivation {
            ports: vec![0; recursion.ports.len().div_ceil(64)],
            nodes: vec![0; recursion.nodes.len().div_ceil(64)],
            missing: recursion.needs.clone(),
            open: Vec::new(),
        }
    }

    /// Derives what follows from the ports that hold now; false if they are as before.
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

    /// Tells the rules that need something that they have it.
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
