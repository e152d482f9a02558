//! `Solver`: the working memory of one caller, for one network.
//!
//! Takes assumptions, gives domains and, by `search/`, solutions. The network is propagated once
//! when the solver is made; assumptions are propagated from there and undone by the trail,
//! without allocation.
//!
//! Invariant: between calls domains are consistent. After a conflict only [`Solver::pop_to`] and
//! [`Solver::reset`] may be called, which restore consistency.

use crate::domain::{Domain, Value};
use crate::model::Variable;
use crate::network::Network;
use crate::propagate::{Engine, Strength};
use crate::search::Scratch;
use crate::store::Conflict;

/// Domains that can be narrowed, searched, and restored.
#[derive(Clone, Debug)]
pub struct Solver<'n> {
    pub(crate) engine: Engine<'n>,
    pub(crate) scratch: Scratch,
    /// Whether propagation refuted the network without assumptions.
    is_dead: bool,
}

impl<'n> Solver<'n> {
    /// Working memory for a network, maintaining arc consistency.
    pub fn new(network: &'n Network) -> Solver<'n> {
        Solver::with_strength(network, Strength::Arc)
    }

    /// Working memory for a network, maintaining the given consistency.
    pub fn with_strength(network: &'n Network, strength: Strength) -> Solver<'n> {
        let mut engine = Engine::new(network, strength);
        let is_dead = engine.start().is_err();
        Solver {
            engine,
            scratch: Scratch::default(),
            is_dead,
        }
    }

    /// The network.
    pub fn network(&self) -> &'n Network {
        self.engine.network
    }

    /// The number of levels: assumptions that were not undone.
    pub fn level(&self) -> usize {
        self.engine.store.level()
    }

    /// Assumes that a variable has a value, as a new level.
    pub fn assume(&mut self, variable: Variable, value: Value) -> Result<(), Conflict> {
        self.assume_all([(variable, value)])
    }

    /// Assumes that variables have values, all as one level.
    pub fn assume_all(
        &mut self,
        values: impl IntoIterator<Item = (Variable, Value)>,
    ) -> Result<(), Conflict> {
        self.engine.store.push();
        self.is_alive()?;
        for (variable, value) in values {
            self.engine.assign(variable, value)?;
        }
        self.engine.propagate()
    }

    /// Assumes that a variable does not have a value, as a new level.
    pub fn exclude(&mut self, variable: Variable, value: Value) -> Result<(), Conflict> {
        self.engine.store.push();
        self.is_alive()?;
        self.engine.remove(variable, value)?;
        self.engine.propagate()
    }

    /// Undoes assumptions down to a level.
    pub fn pop_to(&mut self, level: usize) {
        self.engine.pop_to(level);
    }

    /// Undoes all assumptions.
    pub fn reset(&mut self) {
        self.engine.pop_to(0);
    }

    /// A conflict if propagation refuted the network without assumptions.
    pub fn is_alive(&self) -> Result<(), Conflict> {
        if self.is_dead { Err(Conflict) } else { Ok(()) }
    }

    /// The size of a variable's domain.
    pub fn size(&self, variable: Variable) -> usize {
        self.engine.store.size(self.engine.slot(variable)) as usize
    }

    /// Whether a value is in a variable's domain.
    pub fn allows(&self, variable: Variable, value: Value) -> bool {
        self.next(variable, value) == Some(value)
    }

    /// The value of a variable, if its domain has only one.
    pub fn value(&self, variable: Variable) -> Option<Value> {
        let is_single = self.size(variable) == 1;
        self.next(variable, 0).filter(|_| is_single)
    }

    /// The least value in a variable's domain that is at least `from`.
    pub fn next(&self, variable: Variable, from: Value) -> Option<Value> {
        self.engine.store.next(self.engine.slot(variable), from)
    }

    /// The values in a variable's domain, in order.
    pub fn values(&self, variable: Variable) -> impl Iterator<Item = Value> + '_ {
        let mut from = 0;
        std::iter::from_fn(move || {
            let value = self.next(variable, from)?;
            from = value + 1;
            Some(value)
        })
    }

    /// The domain of a variable, as a set of the given capacity.
    pub fn domain(&self, variable: Variable, capacity: u32) -> Domain {
        self.engine
            .store
            .domain(self.engine.slot(variable), capacity)
    }

    /// Resets the weights of variables, so that the order of search depends on the network alone.
    pub fn forget(&mut self) {
        let degrees = self.engine.network.degrees.iter();
        self.engine.weights = degrees.map(|&it| u64::from(it).max(1)).collect();
    }
}
