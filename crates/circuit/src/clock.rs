//! When each lane has used up its turns.

use crate::word::{WIDTH, Word};

pub(crate) struct Clock {
    turns: u64,
    now: u64,
    started: Vec<u64>,
    /// No lane is cut before this.
    next: u64,
}

impl Clock {
    /// A clock that gives each lane so many turns.
    pub(crate) fn new(turns: u64) -> Clock {
        Clock {
            turns,
            now: 0,
            started: vec![0; WIDTH],
            next: turns,
        }
    }

    /// The lanes among those playing that have used up their turns.
    pub(crate) fn cut(&mut self, playing: Word) -> Word {
        let mut cut = Word::NONE;
        if self.now < self.next {
            return cut;
        }
        self.next = u64::MAX;
        for lane in (0..WIDTH).filter(|&lane| playing.lane(lane)) {
            let end = self.started[lane].saturating_add(self.turns);
            if end <= self.now {
                cut.0[lane / 64] |= 1 << (lane % 64);
            } else {
                self.next = self.next.min(end);
            }
        }
        cut
    }

    /// A turn was made; lanes in `fresh` start over.
    pub(crate) fn tick(&mut self, fresh: Word) {
        self.now += 1;
        if fresh.is_none() {
            return;
        }
        for lane in (0..WIDTH).filter(|&lane| fresh.lane(lane)) {
            self.started[lane] = self.now;
        }
        self.next = self.next.min(self.now.saturating_add(self.turns));
    }
}
