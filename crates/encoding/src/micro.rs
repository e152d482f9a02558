//! The µSCSP of a state: the stage with its fluents given. Its solutions are the joint moves
//! that are legal, each with the state that follows.

use crate::stage::Encoding;
use constraint::{Conflict, Model, Query, Report, Solver, Strength, Value, Variable};
use std::ops::ControlFlow;

/// A solution.
#[derive(Debug)]
pub struct Move<'m> {
    /// The number of each role's move among its moves.
    pub joint: &'m [u32],
    /// Which fluents hold next, a bit each.
    pub next: &'m [u64],
}

impl Encoding {
    /// The model of the µSCSP of a state: each fluent variable has one value left. There is a
    /// conflict if it is no state of the game.
    pub fn of_state(&self, holds: impl Fn(usize) -> bool) -> Result<Model, Conflict> {
        let mut model = self.model().clone();
        for (variable, value) in self.given(holds)? {
            model.domain_mut(variable).retain(|it| it == value);
        }
        Ok(model)
    }

    /// The values of the fluent variables, by which fluents hold.
    fn given(&self, holds: impl Fn(usize) -> bool) -> Result<Vec<(Variable, Value)>, Conflict> {
        let mut values = Vec::with_capacity(self.now.len());
        for (group, &variable) in self.grouping.groups.iter().zip(&self.now) {
            let mut held = (0..).zip(&group.fluents).filter(|&(_, &it)| holds(it));
            let value = match (held.next(), held.next(), group.exact) {
                (Some((place, _)), None, _) => place,
                (None, _, false) => group.fluents.len() as Value,
                (None, _, true) | (Some(_), Some(_), _) => return Err(Conflict),
            };
            values.push((variable, value));
        }
        Ok(values)
    }

    /// Which fluents hold next, a bit each, by the values of their variables.
    fn pack_next(&self, next: &mut Vec<u64>, value: impl Fn(Variable) -> Value) {
        next.clear();
        next.resize(self.grouping.places.len().div_ceil(64), 0);
        for (group, &variable) in self.grouping.groups.iter().zip(&self.next) {
            if let Some(&fluent) = group.fluents.get(value(variable) as usize) {
                next[fluent / 64] |= 1 << (fluent % 64);
            }
        }
    }
}

/// Working memory for the µSCSPs of a game, one at a time.
#[derive(Debug)]
pub struct Micro<'e> {
    encoding: &'e Encoding,
    solver: Solver<'e>,
}

impl<'e> Micro<'e> {
    /// Working memory.
    pub fn new(encoding: &'e Encoding) -> Micro<'e> {
        Micro::with_strength(encoding, Strength::Arc)
    }

    /// Working memory, with a choice of what is propagated.
    pub fn with_strength(encoding: &'e Encoding, strength: Strength) -> Micro<'e> {
        Micro {
            solver: Solver::with_strength(&encoding.network, strength),
            encoding,
        }
    }

    /// Goes to a state, given by the fluents that hold, a bit each. There is a conflict if no joint move is
    /// legal in it, or if it is no state of the game.
    pub fn load(&mut self, state: &[u64]) -> Result<(), Conflict> {
        self.solver.reset();
        let holds = |fluent: usize| state[fluent / 64] >> (fluent % 64) & 1 == 1;
        let values = self.encoding.given(holds)?;
        self.solver.assume_all(values)
    }

    /// The moves of a role that are legal in the state that was loaded, by their numbers among
    /// its moves.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = u32> + '_ {
        self.solver.values(self.encoding.actions[role])
    }

    /// The state after a joint move in the state that was loaded, a bit for each fluent; false
    /// if it is not legal.
    pub fn follow(&mut self, joint: &[u32], next: &mut Vec<u64>) -> bool {
        let encoding = self.encoding;
        let level = self.solver.level();
        let actions = encoding.actions.iter().copied();
        let legal = self
            .solver
            .assume_all(actions.zip(joint.iter().copied()))
            .is_ok();
        if legal {
            let solver = &self.solver;
            encoding.pack_next(next, |it| {
                let value = solver.value(it);
                value.expect("a joint move decides the next state")
            });
        }
        self.solver.pop_to(level);
        legal
    }

    /// Visits every solution of the state that was loaded.
    pub fn each(
        &mut self,
        query: &Query<'_>,
        mut visit: impl FnMut(&Move<'_>) -> ControlFlow<()>,
    ) -> Report {
        let encoding = self.encoding;
        let query = Query {
            projection: Some(&encoding.actions),
            ..*query
        };
        let mut joint = Vec::new();
        let mut next = Vec::new();
        self.solver.each(&query, |solution| {
            joint.clear();
            joint.extend(encoding.actions.iter().map(|&it| solution.value(it)));
            encoding.pack_next(&mut next, |it| solution.value(it));
            visit(&Move {
                joint: &joint,
                next: &next,
            })
        })
    }
}
