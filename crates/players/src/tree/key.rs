//! What makes two states one node.

use game::{Bits, BitsBuf};

/// Maps a state to the key under which a tree keeps it: the state itself, its least image under
/// symmetries, or a part of it. A key is a state of the game that stands for the others.
pub(crate) trait Key: Clone + Default + Send + Sync {
    /// The key of a state; `buffer` is there to hold it.
    fn of<'k>(&self, state: &'k Bits, buffer: &'k mut BitsBuf) -> &'k Bits;
}

/// Every state is a node of its own.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Whole;

impl Key for Whole {
    #[inline]
    fn of<'k>(&self, state: &'k Bits, _: &'k mut BitsBuf) -> &'k Bits {
        state
    }
}
