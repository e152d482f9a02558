//! A random match, by whatever engine a game has.

use crate::{End, Game, Tally, Unanswered, Walk};
use rand_core::Rng;

impl Game {
    /// Plays one match at random from where a walk begins anew, at most so many turns.
    pub fn playout(
        &self,
        walk: &mut Walk<'_>,
        random: &mut impl Rng,
        turns: u64,
    ) -> Result<Tally, Unanswered> {
        walk.restart();
        let mut tally = Tally::new(self.roles().len());
        let (end, made) = walk.playout(random, turns);
        if let Some(reason) = walk.failure() {
            return Err(reason.clone());
        }
        tally.turns = made;
        match end {
            End::Over => {
                tally.playouts = 1;
                for role in self.role_ids() {
                    tally.add_goals(role, walk.goal(role).unwrap_or(0), 1);
                }
            }
            End::Stuck => tally.stuck = 1,
            End::Cut => tally.cut = 1,
        }
        Ok(tally)
    }
}
