//! Random matches in lanes, many at once.
//!
//! Every start has a number of playouts. Each is played to its end: stopping at a deadline
//! would count short matches too often. A lane that has ended begins another when the cycle
//! is back at the point of the starts, as long as playouts are waiting.

use crate::lanes::clock::Clock;
use crate::lanes::held::Held;
use crate::lanes::kernels::{Kernels, StepKernel};
use crate::lanes::memory::Memory;
use crate::lanes::random::Random;
use crate::lanes::starts::{Starts, overwrite};
use crate::lanes::word::{Lanewise, Word};
use crate::tally::Tally;
use multiversion::multiversion;

/// Some playouts from starts that stand at one point of the cycle.
pub(crate) struct Batch<'b, const P: usize> {
    pub(crate) kernels: &'b Kernels<P>,
    pub(crate) memory: &'b mut Memory<P>,
    pub(crate) random: &'b mut Random,
    pub(crate) starts: Starts<'b, P>,
    pub(crate) tallies: &'b mut [Tally],
    /// The point of the cycle at which all starts stand, if at one.
    pub(crate) start_point: Option<usize>,
    pub(crate) clock: Clock<P>,
    pub(crate) held: Held<P>,
    /// Whether the present states are where a step without exchange writes the next.
    pub(crate) exchanged: bool,
}

impl<const P: usize> Batch<'_, P> {
    /// Makes a turn in all lanes; returns those that have ended before it.
    #[inline(always)]
    fn step(&mut self, step: &StepKernel<P>, active: Word<P>) -> Word<P> {
        let fluents = self.kernels.circuit.fluents.len();
        let words = self.memory.words();
        let drawn = &mut words[1 + fluents..][..step.random];
        self.random.fill(drawn.as_flattened_mut());
        step.kernel.run_between(words, self.exchanged);
        let outputs = &words[step.kernel.first_output()..];
        let over = outputs[0].and(active);
        let stuck = outputs[1].and(active).without(over);
        let playing = active.without(over).without(stuck);
        let cut = self.clock.used_up(playing);
        if !over.is_none() {
            if self.kernels.goals_in_step {
                let goals = &outputs[2 + fluents..];
                count_goals(over, goals, &self.kernels.worth, &self.starts, self.tallies);
            } else {
                let state = &words[step.kernel.state(self.exchanged)];
                self.held
                    .add(over, state, &self.starts, self.kernels, self.tallies);
            }
        }
        let ended = over.or(stuck).or(cut);
        self.count_turns(active, ended, stuck, cut);
        ended
    }

    #[inline(always)]
    fn count_turns(&mut self, active: Word<P>, ended: Word<P>, stuck: Word<P>, cut: Word<P>) {
        if self.starts.are_one() {
            let tally = &mut self.tallies[self.starts.arm(0)];
            tally.turns += active.without(ended).count();
            tally.stuck += stuck.count();
            tally.cut += cut.count();
            return;
        }
        for lane in ended.lanes() {
            let tally = &mut self.tallies[self.starts.arm(lane)];
            tally.turns += self.clock.age(lane);
            tally.stuck += u64::from(stuck.lane(lane));
            tally.cut += u64::from(cut.lane(lane));
        }
    }

    /// Goes to the next states; lanes in `fresh` start over.
    #[inline(always)]
    fn advance(&mut self, step: &StepKernel<P>, fresh: Word<P>) {
        self.exchanged = !self.exchanged;
        if !fresh.is_none() {
            let words = self.memory.words();
            let state = &mut words[step.kernel.state(self.exchanged)];
            overwrite(state, self.starts.words(), fresh);
        }
    }
}

/// Plays a batch. Everything in the loop is inlined, so that all of it is compiled for the
/// vectors of the processor.
#[multiversion(targets(
    "x86_64+avx512f+avx512vl+bmi1+bmi2+popcnt",
    "x86_64+avx2+bmi1+bmi2+popcnt",
    "aarch64+neon"
))]
pub(crate) fn play<const P: usize>(mut batch: Batch<'_, P>) {
    let kernels = batch.kernels;
    let fluents = kernels.circuit.fluents.len();
    let steps = kernels.steps_from(batch.start_point);
    let mut point = 0;
    let mut active = batch.starts.first();
    let mut idle = [u64::MAX; P].without(active);
    let slots = steps.iter().map(|step| step.kernel.slots()).max();
    batch.memory.grow(slots.unwrap_or(0));
    batch.memory.words()[1..][..fluents].copy_from_slice(batch.starts.words());
    while !active.is_none() {
        let step = steps[point];
        let ended = batch.step(step, active);
        active = active.without(ended);
        idle = idle.or(ended);
        batch.clock.tick();
        // With no lane left to keep in step, others can start at once.
        let round = point + 1 == steps.len() || active.is_none();
        point = if round { 0 } else { point + 1 };
        let fresh = match point == 0 && !idle.is_none() {
            true => batch.starts.restart(idle),
            false => [0; P],
        };
        batch.advance(step, fresh);
        if !fresh.is_none() {
            batch.clock.restart(fresh);
            active = active.or(fresh);
            idle = idle.without(fresh);
        }
    }
    batch.held.flush(kernels, batch.tallies);
}

/// Counts the goals of lanes that are over.
#[inline(always)]
pub(crate) fn count_goals<const P: usize>(
    over: Word<P>,
    goals: &[Word<P>],
    worth: &[Vec<(usize, u32)>],
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

/// Which start each lane plays from.
pub(crate) trait Arms {
    /// Whether there is only one.
    fn are_one(&self) -> bool;
    /// The number of a lane's start.
    fn arm(&self, lane: usize) -> usize;
}
