//! Random matches of one state at a time.

use super::simulator::Single;
use crate::tally::Tally;
use logic::MoveId;
use rand_core::Rng;

/// How a random match ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// In a terminal state.
    Over,
    /// A role had no legal move.
    Stuck,
    /// After the limit of turns.
    Cut,
}

impl Single<'_> {
    /// Plays at random from the present state, at most `turns` turns; returns how it ended and how
    /// many turns were played.
    pub fn playout(&mut self, random: &mut impl Rng, turns: u64) -> (End, u64) {
        let mut joint = vec![MoveId::default(); self.propnet.roles()];
        self.playout_by(&mut joint, random, turns)
    }

    /// Plays `count` random matches from the initial state, each at most `turns` long.
    pub fn playouts(&mut self, random: &mut impl Rng, count: u64, turns: u64) -> Tally {
        let mut tally = Tally::new(self.propnet.roles());
        let mut joint = vec![MoveId::default(); self.propnet.roles()];
        for _ in 0..count {
            self.load(self.propnet.initial());
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

    fn playout_by(
        &mut self,
        joint: &mut [MoveId],
        random: &mut impl Rng,
        turns: u64,
    ) -> (End, u64) {
        for turn in 0.. {
            if self.terminal() {
                return (End::Over, turn);
            }
            for (role, chosen) in self.propnet.role_ids().zip(&mut *joint) {
                match self.any_legal(role, random) {
                    Some(action) => *chosen = action,
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
        for role in self.propnet.role_ids() {
            for (_, value) in self.goals(role) {
                tally.add_goals(role, value, 1);
            }
        }
    }
}
