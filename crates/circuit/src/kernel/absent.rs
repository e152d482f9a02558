//! What stands in for native code where there is none: nothing is ever compiled.

use crate::kernel::Regions;
use crate::kernel::plan::GatePlan;
use std::convert::Infallible;

/// The vectors of a processor for which no code is made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Vectors(Infallible);

impl Vectors {
    /// None: there is no native code.
    pub(crate) fn fitting(_: usize) -> Option<Vectors> {
        None
    }

    /// None: there is no native code.
    pub(crate) fn widest() -> Option<Vectors> {
        None
    }

    pub(crate) fn parts(self) -> usize {
        match self.0 {}
    }
}

/// Native code, of which there is none.
#[derive(Debug)]
pub(crate) struct Native(Infallible);

impl Native {
    pub(crate) fn new(_: &GatePlan, vectors: Vectors, _: usize, _: &Regions) -> Option<Native> {
        match vectors.0 {}
    }

    pub(crate) fn slots(&self) -> usize {
        match self.0 {}
    }

    pub(crate) fn run<const P: usize>(&self, _: &mut [[u64; P]], _: bool) {
        match self.0 {}
    }
}
