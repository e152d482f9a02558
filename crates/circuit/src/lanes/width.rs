//! How many lanes there are.

use crate::circuit::Circuit;
use crate::kernel::Vectors;
use crate::steps::cycle::Cycle;
use crate::steps::{TurnOptions, TurnPlan};

/// How many lanes there are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Width {
    /// 64: any machine word.
    W64,
    /// 256: AVX2.
    W256,
    /// 512: AVX-512.
    W512,
    /// 1024: several vectors for each run of a piece of code.
    W1024,
}

impl Width {
    /// The width that suits this processor and a circuit best.
    pub(crate) fn best(circuit: &Circuit) -> Width {
        // Words of several vectors take less work per lane, as long as waiting values stay in
        // the nearest cache.
        const SMALL: usize = 1500;
        match circuit.len() <= SMALL && first_turn_gates(circuit) <= SMALL {
            true => Width::W1024,
            false => Width::of_vectors(),
        }
    }

    /// One vector of this processor. Without native code, wide words take less work per lane.
    fn of_vectors() -> Width {
        match Vectors::widest().map(Vectors::parts) {
            Some(4) => Width::W256,
            _ => Width::W512,
        }
    }
}

/// How many gates the turn from the first state has, all moves weighing the same.
fn first_turn_gates(circuit: &Circuit) -> usize {
    let known = Cycle::new(circuit).known(0, circuit.fluents.len());
    let turn = TurnPlan::new(circuit, &known, TurnOptions::default());
    turn.plan.gates.len()
}
