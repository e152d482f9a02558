//! The µSCSP of a state: the stage with its fluents given. Its solutions are the legal joint moves,
//! each with the state after it.

use crate::stage::Encoding;
use constraint::{Conflict, Kept, Model, Query, Report, Solver, Strength, Value, Variable};
use logic::{Bits, BitsBuf, MoveId, RoleId};
use std::ops::ControlFlow;

/// A solution: a legal joint move and the state after it.
#[derive(Debug)]
pub struct Outcome<'m> {
    /// Each role's move.
    pub joint: &'m [MoveId],
    /// The state after it.
    pub next: &'m Bits,
}

impl Encoding {
    /// The model of the µSCSP of a state: each fluent variable has one value left. A conflict
    /// means that it is no state of the game.
    pub fn of_state(&self, state: &Bits) -> Result<Model, Conflict> {
        let mut model = self.model().clone();
        for (variable, value) in self.given(state)? {
            model.domain_mut(variable).retain(|it| it == value);
        }
        Ok(model)
    }

    /// The values of the fluent variables in a state.
    pub(crate) fn given(&self, state: &Bits) -> Result<Vec<(Variable, Value)>, Conflict> {
        let groups = 0..self.grouping.groups.len();
        groups.map(|it| self.given_group(it, state)).collect()
    }

    /// The variable of a group and its value in a state.
    fn given_group(&self, number: usize, state: &Bits) -> Result<(Variable, Value), Conflict> {
        let value = self.grouping.groups[number].value(state);
        Ok((self.now[number], value.ok_or(Conflict)?))
    }

    /// The new values of the fluent variables that differ between two states.
    pub(crate) fn changed(
        &self,
        before: &Bits,
        state: &Bits,
        changed: &mut Vec<(Variable, Value)>,
    ) -> Result<(), Conflict> {
        changed.clear();
        let words = before.words().iter().zip(state.words());
        for (place, (old, new)) in words.enumerate() {
            let mut different = old ^ new;
            while different != 0 {
                let fluent = place * 64 + different.trailing_zeros() as usize;
                different &= different - 1;
                let group = self.grouping.places[fluent].group;
                changed.push(self.given_group(group, state)?);
            }
        }
        Ok(())
    }

    /// Packs the next state from the values of its variables.
    fn pack_next(&self, next: &mut BitsBuf, value: impl Fn(Variable) -> Value) {
        next.words_mut().clear();
        let words = self.grouping.places.len().div_ceil(64);
        next.words_mut().resize(words, 0);
        for (group, &variable) in self.grouping.groups.iter().zip(&self.next) {
            if let Some(&fluent) = group.fluents.get(value(variable) as usize) {
                next.insert(fluent);
            }
        }
    }
}

/// Working memory for the µSCSPs of a game, one at a time.
///
/// With [`Strength::Arc`] loading a state updates the network of the state before; with
/// [`Strength::Forward`] every state is propagated from scratch.
#[derive(Debug)]
pub struct Micro<'e> {
    encoding: &'e Encoding,
    memory: Memory<'e>,
    /// A joint move as values of the action variables.
    values: Vec<Value>,
}

#[derive(Debug)]
enum Memory<'e> {
    Kept {
        kept: Kept<'e>,
        /// The loaded state; none at first.
        state: Option<BitsBuf>,
        changed: Vec<(Variable, Value)>,
    },
    Solver(Box<Solver<'e>>),
}

impl<'e> Micro<'e> {
    /// Working memory.
    pub fn new(encoding: &'e Encoding) -> Micro<'e> {
        Micro::with_strength(encoding, Strength::Arc)
    }

    /// Working memory with the given strength of propagation.
    pub fn with_strength(encoding: &'e Encoding, strength: Strength) -> Micro<'e> {
        let memory = match (&encoding.defined, strength) {
            (Some(defined), Strength::Arc) => Memory::Kept {
                kept: Kept::new(defined),
                state: None,
                changed: Vec::new(),
            },
            _ => {
                let solver = Solver::with_strength(&encoding.network, strength);
                Memory::Solver(Box::new(solver))
            }
        };
        Micro {
            encoding,
            memory,
            values: Vec::new(),
        }
    }

    /// Goes to a state. A conflict means that no joint move is legal in it, or that it is no
    /// state of the game.
    pub fn load(&mut self, state: &Bits) -> Result<(), Conflict> {
        match &mut self.memory {
            Memory::Solver(solver) => {
                solver.reset();
                let values = self.encoding.given(state)?;
                solver.assume_all(values)
            }
            Memory::Kept {
                kept,
                state: before,
                changed,
            } => {
                match before {
                    None => *changed = self.encoding.given(state)?,
                    Some(before) => self.encoding.changed(before, state, changed)?,
                }
                for &(variable, value) in &*changed {
                    kept.set(variable, value);
                }
                kept.settle();
                before.get_or_insert_default().copy_from(state);
                if kept.is_open() {
                    Ok(())
                } else {
                    Err(Conflict)
                }
            }
        }
    }

    /// The legal moves of a role in the loaded state, in order.
    pub fn legal(&self, role: RoleId) -> impl Iterator<Item = MoveId> + '_ {
        let role = role.index();
        let (kept, solver) = match &self.memory {
            Memory::Kept { kept, .. } => (Some(kept.allowed(role)), None),
            Memory::Solver(solver) => (None, Some(solver.values(self.encoding.actions[role]))),
        };
        let kept = kept.into_iter().flatten();
        kept.chain(solver.into_iter().flatten())
            .map(|value| MoveId::new(value as usize))
    }

    /// Finds the state after a joint move in the loaded state; false if it is not legal.
    pub fn follow(&mut self, joint: &[MoveId], next: &mut BitsBuf) -> bool {
        let encoding = self.encoding;
        self.values.clear();
        (self.values).extend(joint.iter().map(|it| it.index() as Value));
        let joint = &self.values;
        match &mut self.memory {
            Memory::Kept { kept, .. } => {
                let mut allows = joint.iter().enumerate();
                let legal = allows.all(|(role, &it)| kept.allows(role, it)) && kept.decide(joint);
                next.copy_from(Bits::new(kept.watched()));
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

    /// Visits every solution of the loaded state.
    pub fn each(
        &mut self,
        query: &Query<'_>,
        mut visit: impl FnMut(&Outcome<'_>) -> ControlFlow<()>,
    ) -> Report {
        let encoding = self.encoding;
        let mut joint: Vec<MoveId> = Vec::new();
        let solver = match &mut self.memory {
            Memory::Kept { kept, .. } => {
                return kept.each(&query.limits, |kept, values| {
                    joint.clear();
                    joint.extend(values.iter().map(|&it| MoveId::new(it as usize)));
                    let next = Bits::new(kept.watched());
                    let joint = &joint;
                    visit(&Outcome { joint, next })
                });
            }
            Memory::Solver(solver) => solver,
        };
        let query = Query {
            projection: Some(&encoding.actions),
            ..*query
        };
        let mut next = BitsBuf::default();
        solver.each(&query, |solution| {
            joint.clear();
            let values = encoding.actions.iter().map(|&it| solution.value(it));
            joint.extend(values.map(|it| MoveId::new(it as usize)));
            encoding.pack_next(&mut next, |it| solution.value(it));
            visit(&Outcome {
                joint: &joint,
                next: &next,
            })
        })
    }
}
