//! Many states at once, one bit each: answers, turns and playouts.

mod clock;
mod held;
mod kernels;
mod memory;
mod playout;
pub(crate) mod random;
mod starts;
mod transpose;
pub(crate) mod word;

pub use starts::Start;

use crate::circuit::Circuit;
use crate::kernel::{Code, Kernel};
use crate::steps::cycle::Cycle;
use crate::steps::{Extras, Step};
use crate::tally::Tally;
use clock::Clock;
use held::Held;
use kernels::Kernels;
use memory::Memory;
use playout::{Batch, play};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use random::Random;
use starts::{Starts, holds};
use std::sync::Arc;
use word::{Lanewise, Word};

/// How many lanes there are.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Width {
    /// 64: any machine word.
    W64,
    /// 256: AVX2.
    W256,
    /// 512: AVX-512.
    W512,
    /// 1024: several vectors for each run of a piece of code.
    W1024,
}

impl Width {
    /// What fits this processor and a circuit best.
    fn best(circuit: &Circuit) -> Width {
        // Words of several vectors are less work for each lane, as long as what waits for its
        // use stays in the nearest cache.
        const SMALL: usize = 1500;
        match circuit.len() <= SMALL && first_step(circuit).plan.gates.len() <= SMALL {
            true => Width::W1024,
            false => Width::of_vectors(),
        }
    }

    /// What one vector of this processor holds. Where nothing is compiled, wide words are
    /// less work for each lane.
    fn of_vectors() -> Width {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") && !is_x86_feature_detected!("avx512f") {
            return Width::W256;
        }
        Width::W512
    }
}

/// How a simulator is made.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How many lanes there are; what fits best if nothing is said.
    pub width: Option<Width>,
    /// How gates are evaluated.
    pub code: Code,
    /// For each role the weights by which its moves are chosen, at least 1 each; all alike if
    /// there are none.
    pub weights: Option<Vec<Vec<u32>>>,
}

/// A circuit ready to run in lanes: immutable, shared by all threads.
#[derive(Debug)]
pub struct Simulator(OfWidth);

#[derive(Debug)]
enum OfWidth {
    W64(Kernels<1>),
    W256(Kernels<4>),
    W512(Kernels<8>),
    W1024(Kernels<16>),
}

/// The same for each width.
macro_rules! for_width {
    ($simulator:expr, $kernels:ident => $do:expr) => {
        match &$simulator.0 {
            OfWidth::W64($kernels) => $do,
            OfWidth::W256($kernels) => $do,
            OfWidth::W512($kernels) => $do,
            OfWidth::W1024($kernels) => $do,
        }
    };
}

impl Simulator {
    /// Makes a circuit ready.
    pub fn new(circuit: Arc<Circuit>, options: Options) -> Simulator {
        let weights = options.weights;
        let mut weights = weights.unwrap_or_else(|| even_weights(&circuit));
        for weight in weights.iter_mut().flatten() {
            *weight = (*weight).max(1);
        }
        let width = options.width.unwrap_or_else(|| Width::best(&circuit));
        Simulator(match width {
            Width::W64 => OfWidth::W64(Kernels::new(circuit, options.code, weights)),
            Width::W256 => OfWidth::W256(Kernels::new(circuit, options.code, weights)),
            Width::W512 => OfWidth::W512(Kernels::new(circuit, options.code, weights)),
            Width::W1024 => OfWidth::W1024(Kernels::new(circuit, options.code, weights)),
        })
    }

    /// The circuit.
    pub fn circuit(&self) -> &Circuit {
        for_width!(self, kernels => &kernels.circuit)
    }

    /// How many lanes there are.
    pub fn lanes(&self) -> usize {
        match &self.0 {
            OfWidth::W64(_) => 64,
            OfWidth::W256(_) => 256,
            OfWidth::W512(_) => 512,
            OfWidth::W1024(_) => 1024,
        }
    }

