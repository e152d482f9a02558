//! The µSCSP of a state: the stage with its fluents given. Its solutions are the joint moves
//! that are legal, each with the state that follows.

use crate::stage::Encoding;
use constraint::{Conflict, Kept, Model, Query, Report, Solver, Strength, Value, Variable};
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
        let groups = 0..self.grouping.groups.len();
        groups.map(|it| self.given_group(it, &holds)).collect()
    }

    /// The value of the variable of a group.
    fn given_group(
        &self,
        number: usize,
        holds: impl Fn(usize) -> bool,
    ) -> Result<(Variable, Value), Conflict> {
        let group = &self.grouping.groups[number];
        let mut held = (0..).zip(&group.fluents).filter(|&(_, &it)| holds(it));
        let value = match (held.next(), held.next(), group.exact) {
            (Some((place, _)), None, _) => place,
            (None, _, false) => group.fluents.len() as Value,
            (None, _, true) | (Some(_), Some(_), _) => return Err(Conflict),
        };
        Ok((self.now[number], value))
    }

    /// The values of the fluent variables that are others in another state.
    fn changed(
        &self,
        (before, state): (&[u64], &[u64]),
        changed: &mut Vec<(Variable, Value)>,
    ) -> Result<(), Conflict> {
        changed.clear();
        let holds = |fluent: usize| state[fluent / 64] >> (fluent % 64) & 1 == 1;
        for (place, (old, new)) in before.iter().zip(state).enumerate() {
            let mut different = old ^ new;
            while different != 0 {
                let fluent = place * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                let (group, _) = self.grouping.places[fluent];
                changed.push(self.given_group(group, holds)?);
            }
        }
        Ok(())
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
///
/// With [`Strength::Arc`] the network of a state is made of that of the state before, by what
/// is different; with [`Strength::Forward`] every state is propagated from the start.
#[derive(Debug)]
pub struct Micro<'e> {
    encoding: &'e Encoding,
    memory: Memory<'e>,
}

#[derive(Debug)]
enum Memory<'e> {
    Kept {
        kept: Kept<'e>,
        /// The state that was loaded last; none at first.
        state: Vec<u64>,
        changed: Vec<(Variable, Value)>,
    },
    Solver(Box<Solver<'e>>),
}

impl<'e> Micro<'e> {
    /// Working memory.
    pub fn new(encoding: &'e Encoding) -> Micro<'e> {
        Micro::with_strength(encoding, Strength::Arc)
    }

    /// Working memory, with a choice of what is propagated.
    pub fn with_strength(encoding: &'e Encoding, strength: Strength) -> Micro<'e> {
        let memory = match (&encoding.defined, strength) {
            (Some(defined), Strength::Arc) => Memory::Kept {
                kept: Kept::new(defined),
                state: Vec::new(),
                changed: Vec::new(),
            },
            _ => {
                let solver = Solver::with_strength(&encoding.network, strength);
                Memory::Solver(Box::new(solver))
            }
        };
        Micro { encoding, memory }
    }

    /// Goes to a state, given by the fluents that hold, a bit each. There is a conflict if no
    /// joint move is legal in it, or if it is no state of the game.
    pub fn load(&mut self, state: &[u64]) -> Result<(), Conflict> {
        let holds = |fluent: usize| state[fluent / 64] >> (fluent % 64) & 1 == 1;
        match &mut self.memory {
            Memory::Solver(solver) => {
                solver.reset();
                let values = self.encoding.given(holds)?;
                solver.assume_all(values)
            }
            Memory::Kept {
                kept,
                state: before,
                changed,
            } => {
                match before.is_empty() {
                    true => *changed = self.encoding.given(holds)?,
                    false => self.encoding.changed((before, state), changed)?,
                }
                for &(variable, value) in &*changed {
                    kept.set(variable, value);
                }
                kept.settle();
                before.clear();
                before.extend_from_slice(state);
                if kept.is_open() {
                    Ok(())
                } else {
                    Err(Conflict)
                }
            }
        }
    }

    /// The moves of a role that are legal in the state that was loaded, by their numbers among
    /// its moves.
    pub fn legal(&self, role: usize) -> impl Iterator<Item = u32> + '_ {
        let (kept, solver) = match &self.memory {
            Memory::Kept { kept, .. } => (Some(kept.allowed(role)), None),
            Memory::Solver(solver) => (None, Some(solver.values(self.encoding.actions[role]))),
        };
        kept.into_iter()
            .flatten()
            .chain(solver.into_iter().flatten())
    }

    /// The state after a joint move in the state that was loaded, a bit for each fluent; false
    /// if it is not legal.
    pub fn follow(&mut self, joint: &[u32], next: &mut Vec<u64>) -> bool {
        let encoding = self.encoding;
        match &mut self.memory {
            Memory::Kept { kept, .. } => {
                let mut allows = joint.iter().enumerate();
                let legal = allows.all(|(role, &it)| kept.allows(role, it)) && kept.decide(joint);
                next.clear();
                next.extend_from_slice(kept.watched());
                legal
            }
            Memory::Solver(solver) => {
                let level = solver.level();
                let actions = encoding.actions.iter().copied();
                let legal = solver
                    .assume_all(actions.zip(joint.iter().copied()))
                    .is_ok();
                if legal {
                    encoding.pack_next(next, |it| {
                        let value = solver.value(it);
                        value.expect("a joint move decides the next state")
                    });
                }
                solver.pop_to(level);
                legal
            }
        }
    }

    /// Visits every solution of the state that was loaded.
    pub fn each(
        &mut self,
        query: &Query<'_>,
        mut visit: impl FnMut(&Move<'_>) -> ControlFlow<()>,
    ) -> Report {
        let encoding = self.encoding;
        let solver = match &mut self.memory {
            Memory::Kept { kept, .. } => {
                return kept.each(&query.limits, |kept, joint| {
                    let next = kept.watched();
                    visit(&Move { joint, next })
                });
            }
            Memory::Solver(solver) => solver,
        };
        let query = Query {
            projection: Some(&encoding.actions),
            ..*query
        };
        let mut joint = Vec::new();
        let mut next = Vec::new();
        solver.each(&query, |solution| {
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
