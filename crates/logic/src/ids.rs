//! The vocabulary of ids: roles, moves, fluents, percepts and packed states.
//!
//! The ground program decides every order once ([`crate::GroundProgram`]); circuits, constraint
//! networks and players use the same numbers. Moves and percepts are numbered within their role,
//! so a [`MoveId`] means something only together with a [`RoleId`]. Where a game has no ground
//! program, moves and percepts go by the ids of their terms, and a packed state lists the ids of
//! its fluents; `game` hides the difference.

use crate::terms::TermId;
use ref_cast::RefCast;
use std::ops::{Deref, DerefMut};

/// Declares an id: a `u32` that counts one kind of thing.
macro_rules! id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Copy, Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this number.
            pub const fn new(index: usize) -> $name {
                $name(index as u32)
            }

            /// The number of the id, from 0.
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The first `count` ids, in order.
            pub fn all(count: usize) -> impl DoubleEndedIterator<Item = $name> + ExactSizeIterator + Clone {
                (0..count as u32).map($name)
            }
        }
    };
}

id! {
    /// A role, by its place among the roles of the game.
    RoleId
}
id! {
    /// A move, by its place among the moves of one role.
    MoveId
}
id! {
    /// A fluent, by its place among the fluents: bit `f % 64` of word `f / 64` of [`Bits`].
    FluentId
}
id! {
    /// A percept, by its place among the percepts of one role.
    PerceptId
}

impl From<TermId> for MoveId {
    /// The move of a game without a ground program.
    fn from(term: TermId) -> MoveId {
        MoveId::new(term.index())
    }
}

impl From<MoveId> for TermId {
    /// The term of a move, in a game without a ground program.
    fn from(id: MoveId) -> TermId {
        TermId::new(id.index())
    }
}

impl From<PerceptId> for TermId {
    /// The term of a percept, in a game without a ground program.
    fn from(id: PerceptId) -> TermId {
        TermId::new(id.index())
    }
}

impl From<TermId> for PerceptId {
    /// The percept of a game without a ground program.
    fn from(term: TermId) -> PerceptId {
        PerceptId::new(term.index())
    }
}

/// A packed state, borrowed: a bit for each fluent in the order of the ground program.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, RefCast)]
#[repr(transparent)]
pub struct Bits([u64]);

impl Bits {
    /// Words as a packed state.
    pub fn new(words: &[u64]) -> &Bits {
        Bits::ref_cast(words)
    }

    /// The words.
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Whether a fluent holds.
    pub fn holds(&self, fluent: FluentId) -> bool {
        let fluent = fluent.index();
        self.0[fluent / 64] >> (fluent % 64) & 1 == 1
    }

    /// The fluents that hold, in order.
    pub fn ones(&self) -> impl Iterator<Item = FluentId> + '_ {
        self.0.iter().enumerate().flat_map(|(place, &word)| {
            let lowest = |rest: &u64| Some(*rest & (*rest - 1)).filter(|it| *it != 0);
            let rests = std::iter::successors(Some(word).filter(|it| *it != 0), lowest);
            rests.map(move |rest| FluentId::new(place * 64 + rest.trailing_zeros() as usize))
        })
    }
}

impl ToOwned for Bits {
    type Owned = BitsBuf;

    fn to_owned(&self) -> BitsBuf {
        BitsBuf(self.0.to_vec())
    }
}

impl Bits {
    /// The fluents that a state of a game without a ground program lists; see
    /// [`BitsBuf::listing`].
    pub fn listed(&self) -> impl Iterator<Item = TermId> {
        self.0.iter().map(|&word| TermId::new(word as usize))
    }
}

/// A packed state, owned.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BitsBuf(Vec<u64>);

impl BitsBuf {
    /// A state of so many fluents, of which none holds.
    pub fn empty(fluents: usize) -> BitsBuf {
        BitsBuf(vec![0; fluents.div_ceil(64)])
    }

    /// A state of a game without a ground program: the ids of its fluents, in order.
    pub fn listing(fluents: impl Iterator<Item = TermId>) -> BitsBuf {
        BitsBuf(fluents.map(|it| it.index() as u64).collect())
    }

    /// Makes a fluent hold.
    pub fn insert(&mut self, fluent: FluentId) {
        let fluent = fluent.index();
        self.0[fluent / 64] |= 1 << (fluent % 64);
    }

    /// Becomes a copy of another state; keeps its memory.
    pub fn copy_from(&mut self, other: &Bits) {
        self.0.clear();
        self.0.extend_from_slice(&other.0);
    }

    /// The words, to be overwritten.
    pub fn words_mut(&mut self) -> &mut Vec<u64> {
        &mut self.0
    }
}

impl From<Vec<u64>> for BitsBuf {
    fn from(words: Vec<u64>) -> BitsBuf {
        BitsBuf(words)
    }
}

impl Deref for BitsBuf {
    type Target = Bits;

    fn deref(&self) -> &Bits {
        Bits::new(&self.0)
    }
}

impl DerefMut for BitsBuf {
    fn deref_mut(&mut self) -> &mut Bits {
        Bits::ref_cast_mut(&mut self.0)
    }
}

impl std::borrow::Borrow<Bits> for BitsBuf {
    fn borrow(&self) -> &Bits {
        self
    }
}

impl AsRef<Bits> for BitsBuf {
    fn as_ref(&self) -> &Bits {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_fluents() {
        let mut state = BitsBuf::empty(70);
        state.insert(FluentId::new(3));
        state.insert(FluentId::new(69));
        assert_eq!(state.words(), [8, 32]);
        let held: Vec<FluentId> = FluentId::all(70).filter(|&it| state.holds(it)).collect();
        assert_eq!(held, [FluentId::new(3), FluentId::new(69)]);
        let mut other = BitsBuf::default();
        other.copy_from(&state);
        assert_eq!(other, state);
    }
}
