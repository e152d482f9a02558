//! Random matches in lanes, many at once.
//!
//! Every start has a number of playouts. Each is played to its end: stopping at a deadline
//! would count short matches too often, and is for those who cannot wait. A lane that has ended begins another when the cycle
//! is back at the point of the starts, as long as playouts are waiting.

use crate::lanes::clock::Clock;
use crate::lanes::ends::{Arms, Ends, Last};
use crate::lanes::kernels::{Kernels, TurnKernel, Variant};
use crate::lanes::memory::Memory;
use crate::lanes::played::MoveLog;
use crate::lanes::random::Random;
use crate::lanes::request::{Decisive, Weights};
use crate::lanes::starts::{Starts, overwrite};
use crate::lanes::word::{Lanewise, Word};
use multiversion::multiversion;

/// Some playouts from starts that stand at one point of the cycle.
pub(crate) struct Batch<'b, 'e, const P: usize, M> {
    pub(crate) kernels: &'b Kernels<P>,
    pub(crate) memory: &'b mut Memory<P>,
    pub(crate) random: &'b mut Random,
    pub(crate) starts: Starts<'b, P>,
    pub(crate) weights: Option<Weights<'b>>,
    /// What is done about moves that win at once.
    pub(crate) decisive: Decisive,
    /// The point of the cycle at which all starts stand, if at one.
    pub(crate) start_point: Option<usize>,
    pub(crate) clock: Clock<P>,
    pub(crate) ends: &'b mut Ends<'e, P, M>,
    /// Whether the present states are where a turn without exchange writes the next.
    pub(crate) exchanged: bool,
}

impl<'b, const P: usize, M: MoveLog<P>> Batch<'b, '_, P, M> {
    /// The turns that are made, one after the other, again and again. Memory is made ready for
    /// them.
    fn prepare(&mut self) -> Vec<&'b TurnKernel<P>> {
        let variant = Variant {
            digits: self.weights.map_or(0, Weights::places),
            counted: M::COUNTS,
            decisive: self.decisive,
        };
        let turns = self.kernels.turns_from(variant, self.start_point);
        let slots = turns.iter().map(|turn| turn.kernel.slots()).max();
        self.memory
            .grow(slots.unwrap_or(0).max(self.ends.moves.slots()));
        let words = self.memory.words();
        words[1..][..self.starts.words().len()].copy_from_slice(self.starts.words());
        if let Some(weights) = self.weights {
            let digits = words[turns[0].weights.clone()].chunks_mut(weights.places());
            let values = weights.table.values();
            assert_eq!(digits.len(), values.len(), "a weight for every move");
            for (digits, &weight) in digits.zip(values) {
                let weight = weight.clamp(1, weights.highest());
                for (place, digit) in digits.iter_mut().enumerate() {
                    *digit = Word::splat(weight >> place & 1 == 1);
                }
            }
        }
        turns
    }

    /// Makes a turn in all lanes; returns those that have ended before it.
    #[inline(always)]
    fn step(&mut self, turn: &TurnKernel<P>, active: Word<P>) -> Word<P> {
        let fluents = self.kernels.circuit.fluents.len();
        let words = self.memory.words();
        let drawn = &mut words[1 + fluents..][..turn.random];
        self.random.fill(drawn.as_flattened_mut());
        self.ends.moves.begin(words, active);
        turn.kernel.run_between(words, self.exchanged);
        let outputs = &words[turn.kernel.first_output()..];
        let over = outputs[0].and(active);
        let stuck = outputs[1].and(active).without(over);
        let playing = active.without(over).without(stuck);
        let cut = self.clock.used_up(playing);
        if !over.is_none() {
            let last = Last {
                state: turn.kernel.state(self.exchanged),
                first_goal: turn.kernel.first_output() + 2 + fluents,
                words,
            };
            self.ends.add(over, last, &self.starts);
        }
        let ended = over.or(stuck).or(cut);
        self.ends.moves.end(over, ended);
        self.count_turns(active, ended, stuck, cut);
        ended
    }

    #[inline(always)]
    fn count_turns(&mut self, active: Word<P>, ended: Word<P>, stuck: Word<P>, cut: Word<P>) {
        if self.starts.are_one() {
            let tally = &mut self.ends.tallies[self.starts.arm(0)];
            tally.turns += active.without(ended).count();
            tally.stuck += stuck.count();
            tally.cut += cut.count();
            return;
        }
        for lane in ended.lanes() {
            let tally = &mut self.ends.tallies[self.starts.arm(lane)];
            tally.turns += self.clock.age(lane);
            tally.stuck += u64::from(stuck.lane(lane));
            tally.cut += u64::from(cut.lane(lane));
        }
    }

    /// Goes to the next states; lanes in `fresh` start over.
    #[inline(always)]
    fn advance(&mut self, turn: &TurnKernel<P>, fresh: Word<P>) {
        self.exchanged = !self.exchanged;
        if !fresh.is_none() {
            let words = self.memory.words();
            self.ends.moves.hold(words);
            let state = &mut words[turn.kernel.state(self.exchanged)];
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
pub(crate) fn play<const P: usize, M: MoveLog<P>>(mut batch: Batch<'_, '_, P, M>) {
    let mut active = batch.starts.first();
    let mut idle = [u64::MAX; P].without(active);
    let turns = batch.prepare();
    let mut point = 0;
    while !active.is_none() {
        let turn = turns[point];
        let ended = batch.step(turn, active);
        active = active.without(ended);
        idle = idle.or(ended);
        batch.clock.tick();
        // With no lane left to keep in step, others can start at once.
        let round = point + 1 == turns.len() || active.is_none();
        point = if round { 0 } else { point + 1 };
        let fresh = match point == 0 && !idle.is_none() && !batch.clock.is_late() {
            true => batch.starts.restart(idle),
            false => [0; P],
        };
        batch.advance(turn, fresh);
        if !fresh.is_none() {
            batch.clock.restart(fresh);
            active = active.or(fresh);
            idle = idle.without(fresh);
        }
    }
    batch.ends.flush(batch.memory.words());
}
