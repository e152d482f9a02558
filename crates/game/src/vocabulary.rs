//! Terms ↔ ids: what the fluents, moves and percepts of a ground program are called.

use logic::{Bits, BitsBuf, FluentId, MoveId, PerceptId, RoleId, State, TermId};
use std::collections::HashMap;

/// The order in which a ground program has its fluents, moves and percepts.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    fluents: Numbered,
    moves: Vec<Numbered>,
    percepts: Vec<Numbered>,
}

/// Terms in order, and the place of each.
#[derive(Debug)]
struct Numbered {
    terms: Vec<TermId>,
    places: HashMap<TermId, usize>,
}

impl Numbered {
    fn new(terms: &[TermId]) -> Numbered {
        Numbered {
            terms: terms.to_vec(),
            places: terms.iter().copied().zip(0..).collect(),
        }
    }
}

impl Vocabulary {
    /// The vocabulary of fluents, of each role's moves and of each role's percepts.
    pub(crate) fn new(
        fluents: &[TermId],
        moves: &[&[TermId]],
        percepts: &[Vec<TermId>],
    ) -> Vocabulary {
        Vocabulary {
            fluents: Numbered::new(fluents),
            moves: moves.iter().map(|it| Numbered::new(it)).collect(),
            percepts: percepts.iter().map(|it| Numbered::new(it)).collect(),
        }
    }

    /// How many words a packed state has.
    pub(crate) fn words(&self) -> usize {
        self.fluents.terms.len().div_ceil(64)
    }

    /// All fluents, in order.
    pub(crate) fn fluents(&self) -> &[TermId] {
        &self.fluents.terms
    }

    /// All moves of a role, in order.
    pub(crate) fn moves(&self, role: RoleId) -> &[TermId] {
        &self.moves[role.index()].terms
    }

    /// All percepts of a role, in order.
    pub(crate) fn percepts(&self, role: RoleId) -> &[TermId] {
        &self.percepts[role.index()].terms
    }

    /// The id of a move, if the role has such a move.
    pub(crate) fn move_id(&self, role: RoleId, term: TermId) -> Option<MoveId> {
        let place = self.moves[role.index()].places.get(&term);
        place.copied().map(MoveId::new)
    }

    /// The id of a percept, if the role can have it.
    pub(crate) fn percept_id(&self, role: RoleId, term: TermId) -> Option<PerceptId> {
        let place = self.percepts[role.index()].places.get(&term);
        place.copied().map(PerceptId::new)
    }

    /// A state as bits; none if it cannot be reached.
    pub(crate) fn packed(&self, state: &State) -> Option<BitsBuf> {
        let mut packed = BitsBuf::empty(self.fluents.terms.len());
        for fluent in state.fluents() {
            packed.insert(FluentId::new(*self.fluents.places.get(fluent)?));
        }
        Some(packed)
    }

    /// The state that bits stand for.
    pub(crate) fn unpacked(&self, state: &Bits) -> State {
        let ids = FluentId::all(self.fluents.terms.len());
        let held = ids.filter(|&fluent| state.holds(fluent));
        State::new(held.map(|it| self.fluents.terms[it.index()]).collect())
    }
}
