//! Gates of two inputs, each once.
//!
//! Invariants: a gate's inputs have smaller numbers than the gate; no two nodes are the same;
//! no gate has a constant input or the same node twice; an exclusive-or has no negated input.

use std::collections::HashMap;

/// The output of a node, or its negation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire(u32);

impl Wire {
    /// Never holds.
    pub const FALSE: Wire = Wire(0);
    /// Always holds.
    pub const TRUE: Wire = Wire(1);

    pub(crate) fn new(node: usize) -> Wire {
        Wire((node as u32) << 1)
    }

    pub(crate) fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub(crate) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Wire {
        Wire(self.0 ^ 1)
    }

    /// The wire, or its opposite.
    #[must_use]
    pub(crate) fn negated_if(self, negate: bool) -> Wire {
        Wire(self.0 ^ u32::from(negate))
    }
}

/// What a node is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    False,
    Input(u32),
    And(Wire, Wire),
    Xor(Wire, Wire),
}

/// Nodes in an order in which they can be evaluated. Node 0 is false.
#[derive(Debug)]
pub(crate) struct Net {
    nodes: Vec<Node>,
    known: HashMap<Node, u32, foldhash::fast::FixedState>,
}

impl Default for Net {
    fn default() -> Net {
        Net {
            nodes: vec![Node::False],
            known: HashMap::default(),
        }
    }
}

impl Net {
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// How many bytes it takes while it is made, about.
    pub(crate) fn bytes(&self) -> usize {
        const NODE: usize = 48;
        NODE * self.nodes.len()
    }

    pub(crate) fn node(&self, node: usize) -> Node {
        self.nodes[node]
    }

    pub(crate) fn input(&mut self, number: usize) -> Wire {
        self.add(Node::Input(number as u32))
    }

    pub(crate) fn or(&mut self, left: Wire, right: Wire) -> Wire {
        self.and(left.negated(), right.negated()).negated()
    }

    pub(crate) fn and(&mut self, left: Wire, right: Wire) -> Wire {
        let (left, right) = (left.min(right), left.max(right));
        if left == Wire::FALSE || left.negated() == right {
            return Wire::FALSE;
        }
        if left == Wire::TRUE || left == right {
            return right;
        }
        if let Some(known) = self
            .absorbed(left, right)
            .or_else(|| self.absorbed(right, left))
        {
            return known;
        }
        match self.merged(left, right) {
            Some(known) => known,
            None => self.add(Node::And(left, right)),
        }
    }

    /// What `left & right` is if `right` is a gate that has `left` as an input: a∧(a∧b) = a∧b,
    /// a∧(¬a∧b) = 0, a∧¬(a∧b) = a∧¬b, a∧¬(¬a∧b) = a.
    fn absorbed(&mut self, left: Wire, right: Wire) -> Option<Wire> {
        let Node::And(a, b) = self.nodes[right.node()] else {
            return None;
        };
        let other = match left.node() {
            node if node == a.node() => (a, b),
            node if node == b.node() => (b, a),
            _ => return None,
        };
        let same = other.0 == left;
        Some(match (right.is_negated(), same) {
            (false, true) => right,
            (false, false) => Wire::FALSE,
            (true, true) => self.and(left, other.1.negated()),
            (true, false) => left,
        })
    }

    /// ¬(m∧x) ∧ ¬(m∧¬x) = ¬m, as when all ways to divide the lanes of m are joined again.
    fn merged(&self, left: Wire, right: Wire) -> Option<Wire> {
        if !left.is_negated() || !right.is_negated() {
            return None;
        }
        let (Node::And(a, b), Node::And(c, d)) =
            (self.nodes[left.node()], self.nodes[right.node()])
        else {
            return None;
        };
        let pairs = [(a, b, c, d), (a, b, d, c), (b, a, c, d), (b, a, d, c)];
        let merged = pairs
            .iter()
            .find(|(m, x, n, y)| m == n && x.negated() == *y);
        merged.map(|(m, ..)| m.negated())
    }

    pub(crate) fn xor(&mut self, left: Wire, right: Wire) -> Wire {
        let (left, right) = (left.min(right), left.max(right));
        if left.node() == right.node() {
            return Wire::FALSE.negated_if(left != right);
        }
        if left.node() == 0 {
            return right.negated_if(left == Wire::TRUE);
        }
        let negate = left.is_negated() != right.is_negated();
        let gate = Node::Xor(Wire::new(left.node()), Wire::new(right.node()));
        self.add(gate).negated_if(negate)
    }

    fn add(&mut self, node: Node) -> Wire {
        let next = self.nodes.len();
        let number = *self.known.entry(node).or_insert(next as u32) as usize;
        if number == next {
            self.nodes.push(node);
        }
        Wire::new(number)
    }

    /// The AND of some wires, as a tree of little depth.
    pub(crate) fn all(&mut self, mut wires: Vec<Wire>) -> Wire {
        wires.sort_unstable();
        wires.dedup();
        while wires.len() > 1 {
            let pairs = wires.chunks(2).map(|pair| match *pair {
                [left, right] => self.and(left, right),
                _ => pair[0],
            });
            wires = pairs.collect();
        }
        wires.pop().unwrap_or(Wire::TRUE)
    }

    /// The OR of some wires.
    pub(crate) fn any(&mut self, wires: Vec<Wire>) -> Wire {
        let negated = wires.into_iter().map(Wire::negated).collect();
        self.all(negated).negated()
    }

    /// Which nodes some wires need.
    pub(crate) fn cone(&self, wires: impl IntoIterator<Item = Wire>) -> Vec<bool> {
        let mut needed = vec![false; self.nodes.len()];
        for wire in wires {
            needed[wire.node()] = true;
        }
        for number in (0..self.nodes.len()).rev() {
            if needed[number]
                && let Node::And(a, b) | Node::Xor(a, b) = self.nodes[number]
            {
                needed[a.node()] = true;
                needed[b.node()] = true;
            }
        }
        needed
    }

    /// Copies the nodes in `needed` of another net that have no copy yet, with other wires for
    /// its inputs.
    pub(crate) fn copy(
        &mut self,
        from: &Net,
        needed: &[bool],
        mut input: impl FnMut(&mut Net, usize) -> Wire,
        copies: &mut Copies,
    ) {
        copies.0.resize(from.len(), None);
        copies.0[0] = Some(Wire::FALSE);
        for (number, node) in from.nodes.iter().enumerate() {
            if !needed[number] || copies.0[number].is_some() {
                continue;
            }
            let wire = match *node {
                Node::False => Wire::FALSE,
                Node::Input(number) => input(self, number as usize),
                Node::And(a, b) => self.and(copies.of(a), copies.of(b)),
                Node::Xor(a, b) => self.xor(copies.of(a), copies.of(b)),
            };
            copies.0[number] = Some(wire);
        }
    }

    /// Gives back what is only needed to add gates.
    pub(crate) fn finish(&mut self) {
        self.known = HashMap::default();
        self.nodes.shrink_to_fit();
    }
}

/// What the nodes of one net are in another.
#[derive(Default)]
pub(crate) struct Copies(Vec<Option<Wire>>);

impl Copies {
    pub(crate) fn of(&self, wire: Wire) -> Wire {
        let copy = self.0[wire.node()].expect("a node is copied after its inputs");
        copy.negated_if(wire.is_negated())
    }
}
