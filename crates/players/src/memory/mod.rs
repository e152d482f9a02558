//! `Memory`: what is proven about a game, kept from one match to the next (P1, Figure 5: the share
//! of wins grows as matches of a game accumulate).
//!
//! It holds nogoods of look-ahead, and states of which is proven what every role gets if all play
//! best. Both are true in every match of the game, so players may share one memory, also those of
//! matches that run at the same time. Who sits with a memory uses it from the first turn on, and
//! adds what it has proven when the match is over.
//!
//! A memory can be written as text and read again, see `text.rs`. No file is touched here.
//!
//! Invariants: all ids are those of the game of the fingerprint; there are at most `limit` states;
//! where there would be more, those that were visited most stay.

mod fingerprint;
#[cfg(test)]
mod tests;
mod text;

pub use fingerprint::of_game as fingerprint;
pub use text::Flaw;

use crate::mac::nogoods::Nogoods;
use foldhash::fast::FixedState;
use game::{Bits, BitsBuf, Game};
use hashbrown::HashMap;
use std::cmp::Reverse;
use std::sync::{Arc, PoisonError, RwLock};

/// How many states a memory keeps.
const STATES: usize = 100_000;

/// Why there is no memory.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMemory {
    /// Only the interpreter plays the game.
    #[error("nothing is remembered of a game that only the interpreter plays")]
    NoIds,
    /// A text is no memory of the game.
    #[error("line {line}: {flaw}")]
    Text {
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong.
        flaw: Flaw,
    },
}

/// What is known of a state that is not over.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Known {
    /// What each role gets if all play best, from 0 to 1.
    pub(crate) values: Vec<f32>,
    /// How many turns best play takes from here.
    pub(crate) turns: u32,
    /// How often it was visited in the match that proved it.
    pub(crate) visits: u32,
}

impl Known {
    /// The same as bounds, which are equal.
    pub(crate) fn bounds(&self) -> Vec<(f32, f32)> {
        self.values.iter().map(|&it| (it, it)).collect()
    }
}

/// The states that are known.
type States = HashMap<BitsBuf, Known, FixedState>;

/// What the ids of a game have to fit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sizes {
    /// How many words a state has.
    words: usize,
    /// How many moves each role has.
    moves: Vec<usize>,
}

/// What is proven about a game.
#[derive(Debug)]
pub struct Memory {
    fingerprint: u64,
    sizes: Sizes,
    nogoods: Arc<Nogoods>,
    states: RwLock<States>,
    limit: usize,
}

impl Memory {
    /// An empty memory of a game.
    pub fn new(game: &Game) -> Result<Memory, BadMemory> {
        Memory::with_limit(game, STATES)
    }

    /// An empty memory of at most so many states.
    pub fn with_limit(game: &Game, limit: usize) -> Result<Memory, BadMemory> {
        let fingerprint = fingerprint::of_game(game).ok_or(BadMemory::NoIds)?;
        let words = game.state_words().ok_or(BadMemory::NoIds)?;
        let moves = game.role_ids().map(|role| game.moves(role).map(<[_]>::len));
        let moves: Option<Vec<usize>> = moves.collect();
        Ok(Memory {
            fingerprint,
            sizes: Sizes {
                words,
                moves: moves.ok_or(BadMemory::NoIds)?,
            },
            nogoods: Arc::default(),
            states: RwLock::default(),
            limit,
        })
    }

    /// The memory of a game that [`Memory::text`] wrote.
    pub fn read(text: &str, game: &Game) -> Result<Memory, BadMemory> {
        let memory = Memory::new(game)?;
        memory.fill(text)?;
        Ok(memory)
    }

    /// Checks that a text is whole, and a memory of some game.
    pub fn check(text: &str) -> Result<(), BadMemory> {
        text::body(text).map(drop)
    }

    /// How many states are known.
    pub fn len(&self) -> usize {
        self.states.read().map_or(0, |it| it.len())
    }

    /// Whether no state is known.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nogoods.
    pub(crate) fn nogoods(&self) -> &Arc<Nogoods> {
        &self.nogoods
    }

    /// What is known of a state.
    pub(crate) fn find(&self, state: &Bits) -> Option<Known> {
        let states = self.states.read().unwrap_or_else(PoisonError::into_inner);
        states.get(state).cloned()
    }

    /// Adds states. One that is known stays as it is, but for its visits.
    pub(crate) fn add(&self, proven: impl IntoIterator<Item = (BitsBuf, Known)>) {
        let mut states = self.states.write().unwrap_or_else(PoisonError::into_inner);
        for (state, known) in proven {
            let visits = known.visits;
            let kept = states.entry(state).or_insert(known);
            kept.visits = kept.visits.max(visits);
        }
        keep_most_visited(&mut states, self.limit);
    }

    /// How many states it may keep.
    pub(crate) fn limit(&self) -> usize {
        self.limit
    }
}

/// Drops the states that were visited least; of those visited as often the later ones in order.
fn keep_most_visited(states: &mut States, limit: usize) {
    if states.len() <= limit {
        return;
    }
    let mut all: Vec<(BitsBuf, Known)> = states.drain().collect();
    all.sort_unstable_by(|one, other| {
        let rank = |it: &(BitsBuf, Known)| Reverse(it.1.visits);
        (rank(one), &one.0).cmp(&(rank(other), &other.0))
    });
    all.truncate(limit);
    states.extend(all);
}
