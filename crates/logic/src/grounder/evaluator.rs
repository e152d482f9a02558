//! Evaluates a ground program node by node: simple, to test faster reasoners against.

use super::program::{GroundProgram, Literal, Output};
use crate::ids::{FluentId, RoleId};
use crate::interpreter::{State, View};
use crate::terms::TermId;
use std::collections::HashMap;

/// A ground program, ready to answer questions.
#[derive(Debug)]
pub struct Evaluator {
    program: GroundProgram,
    fluents: HashMap<TermId, usize>,
    /// For each role the node of each of its moves.
    moves: Vec<HashMap<TermId, usize>>,
}

impl Evaluator {
    /// The evaluator of a ground program.
    pub fn new(program: GroundProgram) -> Evaluator {
        let fluents = program.fluents().iter().copied().zip(0..).collect();
        let nodes = |role| {
            let moves = program.moves(role).iter().copied();
            moves.zip(program.first_move(role)..).collect()
        };
        let moves = program.role_ids().map(nodes).collect();
        Evaluator {
            program,
            fluents,
            moves,
        }
    }

    /// The ground program.
    pub fn program(&self) -> &GroundProgram {
        &self.program
    }

    /// The initial state.
    pub fn initial(&self) -> State {
        let fluents = self.program.fluents();
        let held = FluentId::all(fluents.len()).filter(|&it| self.program.initial().holds(it));
        State::new(held.map(|it| fluents[it.index()]).collect())
    }

    /// What follows from a state; none if it has an unreachable fluent.
    pub fn view(&self, state: &State) -> Option<View> {
        let values = self.state_values(state)?;
        let legal = |role: RoleId| {
            let moves = self.program.moves(role).iter();
            let moves = moves.zip(self.program.legal(role));
            sorted(
                moves
                    .filter(|(_, literal)| holds(&values, **literal))
                    .map(|it| *it.0),
            )
        };
        Some(View {
            terminal: holds(&values, self.program.terminal()),
            legal: self.program.role_ids().map(legal).collect(),
            goals: self.outputs(&values, GroundProgram::goals),
        })
    }

    /// The state after a joint move and the percepts of each role; none if the state or a move is
    /// unreachable.
    pub fn next(&self, state: &State, joint: &[TermId]) -> Option<(State, Vec<Vec<TermId>>)> {
        let mut values = self.state_values(state)?;
        for (role, &action) in joint.iter().enumerate() {
            values[*self.moves.get(role)?.get(&action)?] = true;
        }
        self.derive(self.program.turn_nodes(), &mut values);
        let pairs = self.program.fluents().iter().zip(self.program.next());
        let next = pairs
            .filter(|(_, literal)| holds(&values, **literal))
            .map(|(&it, _)| it);
        let state = State::new(next.collect());
        Some((state, self.outputs(&values, GroundProgram::percepts)))
    }

    fn state_values(&self, state: &State) -> Option<Vec<bool>> {
        let mut values = vec![false; self.program.len()];
        for fluent in state.fluents() {
            values[*self.fluents.get(fluent)?] = true;
        }
        self.derive(self.program.state_nodes(), &mut values);
        Some(values)
    }

    /// Derives nodes in order; those of a component until nothing changes.
    fn derive(&self, nodes: std::ops::Range<usize>, values: &mut [bool]) {
        let mut components = self
            .program
            .components()
            .iter()
            .filter(|it| it.start >= nodes.start)
            .peekable();
        let mut node = nodes.start;
        while node < nodes.end {
            match components.peek() {
                Some(component) if component.start == node => {
                    let pass = |values: &mut [bool]| {
                        let nodes = component.start..component.end;
                        nodes.fold(false, |changed, it| self.node(it, values) | changed)
                    };
                    while pass(values) {}
                    node = component.end;
                    components.next();
                }
                _ => {
                    self.node(node, values);
                    node += 1;
                }
            }
        }
    }

    /// The outputs of each role that hold.
    fn outputs(
        &self,
        values: &[bool],
        of_role: impl Fn(&GroundProgram, RoleId) -> &[Output],
    ) -> Vec<Vec<TermId>> {
        let held = |role: RoleId| {
            let outputs = of_role(&self.program, role).iter();
            sorted(
                outputs
                    .filter(|(_, literal)| holds(values, *literal))
                    .map(|it| it.0),
            )
        };
        self.program.role_ids().map(held).collect()
    }

    /// Derives one node; whether that changed it.
    fn node(&self, node: usize, values: &mut [bool]) -> bool {
        let mut bodies = self.program.bodies(node);
        let value = bodies.any(|body| body.iter().all(|&it| holds(values, it)));
        std::mem::replace(&mut values[node], value) != value
    }
}

fn holds(values: &[bool], literal: Literal) -> bool {
    match literal.node() {
        Some((node, positive)) => values[node] == positive,
        None => literal == Literal::TRUE,
    }
}

fn sorted(terms: impl Iterator<Item = TermId>) -> Vec<TermId> {
    let mut terms: Vec<TermId> = terms.collect();
    terms.sort_unstable();
    terms
}
