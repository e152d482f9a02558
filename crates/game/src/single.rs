//! One state by change propagation, asked about states one by one.

use crate::Unanswered;
use circuit::{Network, Single};
use logic::{GroundProgram, State, TermId, View};
use std::collections::HashMap;

#[derive(Debug)]
pub(crate) struct SingleEngine {
    network: Network,
    fluents: HashMap<TermId, usize>,
    /// For each role the numbers of its moves.
    moves: Vec<HashMap<TermId, u32>>,
}

impl SingleEngine {
    pub(crate) fn new(program: &GroundProgram) -> SingleEngine {
        let network = Network::new(program);
        let numbers = |moves: &Vec<TermId>| moves.iter().copied().zip(0..).collect();
        SingleEngine {
            fluents: network.fluents().iter().copied().zip(0..).collect(),
            moves: network.moves().iter().map(numbers).collect(),
            network,
        }
    }

    pub(crate) fn network(&self) -> &Network {
        &self.network
    }

    pub(crate) fn initial(&self) -> State {
        self.unpacked(self.network.initial())
    }

    pub(crate) fn view(&self, state: &State) -> Result<View, Unanswered> {
        let mut single = self.at(state)?;
        let roles = 0..self.network.roles();
        let legal = roles.clone().map(|role| {
            let moves = &self.network.moves()[role];
            sorted(single.legal(role).map(|number| moves[number as usize]))
        });
        Ok(View {
            terminal: single.terminal(),
            legal: legal.collect(),
            goals: roles
                .map(|role| sorted(single.goals(role).map(|(term, _)| term)))
                .collect(),
        })
    }

    pub(crate) fn next(
        &self,
        state: &State,
        joint: &[TermId],
    ) -> Result<(State, Vec<Vec<TermId>>), Unanswered> {
        let mut single = self.at(state)?;
        let joint = self.moves.iter().zip(joint);
        let joint: Option<Vec<u32>> = joint.map(|(moves, it)| moves.get(it).copied()).collect();
        single.choose(&joint.ok_or(Unanswered::Unreachable)?);
        let roles = 0..self.network.roles();
        let percepts = roles.map(|role| sorted(single.percepts(role))).collect();
        single.advance();
        Ok((self.unpacked(single.state()), percepts))
    }

    /// Working memory in a state.
    fn at(&self, state: &State) -> Result<Single<'_>, Unanswered> {
        let packed = self.packed(state).ok_or(Unanswered::Unreachable)?;
        let mut single = Single::new(&self.network);
        single.load(&packed);
        Ok(single)
    }

    /// A state as bits; none if it cannot be reached.
    pub(crate) fn packed(&self, state: &State) -> Option<Vec<u64>> {
        let mut packed = vec![0; self.network.initial().len()];
        for fluent in state.fluents() {
            let number = self.fluents.get(fluent)?;
            packed[number / 64] |= 1 << (number % 64);
        }
        Some(packed)
    }

    fn unpacked(&self, state: &[u64]) -> State {
        let fluents = self.network.fluents().iter().enumerate();
        let holds = |number: usize| state[number / 64] >> (number % 64) & 1 == 1;
        let fluents = fluents.filter(|&(number, _)| holds(number));
        State::new(fluents.map(|(_, &term)| term).collect())
    }
}

fn sorted(terms: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut terms: Vec<TermId> = terms.collect();
    terms.sort_unstable();
    terms
}
