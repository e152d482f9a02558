//! Fluents that are values of one variable: at most one of them holds in any state.
//!
//! Candidates are fluents that differ in one argument. Those of which two hold in some state of
//! random matches are dropped (`seen.rs`); the others must be proven by induction (`proof.rs`).
//! A fluent outside proven groups has a variable of two values.

use logic::{Bits, FluentId, GroundProgram, TermId};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Fluents of which at most one holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The fluents: value `n` of the variable says that the n-th holds.
    pub fluents: Vec<FluentId>,
    /// Whether exactly one always holds. If not proven, there is one more value, for none.
    pub exact: bool,
}

impl Group {
    /// How many values its variable has.
    pub fn values(&self) -> u32 {
        self.fluents.len() as u32 + u32::from(!self.exact)
    }

    /// The value of its variable in a state; none if that is no state of the game.
    pub fn value(&self, state: &Bits) -> Option<u32> {
        let mut held = (0..).zip(&self.fluents).filter(|&(_, &it)| state.holds(it));
        match (held.next(), held.next(), self.exact) {
            (Some((place, _)), None, _) => Some(place),
            (None, _, false) => Some(self.fluents.len() as u32),
            (None, _, true) | (Some(_), Some(_), _) => None,
        }
    }

    /// The name of its variable: its fluents, with `_` for the argument in which they differ.
    pub fn name(&self, program: &GroundProgram) -> String {
        let terms = program.terms();
        let first = program.fluents()[self.fluents[0].index()];
        let Some(&second) = self.fluents.get(1) else {
            return terms.text(first);
        };
        let others = terms.arguments(program.fluents()[second.index()]);
        let arguments = terms.arguments(first).iter().zip(others);
        let arguments = arguments.map(|(&it, &other)| match it == other {
            true => terms.text(it),
            false => "_".to_string(),
        });
        let arguments: Vec<String> = arguments.collect();
        format!("({} {})", terms.name(first), arguments.join(" "))
    }
}

/// All fluents, each in one group. A group of one fluent has two values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The groups.
    pub groups: Vec<Group>,
    /// For each fluent its group and value.
    pub places: Vec<Place>,
}

/// The variable and value of a fluent.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The group, by its number.
    pub group: usize,
    /// The value of the group's variable that says that the fluent holds.
    pub value: u32,
}

impl Grouping {
    /// Fluents in these groups, and each of the others on its own.
    pub(crate) fn new(count: usize, mut groups: Vec<Group>) -> Grouping {
        let mut places = vec![None; count];
        for (number, group) in groups.iter().enumerate() {
            for (value, &fluent) in (0..).zip(&group.fluents) {
                let group = number;
                places[fluent.index()] = Some(Place { group, value });
            }
        }
        let mut alone = |fluent: FluentId| {
            groups.push(Group {
                fluents: vec![fluent],
                exact: false,
            });
            Place {
                group: groups.len() - 1,
                value: 0,
            }
        };
        let places = (FluentId::all(count).zip(places))
            .map(|(fluent, place)| place.unwrap_or_else(|| alone(fluent)))
            .collect();
        Grouping { groups, places }
    }
}

/// A set of fluents that differ in one argument. Sets of the same relation and argument are a
/// family.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) family: usize,
    pub(crate) fluents: Vec<FluentId>,
}

/// A relation, its arity, and the place of an argument.
type Family = (String, usize, usize);

/// All sets of fluents that differ in one argument. They overlap.
pub(crate) fn candidates(program: &GroundProgram) -> Vec<Candidate> {
    let terms = program.terms();
    let mut families: BTreeMap<Family, BTreeMap<Vec<TermId>, Vec<FluentId>>> = BTreeMap::new();
    for (fluent, &term) in FluentId::all(program.fluents().len()).zip(program.fluents()) {
        let arguments = terms.arguments(term);
        for place in 0..arguments.len() {
            let mut rest = arguments.to_vec();
            rest.remove(place);
            let family = (terms.name(term).to_string(), arguments.len(), place);
            let sets = families.entry(family).or_default();
            sets.entry(rest).or_default().push(fluent);
        }
    }
    let families = families.into_values().enumerate();
    let sets = families.flat_map(|(family, sets)| {
        let several = sets.into_values().filter(|fluents| fluents.len() > 1);
        several.map(move |fluents| Candidate { family, fluents })
    });
    sets.collect()
}

/// Disjoint sets, chosen greedily: families with the largest share left first, then larger sets.
pub(crate) fn disjoint(
    all: &[Candidate],
    left: &[Candidate],
    fluents: usize,
) -> Vec<Vec<FluentId>> {
    let of_family = |sets: &[Candidate], family: usize| {
        sets.iter().filter(|set| set.family == family).count() as u64
    };
    let families = all
        .iter()
        .map(|set| set.family)
        .max()
        .map_or(0, |it| it + 1);
    let shares = (0..families).map(|it| of_family(left, it) * 1000 / of_family(all, it).max(1));
    let shares: Vec<u64> = shares.collect();
    let mut order: Vec<&Candidate> = left.iter().collect();
    order.sort_by_key(|set| Reverse((shares[set.family], set.fluents.len())));
    let mut taken = vec![false; fluents];
    let mut chosen = Vec::new();
    for set in order {
        if set.fluents.iter().all(|fluent| !taken[fluent.index()]) {
            let fluents = set.fluents.iter();
            fluents.for_each(|fluent| taken[fluent.index()] = true);
            chosen.push(set.fluents.clone());
        }
    }
    chosen
}
