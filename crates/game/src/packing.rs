//! States as bits: a bit for each fluent, in the order of the ground program.

use logic::{State, TermId};
use std::collections::HashMap;

/// Which fluent has which bit.
#[derive(Debug)]
pub(crate) struct Packing {
    fluents: Vec<TermId>,
    numbers: HashMap<TermId, usize>,
}

impl Packing {
    pub(crate) fn new(fluents: &[TermId]) -> Packing {
        Packing {
            fluents: fluents.to_vec(),
            numbers: fluents.iter().copied().zip(0..).collect(),
        }
    }

    /// A state as bits; none if it cannot be reached.
    pub(crate) fn packed(&self, state: &State) -> Option<Vec<u64>> {
        let mut packed = vec![0; self.fluents.len().div_ceil(64)];
        for fluent in state.fluents() {
            let number = self.numbers.get(fluent)?;
            packed[number / 64] |= 1 << (number % 64);
        }
        Some(packed)
    }

    /// The state that bits stand for.
    pub(crate) fn unpacked(&self, state: &[u64]) -> State {
        let holds = |number: usize| state[number / 64] >> (number % 64) & 1 == 1;
        let fluents = self.fluents.iter().enumerate();
        let fluents = fluents.filter(|&(number, _)| holds(number));
        State::new(fluents.map(|(_, &term)| term).collect())
    }
}
