//! Playouts that are over: their goals are counted at once, or held until many can be counted
//! together.
//!
//! Last states are held where goals are not part of every turn; where moves are counted, what
//! was played is held with them, so that a few instructions count many lanes.

use crate::lanes::kernels::Kernels;
use crate::lanes::memory::Memory;
use crate::lanes::played::{Goals, MoveLog};
use crate::lanes::starts::overwrite;
use crate::lanes::word::{Lanewise, Word};
use crate::tally::Tally;
use logic::RoleId;
use std::ops::Range;

/// The results of a batch, start by start. At most one playout of each lane is held.
pub(crate) struct Ends<'b, const P: usize, M> {
    kernels: &'b Kernels<P>,
    pub(crate) tallies: &'b mut [Tally],
    /// The moves of playouts.
    pub(crate) moves: M,
    /// Last states as inputs of the goals' kernel, or goals.
    memory: Memory<P>,
    /// The lanes that are held.
    lanes: Word<P>,
    /// The start of each of them.
    arms: HeldArms,
}

/// The memory of turns, and where in it last states are, and their goals if they are part of
/// the turn.
pub(crate) struct Last<'w, const P: usize> {
    pub(crate) words: &'w mut [Word<P>],
    pub(crate) state: Range<usize>,
    pub(crate) first_goal: usize,
}

impl<const P: usize> Last<'_, P> {
    fn goals(&self) -> &[Word<P>] {
        &self.words[self.first_goal..]
    }
}

impl<'b, const P: usize, M: MoveLog<P>> Ends<'b, P, M> {
    pub(crate) fn new(
        kernels: &'b Kernels<P>,
        tallies: &'b mut [Tally],
        moves: M,
    ) -> Ends<'b, P, M> {
        let words = match (kernels.goals_in_step, M::COUNTS) {
            (false, _) => kernels.goals().slots(),
            (true, true) => kernels.worth.len(),
            (true, false) => 0,
        };
        Ends {
            memory: Memory::new(words),
            lanes: [0; P],
            arms: HeldArms {
                one: false,
                of_lane: vec![0; 64 * P],
            },
            kernels,
            tallies,
            moves,
        }
    }

    /// Some lanes are over.
    #[inline(always)]
    pub(crate) fn add(&mut self, over: Word<P>, last: Last<'_, P>, arms: &impl Arms) {
        if self.kernels.goals_in_step && !M::COUNTS {
            count_goals(&self.kernels.worth, last.goals(), over, arms, self.tallies);
            return;
        }
        if !self.lanes.and(over).is_none() {
            self.flush(last.words);
        }
        self.lanes = self.lanes.or(over);
        match self.kernels.goals_in_step {
            true => overwrite(self.memory.words(), last.goals(), over),
            false => overwrite(&mut self.memory.words()[1..], &last.words[last.state], over),
        }
        self.arms.note(over, arms);
    }

    /// Counts all playouts that are held, given the memory of turns.
    pub(crate) fn flush(&mut self, words: &mut [Word<P>]) {
        if self.lanes.is_none() {
            return;
        }
        let goals = match self.kernels.goals_in_step {
            true => self.memory.words(),
            false => {
                let kernel = self.kernels.goals();
                kernel.run(self.memory.words());
                &mut self.memory.words()[kernel.first_output()..]
            }
        };
        let lanes = std::mem::replace(&mut self.lanes, [0; P]);
        let worth = &self.kernels.worth;
        for goal in goals.iter_mut().take(worth.len()) {
            *goal = goal.and(lanes);
        }
        count_goals(worth, goals, lanes, &self.arms, self.tallies);
        let goals = Goals {
            words: goals,
            worth,
        };
        self.moves.count(words, &goals, &self.arms);
    }
}

/// Which start each lane plays from.
pub(crate) trait Arms {
    /// Whether there is only one.
    fn are_one(&self) -> bool;
    /// The number of a lane's start.
    fn arm(&self, lane: usize) -> usize;
}

/// The starts of lanes that are held.
pub(crate) struct HeldArms {
    one: bool,
    of_lane: Vec<usize>,
}

impl HeldArms {
    #[inline(always)]
    fn note<const P: usize>(&mut self, lanes: Word<P>, arms: &impl Arms) {
        self.one = arms.are_one();
        if self.one {
            self.of_lane[0] = arms.arm(0);
            return;
        }
        for lane in lanes.lanes() {
            self.of_lane[lane] = arms.arm(lane);
        }
    }
}

impl Arms for HeldArms {
    fn are_one(&self) -> bool {
        self.one
    }

    fn arm(&self, lane: usize) -> usize {
        self.of_lane[lane]
    }
}

/// What each output of goals is worth to whom.
pub(crate) type Worth = Vec<(RoleId, u32)>;

/// Counts the goals of lanes that are over.
#[inline(always)]
fn count_goals<const P: usize>(
    worth: &[Worth],
    goals: &[Word<P>],
    over: Word<P>,
    arms: &impl Arms,
    tallies: &mut [Tally],
) {
    if arms.are_one() {
        let tally = &mut tallies[arms.arm(0)];
        tally.playouts += over.count();
        for (goal, worth) in goals.iter().zip(worth) {
            let count = goal.and(over).count();
            for &(role, value) in worth {
                tally.add_goals(role, value, count);
            }
        }
        return;
    }
    for lane in over.lanes() {
        tallies[arms.arm(lane)].playouts += 1;
    }
    for (goal, worth) in goals.iter().zip(worth) {
        for lane in goal.and(over).lanes() {
            for &(role, value) in worth {
                tallies[arms.arm(lane)].add_goals(role, value, 1);
            }
        }
    }
}
