//! The lanes asked about one state: all 512 the same, and compared.

use crate::Unanswered;
use crate::vocabulary::Vocabulary;
use circuit::{Circuit, NotBuilt, Outcomes, Request, Simulator, SimulatorOptions, Start, Tally};
use logic::{Bits, GroundProgram, Loading, MoveId, RoleId, State, TermId, View};
use std::sync::Arc;

/// What a role may get or see, in the order the circuit has it.
type Terms = Vec<Vec<TermId>>;

#[derive(Debug)]
pub(crate) struct LaneEngine {
    simulator: Simulator,
    goals: Terms,
    percepts: Terms,
}

impl LaneEngine {
    pub(crate) fn new(
        program: &GroundProgram,
        gates: usize,
        loading: &Loading<'_>,
    ) -> Result<LaneEngine, NotBuilt> {
        let terms = |outputs: &[(TermId, logic::Literal)]| outputs.iter().map(|it| it.0).collect();
        let roles = program.role_ids();
        let circuit = Circuit::within(program, gates, loading)?;
        Ok(LaneEngine {
            goals: roles.clone().map(|it| terms(program.goals(it))).collect(),
            percepts: roles.map(|it| terms(program.percepts(it))).collect(),
            simulator: Simulator::new(Arc::new(circuit), SimulatorOptions::default()),
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

    pub(crate) fn view(&self, words: &Vocabulary, state: &State) -> Result<View, Unanswered> {
        let state = words.packed(state).ok_or(Unanswered::Unreachable)?;
        let answers = self.simulator.view(&state);
        let answers = answers.ok_or(Unanswered::Disagreement)?;
        Ok(View {
            terminal: answers.terminal,
            legal: by_role(self.circuit().moves(), &answers.legal),
            goals: by_role(&self.goals, &answers.goals),
        })
    }

    pub(crate) fn next(
        &self,
        words: &Vocabulary,
        state: &State,
        joint: &[TermId],
    ) -> Result<(State, Vec<Vec<TermId>>), Unanswered> {
        let state = words.packed(state).ok_or(Unanswered::Unreachable)?;
        let joint = RoleId::all(joint.len()).zip(joint);
        let joint: Option<Vec<MoveId>> = joint.map(|(role, &it)| words.move_id(role, it)).collect();
        let joint = joint.ok_or(Unanswered::Unreachable)?;
        let answers = self.simulator.next(&state, &joint);
        let answers = answers.ok_or(Unanswered::Disagreement)?;
        let state = State::new(chosen(self.circuit().fluents(), &answers.fluents));
        Ok((state, by_role(&self.percepts, &answers.percepts)))
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

/// Playouts in lanes: many matches at once, from many states.
#[derive(Copy, Clone, Debug)]
pub struct Lanes<'g>(&'g Simulator);

impl<'g> Lanes<'g> {
    pub(crate) fn new(simulator: &'g Simulator) -> Lanes<'g> {
        Lanes(simulator)
    }

    /// How many there are.
    pub fn count(self) -> usize {
        self.0.lanes()
    }

    /// Whether moves that win at once are found: [`Request::decisive`] makes no difference
    /// otherwise.
    pub fn decides(self) -> bool {
        self.0.decides()
    }

    /// Whether threats are answered: [`Decisive::Both`](crate::Decisive::Both) is the same as
    /// [`Decisive::Wins`](crate::Decisive::Wins) otherwise.
    pub fn answers(self) -> bool {
        self.0.answers()
    }

    /// How many playouts from each of some states fill the lanes.
    pub fn shares<'s>(self, states: impl Iterator<Item = &'s Bits>) -> Vec<u64> {
        self.0.shares(states)
    }

    /// Plays at random from each start, each match at most so many turns. The same seed gives the
    /// same result.
    pub fn playouts(self, starts: &[Start<'_>], turns: u64, seed: u64) -> Vec<Tally> {
        self.0.playouts(starts, turns, seed)
    }

    /// Playouts that choose by weights of moves, or count how each move did.
    pub fn playouts_with(self, request: &Request<'_>) -> Outcomes {
        self.0.playouts_with(request)
    }
}
