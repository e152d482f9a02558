//! Questions about one state, in terms; and terms ↔ ids.

use crate::{
    Bits, BitsBuf, Game, Kind, MoveId, PerceptId, RoleId, Scratch, State, TermId, View, Vocabulary,
};
use logic::NoAnswer;

/// Why a question has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unanswered {
    /// The rules give none.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// The state or the joint move cannot come up in this game.
    #[error("the state or the joint move cannot be reached")]
    Unreachable,
    /// The engine contradicts itself: a fault of ours.
    #[error("lanes that were asked the same disagree")]
    Disagreement,
}

impl Game {
    /// Working memory for one thread.
    pub fn scratch(&self) -> Scratch {
        self.interpreter.scratch()
    }

    /// The term that a form names, as moves and fluents come in from outside.
    pub fn term(&self, scratch: &mut Scratch, form: gdl::Node<'_>) -> Option<TermId> {
        scratch.term(&self.interpreter, form)
    }

    /// The initial state.
    pub fn initial(&self, scratch: &mut Scratch) -> Result<State, Unanswered> {
        match &self.kind {
            Kind::Interpreter => Ok(self.interpreter.initial(scratch)?),
            Kind::Ground(evaluator) => Ok(evaluator.initial()),
            Kind::Single(engine) => Ok(engine.initial(self.words())),
            Kind::Play(play) => Ok(play.single.initial(self.words())),
            Kind::Lanes(engine) => Ok(engine.initial()),
        }
    }

    /// What follows from a state.
    pub fn view(&self, scratch: &mut Scratch, state: &State) -> Result<View, Unanswered> {
        match &self.kind {
            Kind::Interpreter => Ok(self.interpreter.view(scratch, state)?),
            Kind::Ground(evaluator) => evaluator.view(state).ok_or(Unanswered::Unreachable),
            Kind::Single(engine) => engine.view(self.words(), state),
            Kind::Play(play) => play.single.view(self.words(), state),
            Kind::Lanes(engine) => engine.view(self.words(), state),
        }
    }

    /// The state after a joint move, and what each role sees of it.
    pub fn next(
        &self,
        scratch: &mut Scratch,
        state: &State,
        joint: &[TermId],
    ) -> Result<(State, Vec<Vec<TermId>>), Unanswered> {
        match &self.kind {
            Kind::Interpreter => {
                let percepts = self.interpreter.percepts(scratch, state, joint)?;
                let next = self.interpreter.next(scratch, state, joint)?;
                Ok((next, percepts))
            }
            Kind::Ground(evaluator) => evaluator.next(state, joint).ok_or(Unanswered::Unreachable),
            Kind::Single(engine) => engine.next(self.words(), state, joint),
            Kind::Play(play) => play.single.next(self.words(), state, joint),
            Kind::Lanes(engine) => engine.next(self.words(), state, joint),
        }
    }

    /// What follows from a state by the rules themselves, whichever engine answers otherwise.
    pub fn view_by_rules(&self, scratch: &mut Scratch, state: &State) -> Result<View, Unanswered> {
        Ok(self.interpreter.view(scratch, state)?)
    }

    /// The state after a joint move by the rules themselves.
    pub fn next_by_rules(
        &self,
        scratch: &mut Scratch,
        state: &State,
        joint: &[TermId],
    ) -> Result<State, Unanswered> {
        Ok(self.interpreter.next(scratch, state, joint)?)
    }

    /// The fluents that `base` declares; none if the rules have no `base`.
    pub fn declared_fluents(&self, scratch: &mut Scratch) -> Result<Vec<TermId>, Unanswered> {
        Ok(self.interpreter.declared_fluents(scratch)?)
    }

    /// The moves that `input` declares for a role; none if the rules have no `input`.
    pub fn declared_moves(
        &self,
        scratch: &mut Scratch,
        role: RoleId,
    ) -> Result<Vec<TermId>, Unanswered> {
        let role = self.roles()[role.index()];
        Ok(self.interpreter.declared_moves(scratch, role)?)
    }

    /// The vocabulary of an engine that is built from a ground program.
    fn words(&self) -> &Vocabulary {
        let words = self.words.as_ref();
        words.expect("every engine but the interpreter has a ground program")
    }

    /// All fluents that can hold, in the order of their ids; none without a ground program.
    pub fn fluents(&self) -> Option<&[TermId]> {
        self.words.as_ref().map(Vocabulary::fluents)
    }

    /// All moves of a role, in the order of their ids; none without a ground program.
    pub fn moves(&self, role: RoleId) -> Option<&[TermId]> {
        self.words.as_ref().map(|words| words.moves(role))
    }

    /// The term of a role's move.
    pub fn move_term(&self, role: RoleId, id: MoveId) -> TermId {
        match &self.words {
            Some(words) => words.moves(role)[id.index()],
            None => id.into(),
        }
    }

    /// The term of a role's move, if there is such a move: for ids that may be wrong.
    pub fn find_move(&self, role: RoleId, id: MoveId) -> Option<TermId> {
        match &self.words {
            Some(words) => words.moves(role).get(id.index()).copied(),
            None => (id.index() < self.scratch().terms().len()).then(|| id.into()),
        }
    }

    /// The id of a role's move; none if the role has no such move.
    pub fn move_id(&self, role: RoleId, term: TermId) -> Option<MoveId> {
        match &self.words {
            Some(words) => words.move_id(role, term),
            None => Some(term.into()),
        }
    }

    /// All percepts of a role, in the order of their ids; none without a ground program.
    pub fn percepts(&self, role: RoleId) -> Option<&[TermId]> {
        self.words.as_ref().map(|words| words.percepts(role))
    }

    /// The term of a role's percept.
    pub fn percept_term(&self, role: RoleId, id: PerceptId) -> TermId {
        match &self.words {
            Some(words) => words.percepts(role)[id.index()],
            None => id.into(),
        }
    }

    /// The id of a role's percept; none if the role can have no such percept.
    pub fn percept_id(&self, role: RoleId, term: TermId) -> Option<PerceptId> {
        match &self.words {
            Some(words) => words.percept_id(role, term),
            None => Some(term.into()),
        }
    }

    /// A state, packed; none if it cannot be reached.
    pub fn packed(&self, state: &State) -> Option<BitsBuf> {
        match &self.words {
            Some(words) => words.packed(state),
            None => Some(BitsBuf::listing(state.fluents().iter().copied())),
        }
    }

    /// The state that is packed.
    pub fn unpacked(&self, state: &Bits) -> State {
        match &self.words {
            Some(words) => words.unpacked(state),
            None => State::new(state.listed().collect()),
        }
    }
}

impl Game {
    /// Applies the change `from → to` to a state: what `to` adds holds, what it drops does not.
    pub fn with_change(&self, state: &Bits, from: &Bits, to: &Bits) -> BitsBuf {
        let changed: Vec<u64> = match self.words {
            Some(_) => {
                let changes = from.words().iter().zip(to.words());
                let words = state.words().iter().zip(changes);
                words
                    .map(|(state, (from, to))| state & (to | !from) | to & !from)
                    .collect()
            }
            None => {
                let (from, to) = (from.words(), to.words());
                let stays = |it: &&u64| to.contains(it) || !from.contains(it);
                let kept = state.words().iter().filter(stays);
                let added = to.iter().filter(|it| !from.contains(it));
                let mut words: Vec<u64> = kept.chain(added).copied().collect();
                words.sort_unstable();
                words.dedup();
                words
            }
        };
        changed.into()
    }
}
