//! Moves with a common guard, such as control.
//!
//! A literal of most moves changes most counters whenever it changes, often every turn. So the
//! guards of the ground program ([`logic::MoveGroup`]) are taken out of the ports: a move is legal
//! if its port and the guard of its group hold.

use logic::Literal;
use std::ops::Range;

/// The ports of moves with a common guard.
#[derive(Clone, Debug)]
pub(crate) struct GuardGroup {
    /// True for moves without a guard.
    pub(crate) guard: Literal,
    /// The words of their ports.
    words: Range<usize>,
    /// The bits of the group in its first word, and in its last.
    first: u64,
    last: u64,
}

impl GuardGroup {
    /// A group with the given ports.
    pub(crate) fn new(guard: Literal, slots: &Range<usize>) -> GuardGroup {
        GuardGroup {
            guard,
            words: slots.start / 64..slots.end.div_ceil(64),
            first: u64::MAX << (slots.start % 64),
            last: u64::MAX >> (slots.end.wrapping_neg() % 64),
        }
    }

    /// The words of the group, without the ports of other groups.
    pub(crate) fn words(&self, bits: &[u64]) -> impl Iterator<Item = (usize, u64)> {
        let words = self.words.clone().zip(&bits[self.words.clone()]);
        words.map(|(place, &word)| {
            let mut word = word;
            if place == self.words.start {
                word &= self.first;
            }
            if place + 1 == self.words.end {
                word &= self.last;
            }
            (place, word)
        })
    }
}