    /// The first state, packed.
    pub fn initial(&self) -> Vec<u64> {
        let fluents = self.circuit().initial();
        let mut packed = vec![0; fluents.len().div_ceil(64)];
        for (number, _) in fluents.iter().enumerate().filter(|(_, holds)| **holds) {
            packed[number / 64] |= 1 << (number % 64);
        }
        packed
    }

    /// How many gates a step of a playout has at each point of the cycle.
    pub fn step_gates(&self) -> Vec<usize> {
        for_width!(self, kernels => {
            let points = 0..kernels.cycle.len();
            points.map(|point| kernels.step(Some(point)).kernel.gates()).collect()
        })
    }

    /// How many playouts from each of some states fill the lanes. States at different points
    /// of the cycle are played apart from each other, in lanes of their own.
    pub fn shares<'s>(&self, states: impl Iterator<Item = &'s [u64]>) -> Vec<u64> {
        let points: Vec<Option<usize>> = for_width!(self, kernels => {
            let point = |state| kernels.cycle.point(|fluent| holds(state, fluent));
            states.map(point).collect()
        });
        let share = |point: &Option<usize>| {
            let together = points.iter().filter(|other| *other == point).count();
            (self.lanes() / together).max(1) as u64
        };
        points.iter().map(share).collect()
    }

    /// Plays at random from each start; returns what came of each. A match is cut off after
    /// so many turns. The same seed gives the same result.
    pub fn playouts(&self, starts: &[Start<'_>], turns: u64, seed: u64) -> Vec<Tally> {
        for_width!(self, kernels => playouts(kernels, starts, turns, seed))
    }

    /// The same in several threads: each plays its share of every start, with a seed of its
    /// own. The same seed and number of threads give the same result.
    pub fn playouts_in_threads(
        &self,
        starts: &[Start<'_>],
        turns: u64,
        seed: u64,
        threads: u64,
    ) -> Vec<Tally> {
        let mut seeds = Xoshiro256PlusPlus::seed_from_u64(seed);
        let share = |thread: u64| {
            let mut share = starts.to_vec();
            for start in &mut share {
                let rest = u64::from(thread < start.playouts % threads);
                start.playouts = start.playouts / threads + rest;
            }
            share
        };
        let mut total = vec![Tally::new(self.circuit().roles()); starts.len()];
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..threads)
                .map(|thread| (share(thread), seeds.next_u64()))
                .map(|(share, seed)| scope.spawn(move || self.playouts(&share, turns, seed)))
                .collect();
            for thread in threads {
                let tallies = thread.join().expect("a thread that plays does not panic");
                for (total, tally) in total.iter_mut().zip(&tallies) {
                    total.add(tally);
                }
            }
        });
        total
    }

    /// What follows from a state, asked of all lanes; none if lanes disagree, which is a fault
    /// of the engine.
    pub fn view(&self, state: &[u64]) -> Option<Answers> {
        for_width!(self, kernels => view(kernels, state))
    }

    /// The fluents after a joint move, by number of each role's move, and which percepts each
    /// role has; none if lanes disagree.
    pub fn next(&self, state: &[u64], joint: &[usize]) -> Option<(Vec<bool>, Vec<Vec<bool>>)> {
        for_width!(self, kernels => next(kernels, state, joint))
    }
}

/// What follows from one state: by number of role, move, goal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answers {
    /// Whether the match is over.
    pub terminal: bool,
    /// For each role which moves are legal.
    pub legal: Vec<Vec<bool>>,
    /// For each role which goals it has.
    pub goals: Vec<Vec<bool>>,
}

/// The step from the first state, every move weighing the same.
fn first_step(circuit: &Circuit) -> Step {
    let known = Cycle::new(circuit).known(0, circuit.fluents.len());
    Step::new(circuit, &known, &even_weights(circuit), Extras::None)
}

fn even_weights(circuit: &Circuit) -> Vec<Vec<u32>> {
    let ones = |moves: &Vec<_>| vec![1; moves.len()];
    circuit.moves.iter().map(ones).collect()
}

