//! When each lane has used up its turns, or all have used up their time.

use crate::lanes::word::{Lanewise, Word};
use std::time::Instant;

/// So many restarts are noted before they are looked at lane by lane.
const NOTED: usize = 1024;

pub(crate) struct Clock<const P: usize> {
    turns: u64,
    now: u64,
    /// When each lane started, as far as it was looked at.
    started: Vec<u64>,
    /// Later starts.
    noted: Vec<(u64, Word<P>)>,
    /// Nothing is used up before this.
    next: u64,
    deadline: Option<Deadline>,
}

/// When playouts are broken off, and after how many turns that is looked at.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Deadline {
    pub(crate) until: Instant,
    pub(crate) interval: u64,
}

impl<const P: usize> Clock<P> {
    /// A clock that gives each lane so many turns, and all lanes together some time.
    pub(crate) fn new(turns: u64, deadline: Option<Deadline>) -> Clock<P> {
        Clock {
            turns,
            now: 0,
            started: vec![0; 64 * P],
            noted: Vec::new(),
            next: deadline.map_or(turns, |it| turns.min(it.interval)),
            deadline,
        }
    }

    /// Whether time is over: no playout begins any more.
    #[inline(always)]
    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|it| it.interval == 0)
    }

    /// The lanes among those playing that have used up their turns; all if time is over.
    #[inline(always)]
    pub(crate) fn used_up(&mut self, playing: Word<P>) -> Word<P> {
        match self.now < self.next {
            true => [0; P],
            false => self.look(playing),
        }
    }

    #[inline(never)]
    fn look(&mut self, playing: Word<P>) -> Word<P> {
        self.settle();
        let mut used_up = [0; P];
        self.next = self.now.saturating_add(self.turns);
        if let Some(deadline) = &mut self.deadline {
            if deadline.until <= Instant::now() {
                deadline.interval = 0;
                return playing;
            }
            self.next = self.next.min(self.now + deadline.interval);
        }
        for lane in playing.lanes() {
            let end = self.started[lane].saturating_add(self.turns);
            if end <= self.now {
                used_up.set(lane);
            } else {
                self.next = self.next.min(end);
            }
        }
        used_up
    }

    /// How many turns a lane has made.
    pub(crate) fn age(&mut self, lane: usize) -> u64 {
        self.settle();
        self.now - self.started[lane]
    }

    /// A turn is made.
    #[inline(always)]
    pub(crate) fn tick(&mut self) {
        self.now += 1;
    }

    /// Some lanes start over.
    #[inline(always)]
    pub(crate) fn restart(&mut self, fresh: Word<P>) {
        self.noted.push((self.now, fresh));
        if self.noted.len() == NOTED {
            self.settle();
        }
    }

    /// Takes over the latest start of each lane.
    #[inline(never)]
    fn settle(&mut self) {
        let mut settled = [0; P];
        for (time, fresh) in self.noted.drain(..).rev() {
            for lane in fresh.without(settled).lanes() {
                self.started[lane] = time;
            }
            settled = settled.or(fresh);
        }
    }
}
