//! A plan evaluated gate by gate on any machine, and the check of native code.
//!
//! Memory is a row of words: zero, the inputs, the outputs, then values that wait. The slot
//! of a value is used again once nothing needs the value any more.

use crate::kernel::plan::GatePlan;
use crate::net::Wire;
use multiversion::multiversion;

/// An AND of two slots or, if the lowest bit of `to` is set, their exclusive-or. The lowest
/// bits of `a` and `b` negate them.
#[derive(Copy, Clone, Debug)]
struct Op {
    to: u32,
    a: u32,
    b: u32,
}

/// Gates by slots.
#[derive(Debug)]
pub(crate) struct Portable {
    ops: Vec<Op>,
    slots: usize,
}

impl Portable {
    pub(crate) fn new(plan: &GatePlan) -> Portable {
        let mut slots = Slots::new(plan);
        let mut ops = Vec::with_capacity(plan.gates.len() + plan.outputs.len());
        for (number, gate) in plan.gates.iter().enumerate() {
            let (a, b) = (slots.operand(gate.a), slots.operand(gate.b));
            for wire in [gate.a, gate.b] {
                slots.release(wire.node(), number);
            }
            let to = slots.take(plan.first_gate() + number);
            ops.push(Op {
                to: to << 1 | u32::from(gate.xor),
                a,
                b,
            });
        }
        for (number, &output) in plan.outputs.iter().enumerate() {
            let to = plan.slot(number) as u32;
            let a = slots.operand(output);
            if a != to << 1 {
                ops.push(Op {
                    to: to << 1,
                    a,
                    b: a,
                });
            }
        }
        Portable {
            ops,
            slots: slots.count,
        }
    }

    /// How many words of memory it needs.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    pub(crate) fn run<const P: usize>(&self, memory: &mut [[u64; P]]) {
        evaluate(&self.ops, memory);
    }
}

#[multiversion(targets("x86_64+avx512f", "x86_64+avx2", "aarch64+neon"))]
fn evaluate<const P: usize>(ops: &[Op], memory: &mut [[u64; P]]) {
    let all = |bit: u32| 0u64.wrapping_sub(u64::from(bit & 1));
    for op in ops {
        let (a, b) = (memory[(op.a >> 1) as usize], memory[(op.b >> 1) as usize]);
        let (not_a, not_b, xor) = (all(op.a), all(op.b), all(op.to));
        memory[(op.to >> 1) as usize] = std::array::from_fn(|part| {
            let (a, b) = (a[part] ^ not_a, b[part] ^ not_b);
            (a & b & !xor) | ((a ^ b) & xor)
        });
    }
}

struct Slots {
    /// The slot of each node.
    of: Vec<u32>,
    /// The gate that needs each node last; outputs are needed to the end.
    last: Vec<usize>,
    /// The output that each node is, if one.
    output: Vec<Option<u32>>,
    free: Vec<u32>,
    first_scratch: usize,
    count: usize,
}

impl Slots {
    fn new(plan: &GatePlan) -> Slots {
        let mut last = vec![0; plan.nodes()];
        for (number, gate) in plan.gates.iter().enumerate() {
            last[gate.a.node()] = number;
            last[gate.b.node()] = number;
        }
        let mut output = vec![None; plan.nodes()];
        for (number, wire) in plan.outputs.iter().enumerate().rev() {
            last[wire.node()] = usize::MAX;
            if !wire.is_negated() && wire.node() >= plan.first_gate() {
                output[wire.node()] = Some(plan.slot(number) as u32);
            }
        }
        let first_scratch = plan.first_scratch();
        Slots {
            of: (0..plan.nodes() as u32).collect(),
            last,
            output,
            free: Vec::new(),
            first_scratch,
            count: first_scratch,
        }
    }

    fn operand(&self, wire: Wire) -> u32 {
        self.of[wire.node()] << 1 | u32::from(wire.is_negated())
    }

    fn take(&mut self, node: usize) -> u32 {
        let slot = self.output[node]
            .or_else(|| self.free.pop())
            .unwrap_or_else(|| {
                self.count += 1;
                self.count as u32 - 1
            });
        self.of[node] = slot;
        slot
    }

    /// Gives back the slot of a node that the gate `now` needs last.
    fn release(&mut self, node: usize, now: usize) {
        let slot = self.of[node];
        if self.last[node] == now && slot as usize >= self.first_scratch {
            self.last[node] = usize::MAX;
            self.free.push(slot);
        }
    }
}
