//! Random matches of one state at a time.

use super::simulator::Single;
use crate::tally::Tally;
use rand_core::Rng;

/// How a random match ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// As the rules say.
    Over,
    /// A role had no legal move.
    Stuck,
    /// It had too many turns.
    Cut,
}

impl Single<'_> {
    /// Plays at random from the present state, at most so many turns; says how it ended and
    /// how many turns were made.
    pub fn playout(&mut self, random: &mut impl Rng, turns: u64) -> (End, u64) {
        let mut joint = vec![0; self.network.roles()];
        self.playout_by(&mut joint, random, turns)
    }

    /// Plays so many matches at random from the first state, each at most `turns` long.
    pub fn playouts(&mut self, random: &mut impl Rng, count: u64, turns: u64) -> Tally {
        let mut tally = Tally::new(self.network.roles());
        let mut joint = vec![0; self.network.roles()];
        for _ in 0..count {
            self.load(self.network.initial());
            let (end, length) = self.playout_by(&mut joint, random, turns);
            tally.turns += length;
            match end {
                End::Over => self.tally_goals(&mut tally),
                End::Stuck => tally.stuck += 1,
                End::Cut => tally.cut += 1,
            }
        }
        tally
    }

    fn playout_by(&mut self, joint: &mut [u32], random: &mut impl Rng, turns: u64) -> (End, u64) {
        for turn in 0.. {
            if self.terminal() {
                return (End::Over, turn);
            }
            for (role, chosen) in joint.iter_mut().enumerate() {
                match self.any_legal(role, random) {
                    Some(number) => *chosen = number,
                    None => return (End::Stuck, turn),
                }
            }
            if turn == turns {
                return (End::Cut, turn);
            }
            self.play(joint);
        }
        unreachable!("turns are fewer than all numbers")
    }

    fn tally_goals(&mut self, tally: &mut Tally) {
        tally.playouts += 1;
        for role in 0..self.network.roles() {
            for (_, value) in self.goals(role) {
                tally.add_goals(role, value, 1);
            }
        }
    }
}
