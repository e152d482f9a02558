//! What one kernel computes: gates in the order they are evaluated.
//!
//! Invariants: node 0 is false, inputs follow, then gates; a gate comes after its inputs and
//! is needed by an output. Gates stand near those that need them, so that few values wait.

use crate::net::{Net, Node, Wire};

/// An AND or an exclusive-or of two wires.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) xor: bool,
    pub(crate) a: Wire,
    pub(crate) b: Wire,
}

#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) inputs: usize,
    pub(crate) gates: Vec<Gate>,
    pub(crate) outputs: Vec<Wire>,
}

impl Plan {
    /// The plan to compute some wires of a net that has so many inputs.
    pub(crate) fn new(net: &Net, inputs: usize, outputs: &[Wire]) -> Plan {
        let mut scheduler = Scheduler {
            pressure: pressure(net),
            net,
            numbers: vec![None; net.len()],
            plan: Plan {
                inputs,
                gates: Vec::new(),
                outputs: Vec::new(),
            },
        };
        for &output in outputs {
            scheduler.schedule(output.node());
            let wire = scheduler.wire(output);
            scheduler.plan.outputs.push(wire);
        }
        scheduler.plan
    }

    pub(crate) fn first_gate(&self) -> usize {
        1 + self.inputs
    }

    /// How many nodes there are.
    pub(crate) fn nodes(&self) -> usize {
        self.first_gate() + self.gates.len()
    }
}

struct Scheduler<'n> {
    net: &'n Net,
    /// How many values wait at once while a node is computed, if nothing is shared.
    pressure: Vec<u32>,
    /// The node of the plan for each node of the net.
    numbers: Vec<Option<u32>>,
    plan: Plan,
}

impl Scheduler<'_> {
    /// Puts a node behind what it needs, without recursion: nets are deep.
    fn schedule(&mut self, node: usize) {
        let mut open = vec![(node, false)];
        while let Some((node, ready)) = open.pop() {
            if self.numbers[node].is_some() {
                continue;
            }
            match (self.net.node(node), ready) {
                (Node::False, _) => self.numbers[node] = Some(0),
                (Node::Input(number), _) => self.numbers[node] = Some(1 + number),
                (Node::And(a, b), true) => self.gate(node, false, a, b),
                (Node::Xor(a, b), true) => self.gate(node, true, a, b),
                (Node::And(a, b) | Node::Xor(a, b), false) => {
                    // What needs more room goes first: less waits meanwhile.
                    let (a, b) = (a.node(), b.node());
                    let (first, second) = match self.pressure[a] >= self.pressure[b] {
                        true => (a, b),
                        false => (b, a),
                    };
                    open.extend([(node, true), (second, false), (first, false)]);
                }
            }
        }
    }

    fn gate(&mut self, node: usize, xor: bool, a: Wire, b: Wire) {
        let (a, b) = (self.wire(a), self.wire(b));
        self.numbers[node] = Some(self.plan.nodes() as u32);
        self.plan.gates.push(Gate { xor, a, b });
    }

    fn wire(&self, wire: Wire) -> Wire {
        let number = self.numbers[wire.node()].expect("inputs are scheduled first");
        Wire::new(number as usize).negated_if(wire.is_negated())
    }
}

/// For each node how many values wait at once while it is computed, after Sethi and Ullman.
fn pressure(net: &Net) -> Vec<u32> {
    let mut pressure: Vec<u32> = Vec::with_capacity(net.len());
    for node in 0..net.len() {
        pressure.push(match net.node(node) {
            Node::False | Node::Input(_) => 0,
            Node::And(a, b) | Node::Xor(a, b) => {
                let (a, b) = (pressure[a.node()], pressure[b.node()]);
                if a == b { a + 1 } else { a.max(b) }
            }
        });
    }
    pressure
}
