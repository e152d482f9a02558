//! A plan ready to run: as native code where the processor allows, gate by gate elsewhere.

/// Whether there is native code is decided here alone; `--cfg ludex_portable` switches it off.
#[cfg(all(target_arch = "x86_64", not(ludex_portable)))]
mod native;
#[cfg(not(all(target_arch = "x86_64", not(ludex_portable))))]
#[path = "absent.rs"]
mod native;
pub(crate) mod plan;
pub(crate) mod portable;

pub(crate) use crate::kernel::native::Vectors;

use crate::kernel::native::Native;
use crate::kernel::plan::GatePlan;
use crate::kernel::portable::Portable;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::Range;

/// How gates are evaluated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Code {
    /// By native code, if there is any for this processor.
    #[default]
    Native,
    /// Gate by gate.
    Portable,
}

/// Slots from which a kernel reads what it writes to others: a state and the next. They may
/// be exchanged, so that nothing has to be copied to go on.
#[derive(Clone, Debug, Default)]
pub(crate) struct Regions {
    pub(crate) from: Range<usize>,
    /// As long as the other, and behind it.
    pub(crate) to: Range<usize>,
}

impl Regions {
    /// Exchanges what they hold.
    fn swap<const P: usize>(&self, memory: &mut [[u64; P]]) {
        let (before, behind) = memory.split_at_mut(self.to.start);
        before[self.from.clone()].swap_with_slice(&mut behind[..self.to.len()]);
    }
}

/// Computes the outputs of a plan for `64 * P` lanes. Memory is a row of words: zero, the
/// inputs, the outputs, then what the kernel needs for itself.
#[derive(Debug)]
pub(crate) struct Kernel<const P: usize> {
    inputs: usize,
    outputs: usize,
    gates: usize,
    portable: Portable,
    regions: Regions,
    native: Option<Native>,
}

impl<const P: usize> Kernel<P> {
    pub(crate) fn new(plan: &GatePlan, code: Code) -> Kernel<P> {
        Kernel::with_regions(plan, code, Regions::default())
    }

    /// A kernel of which some outputs, from the given one on, can be exchanged with the first
    /// inputs.
    pub(crate) fn stepping(plan: &GatePlan, code: Code, count: usize, output: usize) -> Kernel<P> {
        let first = Self::INPUTS + plan.inputs + output;
        let regions = Regions {
            from: Self::INPUTS..Self::INPUTS + count,
            to: first..first + count,
        };
        Kernel::with_regions(plan, code, regions)
    }

    fn with_regions(plan: &GatePlan, code: Code, regions: Regions) -> Kernel<P> {
        let mut kernel = Kernel {
            inputs: plan.inputs,
            outputs: plan.own_outputs(),
            gates: plan.gates.len(),
            portable: Portable::new(plan),
            regions,
            native: None,
        };
        if code == Code::Native {
            kernel.compile(plan);
        }
        kernel
    }

    /// How many words of memory it needs.
    pub(crate) fn slots(&self) -> usize {
        if let Some(native) = &self.native {
            return native.slots().max(self.portable.slots());
        }
        self.portable.slots()
    }

    /// How many gates are evaluated.
    pub(crate) fn gates(&self) -> usize {
        self.gates
    }

    /// Where the inputs begin.
    pub(crate) const INPUTS: usize = 1;

    /// Where the outputs begin.
    pub(crate) fn first_output(&self) -> usize {
        Self::INPUTS + self.inputs
    }

    pub(crate) fn run(&self, memory: &mut [[u64; P]]) {
        self.run_between(memory, false);
    }

    /// Runs with the regions exchanged, if asked for. The region that is read keeps its words.
    #[inline(always)]
    pub(crate) fn run_between(&self, memory: &mut [[u64; P]], exchange: bool) {
        if let Some(native) = &self.native {
            return native.run(memory, exchange);
        }
        if exchange {
            self.regions.swap(memory);
        }
        self.portable.run(memory);
        if exchange {
            self.regions.swap(memory);
        }
    }

    /// The slots of the state that a run reads, or wrote, if the regions are exchanged or not.
    pub(crate) fn state(&self, second: bool) -> Range<usize> {
        match second {
            true => self.regions.to.clone(),
            false => self.regions.from.clone(),
        }
    }

    /// Native code is used only if it computes what the gates do on random inputs: a last
    /// guard against a processor or a system that is not what it seems.
    fn compile(&mut self, plan: &GatePlan) {
        let vectors = Vectors::fitting(P);
        self.native = vectors.and_then(|vectors| Native::new(plan, vectors, P, &self.regions));
        let agrees = self.native.is_none() || self.agrees();
        debug_assert!(agrees, "native code differs from the gates");
        if !agrees {
            self.native = None;
        }
    }

    fn agrees(&self) -> bool {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut memory = vec![[0; P]; self.slots()];
        for word in &mut memory[Self::INPUTS..][..self.inputs] {
            *word = std::array::from_fn(|_| random.next_u64());
        }
        let mut expected = memory.clone();
        self.portable.run(&mut expected);
        self.run(&mut memory);
        let compared = ..self.first_output() + self.outputs;
        let agrees = memory[compared] == expected[compared];
        agrees && (self.regions.from.is_empty() || self.agrees_exchanged(&expected))
    }

    /// Whether a run with exchanged regions does the same; given what one without came to.
    fn agrees_exchanged(&self, run: &[[u64; P]]) -> bool {
        let Regions { from, to } = &self.regions;
        let mut expected = run.to_vec();
        expected.copy_within(to.clone(), from.start);
        self.portable.run(&mut expected);
        let mut memory = run.to_vec();
        self.run_between(&mut memory, true);
        let keeps_state = memory[to.clone()] == run[to.clone()];
        keeps_state && memory[from.clone()] == expected[to.clone()]
    }
}
