//! The variables of a clause, and the places at which they stand.

use super::places::{PlaceId, Places, functor};
use crate::program::{Atom, Clause, Formula, Leaf, Term};
use crate::source::Span;
use crate::symbols::Symbol;
use std::collections::HashMap;

/// Where a variable stands in a clause.
#[derive(Debug, Default)]
pub(super) struct Variable {
    /// Places in the head.
    pub(super) head: Vec<PlaceId>,
    /// Places in conditions that all have to hold.
    pub(super) sure: Vec<PlaceId>,
    /// Places in conditions inside `or`.
    pub(super) choice: Vec<PlaceId>,
    /// Places in negated conditions.
    pub(super) negated: Vec<PlaceId>,
    /// Where it stands first.
    pub(super) span: Option<Span>,
}

/// A constant or function in a clause.
pub(super) struct Constant<'p> {
    pub(super) term: Term<'p>,
    pub(super) place: PlaceId,
    /// Whether it is the fluent or the move itself, of which other checks know.
    pub(super) outermost: bool,
    /// Whether its condition is negated.
    pub(super) negated: bool,
}

/// A clause, place by place.
#[derive(Default)]
pub(super) struct ClausePlaces<'p> {
    pub(super) variables: HashMap<Symbol, Variable>,
    /// Constants and functions of the head.
    pub(super) given: Vec<Constant<'p>>,
    /// Constants and functions of the conditions.
    pub(super) asked: Vec<Constant<'p>>,
}

/// Where a condition stands.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Part {
    Head,
    Sure,
    Choice,
    Negated,
}

impl<'p> ClausePlaces<'p> {
    pub(super) fn new(clause: Clause<'p>, places: &mut Places) -> ClausePlaces<'p> {
        let mut found = ClausePlaces::default();
        found.atom(clause.head(), Part::Head, places);
        let body = clause.body();
        found.formula(&body, Part::Sure, places);
        found
    }

    fn formula(&mut self, formula: &Formula<'p>, part: Part, places: &mut Places) {
        match formula {
            Formula::All(parts) => parts.iter().for_each(|it| self.formula(it, part, places)),
            Formula::Any(parts) => {
                (parts.iter()).for_each(|it| self.formula(it, Part::Choice, places));
            }
            Formula::Leaf(Leaf::Atom { positive, atom }) => {
                let part = if *positive { part } else { Part::Negated };
                self.atom(*atom, part, places);
            }
            Formula::Leaf(Leaf::Distinct { .. }) => {}
        }
    }

    fn atom(&mut self, atom: Atom<'p>, part: Part, places: &mut Places) {
        let ids = places.arguments(atom);
        let keyword = atom.keyword().is_some();
        for (number, (term, place)) in atom.arguments().zip(ids).enumerate() {
            let last = number + 1 == atom.arguments().count();
            self.term(term, place, (part, keyword && last), places);
        }
    }

    fn term(
        &mut self,
        term: Term<'p>,
        place: PlaceId,
        (part, outermost): (Part, bool),
        places: &mut Places,
    ) {
        if term.is_variable() {
            let variable = self.variables.entry(term.name()).or_default();
            variable.span = variable.span.or(Some(term.span()));
            match part {
                Part::Head => variable.head.push(place),
                Part::Sure => variable.sure.push(place),
                Part::Choice => variable.choice.push(place),
                Part::Negated => variable.negated.push(place),
            }
            return;
        }
        let found = match part {
            Part::Head => &mut self.given,
            _ => &mut self.asked,
        };
        found.push(Constant {
            term,
            place,
            outermost,
            negated: part == Part::Negated,
        });
        let parts = places.parts(place, functor(term));
        for (argument, place) in term.arguments().zip(parts) {
            self.term(argument, place, (part, false), places);
        }
    }
}
