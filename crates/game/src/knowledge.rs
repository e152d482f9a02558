//! What a role knows: its information sets, numbered as they come up.
//!
//! A role remembers its own moves and what it saw, turn by turn. Two matches in which a role did
//! and saw the same are one information set of it.

use crate::{MoveId, PerceptId};
use logic::RoleId;
use std::collections::HashMap;

/// An information set of a role.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InfoSet {
    role: RoleId,
    number: u32,
}

impl InfoSet {
    /// What a role knows before the first turn.
    pub fn first(role: RoleId) -> InfoSet {
        InfoSet { role, number: 0 }
    }

    /// Whose it is.
    pub fn role(self) -> RoleId {
        self.role
    }

    /// Its number among the information sets of its role, from 0 in the order they came up.
    pub fn index(self) -> usize {
        self.number as usize
    }
}

/// A turn as a role remembers it: what it knew before, its own move, and what it saw.
type Remembered = (InfoSet, MoveId, Vec<PerceptId>);

/// All information sets that have come up, of all roles.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    after: HashMap<Remembered, InfoSet>,
    /// For each role how many there are after the first turn.
    counts: Vec<u32>,
}

impl Knowledge {
    /// Nothing has come up yet.
    pub fn new(roles: usize) -> Knowledge {
        Knowledge {
            after: HashMap::new(),
            counts: vec![0; roles],
        }
    }

    /// What a role knows after a turn, given what it knew before it, did and saw. Percepts are in
    /// the order of their ids, as a walk gives them.
    pub fn after(&mut self, before: InfoSet, own: MoveId, seen: &[PerceptId]) -> InfoSet {
        let role = before.role;
        let count = &mut self.counts[role.index()];
        *self
            .after
            .entry((before, own, seen.to_vec()))
            .or_insert_with(|| {
                *count += 1;
                InfoSet {
                    role,
                    number: *count,
                }
            })
    }

    /// How many information sets of a role have come up, the first among them.
    pub fn count(&self, role: RoleId) -> usize {
        self.counts[role.index()] as usize + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_that_look_the_same_are_one_information_set() {
        let (one, other) = (RoleId::new(0), RoleId::new(1));
        let (left, right) = (MoveId::new(0), MoveId::new(1));
        let bell = [PerceptId::new(0)];
        let mut knowledge = Knowledge::new(2);
        let first = knowledge.after(InfoSet::first(one), left, &bell);
        assert_eq!(knowledge.after(InfoSet::first(one), left, &bell), first);
        assert_ne!(knowledge.after(InfoSet::first(one), right, &bell), first);
        assert_ne!(knowledge.after(InfoSet::first(one), left, &[]), first);
        assert_ne!(knowledge.after(InfoSet::first(other), left, &bell), first);
        assert_eq!((knowledge.count(one), knowledge.count(other)), (4, 2));
        assert_ne!(knowledge.after(first, left, &bell), first);
    }
}
