//! A part of a net copied into another net, and again with a few inputs changed: only what
//! follows from them is copied anew.

use crate::net::{Net, Node, Wire};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Nodes whose value is known wherever their copy is the given wire.
pub(super) type Settled = HashMap<usize, (Wire, Wire), foldhash::fast::FixedState>;

/// Copies of the nodes that some wires need.
pub(super) struct Recopy<'n> {
    from: &'n Net,
    settled: &'n Settled,
    /// For each node needed, the gates needed that read it: `users[first[n]..first[n + 1]]`.
    users: Vec<u32>,
    first: Vec<u32>,
    /// The node of each input needed.
    inputs: HashMap<usize, usize, foldhash::fast::FixedState>,
    /// The copy of each node before any change.
    base: Vec<Wire>,
    /// The copies at present, and the nodes where they differ from the base.
    present: Vec<Wire>,
    changed: Vec<usize>,
}

impl<'n> Recopy<'n> {
    /// Copies what some wires need, given copies of the inputs.
    pub(super) fn new(
        net: &mut Net,
        (from, wires): (&'n Net, &[Wire]),
        settled: &'n Settled,
        mut input: impl FnMut(&mut Net, usize) -> Wire,
    ) -> Recopy<'n> {
        let needed = from.cone(wires.iter().copied());
        let (first, users) = users(from, &needed);
        let mut recopy = Recopy {
            from,
            settled,
            users,
            first,
            inputs: HashMap::default(),
            base: Vec::new(),
            present: vec![Wire::FALSE; from.len()],
            changed: Vec::new(),
        };
        for node in (0..from.len()).filter(|&node| needed[node]) {
            recopy.present[node] = match from.node(node) {
                Node::Input(number) => {
                    recopy.inputs.insert(number as usize, node);
                    let copy = input(net, number as usize);
                    recopy.settle(node, copy)
                }
                _ => recopy.gate(net, node),
            };
        }
        recopy.base.clone_from(&recopy.present);
        recopy
    }

    /// The copy of a wire at present.
    pub(super) fn of(&self, wire: Wire) -> Wire {
        self.present[wire.node()].negated_if(wire.is_negated())
    }

    /// Nodes whose copy differs from the base.
    pub(super) fn changed(&self) -> &[usize] {
        &self.changed
    }

    /// Goes back to the base, then changes some inputs and what follows from them. Returns how
    /// many nodes were copied.
    pub(super) fn change(
        &mut self,
        net: &mut Net,
        inputs: impl Iterator<Item = (usize, Wire)>,
    ) -> usize {
        for node in self.changed.drain(..) {
            self.present[node] = self.base[node];
        }
        let mut open = BinaryHeap::new();
        for (number, wire) in inputs {
            if let Some(&node) = self.inputs.get(&number) {
                self.put(node, self.settle(node, wire), &mut open);
            }
        }
        let mut copied = 0;
        let mut last = 0;
        while let Some(Reverse(node)) = open.pop() {
            if node == last {
                continue;
            }
            last = node;
            copied += 1;
            let wire = self.gate(net, node);
            self.put(node, wire, &mut open);
        }
        copied
    }

    /// Notes the copy of a node; gates that read it are to be copied if it has changed.
    fn put(&mut self, node: usize, wire: Wire, open: &mut BinaryHeap<Reverse<usize>>) {
        if self.base[node] == wire {
            return;
        }
        self.present[node] = wire;
        self.changed.push(node);
        let users = self.first[node] as usize..self.first[node + 1] as usize;
        open.extend(self.users[users].iter().map(|&it| Reverse(it as usize)));
    }

    /// The copy of a gate, given those of its inputs.
    fn gate(&self, net: &mut Net, node: usize) -> Wire {
        let wire = match self.from.node(node) {
            Node::And(a, b) => net.and(self.of(a), self.of(b)),
            Node::Xor(a, b) => net.xor(self.of(a), self.of(b)),
            Node::False | Node::Input(_) => Wire::FALSE,
        };
        self.settle(node, wire)
    }

    /// The copy of a node, or what is known of it.
    fn settle(&self, node: usize, wire: Wire) -> Wire {
        match self.settled.get(&node) {
            Some(&(known, value)) if known == wire => value,
            _ => wire,
        }
    }
}

/// For each node the gates needed that read it, as ranges of one list.
fn users(net: &Net, needed: &[bool]) -> (Vec<u32>, Vec<u32>) {
    let mut first = vec![0u32; net.len() + 1];
    let read = |node: usize| match net.node(node) {
        Node::And(a, b) | Node::Xor(a, b) if needed[node] => [Some(a.node()), Some(b.node())],
        _ => [None, None],
    };
    for input in (0..net.len()).flat_map(read).flatten() {
        first[input + 1] += 1;
    }
    for node in 0..net.len() {
        first[node + 1] += first[node];
    }
    let mut users = vec![0; first[net.len()] as usize];
    let mut next = first.clone();
    for node in 0..net.len() {
        for input in read(node).into_iter().flatten() {
            users[next[input] as usize] = node as u32;
            next[input] += 1;
        }
    }
    (first, users)
}
