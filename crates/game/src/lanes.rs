//! The lanes asked about one state: all 512 the same, and compared.

use crate::Unanswered;
use crate::packing::Packing;
use circuit::{Circuit, Options, Simulator, TooManyGates};
use logic::{GroundProgram, State, TermId, View};
use std::sync::Arc;

/// What a role may get or see, in the order the circuit has it.
type Terms = Vec<Vec<TermId>>;

#[derive(Debug)]
pub(crate) struct LaneEngine {
    simulator: Simulator,
    pub(crate) packing: Packing,
    goals: Terms,
    percepts: Terms,
}

impl LaneEngine {
    pub(crate) fn new(program: &GroundProgram, gates: usize) -> Result<LaneEngine, TooManyGates> {
        let terms = |outputs: &[Vec<(TermId, logic::Literal)>]| -> Terms {
            let of_role =
                |outputs: &Vec<(TermId, _)>| outputs.iter().map(|(term, _)| *term).collect();
            outputs.iter().map(of_role).collect()
        };
        let circuit = Circuit::new(program, gates)?;
        Ok(LaneEngine {
            packing: Packing::new(circuit.fluents()),
            goals: terms(program.goals()),
            percepts: terms(program.percepts()),
            simulator: Simulator::new(Arc::new(circuit), Options::default()),
        })
    }

    pub(crate) fn simulator(&self) -> &Simulator {
        &self.simulator
    }

    fn circuit(&self) -> &Circuit {
        self.simulator.circuit()
    }

    pub(crate) fn initial(&self) -> State {
        State::new(chosen(self.circuit().fluents(), self.circuit().initial()))
    }

    pub(crate) fn view(&self, state: &State) -> Result<View, Unanswered> {
        let fluents = self.fluents(state)?;
        let answers = self.simulator.view(&fluents);
        let answers = answers.ok_or(Unanswered::Disagreement)?;
        Ok(View {
            terminal: answers.terminal,
            legal: by_role(self.circuit().moves(), &answers.legal),
            goals: by_role(&self.goals, &answers.goals),
        })
    }

    pub(crate) fn next(
        &self,
        state: &State,
        joint: &[TermId],
    ) -> Result<(State, Vec<Vec<TermId>>), Unanswered> {
        let fluents = self.fluents(state)?;
        let place =
            |(moves, wanted): (&Vec<TermId>, &TermId)| moves.iter().position(|it| it == wanted);
        let joint: Option<Vec<usize>> = self
            .circuit()
            .moves()
            .iter()
            .zip(joint)
            .map(place)
            .collect();
        let joint = joint.ok_or(Unanswered::Unreachable)?;
        let answers = self.simulator.next(&fluents, &joint);
        let (next, percepts) = answers.ok_or(Unanswered::Disagreement)?;
        let state = State::new(chosen(self.circuit().fluents(), &next));
        Ok((state, by_role(&self.percepts, &percepts)))
    }

    fn fluents(&self, state: &State) -> Result<Vec<u64>, Unanswered> {
        self.packing.packed(state).ok_or(Unanswered::Unreachable)
    }
}

fn chosen(terms: &[TermId], holds: &[bool]) -> Vec<TermId> {
    let pairs = terms.iter().zip(holds).filter(|(_, holds)| **holds);
    let mut chosen: Vec<TermId> = pairs.map(|(&term, _)| term).collect();
    chosen.sort_unstable();
    chosen
}

fn by_role(terms: &[Vec<TermId>], holds: &[Vec<bool>]) -> Vec<Vec<TermId>> {
    terms
        .iter()
        .zip(holds)
        .map(|(terms, holds)| chosen(terms, holds))
        .collect()
}
