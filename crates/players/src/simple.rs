//! Players that do not think: they play everything.

use crate::{Budget, Decision, Player, Refusal, Seat, Turn};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Any legal move.
pub(crate) struct Random(Xoshiro256PlusPlus);

impl Random {
    pub(crate) fn new(seat: &Seat) -> Random {
        Random(Xoshiro256PlusPlus::seed_from_u64(seat.seed))
    }
}

impl Player for Random {
    fn start(&mut self, _: &Budget) -> Result<(), Refusal> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>, _: &Budget) -> Decision {
        let number = self.0.next_u64() as usize % turn.legal.len();
        Decision::plain(turn.legal[number])
    }
}

/// The first legal move.
pub(crate) struct Legal;

impl Player for Legal {
    fn start(&mut self, _: &Budget) -> Result<(), Refusal> {
        Ok(())
    }

    fn choose(&mut self, turn: &Turn<'_>, _: &Budget) -> Decision {
        Decision::plain(turn.legal[0])
    }
}
