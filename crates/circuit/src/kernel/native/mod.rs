//! Plans as machine code, made in memory.
//!
//! Gates → instructions on values (`select`, `merge`) → operations on registers and memory
//! (`allocate`) → bytes (`encode`) → a function.

mod allocate;
mod encode;
mod merge;
mod select;
#[cfg(test)]
mod tests;

use crate::kernel::Regions;
use crate::kernel::plan::GatePlan;
use memmap2::{Mmap, MmapMut};
use select::Selection;

/// The vectors a processor computes with.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Vectors {
    Avx2,
    Avx512,
}

impl Vectors {
    /// The widest of this processor that words of so many parts are made of, if any.
    pub(crate) fn fitting(parts: usize) -> Option<Vectors> {
        let fits = |vectors: &Vectors| parts.is_multiple_of(vectors.parts());
        Vectors::present().find(fits)
    }

    /// The widest of this processor, if any.
    pub(crate) fn widest() -> Option<Vectors> {
        Vectors::present().next()
    }

    /// Those of this processor, the widest first.
    fn present() -> impl Iterator<Item = Vectors> {
        let widest_first = [Vectors::Avx512, Vectors::Avx2].into_iter();
        widest_first.filter(|vectors| vectors.are_here())
    }

    /// Whether this processor has them.
    fn are_here(self) -> bool {
        match self {
            Vectors::Avx2 => is_x86_feature_detected!("avx2"),
            Vectors::Avx512 => is_x86_feature_detected!("avx512f"),
        }
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

/// Segments of about so many operations are run for all vectors of a word in turn: they fit
/// the caches that processors have for instructions.
const SEGMENT: usize = 2500;

/// Functions in memory that compute a plan, one after the other, for one vector.
#[derive(Debug)]
pub(crate) struct Native {
    code: Mmap,
    starts: Vec<usize>,
    vectors: Vectors,
    /// How many parts of 64 bits a word has.
    parts: usize,
    slots: usize,
    regions: Regions,
}

/// What is made of a plan.
struct Compiled {
    code: Vec<u8>,
    starts: Vec<usize>,
    slots: usize,
}

impl Native {
    /// Compiles a plan for words of so many parts, which the vectors fit; none if the system
    /// gives no memory to execute.
    pub(crate) fn new(
        plan: &GatePlan,
        vectors: Vectors,
        parts: usize,
        regions: &Regions,
    ) -> Option<Native> {
        assert!(parts.is_multiple_of(vectors.parts()), "vectors make words");
        let compiled = compile(plan, vectors, parts, regions)?;
        let mut code = MmapMut::map_anon(compiled.code.len()).ok()?;
        code.copy_from_slice(&compiled.code);
        Some(Native {
            code: code.make_exec().ok()?,
            starts: compiled.starts,
            vectors,
            parts,
            slots: compiled.slots,
            regions: regions.clone(),
        })
    }

    /// How many words of memory it needs.
    pub(crate) fn slots(&self) -> usize {
        self.slots
    }

    /// Computes the outputs from the inputs, with the regions exchanged if asked for: code
    /// finds each region from a base of its own.
    ///
    /// # Panics
    ///
    /// If words do not have the parts that the code was made for, or are too few.
    #[expect(
        unsafe_code,
        reason = "code made at run time can be called in no other way"
    )]
    pub(crate) fn run<const P: usize>(&self, memory: &mut [[u64; P]], exchange: bool) {
        assert!(P == self.parts && memory.len() >= self.slots);
        let first: *mut u64 = memory.as_mut_ptr().cast();
        let apart = if exchange {
            (self.regions.to.start - self.regions.from.start) * P
        } else {
            0
        };
        for &start in &self.starts {
            for part in (0..P).step_by(self.vectors.parts()) {
                // SAFETY: the code was made by `compile` for vectors that this processor has
                // (see `Vectors::fitting`), and a function begins at each start. It follows the
                // convention of System V, keeps all registers it has to keep, and touches
                // only vectors of the first `slots` words from the part it is given: the
                // regions are within them, and each is reached from the base that is right
                // for it. The bases may point outside, so they wrap.
                unsafe {
                    let function: extern "sysv64" fn(*mut u64, *mut u64, *mut u64) =
                        std::mem::transmute(self.code.as_ptr().add(start));
                    let base = first.add(part);
                    function(base, base.wrapping_add(apart), base.wrapping_sub(apart));
                }
            }
        }
    }
}

fn compile(plan: &GatePlan, vectors: Vectors, parts: usize, regions: &Regions) -> Option<Compiled> {
    let selection = match vectors {
        Vectors::Avx2 => Selection::of_two(plan),
        Vectors::Avx512 => Selection::of_three(plan),
    };
    let segment = if parts > vectors.parts() {
        SEGMENT
    } else {
        usize::MAX
    };
    let allocation = allocate::allocate(&selection, vectors.registers(), segment);
    // Beyond this, places in memory cannot be written into an instruction.
    if allocation.slots * parts * 8 > i32::MAX as usize {
        return None;
    }
    let (code, starts) = encode::encode(&allocation, vectors, 8 * parts, regions).ok()?;
    Some(Compiled {
        code,
        starts,
        slots: allocation.slots,
    })
}
