//! Which moves were played, as bits beside the state of each lane.
//!
//! A turn adds the moves done to those played before. Once playouts have ended, what they played
//! is put into words that are held until it is counted.

use crate::kernel::plan::{GatePlan, Update};
use crate::net::{Net, Wire};
use std::ops::Range;

/// Inputs of turns that record moves. They come last, and are updated in their place.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    /// For each move of each role, where it was played in the present playout.
    pub(crate) played: Range<usize>,
    /// For each of them, where it was played in the playout that is held.
    pub(crate) held: Range<usize>,
    /// The lanes that play.
    pub(crate) active: usize,
    /// Lanes whose playouts are to be held.
    pub(crate) over: usize,
    /// Lanes whose playouts have ended.
    pub(crate) ended: usize,
}

impl Record {
    /// The record of so many moves, from the given input on.
    pub(crate) fn new(first: usize, moves: usize) -> Record {
        let held = first + moves;
        let active = held + moves;
        Record {
            played: first..held,
            held: held..active,
            active,
            over: active + 1,
            ended: active + 2,
        }
    }

    /// The input after the record.
    pub(crate) fn end(&self) -> usize {
        self.ended + 1
    }

    /// The updates of a turn, given where moves are done by lanes that play.
    pub(crate) fn updates(&self, net: &mut Net, done: &[Wire], playing: Wire) -> Vec<Update> {
        let possible = (self.played.clone().zip(done)).filter(|(_, done)| **done != Wire::FALSE);
        let update = |(input, &done): (usize, &Wire)| {
            let before = net.input(input);
            let now = net.and(done, playing);
            Update {
                input,
                wire: net.or(before, now),
                after: done,
            }
        };
        possible.map(update).collect()
    }

    /// Holds what was played in lanes that are over, and forgets it in all that have ended.
    /// Turns have so many outputs, which stay as they are.
    pub(crate) fn hold(&self, outputs: usize) -> GatePlan {
        let mut net = Net::default();
        let [over, ended] = [self.over, self.ended].map(|it| net.input(it));
        let mut updates = Vec::new();
        for (played_input, held_input) in self.played.clone().zip(self.held.clone()) {
            let [played, held] = [played_input, held_input].map(|it| net.input(it));
            let over = net.and(played, over);
            updates.push(Update {
                input: held_input,
                wire: net.or(held, over),
                after: held,
            });
            updates.push(Update {
                input: played_input,
                wire: net.and(played, ended.negated()),
                after: played,
            });
        }
        GatePlan::updating(&net, self.end() + outputs, &[], &updates)
    }
}
