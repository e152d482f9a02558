//! A plan ready to run: as native code where the processor allows, gate by gate elsewhere.

#[cfg(target_arch = "x86_64")]
use crate::native::{Native, Vectors};
use crate::plan::Plan;
use crate::portable::Portable;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How gates are evaluated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Code {
    /// By native code, if there is any for this processor.
    #[default]
    Native,
    /// Gate by gate.
    Portable,
}

/// Computes the outputs of a plan for `64 * P` lanes. Memory is a row of words: zero, the
/// inputs, the outputs, then what the kernel needs for itself.
#[derive(Debug)]
pub(crate) struct Kernel<const P: usize> {
    inputs: usize,
    outputs: usize,
    gates: usize,
    portable: Portable,
    #[cfg(target_arch = "x86_64")]
    native: Option<Native>,
}

impl<const P: usize> Kernel<P> {
    pub(crate) fn new(plan: &Plan, code: Code) -> Kernel<P> {
        let mut kernel = Kernel {
            inputs: plan.inputs,
            outputs: plan.outputs.len(),
            gates: plan.gates.len(),
            portable: Portable::new(plan),
            #[cfg(target_arch = "x86_64")]
            native: None,
        };
        if code == Code::Native {
            kernel.compile(plan);
        }
        kernel
    }

    /// How many words of memory it needs.
    pub(crate) fn slots(&self) -> usize {
        #[cfg(target_arch = "x86_64")]
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
        #[cfg(target_arch = "x86_64")]
        if let Some(native) = &self.native {
            return native.run(memory);
        }
        self.portable.run(memory);
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn compile(&mut self, _: &Plan) {}

    /// Native code is used only if it computes what the gates do on random inputs: a last
    /// guard against a processor or a system that is not what it seems.
    #[cfg(target_arch = "x86_64")]
    fn compile(&mut self, plan: &Plan) {
        let fitting = Vectors::best().filter(|vectors| vectors.parts() >= P);
        let vectors = match (fitting, P) {
            (Some(_), 4) => Vectors::Avx2,
            (Some(Vectors::Avx512), 8) => Vectors::Avx512,
            _ => return,
        };
        self.native = Native::new(plan, vectors);
        let agrees = self.native.is_none() || self.agrees();
        debug_assert!(agrees, "native code differs from the gates");
        if !agrees {
            self.native = None;
        }
    }

    #[cfg(target_arch = "x86_64")]
    fn agrees(&self) -> bool {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut memory = vec![[0; P]; self.slots()];
        for word in &mut memory[Self::INPUTS..][..self.inputs] {
            *word = std::array::from_fn(|_| random.next_u64());
        }
        let mut expected = memory.clone();
        self.portable.run(&mut expected);
        self.run(&mut memory);
        let outputs = self.first_output()..self.first_output() + self.outputs;
        memory[outputs.clone()] == expected[outputs]
    }
}
