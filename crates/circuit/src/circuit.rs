//! The circuit: gates of two inputs, in the order of their phases.
//!
//! Invariants: a gate's inputs have smaller numbers than the gate; no two gates are the same,
//! and none has a constant input; gates stand in the order state, goals, turn, percepts, and
//! a phase needs only gates of its own and of the phases it follows (goals and turn follow
//! state, percepts follow turn).

use crate::build::Builder;
use logic::{GroundProgram, TermId};
use std::ops::Range;

/// The output of a node, or its negation.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wire(pub(crate) u32);

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
}

/// Holds if both of its wires do.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct Gate(pub Wire, pub Wire);

/// The circuit would have too many gates.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the circuit has more than {limit} gates")]
pub struct TooManyGates {
    /// The limit.
    pub limit: usize,
}

/// The rules of a game as gates. Node 0 is the constant false; fluents, moves and gates
/// follow.
#[derive(Debug)]
pub struct Circuit {
    pub(crate) fluents: Vec<TermId>,
    /// For each role its moves.
    pub(crate) moves: Vec<Vec<TermId>>,
    /// What makes them legal.
    pub(crate) legal: Vec<Vec<Wire>>,
    pub(crate) gates: Vec<Gate>,
    /// Where the phases end: state, goals, turn, percepts.
    pub(crate) ends: [usize; 4],
    pub(crate) initial: Vec<bool>,
    pub(crate) next: Vec<Wire>,
    pub(crate) terminal: Wire,
    pub(crate) goals: Vec<Vec<(u32, Wire)>>,
    pub(crate) percepts: Vec<Vec<(TermId, Wire)>>,
}

impl Circuit {
    /// Builds the circuit of a ground program, with at most `limit` gates.
    pub fn new(program: &GroundProgram, limit: usize) -> Result<Circuit, TooManyGates> {
        let circuit = Builder::new(program, limit).finish()?;
        debug_assert!(circuit.is_valid());
        Ok(circuit)
    }

    /// How many gates there are.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.gates.is_empty()
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.moves.len()
    }

    /// The fluents, as the program numbers them.
    pub fn fluents(&self) -> &[TermId] {
        &self.fluents
    }

    /// Which fluents hold first.
    pub fn initial(&self) -> &[bool] {
        &self.initial
    }

    /// The moves of each role.
    pub fn moves(&self) -> &[Vec<TermId>] {
        &self.moves
    }

    /// The gates of each phase: state, goals, turn, percepts.
    pub fn phases(&self) -> [Range<usize>; 4] {
        let [state, goals, turn, percepts] = self.ends;
        [0..state, state..goals, goals..turn, turn..percepts]
    }

    /// The node of the first gate.
    pub(crate) fn first_gate(&self) -> usize {
        1 + self.fluents.len() + self.moves.iter().map(Vec::len).sum::<usize>()
    }

    /// The node of a role's first move.
    pub(crate) fn first_move(&self, role: usize) -> usize {
        1 + self.fluents.len() + self.moves[..role].iter().map(Vec::len).sum::<usize>()
    }

    fn is_valid(&self) -> bool {
        let first = self.first_gate();
        let [state, goals, ..] = self.ends;
        let gates = self.gates.iter().enumerate();
        gates.into_iter().all(|(number, gate)| {
            let known = |wire: Wire| {
                let gate = wire.node().checked_sub(first);
                let of_goals = gate.is_some_and(|gate| (state..goals).contains(&gate));
                wire > Wire::TRUE
                    && gate.is_none_or(|gate| gate < number)
                    && (number < goals || !of_goals)
            };
            gate.0 < gate.1 && known(gate.0) && known(gate.1)
        })
    }
}
