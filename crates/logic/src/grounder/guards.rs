//! Guards: the literal that most legal moves of a role require, such as being in control.
//!
//! Moves of a role are numbered guard by guard, so that an engine can test the guard once for a
//! whole run of moves. A move requires the common literals of the rules for its `legal`; a
//! required literal that is used nowhere else is replaced by what it requires itself.

use super::atoms::AtomId;
use super::numbering::OUTPUTS;
use super::simplify::Simplified;
use gdl::Keyword;
use std::collections::HashMap;

/// Fewer moves share no guard.
const FEWEST: usize = 4;
/// Every guard of a role is tested every turn.
const MOST_GROUPS: usize = 8;

/// Moves of one role that are numbered one after the other.
pub(super) struct AtomGroup {
    /// The literal of atoms that all of them require, if there is one.
    pub(super) guard: Option<u32>,
    /// The atoms of `does`.
    pub(super) moves: Vec<AtomId>,
}

/// The moves of each role, grouped by guard: the final order of moves.
pub(super) fn grouped_moves(simple: &Simplified<'_>, needed: &[bool]) -> Vec<Vec<AtomGroup>> {
    let requirements = Requirements::new(simple, needed);
    let moves = simple.by_role(Keyword::Does).into_iter();
    moves.map(|moves| requirements.group(moves)).collect()
}

/// Finds what moves require to be legal.
struct Requirements<'s, 'r> {
    simple: &'s Simplified<'r>,
    /// The atoms that are replaced by what they require.
    expanded: Vec<bool>,
}

impl<'s, 'r> Requirements<'s, 'r> {
    fn new(simple: &'s Simplified<'r>, needed: &[bool]) -> Requirements<'s, 'r> {
        let uses = uses(simple, needed);
        let mut expanded: Vec<bool> = uses.iter().map(|&uses| uses == 1).collect();
        for members in simple.order.iter().filter(|members| members.len() > 1) {
            members
                .iter()
                .for_each(|&atom| expanded[atom as usize] = false);
        }
        Requirements { simple, expanded }
    }

    /// Groups moves by guard: the literal that most of the remaining moves require, repeatedly.
    fn group(&self, moves: Vec<AtomId>) -> Vec<AtomGroup> {
        let mut open: Vec<(AtomId, Vec<u32>)> = moves
            .into_iter()
            .map(|atom| (atom, self.of_move(atom)))
            .collect();
        let mut groups = Vec::new();
        while groups.len() + 1 < MOST_GROUPS
            && let Some(guard) = self.most_required(&open)
        {
            let members = open.extract_if(.., |(_, required)| required.contains(&guard));
            groups.push(AtomGroup {
                guard: Some(guard),
                moves: members.map(|(atom, _)| atom).collect(),
            });
        }
        if !open.is_empty() {
            groups.push(AtomGroup {
                guard: None,
                moves: open.into_iter().map(|(atom, _)| atom).collect(),
            });
        }
        groups
    }

    fn most_required(&self, moves: &[(AtomId, Vec<u32>)]) -> Option<u32> {
        let mut counts: HashMap<u32, usize, foldhash::fast::FixedState> = HashMap::default();
        for &literal in moves.iter().flat_map(|(_, required)| required) {
            *counts.entry(literal).or_default() += 1;
        }
        // A fluent comes first among equals: it is more likely to change every turn.
        let is_fluent =
            |literal: u32| literal & 1 == 0 && !self.simple.bodies.contains_key(&(literal >> 1));
        let best = counts
            .into_iter()
            .max_by_key(|&(literal, count)| (count, is_fluent(literal), literal));
        best.filter(|&(_, count)| count >= FEWEST)
            .map(|(literal, _)| literal)
    }

    /// The literals that a move requires to be legal, each once.
    fn of_move(&self, does: AtomId) -> Vec<u32> {
        let atoms = &self.simple.reached.atoms;
        let legal = self.simple.rules.keyword(Keyword::Legal);
        let legal = atoms.find(legal, atoms.arguments(does));
        let legal = legal.and_then(|atom| self.simple.resolve(atom << 1).ok());
        let Some(legal) = legal else {
            return Vec::new();
        };
        let mut open = vec![legal];
        let mut required = Vec::new();
        while let Some(literal) = open.pop() {
            let is_expanded = literal == legal || self.expanded[(literal >> 1) as usize];
            let inner = is_expanded.then(|| self.required_by(literal));
            match inner.filter(|inner| !inner.is_empty()) {
                Some(inner) => open.extend(inner),
                None => required.push(literal),
            }
        }
        required.sort_unstable();
        required.dedup();
        required
    }

    /// The literals that a derived literal requires: those common to all its rules, or, if it is
    /// negated, the negations of rules of one literal.
    fn required_by(&self, literal: u32) -> Vec<u32> {
        let Some([first, others @ ..]) = self.simple.bodies.get(&(literal >> 1)).map(Vec::as_slice)
        else {
            return Vec::new();
        };
        let in_others = |it: &u32| others.iter().all(|body| body.contains(it));
        let negated = literal & 1;
        let required: Vec<u32> = match negated {
            0 => first.iter().copied().filter(in_others).collect(),
            _ => {
                let bodies = std::iter::once(first).chain(others);
                let alone = bodies.filter(|body| body.len() == 1);
                alone.map(|body| body[0] ^ negated).collect()
            }
        };
        let resolved = required.iter().map(|&it| self.simple.resolve(it));
        resolved.flatten().collect()
    }
}

/// How often each atom is used by needed rules and outputs; twice by each goal and percept, as
/// these need the atom itself.
fn uses(simple: &Simplified<'_>, needed: &[bool]) -> Vec<u32> {
    let mut uses = vec![0; needed.len()];
    let mut count = |literal: u32, times: u32| {
        if let Ok(literal) = simple.resolve(literal) {
            uses[(literal >> 1) as usize] += times;
        }
    };
    for (&atom, bodies) in &simple.bodies {
        if needed[atom as usize] {
            bodies.iter().flatten().for_each(|&it| count(it, 1));
        }
    }
    for keyword in OUTPUTS {
        let is_read = matches!(keyword, Keyword::Goal | Keyword::Sees);
        for atom in simple.atoms_of(keyword) {
            count(atom << 1, 1 + u32::from(is_read));
        }
    }
    uses
}
