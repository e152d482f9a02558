//! One thread's working memory, and its clock.

use crate::Budget;
use game::{Game, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::{Duration, Instant};

/// One thread's working memory.
pub struct Thread<'g> {
    /// Its walk through the game.
    pub walk: Walk<'g>,
    /// Its random numbers.
    pub random: Xoshiro256PlusPlus,
    /// Its clock.
    pub clock: Clock,
    /// How many playouts it has made.
    pub playouts: u64,
}

impl<'g> Thread<'g> {
    /// Working memory for a search with a seed and a budget.
    pub fn new(game: &'g Game, seed: u64, budget: &Budget) -> Thread<'g> {
        let clock = Clock::new(budget);
        Thread {
            walk: clock.walk(game),
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            clock,
            playouts: 0,
        }
    }
}

/// When to be done, and how long a piece of work takes that cannot be interrupted, so that none
/// begins that would be late.
#[derive(Copy, Clone, Debug)]
pub struct Clock {
    /// None if iterations are counted.
    until: Option<Instant>,
    pub(super) piece: Duration,
}

impl Clock {
    /// The clock of a budget.
    pub fn new(budget: &Budget) -> Clock {
        let until = match *budget {
            Budget::Until(until) => Some(until),
            Budget::Iterations(_) => None,
        };
        Clock {
            until,
            piece: Duration::ZERO,
        }
    }

    /// The time to be done by; none if iterations are counted.
    pub fn until(&self) -> Option<Instant> {
        self.until
    }

    /// A walk through a game that asks nothing any more when time is over.
    pub fn walk<'g>(&self, game: &'g Game) -> Walk<'g> {
        match self.until {
            Some(until) => game.walk_until(until),
            None => game.walk(),
        }
    }

    /// Whether there is no time for another piece of work, half as much again allowed for.
    pub fn is_late(&self) -> bool {
        let end = Instant::now() + self.piece.mul_f32(1.5);
        self.until.is_some_and(|until| end >= until)
    }

    /// Notes how long a piece of work took. A slow one is forgotten by and by.
    pub fn note_piece(&mut self, began: Instant) {
        self.piece = began.elapsed().max(self.piece.mul_f32(0.99));
    }

    /// Whether there is time to go through so many bytes of memory, and enough left after it.
    pub(crate) fn has_time_for(&self, bytes: usize) -> bool {
        // A gigabyte takes about a second.
        let needed = Duration::from_nanos(bytes as u64);
        let left = |until: Instant| until.saturating_duration_since(Instant::now());
        self.until.is_none_or(|until| left(until) > 4 * needed)
    }
}
