//! States → what they are worth, many at once.

use super::{By, Thread};
use game::{Bits, MoveTable, MoveTally};
use smallvec::SmallVec;

/// A value for each role, from 0 to 1.
pub type Values = SmallVec<[f32; 4]>;

/// What a state is worth.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimate {
    /// What each role gets on the average.
    pub values: Values,
    /// The most that each role got in one match.
    pub highest: Values,
    /// How many matches it is made of.
    pub weight: f32,
    /// Whether no turn was made: the match is over there, or cannot go on.
    pub over: bool,
    /// For each move the matches in which it was played, if that was asked for.
    pub moves: Option<MoveTable<MoveTally>>,
}

/// States to be evaluated.
#[derive(Copy, Clone, Debug)]
pub struct Batch<'b> {
    /// The states.
    pub states: &'b [&'b Bits],
    /// Many matches at once, or one at a time because there is little time left.
    pub by: By,
}

/// Evaluates states in batches.
pub trait Evaluate {
    /// Appends an estimate for each state of a batch.
    fn evaluate(&mut self, thread: &mut Thread<'_>, batch: &Batch<'_>, out: &mut Vec<Estimate>);
}
