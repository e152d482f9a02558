//! The µSCSP of a state: the stage with its fluents given. Its solutions are the joint moves
//! that are legal, each with the state that follows.

use crate::stage::Encoding;
use constraint::{Conflict, Query, Report, Solver, Value, Variable};
use std::ops::ControlFlow;

/// A solution.
#[derive(Debug)]
pub struct Move<'m> {
    /// The number of each role's move in the ground program.
    pub joint: &'m [usize],
    /// Which fluents hold next.
    pub next: &'m [bool],
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
        Micro {
            solver: Solver::new(&encoding.network),
            encoding,
        }
    }

    /// Goes to a state, given by the fluents that hold. There is a conflict if no joint move is
    /// legal in it, or if it is no state of the game.
    pub fn load(&mut self, holds: &[bool]) -> Result<(), Conflict> {
        self.solver.reset();
        let encoding = self.encoding;
        let mut values: Vec<(Variable, Value)> = Vec::with_capacity(encoding.now.len());
        for (group, &variable) in encoding.grouping.groups.iter().zip(&encoding.now) {
            let mut held = (0..).zip(&group.fluents).filter(|&(_, &it)| holds[it]);
            let value = match (held.next(), held.next(), group.exact) {
                (Some((place, _)), None, _) => place,
                (None, _, false) => group.fluents.len() as Value,
                (None, _, true) | (Some(_), Some(_), _) => return Err(Conflict),
            };
            values.push((variable, value));
        }
        self.solver.assume_all(values)
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
        let mut next = vec![false; encoding.grouping.places.len()];
        self.solver.each(&query, |solution| {
            joint.clear();
            for (&action, moves) in encoding.actions.iter().zip(&encoding.moves) {
                joint.push(moves[solution.value(action) as usize]);
            }
            next.fill(false);
            for (group, &variable) in encoding.grouping.groups.iter().zip(&encoding.next) {
                let value = solution.value(variable) as usize;
                if let Some(&fluent) = group.fluents.get(value) {
                    next[fluent] = true;
                }
            }
            visit(&Move {
                joint: &joint,
                next: &next,
            })
        })
    }
}
