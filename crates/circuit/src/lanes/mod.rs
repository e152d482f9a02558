//! Many states at once, one bit each: answers, turns and playouts.

mod answers;
mod clock;
mod ends;
pub(crate) mod kernels;
mod memory;
mod played;
mod playout;
pub(crate) mod random;
pub(crate) mod request;
mod samples;
mod starts;
#[cfg(test)]
mod tests;
mod transpose;
mod width;
pub(crate) mod word;

pub use answers::{Answers, Successor};
pub use request::{Decisive, Outcomes, Request, Weights};
pub use starts::Start;
pub use width::Width;

use crate::circuit::Circuit;
use crate::kernel::Code;
use crate::tally::Tally;
use kernels::{Kernels, Variant};
use logic::{Bits, BitsBuf, FluentId, MoveId};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// How a simulator is made.
#[derive(Copy, Clone, Debug, Default)]
pub struct SimulatorOptions {
    /// How many lanes there are; by default what suits the processor and the circuit.
    pub width: Option<Width>,
    /// How gates are evaluated.
    pub code: Code,
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
    pub fn new(circuit: Arc<Circuit>, options: SimulatorOptions) -> Simulator {
        let width = options.width.unwrap_or_else(|| Width::best(&circuit));
        Simulator(match width {
            Width::W64 => OfWidth::W64(Kernels::new(circuit, options.code)),
            Width::W256 => OfWidth::W256(Kernels::new(circuit, options.code)),
            Width::W512 => OfWidth::W512(Kernels::new(circuit, options.code)),
            Width::W1024 => OfWidth::W1024(Kernels::new(circuit, options.code)),
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
    pub fn initial(&self) -> BitsBuf {
        let fluents = self.circuit().initial();
        let mut state = BitsBuf::empty(fluents.len());
        for (fluent, _) in FluentId::all(fluents.len())
            .zip(fluents)
            .filter(|(_, holds)| **holds)
        {
            state.insert(fluent);
        }
        state
    }

    /// How many gates a plain turn of a playout has at each point of the cycle.
    pub fn step_gates(&self) -> Vec<usize> {
        self.gates_of(Variant::default())
    }

    /// How many it has if something is done about moves that win at once.
    pub fn decisive_gates(&self, decisive: Decisive) -> Vec<usize> {
        self.gates_of(Variant {
            decisive,
            ..Variant::default()
        })
    }

    fn gates_of(&self, variant: Variant) -> Vec<usize> {
        for_width!(self, kernels => {
            let turns = kernels.turns_from(variant, Some(0));
            turns.iter().map(|turn| turn.kernel.gates()).collect()
        })
    }

    /// Whether moves that win at once are found anywhere on the cycle: [`Request::decisive`] makes
    /// no difference otherwise.
    pub fn decides(&self) -> bool {
        for_width!(self, kernels => {
            (0..kernels.cycle.len()).any(|point| !kernels.picks(Some(point)).is_empty())
        })
    }

    /// Whether threats are answered anywhere on the cycle: [`Decisive::Both`] is the same as
    /// [`Decisive::Wins`] otherwise.
    pub fn answers(&self) -> bool {
        for_width!(self, kernels => {
            (0..kernels.cycle.len()).any(|point| !kernels.threats(Some(point)).is_empty())
        })
    }

    /// How many playouts from each of some states fill the lanes. States at different points
    /// of the cycle are played apart from each other, in lanes of their own.
    pub fn shares<'s>(&self, states: impl Iterator<Item = &'s Bits>) -> Vec<u64> {
        let points: Vec<Option<usize>> = for_width!(self, kernels => {
            states.map(|state| kernels.point(state)).collect()
        });
        let share = |point: &Option<usize>| {
            let together = points.iter().filter(|other| *other == point).count();
            (self.lanes() / together).max(1) as u64
        };
        points.iter().map(share).collect()
    }

    /// Plays at random from each start; returns the results of each. A match is cut off after
    /// so many turns. The same seed gives the same results.
    pub fn playouts(&self, starts: &[Start<'_>], turns: u64, seed: u64) -> Vec<Tally> {
        let request = Request {
            starts,
            turns,
            seed,
            ..Request::default()
        };
        self.playouts_with(&request).tallies
    }

    /// Plays as requested. Code for weights and for counts of moves is compiled when it is
    /// first needed.
    pub fn playouts_with(&self, request: &Request<'_>) -> Outcomes {
        for_width!(self, kernels => request::playouts(kernels, request))
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
                let tallies = thread.join().expect("playouts do not panic");
                for (total, tally) in total.iter_mut().zip(&tallies) {
                    total.add(tally);
                }
            }
        });
        total
    }

    /// What follows from a state, asked of all lanes; none if lanes disagree, which is a fault
    /// of the engine.
    pub fn view(&self, state: &Bits) -> Option<Answers> {
        for_width!(self, kernels => answers::view(kernels, state))
    }

    /// What follows from a state and the moves of all roles; none if lanes disagree.
    pub fn next(&self, state: &Bits, joint: &[MoveId]) -> Option<Successor> {
        for_width!(self, kernels => answers::next(kernels, state, joint))
    }
}
