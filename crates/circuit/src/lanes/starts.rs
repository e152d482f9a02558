//! Where playouts start, and how many are waiting.

use crate::lanes::ends::Arms;
use crate::lanes::transpose::transpose;
use crate::lanes::word::{Lanewise, Word};
use logic::{Bits, FluentId};

/// A state to play from, and how often.
#[derive(Copy, Clone, Debug)]
pub struct Start<'s> {
    /// The fluents that hold.
    pub state: &'s Bits,
    /// How many playouts there shall be.
    pub playouts: u64,
}

/// The starts of one batch.
pub(crate) struct Starts<'s, const P: usize> {
    /// The starts with their numbers.
    starts: Vec<(usize, Start<'s>)>,
    /// How many playouts of each have not begun, and of all together.
    waiting: Vec<u64>,
    left: u64,
    /// The first that has any.
    next: usize,
    /// Which of the starts each lane has.
    of_lane: Vec<usize>,
    /// The fluents of each lane's start.
    words: Vec<Word<P>>,
}

impl<'s, const P: usize> Starts<'s, P> {
    /// Some starts, at least one, with their numbers.
    pub(crate) fn new(starts: Vec<(usize, Start<'s>)>, fluents: usize) -> Starts<'s, P> {
        Starts {
            waiting: starts.iter().map(|(_, start)| start.playouts).collect(),
            left: starts.iter().map(|(_, start)| start.playouts).sum(),
            next: 0,
            of_lane: vec![0; 64 * P],
            words: vec![[0; P]; fluents],
            starts,
        }
    }

    /// The fluents of each lane's start.
    pub(crate) fn words(&self) -> &[Word<P>] {
        &self.words
    }

    /// Gives the first lanes their starts; returns those that have one. Lanes of one start are
    /// neighbours, so that results are counted many lanes at a time.
    pub(crate) fn first(&mut self) -> Word<P> {
        let mut begun = [0; P];
        let mut lanes = 0;
        while lanes < 64 * P
            && let Some(start) = self.take_next()
        {
            self.of_lane[lanes] = start;
            begun.set(lanes);
            lanes += 1;
        }
        self.of_lane[..lanes].sort_unstable();
        self.load();
        begun
    }

    /// Lanes among those idle that start over; each from where it did before, if playouts of
    /// that start are waiting.
    #[inline(always)]
    pub(crate) fn restart(&mut self, idle: Word<P>) -> Word<P> {
        let mut fresh = [0; P];
        if self.left == 0 {
            return fresh;
        }
        if self.are_one() {
            let fresh = idle.lowest(self.left);
            self.left -= fresh.count();
            return fresh;
        }
        for lane in idle.lanes() {
            let own = self.of_lane[lane];
            if self.waiting[own] > 0 {
                self.waiting[own] -= 1;
                self.left -= 1;
            } else if let Some(start) = self.take_next() {
                self.of_lane[lane] = start;
                self.load_lane(lane);
            } else {
                continue;
            }
            fresh.set(lane);
        }
        fresh
    }

    /// Begins a playout of the next start that has any waiting. Starts take turns, so that
    /// those with many do not come last alone.
    fn take_next(&mut self) -> Option<usize> {
        let count = self.starts.len();
        let offset = (0..count).find(|offset| self.waiting[(self.next + offset) % count] > 0)?;
        let start = (self.next + offset) % count;
        self.waiting[start] -= 1;
        self.left -= 1;
        self.next = (start + 1) % count;
        Some(start)
    }

    fn load(&mut self) {
        if self.are_one() {
            let state = self.starts[0].1.state;
            for (fluent, word) in FluentId::all(self.words.len()).zip(&mut self.words) {
                *word = Word::splat(state.holds(fluent));
            }
            return;
        }
        for part in 0..P {
            for (block, words) in self.words.chunks_mut(64).enumerate() {
                let state = |lane: usize| self.starts[self.of_lane[64 * part + lane]].1.state;
                let mut square = std::array::from_fn(|lane| state(lane).words()[block]);
                transpose(&mut square);
                for (word, column) in words.iter_mut().zip(square) {
                    word[part] = column;
                }
            }
        }
    }

    fn load_lane(&mut self, lane: usize) {
        let state = self.starts[self.of_lane[lane]].1.state;
        for (fluent, word) in FluentId::all(self.words.len()).zip(&mut self.words) {
            let bit = u64::from(state.holds(fluent)) << (lane % 64);
            let part = &mut word[lane / 64];
            *part = *part & !(1 << (lane % 64)) | bit;
        }
    }
}

impl<const P: usize> Arms for Starts<'_, P> {
    fn are_one(&self) -> bool {
        self.starts.len() == 1
    }

    fn arm(&self, lane: usize) -> usize {
        self.starts[self.of_lane[lane]].0
    }
}

/// Overwrites some lanes.
#[inline(always)]
pub(crate) fn overwrite<const P: usize>(to: &mut [Word<P>], from: &[Word<P>], lanes: Word<P>) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = to.without(lanes).or(from.and(lanes));
    }
}
