//! Places of arguments, and what can stand there.
//!
//! A place is an argument of a relation, the fluent of `true` or the move of `does`, or an argument
//! of a function that stands at another place. What can stand there is over-estimated: a variable of
//! a head has every value that all its conditions allow, one by one.

use crate::program::{Atom, Predicate, Relation, Term};
use crate::source::Span;
use crate::symbols::{Keyword, Symbol};
use std::collections::HashMap;

/// The number of a place.
pub(super) type PlaceId = usize;

/// A constant or function: its name and number of arguments.
pub(super) type Functor = (Symbol, usize);

/// Functions that stand deeper than this are not told apart.
const DEPTH: usize = 6;

/// One place.
#[derive(Debug, Default)]
pub(super) struct Place {
    /// What can stand there, and where that was first written in a head.
    pub(super) given: HashMap<Functor, Option<Span>>,
    /// Whether anything may stand there.
    pub(super) open: bool,
    /// The values that conditions ask for.
    pub(super) asked: HashMap<Functor, ()>,
    /// Whether conditions ask for any value.
    pub(super) all_asked: bool,
    /// Whether no more than that is ever asked for: of a role, the roles.
    settled: bool,
    parts: HashMap<Functor, Vec<PlaceId>>,
    depth: usize,
}

impl Place {
    pub(super) fn gives(&self, functor: Functor) -> bool {
        self.open || self.given.contains_key(&functor)
    }

    pub(super) fn asks(&self, functor: Functor) -> bool {
        self.all_asked || self.asked.contains_key(&functor)
    }
}

/// What relations share a place.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Root {
    Fluent,
    Move,
    /// The role of `legal` and `does`.
    Mover,
    Argument(Predicate, usize),
}

/// All places of a sheet.
#[derive(Default)]
pub(super) struct Places {
    all: Vec<Place>,
    roots: HashMap<Root, PlaceId>,
    /// How many values were compared.
    pub(super) work: usize,
}

impl Places {
    pub(super) fn place(&self, id: PlaceId) -> &Place {
        &self.all[id]
    }

    pub(super) fn ids(&self) -> std::ops::Range<PlaceId> {
        0..self.all.len()
    }

    fn add(&mut self, depth: usize) -> PlaceId {
        self.all.push(Place {
            depth,
            open: depth > DEPTH,
            all_asked: depth > DEPTH,
            ..Place::default()
        });
        self.all.len() - 1
    }

    fn root(&mut self, root: Root) -> PlaceId {
        if let Some(&id) = self.roots.get(&root) {
            return id;
        }
        let id = self.add(0);
        self.roots.insert(root, id);
        id
    }

    /// The places of the arguments of a sentence.
    pub(super) fn arguments(&mut self, atom: Atom<'_>) -> Vec<PlaceId> {
        use Keyword::{Base, Does, Init, Input, Legal, Next, True};
        let predicate = atom.predicate();
        let root = |place: usize| match (predicate.relation, place) {
            (Relation::Keyword(True | Init | Next | Base), 0) => Root::Fluent,
            (Relation::Keyword(Legal | Does | Input), 0) => Root::Mover,
            (Relation::Keyword(Legal | Does | Input), 1) => Root::Move,
            _ => Root::Argument(predicate, place),
        };
        let roots: Vec<Root> = (0..predicate.arity as usize).map(root).collect();
        roots.into_iter().map(|root| self.root(root)).collect()
    }

    /// The places of the arguments of a function that stands at a place.
    pub(super) fn parts(&mut self, of: PlaceId, functor: Functor) -> Vec<PlaceId> {
        if let Some(parts) = self.all[of].parts.get(&functor) {
            return parts.clone();
        }
        let depth = self.all[of].depth + 1;
        let parts: Vec<PlaceId> = (0..functor.1).map(|_| self.add(depth)).collect();
        self.all[of].parts.insert(functor, parts.clone());
        parts
    }

    /// A functor can stand at a place; true if that is new.
    pub(super) fn give(&mut self, place: PlaceId, functor: Functor, span: Option<Span>) -> bool {
        let given = &mut self.all[place].given;
        let new = !given.contains_key(&functor);
        let first = given.entry(functor).or_insert(span);
        *first = first.or(span);
        new
    }

    /// Anything can stand at a place; true if that is new.
    pub(super) fn open(&mut self, place: PlaceId) -> bool {
        !std::mem::replace(&mut self.all[place].open, true)
    }

    /// A functor is asked for at a place; true if that is new.
    pub(super) fn ask(&mut self, place: PlaceId, functor: Functor) -> bool {
        let place = &mut self.all[place];
        !place.settled && place.asked.insert(functor, ()).is_none()
    }

    /// Nothing else will be asked for at a place.
    pub(super) fn settle(&mut self, place: PlaceId) {
        self.all[place].settled = true;
    }

    /// Everything is asked for at a place; true if that is new.
    pub(super) fn ask_all(&mut self, place: PlaceId) -> bool {
        let place = &mut self.all[place];
        !place.settled && !std::mem::replace(&mut place.all_asked, true)
    }

    /// What can stand at all of some places at once; none if anything can.
    pub(super) fn common(&mut self, places: &[PlaceId]) -> Option<Vec<Functor>> {
        let closed = places.iter().copied().filter(|&it| !self.all[it].open);
        let least = closed.min_by_key(|&it| self.all[it].given.len())?;
        self.work += self.all[least].given.len() * places.len();
        let fits = |it: &&Functor| places.iter().all(|&place| self.all[place].gives(**it));
        Some(self.all[least].given.keys().filter(fits).copied().collect())
    }

    /// What stands at `from` can stand at `to` if all of `also` allow it; true if something is
    /// new.
    pub(super) fn flow(&mut self, from: &[PlaceId], to: PlaceId) -> bool {
        if self.all[to].open {
            return false;
        }
        let Some(values) = self.common(from) else {
            return self.open(to);
        };
        let mut new = false;
        for functor in values {
            new |= self.give(to, functor, None);
            if functor.1 > 0 {
                new |= self.flow_parts(from, to, functor);
            }
        }
        new
    }

    fn flow_parts(&mut self, from: &[PlaceId], to: PlaceId, functor: Functor) -> bool {
        let targets = self.parts(to, functor);
        let closed: Vec<PlaceId> = from
            .iter()
            .copied()
            .filter(|&it| !self.all[it].open)
            .collect();
        let sources: Vec<Vec<PlaceId>> = closed.iter().map(|&it| self.parts(it, functor)).collect();
        let mut new = false;
        for (number, target) in targets.into_iter().enumerate() {
            let sources: Vec<PlaceId> = sources.iter().map(|parts| parts[number]).collect();
            // A place that flows into itself, part by part, stays as it is.
            if !sources.contains(&target) {
                new |= self.flow(&sources, target);
            }
        }
        new
    }
}

/// The functor of a term that is no variable.
pub(super) fn functor(term: Term<'_>) -> Functor {
    (term.name(), term.arity())
}
