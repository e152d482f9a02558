//! Gates → instructions on values: which operations a processor has for the gates.
//!
//! With AVX2 there are AND, AND-NOT, OR and XOR: a value is kept negated where that spares an
//! operation, and every gate is one instruction. With AVX-512 any function of three values is
//! one instruction, and gates are merged (see [`super::merge`]).

use super::merge;
use crate::kernel::plan::GatePlan;
use crate::net::Wire;

/// What an instruction does to its operands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    And,
    /// The second without the first.
    AndNot,
    Or,
    Xor,
    /// The opposite of its first and only operand.
    Not,
    Zero,
    Ones,
    /// Any function of three: bit `4a + 2b + c` of the table is its value.
    Lookup(u8),
}

impl Operator {
    pub(super) fn operands(self) -> usize {
        match self {
            Operator::Zero | Operator::Ones => 0,
            Operator::Not => 1,
            Operator::And | Operator::AndNot | Operator::Or | Operator::Xor => 2,
            Operator::Lookup(_) => 3,
        }
    }
}

/// Makes the next value. Values are numbered as in a plan: 0 is unused, inputs follow, then
/// one for each instruction.
#[derive(Copy, Clone, Debug)]
pub(super) struct Instruction {
    pub(super) operator: Operator,
    pub(super) operands: [u32; 3],
}

/// Instructions in order, and the values wanted.
#[derive(Debug)]
pub(super) struct Selection {
    pub(super) inputs: usize,
    pub(super) instructions: Vec<Instruction>,
    pub(super) outputs: Vec<u32>,
    /// The slot of each output.
    pub(super) slots: Vec<u32>,
    /// The first slot that is neither for inputs nor for outputs.
    pub(super) first_scratch: usize,
}

impl Selection {
    pub(super) fn of_two(plan: &GatePlan) -> Selection {
        let mut selector = Selector::new(plan);
        for (number, gate) in plan.gates.iter().enumerate() {
            let (a, b) = (selector.kept(gate.a), selector.kept(gate.b));
            let (operator, a, b, negated) = match (gate.xor, a.negated, b.negated) {
                (true, not_a, not_b) => (Operator::Xor, a, b, not_a != not_b),
                (false, false, false) => (Operator::And, a, b, false),
                (false, true, false) => (Operator::AndNot, a, b, false),
                (false, false, true) => (Operator::AndNot, b, a, false),
                (false, true, true) => (Operator::Or, a, b, true),
            };
            let value = selector.add(operator, [a.value, b.value, 0]);
            selector.keep(plan.first_gate() + number, value, negated);
        }
        selector.finish(plan)
    }

    pub(super) fn of_three(plan: &GatePlan) -> Selection {
        let mut selector = Selector::new(plan);
        let mut wanted_negated = vec![false; plan.nodes()];
        for output in plan
            .outputs
            .iter()
            .filter(|output| output.node() > plan.inputs)
        {
            wanted_negated[output.node()] = output.is_negated();
        }
        for merged in merge::merge(plan) {
            let kept = merged.leaves.map(|leaf| selector.kept[leaf as usize]);
            let mut table = merged.table;
            for (place, kept) in kept.iter().enumerate() {
                table = if kept.negated {
                    flipped(table, place)
                } else {
                    table
                };
            }
            let negated = wanted_negated[merged.node];
            let table = if negated { !table } else { table };
            let (operator, operands) = simplest(table, kept.map(|kept| kept.value));
            let value = selector.add(operator, operands);
            selector.keep(merged.node, value, negated);
        }
        selector.finish(plan)
    }
}

/// The table of the same function with one operand negated.
fn flipped(table: u8, place: usize) -> u8 {
    let (mask, shift) = [(0xF0, 4), (0xCC, 2), (0xAA, 1)][place];
    (table & mask) >> shift | (table << shift) & mask
}

/// A simple operation where there is one: it need not overwrite an operand.
fn simplest(table: u8, [a, b, c]: [u32; 3]) -> (Operator, [u32; 3]) {
    match table {
        0xC0 => (Operator::And, [a, b, 0]),
        0xFC => (Operator::Or, [a, b, 0]),
        0x3C => (Operator::Xor, [a, b, 0]),
        0x0C => (Operator::AndNot, [a, b, 0]),
        0x30 => (Operator::AndNot, [b, a, 0]),
        _ => (Operator::Lookup(table), [a, b, c]),
    }
}

/// The value that is kept for a node, or for its opposite.
#[derive(Copy, Clone, Default)]
struct Kept {
    value: u32,
    negated: bool,
}

struct Selector {
    inputs: usize,
    instructions: Vec<Instruction>,
    /// For each node of the plan.
    kept: Vec<Kept>,
}

impl Selector {
    fn new(plan: &GatePlan) -> Selector {
        let mut kept = vec![Kept::default(); plan.nodes()];
        for (node, kept) in kept.iter_mut().enumerate().take(plan.first_gate()) {
            kept.value = node as u32;
        }
        Selector {
            inputs: plan.inputs,
            instructions: Vec::with_capacity(plan.gates.len()),
            kept,
        }
    }

    fn kept(&self, wire: Wire) -> Kept {
        let Kept { value, negated } = self.kept[wire.node()];
        Kept {
            value,
            negated: negated != wire.is_negated(),
        }
    }

    fn keep(&mut self, node: usize, value: u32, negated: bool) {
        self.kept[node] = Kept { value, negated };
    }

    fn add(&mut self, operator: Operator, operands: [u32; 3]) -> u32 {
        self.instructions.push(Instruction { operator, operands });
        (self.inputs + self.instructions.len()) as u32
    }

    fn finish(mut self, plan: &GatePlan) -> Selection {
        let mut opposites = vec![0; plan.nodes()];
        let mut constants = [0; 2];
        let mut outputs = Vec::with_capacity(plan.outputs.len());
        for &output in &plan.outputs {
            let kept = self.kept(output);
            let known = match (output.node(), kept.negated) {
                (0, negated) => &mut constants[usize::from(negated)],
                (node, true) => &mut opposites[node],
                (_, false) => {
                    outputs.push(kept.value);
                    continue;
                }
            };
            if *known == 0 {
                let operator = match output {
                    Wire::TRUE => Operator::Ones,
                    Wire::FALSE => Operator::Zero,
                    _ => Operator::Not,
                };
                self.instructions.push(Instruction {
                    operator,
                    operands: [kept.value, 0, 0],
                });
                *known = (self.inputs + self.instructions.len()) as u32;
            }
            outputs.push(*known);
        }
        Selection {
            inputs: self.inputs,
            instructions: self.instructions,
            slots: (0..outputs.len()).map(|it| plan.slot(it) as u32).collect(),
            first_scratch: plan.first_scratch(),
            outputs,
        }
    }
}
