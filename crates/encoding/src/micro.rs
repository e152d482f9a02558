//! The µSCSP of a state: the stage with its fluents given. Its solutions are the legal joint moves,
//! each with the state after it.

use crate::stage::Encoding;
use crate::tables::Tables;
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

    /// Packs the next state from the values of its variables, one a group.
    fn pack_next(&self, next: &mut BitsBuf, values: impl Iterator<Item = Value>) {
        next.words_mut().clear();
        let words = self.grouping.places.len().div_ceil(64);
        next.words_mut().resize(words, 0);
        for (group, value) in self.grouping.groups.iter().zip(values) {
            if let Some(&fluent) = group.fluents.get(value as usize) {
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
    Solver {
        solver: Box<Solver<'e>>,
        /// The variables of its network.
        outputs: Outputs<'e>,
    },
}

/// The actions and next fluents of a network.
#[derive(Copy, Clone, Debug)]
struct Outputs<'e> {
    actions: &'e [Variable],
    next: &'e [Variable],
    /// Whether all variables are searched, not just actions.
    all: bool,
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
            _ => Memory::Solver {
                solver: Box::new(Solver::with_strength(&encoding.network, strength)),
                outputs: Outputs {
                    actions: &encoding.actions,
                    next: &encoding.next,
                    all: false,
                },
            },
        };
        Micro::with(encoding, memory)
    }

    /// Working memory that solves the tables of the encoding. Every variable is searched, in the
    /// order that the query asks for: where next fluents come before actions, what is not
    /// propagated costs nodes.
    pub fn with_tables(
        encoding: &'e Encoding,
        tables: &'e Tables,
        strength: Strength,
    ) -> Micro<'e> {
        let memory = Memory::Solver {
            solver: Box::new(Solver::with_strength(&tables.network, strength)),
            outputs: Outputs {
                actions: &tables.actions,
                next: &tables.next,
                all: true,
            },
        };
        Micro::with(encoding, memory)
    }

    fn with(encoding: &'e Encoding, memory: Memory<'e>) -> Micro<'e> {
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
            Memory::Solver { solver, .. } => {
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
            Memory::Solver { solver, outputs } => {
                (None, Some(solver.values(outputs.actions[role])))
            }
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
            Memory::Solver { solver, outputs } => {
                let level = solver.level();
                let actions = outputs.actions.iter().copied();
                let legal = solver
                    .assume_all(actions.zip(joint.iter().copied()))
                    .is_ok();
                if legal {
                    let values = outputs.next.iter().map(|&it| {
                        let value = solver.value(it);
                        value.expect("a joint move decides the next state")
                    });
                    encoding.pack_next(next, values);
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
        let (solver, outputs) = match &mut self.memory {
            Memory::Kept { kept, .. } => {
                return kept.each(&query.limits, |kept, values| {
                    joint.clear();
                    joint.extend(values.iter().map(|&it| MoveId::new(it as usize)));
                    let next = Bits::new(kept.watched());
                    let joint = &joint;
                    visit(&Outcome { joint, next })
                });
            }
            Memory::Solver { solver, outputs } => (solver, *outputs),
        };
        let query = Query {
            projection: (!outputs.all).then_some(outputs.actions),
            ..*query
        };
        let mut next = BitsBuf::default();
        solver.each(&query, |solution| {
            joint.clear();
            let values = outputs.actions.iter().map(|&it| solution.value(it));
            joint.extend(values.map(|it| MoveId::new(it as usize)));
            let values = outputs.next.iter().map(|&it| solution.value(it));
            encoding.pack_next(&mut next, values);
            visit(&Outcome {
                joint: &joint,
                next: &next,
            })
        })
    }
}
