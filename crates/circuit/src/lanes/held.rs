//! Last states set aside, until their goals are evaluated for many at once.

use crate::lanes::kernels::Kernels;
use crate::lanes::memory::Memory;
use crate::lanes::playout::{Arms, count_goals};
use crate::lanes::starts::overwrite;
use crate::lanes::word::{Lanewise, Word};
use crate::tally::Tally;

/// At most one state a lane.
pub(crate) struct Held<const P: usize> {
    memory: Memory<P>,
    lanes: Word<P>,
    arms: Vec<usize>,
    one: bool,
}

impl<const P: usize> Held<P> {
    pub(crate) fn new(kernels: &Kernels<P>, starts: &impl Arms) -> Held<P> {
        let slots = if kernels.goals_in_step {
            0
        } else {
            kernels.goals().slots()
        };
        Held {
            memory: Memory::new(slots),
            lanes: [0; P],
            arms: vec![starts.arm(0); 64 * P],
            one: starts.are_one(),
        }
    }

    /// Sets the states of some lanes aside.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        over: Word<P>,
        state: &[Word<P>],
        starts: &impl Arms,
        kernels: &Kernels<P>,
        tallies: &mut [Tally],
    ) {
        if !self.lanes.and(over).is_none() {
            self.flush(kernels, tallies);
        }
        self.lanes = self.lanes.or(over);
        overwrite(&mut self.memory.words()[1..], state, over);
        if !self.one {
            for lane in over.lanes() {
                self.arms[lane] = starts.arm(lane);
            }
        }
    }

    /// Evaluates the goals of all states held.
    pub(crate) fn flush(&mut self, kernels: &Kernels<P>, tallies: &mut [Tally]) {
        if self.lanes.is_none() {
            return;
        }
        let kernel = kernels.goals();
        kernel.run(self.memory.words());
        let lanes = std::mem::replace(&mut self.lanes, [0; P]);
        let arms = (self.one, &self.arms[..]);
        let goals = &self.memory.words()[kernel.first_output()..];
        count_goals(lanes, goals, &kernels.worth, &arms, tallies);
    }
}

impl Arms for (bool, &[usize]) {
    fn are_one(&self) -> bool {
        self.0
    }

    fn arm(&self, lane: usize) -> usize {
        self.1[lane]
    }
}
