//! A value for every move of every role: weights, or tallies of playouts.

use crate::circuit::Circuit;
use logic::{MoveId, RoleId};
use std::ops::{Index, IndexMut, Range};

/// A value for every move of every role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveTable<T> {
    /// Where the moves of each role begin, and where the last ends.
    first: Vec<usize>,
    values: Vec<T>,
}

impl<T: Clone> MoveTable<T> {
    /// The same value for all moves, given how many each role has.
    pub fn new(sizes: impl IntoIterator<Item = usize>, value: T) -> MoveTable<T> {
        let mut first = vec![0];
        for size in sizes {
            first.push(first[first.len() - 1] + size);
        }
        let values = vec![value; first[first.len() - 1]];
        MoveTable { first, values }
    }
}

impl<T> MoveTable<T> {
    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// The values of a role's moves, in the order of their ids.
    pub fn of_role(&self, role: RoleId) -> &[T] {
        &self.values[self.range(role)]
    }

    /// The values of a role's moves, to be changed.
    pub fn of_role_mut(&mut self, role: RoleId) -> &mut [T] {
        let range = self.range(role);
        &mut self.values[range]
    }

    /// All values, role by role.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// All values, to be changed.
    pub fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }

    /// All values with their roles and moves.
    pub fn iter(&self) -> impl Iterator<Item = (RoleId, MoveId, &T)> {
        RoleId::all(self.roles()).flat_map(|role| {
            let values = self.of_role(role);
            MoveId::all(values.len())
                .zip(values)
                .map(move |(it, value)| (role, it, value))
        })
    }

    /// Where the values of a role are among all.
    pub(crate) fn range(&self, role: RoleId) -> Range<usize> {
        self.first[role.index()]..self.first[role.index() + 1]
    }
}

impl<T> Index<(RoleId, MoveId)> for MoveTable<T> {
    type Output = T;

    fn index(&self, (role, it): (RoleId, MoveId)) -> &T {
        &self.of_role(role)[it.index()]
    }
}

impl<T> IndexMut<(RoleId, MoveId)> for MoveTable<T> {
    fn index_mut(&mut self, (role, it): (RoleId, MoveId)) -> &mut T {
        &mut self.of_role_mut(role)[it.index()]
    }
}

impl Circuit {
    /// A table with the same value for every move.
    pub fn move_table<T: Clone>(&self, value: T) -> MoveTable<T> {
        MoveTable::new(self.moves.iter().map(Vec::len), value)
    }
}

/// Playouts in which a role played a move at least once, of those that came to an end.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveTally {
    /// How many there were.
    pub playouts: u64,
    /// The sum of the role's goals in them.
    pub goals: u64,
}

impl MoveTally {
    /// Adds other playouts.
    pub fn add(&mut self, other: MoveTally) {
        self.playouts += other.playouts;
        self.goals += other.goals;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_role_has_its_moves() {
        let mut table = MoveTable::new([2, 0, 3], 1);
        let (role, last) = (RoleId::new(2), MoveId::new(2));
        table[(role, last)] = 7;
        assert_eq!(table.of_role(RoleId::new(0)), [1, 1]);
        assert!(table.of_role(RoleId::new(1)).is_empty());
        assert_eq!(table.of_role(role), [1, 1, 7]);
        assert_eq!(table.iter().last(), Some((role, last, &7)));
        assert_eq!(table.iter().count(), 5);
    }
}
