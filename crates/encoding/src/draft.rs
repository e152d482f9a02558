//! `Draft`: a network being made from the ground rules, state by state.
//!
//! The truth of each node is a constant or a literal of the network. A state is entered by the
//! variables of its fluents; then what follows from it is derived, actions are added, and what
//! follows from these. Recursion is unrolled.

use crate::definitions::{Definitions, Truth};
use crate::groups::Grouping;
use crate::{EncodingLimits, NotEncoded};
use constraint::Variable;
use logic::{GroundProgram, RoleId};
use std::ops::Range;

/// A network being made.
pub(crate) struct Draft<'p> {
    pub(crate) program: &'p GroundProgram,
    pub(crate) definitions: Definitions,
    /// The variable of each group of fluents.
    pub(crate) now: Vec<Variable>,
    /// For each role its action.
    pub(crate) actions: Vec<Variable>,
    /// Which nodes are needed, and the truth of each.
    needed: Vec<bool>,
    truths: Vec<Truth>,
}

impl<'p> Draft<'p> {
    /// Nothing yet.
    pub(crate) fn empty(program: &'p GroundProgram, limits: &EncodingLimits) -> Draft<'p> {
        Draft {
            program,
            definitions: Definitions::new(limits),
            now: Vec::new(),
            actions: Vec::new(),
            needed: vec![false; program.len()],
            truths: vec![Truth::FALSE; program.len()],
        }
    }

    /// A turn before its next state has variables: the fluents, the actions, and what legal moves
    /// and the next state need.
    pub(crate) fn new(
        program: &'p GroundProgram,
        grouping: &Grouping,
        limits: &EncodingLimits,
    ) -> Result<Draft<'p>, NotEncoded> {
        let mut draft = Draft::empty(program, limits);
        draft.now = draft.fluent_variables(grouping, "")?;
        let legal = program.role_ids().flat_map(|role| program.legal(role));
        draft.need(program.next().iter().chain(legal));
        draft.enter(grouping)?;
        for role in program.role_ids() {
            let action = draft.add_action(role, "")?;
            draft.actions.push(action);
        }
        draft.derive(program.turn_nodes())?;
        Ok(draft)
    }

