//! A match that may have been played.

use game::{Bits, BitsBuf, MoveId, RoleId};
use std::sync::Arc;

/// A match: its states, and the joint moves between them.
#[derive(Clone, Debug)]
pub(super) struct Line {
    states: Vec<Arc<BitsBuf>>,
    turns: Vec<LineTurn>,
}

/// A turn of a match.
#[derive(Clone, Debug)]
pub(super) struct LineTurn {
    pub(super) joint: Arc<[MoveId]>,
    /// How far the percepts are from what was seen.
    pub(super) misses: usize,
}

impl Line {
    /// A match in its initial state.
    pub(super) fn new(first: BitsBuf) -> Line {
        Line {
            states: vec![Arc::new(first)],
            turns: Vec::new(),
        }
    }

    /// The match before a turn.
    pub(super) fn up_to(&self, turn: usize) -> Line {
        Line {
            states: self.states[..=turn].to_vec(),
            turns: self.turns[..turn].to_vec(),
        }
    }

    pub(super) fn push(&mut self, state: BitsBuf, turn: LineTurn) {
        self.states.push(Arc::new(state));
        self.turns.push(turn);
    }

    /// How many turns it has.
    pub(super) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// The state before a turn.
    pub(super) fn state(&self, turn: usize) -> &Bits {
        &self.states[turn]
    }

    pub(super) fn turn(&self, turn: usize) -> &LineTurn {
        &self.turns[turn]
    }

    /// The state after the last turn.
    pub(super) fn last(&self) -> &Bits {
        &self.states[self.turns.len()]
    }

    /// How far all percepts are from what was seen.
    pub(super) fn misses(&self) -> usize {
        self.turns.iter().map(|it| it.misses).sum()
    }

    /// The joint move of a turn with the moves of others from another turn.
    pub(super) fn exchanged(&self, turn: usize, other: usize, role: RoleId) -> Arc<[MoveId]> {
        let mut joint = self.turns[other].joint.to_vec();
        joint[role.index()] = self.turns[turn].joint[role.index()];
        joint.into()
    }
}
