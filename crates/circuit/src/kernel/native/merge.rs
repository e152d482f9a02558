//! Gates merged into functions of three values.
//!
//! A cut of a gate is a set of at most three values that decide it. Of each gate the cuts that
//! promise the fewest instructions are kept; then, from the outputs back, each value that is
//! needed gets its best cut, and gates that are inside cuts only vanish.

use crate::kernel::plan::{Gate, GatePlan};
use crate::net::Wire;

/// How many cuts of a gate are kept.
const KEPT: usize = 4;
/// No leaf.
const NONE: u32 = u32::MAX;

/// A value as a function of up to three others; a missing leaf repeats the one before.
#[derive(Copy, Clone, Debug)]
pub(super) struct Merged {
    pub(super) node: usize,
    pub(super) leaves: [u32; 3],
    /// Bit `4a + 2b + c` is the value.
    pub(super) table: u8,
}

#[derive(Copy, Clone, Debug)]
struct Cut {
    /// In order, without gaps.
    leaves: [u32; 3],
    table: u8,
    /// Instructions this value costs, shared out among those that need them.
    flow: f32,
}

/// The functions that a plan needs, in order.
pub(super) fn merge(plan: &GatePlan) -> Vec<Merged> {
    let best = best_cuts(plan);
    let mut needed = vec![false; plan.nodes()];
    for wire in &plan.outputs {
        needed[wire.node()] = true;
    }
    let mut merged = Vec::new();
    for node in (plan.first_gate()..plan.nodes()).rev() {
        if !needed[node] {
            continue;
        }
        let Cut {
            mut leaves, table, ..
        } = best[node - plan.first_gate()];
        for place in 0..3 {
            match leaves[place] {
                NONE => leaves[place] = leaves[place - 1],
                leaf => needed[leaf as usize] = true,
            }
        }
        merged.push(Merged {
            node,
            leaves,
            table,
        });
    }
    merged.reverse();
    merged
}

fn best_cuts(plan: &GatePlan) -> Vec<Cut> {
    let mut users = vec![0u32; plan.nodes()];
    let used = plan.gates.iter().flat_map(|gate| [gate.a, gate.b]);
    for wire in used.chain(plan.outputs.iter().copied()) {
        users[wire.node()] += 1;
    }
    let mut cuts: Vec<Vec<Cut>> = Vec::with_capacity(plan.nodes());
    for node in 0..plan.first_gate() {
        cuts.push(vec![itself(node, 0.0)]);
    }
    let mut best = Vec::with_capacity(plan.gates.len());
    for (number, gate) in plan.gates.iter().enumerate() {
        let mut own = combined(gate, &cuts);
        own.sort_by(|one, other| one.flow.total_cmp(&other.flow));
        own.truncate(KEPT);
        best.push(own[0]);
        let node = plan.first_gate() + number;
        let flow = (1.0 + own[0].flow) / users[node].max(1) as f32;
        own.push(itself(node, flow));
        cuts.push(own);
    }
    best
}

/// The cut of a value that is the value: what the value costs its users is their leaf's flow.
fn itself(node: usize, flow: f32) -> Cut {
    Cut {
        leaves: [node as u32, NONE, NONE],
        table: 0xF0,
        flow,
    }
}

/// The cuts of a gate from those of its inputs.
fn combined(gate: &Gate, cuts: &[Vec<Cut>]) -> Vec<Cut> {
    let mut combined: Vec<Cut> = Vec::new();
    for a in &cuts[gate.a.node()] {
        for b in &cuts[gate.b.node()] {
            let Some(leaves) = union(&a.leaves, &b.leaves) else {
                continue;
            };
            if combined.iter().any(|cut| cut.leaves == leaves) {
                continue;
            }
            let left = moved(a, &leaves) ^ all(gate.a);
            let right = moved(b, &leaves) ^ all(gate.b);
            let table = if gate.xor { left ^ right } else { left & right };
            combined.push(Cut {
                leaves,
                table,
                flow: leaves_flow(&leaves, cuts),
            });
        }
    }
    combined
}

fn leaves_flow(leaves: &[u32; 3], cuts: &[Vec<Cut>]) -> f32 {
    let known = leaves.iter().filter(|&&leaf| leaf != NONE);
    let flow = |&leaf: &u32| cuts[leaf as usize].last().map_or(0.0, |itself| itself.flow);
    known.map(flow).sum()
}

fn all(wire: Wire) -> u8 {
    if wire.is_negated() { 0xFF } else { 0 }
}

fn union(a: &[u32; 3], b: &[u32; 3]) -> Option<[u32; 3]> {
    let mut leaves = *a;
    for &leaf in b.iter().filter(|&&leaf| leaf != NONE) {
        if !leaves.contains(&leaf) {
            *leaves.iter_mut().find(|place| **place == NONE)? = leaf;
        }
    }
    leaves.sort_unstable();
    Some(leaves)
}

/// The table of a cut over other leaves that include its own.
fn moved(cut: &Cut, leaves: &[u32; 3]) -> u8 {
    let place = |leaf: u32| leaves.iter().position(|&it| it == leaf).unwrap_or(0);
    let places = cut.leaves.map(place);
    let mut table = 0;
    for index in 0..8u8 {
        let bit = |number: usize| index >> (2 - places[number]) & 1;
        let own = bit(0) << 2 | bit(1) << 1 | bit(2);
        table |= (cut.table >> own & 1) << index;
    }
    table
}
