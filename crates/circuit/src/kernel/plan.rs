//! What one kernel computes: gates in the order they are evaluated.
//!
//! Invariants: node 0 is false, inputs follow, then gates; a gate comes after its inputs and
//! is needed by an output. Gates stand near those that need them, so that few values wait. An
//! input that an output takes the place of is not read after that output is computed.

use crate::net::{Net, Node, Wire};
use std::collections::HashMap;

/// An AND or an exclusive-or of two wires.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Gate {
    pub(crate) xor: bool,
    pub(crate) a: Wire,
    pub(crate) b: Wire,
}

#[derive(Debug)]
pub(crate) struct GatePlan {
    pub(crate) inputs: usize,
    pub(crate) gates: Vec<Gate>,
    pub(crate) outputs: Vec<Wire>,
    /// The inputs whose place the last outputs take.
    replaced: Vec<usize>,
}

/// A wire that takes the place of an input.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Update {
    pub(crate) input: usize,
    pub(crate) wire: Wire,
    /// It is computed as soon as this is.
    pub(crate) after: Wire,
}

impl GatePlan {
    /// The plan to compute some wires of a net that has so many inputs.
    pub(crate) fn new(net: &Net, inputs: usize, outputs: &[Wire]) -> GatePlan {
        GatePlan::updating(net, inputs, outputs, &[])
    }

    /// The same, with wires that take the place of inputs. They become the last outputs.
    pub(crate) fn updating(
        net: &Net,
        inputs: usize,
        outputs: &[Wire],
        updates: &[Update],
    ) -> GatePlan {
        let mut scheduler = Scheduler {
            pressure: pressure(net),
            net,
            numbers: vec![None; net.len()],
            companions: HashMap::default(),
            plan: GatePlan {
                inputs,
                gates: Vec::new(),
                outputs: Vec::new(),
                replaced: updates.iter().map(|update| update.input).collect(),
            },
        };
        for update in updates {
            let companions = scheduler.companions.entry(update.after.node());
            companions.or_default().push(update.wire.node());
        }
        let updated = updates.iter().map(|update| &update.wire);
        for &output in outputs.iter().chain(updated) {
            scheduler.schedule(output.node());
            let wire = scheduler.wire(output);
            scheduler.plan.outputs.push(wire);
        }
        debug_assert!(scheduler.plan.is_valid());
        scheduler.plan
    }

    /// How many outputs have a place of their own: the first.
    pub(crate) fn own_outputs(&self) -> usize {
        self.outputs.len() - self.replaced.len()
    }

    /// The slot to which an output is written: zero comes first, then inputs, then outputs that
    /// have a place of their own.
    pub(crate) fn slot(&self, output: usize) -> usize {
        match output.checked_sub(self.own_outputs()) {
            Some(number) => 1 + self.replaced[number],
            None => self.first_gate() + output,
        }
    }

    /// The first slot that is neither for inputs nor for outputs.
    pub(crate) fn first_scratch(&self) -> usize {
        self.first_gate() + self.own_outputs()
    }

    /// Whether no input is read after an output took its place.
    fn is_valid(&self) -> bool {
        let mut replaced_by = vec![usize::MAX; self.first_gate()];
        for number in self.own_outputs()..self.outputs.len() {
            let node = self.outputs[number].node();
            let gate = node.checked_sub(self.first_gate());
            replaced_by[self.slot(number)] = gate.unwrap_or(usize::MAX);
        }
        let replaced_by = |wire: Wire| replaced_by.get(wire.node()).copied();
        (self.gates.iter().enumerate()).all(|(number, gate)| {
            let mut inputs = [gate.a, gate.b].into_iter();
            inputs.all(|wire| replaced_by(wire).is_none_or(|gate| number <= gate))
        })
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
    /// Nodes to be computed as soon as another is.
    companions: HashMap<usize, Vec<usize>, foldhash::fast::FixedState>,
    plan: GatePlan,
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
                (Node::And(a, b) | Node::Xor(a, b), true) => {
                    let xor = matches!(self.net.node(node), Node::Xor(..));
                    self.gate(node, xor, a, b);
                    let companions = self.companions.remove(&node).unwrap_or_default();
                    open.extend(companions.into_iter().map(|node| (node, false)));
                }
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
