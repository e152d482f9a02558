//! Plans as machine code, made in memory.
//!
//! Plan → instructions on values (`select`, `merge`) → operations on registers and memory
//! (`allocate`) → bytes (`encode`) → a function.

mod allocate;
mod encode;
mod merge;
mod select;
#[cfg(test)]
mod tests;

use crate::plan::Plan;
use memmap2::{Mmap, MmapMut};
use select::Selection;

/// The vectors a processor computes with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Vectors {
    Avx2,
    Avx512,
}

impl Vectors {
    /// The widest of this processor, if it has any.
    pub(crate) fn best() -> Option<Vectors> {
        if is_x86_feature_detected!("avx512f") {
            return Some(Vectors::Avx512);
        }
        is_x86_feature_detected!("avx2").then_some(Vectors::Avx2)
    }

    /// How many parts of 64 bits a vector has.
    pub(crate) fn parts(self) -> usize {
        match self {
            Vectors::Avx2 => 4,
            Vectors::Avx512 => 8,
        }
    }

    fn registers(self) -> usize {
        match self {
            Vectors::Avx2 => 16,
            Vectors::Avx512 => 32,
        }
    }
}

/// A function in memory that computes a plan.
#[derive(Debug)]
pub(crate) struct Native {
    code: Mmap,
    vectors: Vectors,
    slots: usize,
}

impl Native {
    /// Compiles a plan; none if the system gives no memory to execute.
    pub(crate) fn new(plan: &Plan, vectors: Vectors) -> Option<Native> {
        let (bytes, slots) = compile(plan, vectors)?;
        let mut code = MmapMut::map_anon(bytes.len()).ok()?;
        code.copy_from_slice(&bytes);
        Some(Native {
            code: code.make_exec().ok()?,
            vectors,
            slots,
        })
    }

    /// How many words of memory it needs.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Computes the outputs from the inputs.
    ///
    /// # Panics
    ///
    /// If words are not as wide as the vectors, or too few.
    #[expect(
        unsafe_code,
        reason = "code made at run time can be called in no other way"
    )]
    pub(crate) fn run<const P: usize>(&self, memory: &mut [[u64; P]]) {
        assert!(P == self.vectors.parts() && memory.len() >= self.slots);
        // SAFETY: the code was made by `compile` for vectors that this processor has (see
        // `Vectors::best`). It follows the convention of System V, keeps all registers it has
        // to keep, and touches only the first `slots` words of the memory it is given.
        unsafe {
            let function: extern "sysv64" fn(*mut u64) = std::mem::transmute(self.code.as_ptr());
            function(memory.as_mut_ptr().cast());
        }
    }
}

/// The bytes of a function, and how many words of memory it needs.
fn compile(plan: &Plan, vectors: Vectors) -> Option<(Vec<u8>, usize)> {
    let selection = match vectors {
        Vectors::Avx2 => Selection::of_two(plan),
        Vectors::Avx512 => Selection::of_three(plan),
    };
    let allocation = allocate::allocate(&selection, vectors.registers());
    // Beyond this, places in memory cannot be written into an instruction.
    if allocation.slots > (1 << 24) {
        return None;
    }
    let bytes = encode::encode(&allocation.operations, vectors).ok()?;
    Some((bytes, allocation.slots))
}