    /// What is needed from now on: what some literals depend on.
    pub(crate) fn need<'l>(&mut self, literals: impl Iterator<Item = &'l logic::Literal>) {
        self.needed = needed(self.program, literals);
    }

    /// Goes to the state of the variables in `now`, and derives what is needed of it.
    pub(crate) fn enter(&mut self, grouping: &Grouping) -> Result<(), NotEncoded> {
        self.truths.fill(Truth::FALSE);
        for (fluent, place) in grouping.places.iter().enumerate() {
            self.truths[fluent] = Truth::Literal(self.now[place.group].is(place.value));
        }
        self.derive(self.program.state_nodes())
    }

    /// A variable for each group of fluents.
    pub(crate) fn fluent_variables(
        &mut self,
        grouping: &Grouping,
        suffix: &str,
    ) -> Result<Vec<Variable>, NotEncoded> {
        let terms = self.program.terms();
        let mut variables = Vec::with_capacity(grouping.groups.len());
        for group in &grouping.groups {
            let fluents = group.fluents.iter();
            let mut labels: Vec<String> = fluents
                .map(|it| terms.text(self.program.fluents()[it.index()]))
                .collect();
            let name = format!("{}{suffix}", group.name(self.program));
            if !group.exact {
                labels.push("none".to_string());
            }
            variables.push(self.definitions.labelled(name, &labels)?);
        }
        Ok(variables)
    }

    /// Derives nodes in order. Components are unrolled round by round until nothing changes.
    pub(crate) fn derive(&mut self, nodes: Range<usize>) -> Result<(), NotEncoded> {
        let components = self.program.components().iter();
        let mut components = components.filter(|it| it.start >= nodes.start).peekable();
        let mut node = nodes.start;
        while node < nodes.end {
            let component = components.next_if(|component| component.start == node);
            let end = component.map_or(node + 1, |component| component.end);
            match component {
                _ if !self.needed[node] => {}
                Some(component) => self.unroll(component)?,
                None => self.truths[node] = self.node(node)?,
            }
            node = end;
        }
        Ok(())
    }

    /// Derives the nodes of a component round by round, in each those that depend on nodes which
    /// the round before changed.
    fn unroll(&mut self, component: &Range<usize>) -> Result<(), NotEncoded> {
        let users = self.program.users(component.clone());
        let mut due: Vec<usize> = component.clone().collect();
        for _ in component.clone() {
            let mut changed = Vec::new();
            for &node in &due {
                let truth = self.node(node)?;
                if truth != self.truths[node] {
                    changed.push((node, truth));
                }
            }
            due.clear();
            for (node, truth) in changed {
                self.truths[node] = truth;
                due.extend(&users[node - component.start]);
            }
            due.sort_unstable();
            due.dedup();
            if due.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// The truth of a derived node from the present truths of its bodies.
    fn node(&mut self, node: usize) -> Result<Truth, NotEncoded> {
        let program = self.program;
        let mut bodies = Vec::new();
        for body in program.bodies(node) {
            let parts = body.iter().map(|&literal| self.truth(literal)).collect();
            bodies.push(self.definitions.all(parts)?);
        }
        self.definitions.any(bodies)
    }

    pub(crate) fn truth(&self, literal: logic::Literal) -> Truth {
        match literal.node() {
            Some((node, true)) => self.truths[node],
            Some((node, false)) => self.truths[node].negated(),
            None => Truth::Constant(literal == logic::Literal::TRUE),
        }
    }

    /// Adds the action of a role, constrained to be legal.
    fn add_action(&mut self, role: RoleId, suffix: &str) -> Result<Variable, NotEncoded> {
        let (program, terms) = (self.program, self.program.terms());
        let labels = program.moves(role).iter().map(|&it| terms.text(it));
        let labels: Vec<String> = labels.collect();
        let name = terms.text(program.roles()[role.index()]);
        let action = self.definitions.labelled(name + suffix, &labels)?;
        for (place, &legal) in program.legal(role).iter().enumerate() {
            self.imply(action.is(place as u32), self.truth(legal))?;
        }
        self.set_action(role, action);
        Ok(action)
    }

    /// What a role does is the value of a variable.
    pub(crate) fn set_action(&mut self, role: RoleId, action: Variable) {
        let first = self.program.first_move(role);
        for place in 0..self.program.moves(role).len() {
            self.truths[first + place] = Truth::Literal(action.is(place as u32));
        }
    }

    /// Constrains a literal to be equivalent to a truth.
    pub(crate) fn equal(
        &mut self,
        literal: constraint::Literal,
        truth: Truth,
    ) -> Result<(), NotEncoded> {
        match truth {
            Truth::Constant(true) => self.definitions.clause(&[literal]),
            Truth::Constant(false) => self.definitions.clause(&[!literal]),
            Truth::Literal(other) => self.definitions.same(literal, other),
        }
    }

    /// Constrains a truth to hold if a literal does.
    pub(crate) fn imply(
        &mut self,
        literal: constraint::Literal,
        truth: Truth,
    ) -> Result<(), NotEncoded> {
        match truth {
            Truth::Constant(true) => Ok(()),
            Truth::Constant(false) => self.definitions.clause(&[!literal]),
            Truth::Literal(then) => self.definitions.clause(&[!literal, then]),
        }
    }

    /// The truth of each fluent in the next state.
    pub(crate) fn next(&self) -> Vec<Truth> {
        let next = self.program.next().iter();
        next.map(|&literal| self.truth(literal)).collect()
    }

    /// Constrains the match not to be over, unless that needs recursion.
    pub(crate) fn assume_open(&mut self) -> Result<(), NotEncoded> {
        let program = self.program;
        let terminal = program.terminal();
        let wanted = needed(program, std::iter::once(&terminal));
        let recursive = program.components().iter().any(|it| wanted[it.start]);
        if recursive {
            return Ok(());
        }
        for node in program.state_nodes().filter(|&it| wanted[it]) {
            if !self.needed[node] {
                self.truths[node] = self.node(node)?;
            }
        }
        if let Truth::Literal(over) = self.truth(terminal) {
            self.definitions.clause(&[!over])?;
        }
        Ok(())
    }

    /// Adds the variables of the next state.
    pub(crate) fn add_next(&mut self, grouping: &Grouping) -> Result<Vec<Variable>, NotEncoded> {
        let next = self.fluent_variables(grouping, "'")?;
        for (fluent, truth) in self.next().into_iter().enumerate() {
            let place = grouping.places[fluent];
            self.equal(next[place.group].is(place.value), truth)?;
        }
        Ok(next)
    }
}

impl Draft<'_> {
    /// Goes to the state of some variables, and derives what its end and its goals need.
    pub(crate) fn enter_end(
        &mut self,
        grouping: &Grouping,
        state: &[Variable],
    ) -> Result<(), NotEncoded> {
        let program = self.program;
        let goals = program.role_ids().flat_map(|role| program.goals(role));
        let goals: Vec<logic::Literal> = goals.map(|goal| goal.1).collect();
        self.need(goals.iter().chain([&program.terminal()]));
        self.now = state.to_vec();
        self.enter(grouping)
    }
}

/// The nodes that some literals depend on; of a component all or none.
fn needed<'l>(
    program: &GroundProgram,
    literals: impl Iterator<Item = &'l logic::Literal>,
) -> Vec<bool> {
    let mut needed = vec![false; program.len()];
    for (node, _) in literals.filter_map(|it| it.node()) {
        needed[node] = true;
    }
    let mut components = program.components().iter().rev().peekable();
    let mut end = program.len();
    while end > program.inputs() {
        let component = components.next_if(|component| component.end == end);
        let start = component.map_or(end - 1, |component| component.start);
        if needed[start..end].contains(&true) {
            needed[start..end].fill(true);
            for node in start..end {
                let literals = program.bodies(node).flatten();
                literals
                    .filter_map(|it| it.node())
                    .for_each(|(it, _)| needed[it] = true);
            }
        }
        end = start;
    }
    needed
}
