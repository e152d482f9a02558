//! A random match, by whatever engine a game has.

use crate::{Game, Scratch, Unanswered, View};
use circuit::Tally;
use rand_core::Rng;

impl Game {
    /// Plays one match at random from the first state, at most so many turns.
    pub fn playout(
        &self,
        scratch: &mut Scratch,
        random: &mut impl Rng,
        turns: u64,
    ) -> Result<Tally, Unanswered> {
        let mut tally = Tally::new(self.roles().len());
        let mut state = self.initial(scratch)?;
        loop {
            let view = self.view(scratch, &state)?;
            if view.terminal {
                self.count_goals(scratch, &view, &mut tally);
                return Ok(tally);
            }
            if view.legal.iter().any(Vec::is_empty) {
                tally.stuck += 1;
                return Ok(tally);
            }
            if tally.turns == turns {
                tally.cut += 1;
                return Ok(tally);
            }
            let mut any = |moves: usize| random.next_u64() as usize % moves;
            let joint = view.legal.iter().map(|moves| moves[any(moves.len())]);
            let joint: Vec<_> = joint.collect();
            (state, _) = self.next(scratch, &state, &joint)?;
            tally.turns += 1;
        }
    }

    fn count_goals(&self, scratch: &Scratch, view: &View, tally: &mut Tally) {
        tally.playouts += 1;
        for (role, goals) in view.goals.iter().enumerate() {
            for &goal in goals {
                let value = scratch.terms().name(goal).parse().unwrap_or(0);
                tally.add_goals(role, value, 1);
            }
        }
    }
}
