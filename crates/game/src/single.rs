//! One state by change propagation, asked about states one by one.

use crate::Unanswered;
use crate::packing::Packing;
use circuit::{Network, Single};
use logic::{GroundProgram, State, TermId, View};
use std::collections::HashMap;

#[derive(Debug)]
pub(crate) struct SingleEngine {
    network: Network,
    pub(crate) packing: Packing,
    /// For each role the numbers of its moves.
    moves: Vec<HashMap<TermId, u32>>,
}

impl SingleEngine {
    pub(crate) fn new(program: &GroundProgram) -> SingleEngine {
        let network = Network::new(program);
        let numbers = |moves: &Vec<TermId>| moves.iter().copied().zip(0..).collect();
        SingleEngine {
            packing: Packing::new(network.fluents()),
            moves: network.moves().iter().map(numbers).collect(),
            network,
        }
    }

    pub(crate) fn network(&self) -> &Network {
        &self.network
    }

    pub(crate) fn initial(&self) -> State {
        self.packing.unpacked(self.network.initial())
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
        single.choose(&self.numbers(joint).ok_or(Unanswered::Unreachable)?);
        let roles = 0..self.network.roles();
        let percepts = roles.map(|role| sorted(single.percepts(role))).collect();
        single.advance();
        Ok((self.packing.unpacked(single.state()), percepts))
    }

    /// The numbers of a joint move; none if there is no such move.
    pub(crate) fn numbers(&self, joint: &[TermId]) -> Option<Vec<u32>> {
        let joint = self.moves.iter().zip(joint);
        joint.map(|(moves, it)| moves.get(it).copied()).collect()
    }

    /// Working memory in a state.
    fn at(&self, state: &State) -> Result<Single<'_>, Unanswered> {
        let packed = self.packing.packed(state).ok_or(Unanswered::Unreachable)?;
        let mut single = Single::new(&self.network);
        single.load(&packed);
        Ok(single)
    }
}

fn sorted(terms: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut terms: Vec<TermId> = terms.collect();
    terms.sort_unstable();
    terms
}
