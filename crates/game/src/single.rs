//! One state by change propagation, asked about states one by one.

use crate::Unanswered;
use crate::vocabulary::Vocabulary;
use circuit::{Propnet, Single};
use logic::{Exceeded, GroundProgram, Loading, MoveId, RoleId, State, TermId, View};

#[derive(Debug)]
pub(crate) struct SingleEngine {
    propnet: Propnet,
}

impl SingleEngine {
    pub(crate) fn new(
        program: &GroundProgram,
        loading: &Loading<'_>,
    ) -> Result<SingleEngine, Exceeded> {
        let propnet = Propnet::within(program, loading)?;
        Ok(SingleEngine { propnet })
    }

    pub(crate) fn propnet(&self) -> &Propnet {
        &self.propnet
    }

    pub(crate) fn initial(&self, words: &Vocabulary) -> State {
        words.unpacked(self.propnet.initial())
    }

    pub(crate) fn view(&self, words: &Vocabulary, state: &State) -> Result<View, Unanswered> {
        let mut single = self.at(words, state)?;
        let roles = self.propnet.role_ids();
        let legal = roles.clone().map(|role| {
            let moves = words.moves(role);
            sorted(single.legal(role).map(|it| moves[it.index()]))
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
        words: &Vocabulary,
        state: &State,
        joint: &[TermId],
    ) -> Result<(State, Vec<Vec<TermId>>), Unanswered> {
        let mut single = self.at(words, state)?;
        let joint = RoleId::all(joint.len()).zip(joint);
        let joint: Option<Vec<MoveId>> = joint.map(|(role, &it)| words.move_id(role, it)).collect();
        single.choose(&joint.ok_or(Unanswered::Unreachable)?);
        let percepts = self.propnet.role_ids().map(|role| {
            let terms = words.percepts(role);
            sorted(single.percepts(role).map(|it| terms[it.index()]))
        });
        let percepts = percepts.collect();
        single.advance();
        Ok((words.unpacked(single.state()), percepts))
    }

    /// Working memory in a state.
    fn at(&self, words: &Vocabulary, state: &State) -> Result<Single<'_>, Unanswered> {
        let packed = words.packed(state).ok_or(Unanswered::Unreachable)?;
        let mut single = Single::new(&self.propnet);
        single.load(&packed);
        Ok(single)
    }
}

fn sorted(terms: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut terms: Vec<TermId> = terms.collect();
    terms.sort_unstable();
    terms
}
