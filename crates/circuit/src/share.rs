//! The same function with fewer gates: what several ANDs have in common is computed once.
//!
//! Trees of ANDs whose inner gates nothing else needs are flattened to sets of wires. A set
//! that is part of a larger one is used for it. Then, again and again, the pair of wires that
//! most sets share becomes a gate, which takes its place in all of them.
//!
//! An OR is the negation of an AND of negations, so this is for ORs as well.

use crate::net::{Copies, Net, Node, Wire};
use logic::{Exceeded, Loading};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

type Table<K, V> = HashMap<K, V, foldhash::fast::FixedState>;

/// So many pairs are looked at; sets that would give more are left as they are.
const PAIRS: usize = 6_000_000;
/// Smaller sets are found as pairs.
const LARGE: usize = 5;

/// Rebuilds a net; returns it and what the wires became.
pub(crate) fn share(
    net: &Net,
    outputs: &[Wire],
    (inputs, loading): (usize, &Loading<'_>),
) -> Result<(Net, Vec<Wire>), Exceeded> {
    // Sets, their users and the pairs that are counted, beside the net.
    let bytes = 3 * net.bytes() + 48 * PAIRS.min(8 * net.len());
    loading.check(bytes)?;
    let mut sharing = Sharing::new(net, outputs);
    sharing.use_subsets((loading, bytes))?;
    sharing.extract_pairs((loading, bytes))?;
    let (rebuilt, outputs) = sharing.rebuild(net, outputs, inputs);
    // Gates that were simplified away while others were made are still there.
    let mut kept = Net::default();
    for input in 0..inputs {
        kept.input(input);
    }
    let mut copies = Copies::default();
    let needed = rebuilt.cone(outputs.iter().copied());
    kept.copy(&rebuilt, &needed, Net::input, &mut copies);
    let outputs = outputs.iter().map(|&wire| copies.of(wire)).collect();
    Ok((kept, outputs))
}

struct Sharing {
    /// The wires of each AND that is left; none for other nodes.
    sets: Vec<Vec<Wire>>,
    /// Which sets have a wire, or had.
    users: Table<Wire, Vec<u32>>,
}

impl Sharing {
    fn new(net: &Net, outputs: &[Wire]) -> Sharing {
        let roots = roots(net, outputs);
        let mut sets = vec![Vec::new(); net.len()];
        let needed = net.cone(outputs.iter().copied());
        for node in (0..net.len()).filter(|&node| needed[node] && roots[node]) {
            if let Node::And(a, b) = net.node(node) {
                sets[node] = flatten(net, &roots, a, b);
            }
        }
        let mut users: Table<Wire, Vec<u32>> = Table::default();
        for (number, set) in sets.iter().enumerate() {
            for &wire in set {
                users.entry(wire).or_default().push(number as u32);
            }
        }
        Sharing { sets, users }
    }

    /// Replaces sets inside larger sets by their gates, the largest first.
    fn use_subsets(&mut self, (loading, bytes): (&Loading<'_>, usize)) -> Result<(), Exceeded> {
        let mut order: Vec<usize> = (0..self.sets.len()).collect();
        order.retain(|&number| self.sets[number].len() > LARGE);
        order.sort_by_key(|&number| (Reverse(self.sets[number].len()), number));
        for number in order {
            loop {
                let wires = self.sets[number].iter();
                let users: usize = wires.map(|wire| self.users[wire].len()).sum();
                loading.spend(16 * users, || bytes)?;
                let Some(part) = self.largest_subset(number) else {
                    break;
                };
                let taken = self.sets[part].clone();
                let set = &mut self.sets[number];
                set.retain(|wire| taken.binary_search(wire).is_err());
                let gate = Wire::new(part);
                let place = set.binary_search(&gate).unwrap_or_else(|place| place);
                set.insert(place, gate);
                self.users.entry(gate).or_default().push(number as u32);
            }
        }
        Ok(())
    }

    fn largest_subset(&self, number: usize) -> Option<usize> {
        let mut common: Table<u32, usize> = Table::default();
        for wire in &self.sets[number] {
            for &user in &self.users[wire] {
                *common.entry(user).or_default() += 1;
            }
        }
        let size = self.sets[number].len();
        let parts = common.into_iter().filter(|&(user, count)| {
            let part = &self.sets[user as usize];
            (LARGE..size).contains(&count) && count == part.len()
        });
        let parts = parts.filter(|&(user, _)| {
            // Users may be out of date: what they list may have been replaced.
            let part = &self.sets[user as usize];
            part.iter()
                .all(|wire| self.sets[number].binary_search(wire).is_ok())
        });
        let largest = parts.max_by_key(|&(user, count)| (count, Reverse(user)));
        largest.map(|(user, _)| user as usize)
    }

    fn extract_pairs(&mut self, (loading, bytes): (&Loading<'_>, usize)) -> Result<(), Exceeded> {
        let mut pairs = Pairs::new(&self.sets);
        while let Some((a, b)) = pairs.most_common() {
            let gate = Wire::new(self.sets.len());
            let mut users = Vec::new();
            let (rare, other) = match self.users[&a].len() < self.users[&b].len() {
                true => (a, b),
                false => (b, a),
            };
            loading.spend(16 + 4 * self.users[&rare].len(), || bytes)?;
            for &user in &self.users[&rare] {
                let set = &mut self.sets[user as usize];
                if !pairs.covers(user as usize)
                    || set.binary_search(&rare).is_err()
                    || set.binary_search(&other).is_err()
                {
                    continue;
                }
                set.retain(|&wire| wire != a && wire != b);
                pairs.replace(set, a, b, gate);
                set.push(gate);
                users.push(user);
            }
            pairs.forget(a, b);
            self.users.insert(gate, users);
            self.sets.push(vec![a, b]);
        }
        Ok(())
    }

    fn rebuild(&self, net: &Net, outputs: &[Wire], inputs: usize) -> (Net, Vec<Wire>) {
        let mut rebuilt = Net::default();
        let mut copies: Vec<Option<Wire>> = vec![None; self.sets.len()];
        copies[0] = Some(Wire::FALSE);
        for input in 0..inputs {
            rebuilt.input(input);
        }
        let of = |copies: &[Option<Wire>], wire: Wire| {
            let copy = copies[wire.node()].expect("a node is copied after its inputs");
            copy.negated_if(wire.is_negated())
        };
        let mut open: Vec<(usize, bool)> = Vec::new();
        for output in outputs {
            open.push((output.node(), false));
            while let Some((node, ready)) = open.pop() {
                if copies[node].is_some() {
                    continue;
                }
                let kind = if node < net.len() {
                    net.node(node)
                } else {
                    Node::False
                };
                let copy = match kind {
                    Node::Input(number) => rebuilt.input(number as usize),
                    Node::Xor(a, b) if ready => rebuilt.xor(of(&copies, a), of(&copies, b)),
                    Node::Xor(a, b) => {
                        open.extend([(node, true), (b.node(), false), (a.node(), false)]);
                        continue;
                    }
                    _ if ready => {
                        let wires = self.sets[node].iter().map(|&wire| of(&copies, wire));
                        let wires = wires.collect();
                        rebuilt.all(wires)
                    }
                    _ => {
                        open.push((node, true));
                        open.extend(self.sets[node].iter().map(|wire| (wire.node(), false)));
                        continue;
                    }
                };
                copies[node] = Some(copy);
            }
        }
        let outputs = outputs.iter().map(|&wire| of(&copies, wire)).collect();
        (rebuilt, outputs)
    }
}

/// Nodes that stay: all but the ANDs that one other AND needs, and nothing else.
fn roots(net: &Net, outputs: &[Wire]) -> Vec<bool> {
    let mut users = vec![0u32; net.len()];
    let mut roots = vec![false; net.len()];
    for wire in outputs {
        roots[wire.node()] = true;
    }
    for node in 0..net.len() {
        if let Node::And(a, b) | Node::Xor(a, b) = net.node(node) {
            let is_xor = matches!(net.node(node), Node::Xor(..));
            for wire in [a, b] {
                users[wire.node()] += 1;
                roots[wire.node()] |= is_xor || wire.is_negated() || users[wire.node()] > 1;
            }
        }
    }
    roots
}

/// The wires of a tree of ANDs.
fn flatten(net: &Net, roots: &[bool], a: Wire, b: Wire) -> Vec<Wire> {
    let mut open = vec![a, b];
    let mut set = Vec::new();
    while let Some(wire) = open.pop() {
        match net.node(wire.node()) {
            Node::And(a, b) if !roots[wire.node()] => open.extend([a, b]),
            _ => set.push(wire),
        }
    }
    set.sort_unstable();
    set.dedup();
    set
}

/// How many sets share each pair of wires.
struct Pairs {
    counts: Table<(Wire, Wire), u32>,
    heap: BinaryHeap<(u32, Reverse<(Wire, Wire)>)>,
    /// Which sets are looked at.
    covered: Vec<bool>,
}

impl Pairs {
    fn new(sets: &[Vec<Wire>]) -> Pairs {
        let mut sizes: Vec<usize> = sets.iter().map(Vec::len).collect();
        sizes.sort_unstable();
        let mut budget = PAIRS;
        let affordable = sizes.into_iter().take_while(|size| {
            let pairs = size * size / 2;
            budget = budget.saturating_sub(pairs);
            budget > 0
        });
        let largest = affordable.last().unwrap_or(0);
        let covered: Vec<bool> = sets.iter().map(|set| set.len() <= largest).collect();
        let mut counts: Table<(Wire, Wire), u32> = Table::default();
        for (set, _) in sets.iter().zip(&covered).filter(|(_, covered)| **covered) {
            for (place, &a) in set.iter().enumerate() {
                for &b in &set[place + 1..] {
                    *counts.entry((a, b)).or_default() += 1;
                }
            }
        }
        let shared = counts.iter().filter(|(_, count)| **count > 1);
        let heap = shared
            .map(|(&pair, &count)| (count, Reverse(pair)))
            .collect();
        Pairs {
            counts,
            heap,
            covered,
        }
    }

    /// Whether the pairs of a set are counted.
    fn covers(&self, set: usize) -> bool {
        self.covered.get(set).is_some_and(|&covered| covered)
    }

    fn most_common(&mut self) -> Option<(Wire, Wire)> {
        while let Some((count, Reverse(pair))) = self.heap.pop() {
            match self.counts.get(&pair) {
                Some(&now) if now == count => return Some(pair),
                Some(&now) if now > 1 && now < count => self.heap.push((now, Reverse(pair))),
                _ => {}
            }
        }
        None
    }

    /// In a set that has the given wires besides, a gate took the place of two wires.
    fn replace(&mut self, set: &[Wire], a: Wire, b: Wire, gate: Wire) {
        for &other in set {
            for old in [a, b] {
                if let Some(count) = self.counts.get_mut(&(old.min(other), old.max(other))) {
                    *count -= 1;
                }
            }
            let count = self.counts.entry((other, gate)).or_default();
            *count += 1;
            if *count > 1 {
                self.heap.push((*count, Reverse((other, gate))));
            }
        }
    }

    fn forget(&mut self, a: Wire, b: Wire) {
        self.counts.remove(&(a, b));
    }
}
