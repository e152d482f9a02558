//! `Solver`: the working memory of one caller, for one network.
//!
//! Takes assumptions, gives domains and, by `search/`, solutions. A network is propagated
//! once when its solver is made; then assumptions are propagated from there, and taken back by
//! the trail, without allocating.
//!
//! Invariant: between calls domains are consistent, unless the last call said that there is a
//! conflict; then only [`Solver::pop_to`] and [`Solver::reset`] make sense, and they are enough.

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
    /// Whether the network has no solution to begin with.
    is_dead: bool,
}

impl<'n> Solver<'n> {
    /// Working memory for a network; arc consistency is kept.
    pub fn new(network: &'n Network) -> Solver<'n> {
        Solver::with_strength(network, Strength::Arc)
    }

    /// Working memory for a network, with a choice of what is propagated.
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

    /// How many assumptions there are that were not taken back.
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

    /// Takes assumptions back until so many levels are left.
    pub fn pop_to(&mut self, level: usize) {
        self.engine.pop_to(level);
    }

    /// Takes all assumptions back.
    pub fn reset(&mut self) {
        self.engine.pop_to(0);
    }

    /// Whether the network itself has not been refuted by propagation.
    pub fn is_alive(&self) -> Result<(), Conflict> {
        if self.is_dead { Err(Conflict) } else { Ok(()) }
    }

    /// How many values a variable has left.
    pub fn size(&self, variable: Variable) -> usize {
        self.engine.store.size(self.engine.slot(variable)) as usize
    }

    /// Whether a variable may have a value.
    pub fn allows(&self, variable: Variable, value: Value) -> bool {
        self.next(variable, value) == Some(value)
    }

    /// The value of a variable, if it has only one left.
    pub fn value(&self, variable: Variable) -> Option<Value> {
        let is_single = self.size(variable) == 1;
        self.next(variable, 0).filter(|_| is_single)
    }

    /// The first value left to a variable that is at least so large.
    pub fn next(&self, variable: Variable, from: Value) -> Option<Value> {
        self.engine.store.next(self.engine.slot(variable), from)
    }

    /// The values left to a variable, in order.
    pub fn values(&self, variable: Variable) -> impl Iterator<Item = Value> + '_ {
        let mut from = 0;
        std::iter::from_fn(move || {
            let value = self.next(variable, from)?;
            from = value + 1;
            Some(value)
        })
    }

    /// The values left to a variable, as a set that has room for so many.
    pub fn domain(&self, variable: Variable, capacity: u32) -> Domain {
        self.engine
            .store
            .domain(self.engine.slot(variable), capacity)
    }

    /// Forgets which variables were in constraints that failed: the order of search depends on
    /// the network alone again.
    pub fn forget(&mut self) {
        let degrees = self.engine.network.degrees.iter();
        self.engine.weights = degrees.map(|&it| u64::from(it).max(1)).collect();
    }
}
