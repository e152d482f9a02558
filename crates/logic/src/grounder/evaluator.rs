//! The facts of one state from a ground program, node by node: simple, to check faster
//! reasoners by.

use super::program::{GroundProgram, Literal, Output};
use crate::interpreter::{State, View};
use crate::terms::TermId;
use std::collections::HashMap;

/// A ground program, ready to be asked.
#[derive(Debug)]
pub struct Evaluator {
    program: GroundProgram,
    fluents: HashMap<TermId, usize>,
    moves: HashMap<(usize, TermId), usize>,
}

impl Evaluator {
    /// Gets ready to answer questions about a ground program.
    pub fn new(program: GroundProgram) -> Evaluator {
        let fluents = program.fluents().iter().copied().zip(0..).collect();
        let first = program.fluents().len();
        let moves = program.moves().iter().copied().zip(first..).collect();
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

    /// The first state.
    pub fn initial(&self) -> State {
        let pairs = self.program.fluents().iter().zip(self.program.initial());
        State::new(
            pairs
                .filter(|(_, holds)| **holds)
                .map(|(&it, _)| it)
                .collect(),
        )
    }

    /// What follows from a state; nothing if it has a fluent that cannot be reached.
    pub fn view(&self, state: &State) -> Option<View> {
        let values = self.state_values(state)?;
        let roles = self.program.roles().len();
        let mut legal = vec![Vec::new(); roles];
        for (&(role, action), &literal) in self.program.moves().iter().zip(self.program.legal()) {
            if holds(&values, literal) {
                legal[role].push(action);
            }
        }
        for moves in &mut legal {
            moves.sort_unstable();
        }
        Some(View {
            terminal: holds(&values, self.program.terminal()),
            legal,
            goals: outputs(&values, self.program.goals()),
        })
    }

    /// The state after a joint move and what each role sees of it; nothing if the state or
    /// a move cannot be reached.
    pub fn next(&self, state: &State, joint: &[TermId]) -> Option<(State, Vec<Vec<TermId>>)> {
        let mut values = self.state_values(state)?;
        for (role, &action) in joint.iter().enumerate() {
            values[*self.moves.get(&(role, action))?] = true;
        }
        self.derive(self.program.turn_nodes(), &mut values);
        let pairs = self.program.fluents().iter().zip(self.program.next());
        let next = pairs
            .filter(|(_, literal)| holds(&values, **literal))
            .map(|(&it, _)| it);
        let state = State::new(next.collect());
        Some((state, outputs(&values, self.program.percepts())))
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

fn outputs(values: &[bool], outputs: &[Vec<Output>]) -> Vec<Vec<TermId>> {
    let of_role = |outputs: &Vec<Output>| {
        let found = outputs
            .iter()
            .filter(|(_, literal)| holds(values, *literal));
        let mut found: Vec<TermId> = found.map(|(term, _)| *term).collect();
        found.sort_unstable();
        found
    };
    outputs.iter().map(of_role).collect()
}
