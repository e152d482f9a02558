//! A plan that is run a few times, to measure something: without machine code.

use crate::kernel::plan::GatePlan;
use crate::kernel::{Code, Kernel};
use crate::lanes::word::Word;

/// A plan with memory to run it in.
pub(super) struct Runner<const P: usize> {
    kernel: Kernel<P>,
    memory: Vec<Word<P>>,
}

impl<const P: usize> Runner<P> {
    pub(super) fn new(plan: &GatePlan) -> Runner<P> {
        let kernel = Kernel::new(plan, Code::Portable);
        Runner {
            memory: vec![[0; P]; kernel.slots()],
            kernel,
        }
    }

    /// The outputs for some inputs.
    pub(super) fn run(&mut self, inputs: &[&[Word<P>]]) -> &[Word<P>] {
        let mut first = Kernel::<P>::INPUTS;
        for input in inputs {
            self.memory[first..][..input.len()].copy_from_slice(input);
            first += input.len();
        }
        self.kernel.run(&mut self.memory);
        &self.memory[self.kernel.first_output()..]
    }
}
