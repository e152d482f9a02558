//! Players that do not think: they play everything.

use crate::{Budget, Decision, Failure, Observation, Player, Refusal, Seat};
use game::MoveId;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Any legal move.
pub(crate) struct Random {
    random: Xoshiro256PlusPlus,
    legal: Vec<MoveId>,
}

impl Random {
    pub(crate) fn new(seat: &Seat) -> Random {
        Random {
            random: Xoshiro256PlusPlus::seed_from_u64(seat.seed),
            legal: Vec::new(),
        }
    }
}

impl Player for Random {
    fn start(&mut self, _: &Budget) -> Result<(), Refusal> {
        Ok(())
    }

    fn observe(&mut self, seen: &Observation<'_>) {
        self.legal = seen.legal.to_vec();
    }

    fn choose(&mut self, _: &Budget) -> Result<Decision, Failure> {
        let number = self.random.next_u64() as usize % self.legal.len();
        Ok(Decision::plain(self.legal[number]))
    }
}

/// The first legal move.
#[derive(Default)]
pub(crate) struct Legal {
    first: Option<MoveId>,
}

impl Player for Legal {
    fn start(&mut self, _: &Budget) -> Result<(), Refusal> {
        Ok(())
    }

    fn observe(&mut self, seen: &Observation<'_>) {
        self.first = seen.legal.first().copied();
    }

    fn choose(&mut self, _: &Budget) -> Result<Decision, Failure> {
        let first = self.first.expect("a match that goes on has a legal move");
        Ok(Decision::plain(first))
    }
}