fn playouts<const P: usize>(
    kernels: &Kernels<P>,
    starts: &[Start<'_>],
    turns: u64,
    seed: u64,
) -> Vec<Tally> {
    let fluents = kernels.circuit.fluents.len();
    let mut tallies = vec![Tally::new(kernels.circuit.roles()); starts.len()];
    let mut random = Random::new(seed);
    let mut memory = Memory::new(1 + fluents);
    let point = |start: &Start<'_>| kernels.cycle.point(|fluent| holds(start.state, fluent));
    let points: Vec<Option<usize>> = starts.iter().map(point).collect();
    for start_point in (0..kernels.cycle.len()).map(Some).chain([None]) {
        let group: Vec<_> = (starts.iter().copied().enumerate())
            .filter(|&(number, start)| points[number] == start_point && start.playouts > 0)
            .collect();
        if group.is_empty() {
            continue;
        }
        let starts = Starts::new(group, fluents);
        let batch = Batch {
            held: Held::new(kernels, &starts),
            kernels,
            memory: &mut memory,
            random: &mut random,
            starts,
            tallies: &mut tallies,
            start_point,
            clock: Clock::new(turns),
            exchanged: false,
        };
        play(batch);
    }
    tallies
}

fn view<const P: usize>(kernels: &Kernels<P>, state: &[u64]) -> Option<Answers> {
    let kernel = kernels.view();
    let mut memory = load(kernels, kernel, state);
    let words = memory.words();
    kernel.run(words);
    let mut answers = words[kernel.first_output()..].iter().map(uniform);
    let terminal = answers.next().flatten()?;
    let mut by_role = |counts: Vec<usize>| -> Option<Vec<Vec<bool>>> {
        let of_role = |count| answers.by_ref().take(count).collect();
        counts.into_iter().map(of_role).collect()
    };
    let outputs = &kernels.circuit.outputs;
    Some(Answers {
        terminal,
        legal: by_role(outputs.legal.iter().map(Vec::len).collect())?,
        goals: by_role(outputs.goals.iter().map(Vec::len).collect())?,
    })
}

fn next<const P: usize>(
    kernels: &Kernels<P>,
    state: &[u64],
    joint: &[usize],
) -> Option<(Vec<bool>, Vec<Vec<bool>>)> {
    let kernel = kernels.turn();
    let mut memory = load(kernels, kernel, state);
    let words = memory.words();
    let mut first = 1 + kernels.circuit.fluents.len();
    for (moves, chosen) in kernels.circuit.moves.iter().zip(joint) {
        words[first + chosen] = [u64::MAX; P];
        first += moves.len();
    }
    kernel.run(words);
    let mut answers = words[kernel.first_output()..].iter().map(uniform);
    let fluents = answers.by_ref().take(kernels.circuit.fluents.len());
    let fluents = fluents.collect::<Option<_>>()?;
    let mut of_role = |seen: &Vec<_>| answers.by_ref().take(seen.len()).collect();
    let percepts = kernels.circuit.outputs.percepts.iter();
    let percepts: Option<_> = percepts.map(&mut of_role).collect();
    Some((fluents, percepts?))
}

/// Memory with one state in all lanes.
fn load<const P: usize>(kernels: &Kernels<P>, kernel: &Kernel<P>, state: &[u64]) -> Memory<P> {
    let mut memory = Memory::new(kernel.slots());
    let fluents = kernels.circuit.fluents.len();
    for (fluent, word) in memory.words()[1..][..fluents].iter_mut().enumerate() {
        *word = Word::splat(holds(state, fluent));
    }
    memory
}

/// The value of a word's lanes, if they agree.
fn uniform<const P: usize>(word: &Word<P>) -> Option<bool> {
    match *word {
        word if word == [u64::MAX; P] => Some(true),
        word if word == [0; P] => Some(false),
        _ => None,
    }
}
