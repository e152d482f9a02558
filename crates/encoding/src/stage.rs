//! The stage of a round: variables and constraints of P1, §3.2.
//!
//! Variables are ordered as in the paper: the fluents of the state, nodes derived from them, an
//! action for each role, nodes derived from these, the fluents of the next state. An action is
//! legal; a fluent holds next if and only if its rules derive it.

use crate::definitions::{Definitions, Truth};
use crate::groups::{Grouping, Place};
use crate::{EncodingLimits, NotEncoded, proof};
use constraint::{Defined, Model, Network, Signature, Variable};
use logic::{Evaluator, GroundProgram, RoleId};
use std::ops::Range;

/// The encoded part of a round.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Legal moves and the next state.
    Turn,
    /// Everything, with a flag for each move of chance.
    Whole {
        /// The role of chance.
        chance: Option<RoleId>,
    },
}

/// The encoded part of a round, and the limits.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Scope<'p> {
    pub(crate) part: Part,
    pub(crate) limits: &'p EncodingLimits,
}

/// The stage before its next state has variables.
pub(crate) struct Draft<'p> {
    pub(crate) program: &'p GroundProgram,
    limits: &'p EncodingLimits,
    pub(crate) definitions: Definitions,
    /// The variable of each group of fluents.
    pub(crate) now: Vec<Variable>,
    /// For each role its action.
    pub(crate) actions: Vec<Variable>,
    /// For each move of chance a flag: whether it is legal.
    pub(crate) flags: Vec<Variable>,
    /// Which nodes are needed, and the truth of each.
    needed: Vec<bool>,
    truths: Vec<Truth>,
}

impl<'p> Draft<'p> {
    pub(crate) fn new(
        program: &'p GroundProgram,
        grouping: &Grouping,
        scope: Scope<'p>,
    ) -> Result<Draft<'p>, NotEncoded> {
        let mut draft = Draft {
            program,
            limits: scope.limits,
            definitions: Definitions::default(),
            now: Vec::new(),
            actions: Vec::new(),
            flags: Vec::new(),
            needed: match scope.part {
                Part::Turn => {
                    let legal = program.role_ids().flat_map(|role| program.legal(role));
                    needed(program, program.next().iter().chain(legal))
                }
                Part::Whole { .. } => vec![true; program.len()],
            },
            truths: vec![Truth::FALSE; program.len()],
        };
        draft.now = draft.fluent_variables(grouping, "");
        for (fluent, place) in grouping.places.iter().enumerate() {
            draft.truths[fluent] = Truth::Literal(draft.now[place.group].is(place.value));
        }
        draft.derive(program.state_nodes())?;
        if let Part::Whole { chance } = scope.part {
            draft.add_flags(chance)?;
        }
        draft.add_actions()?;
        draft.derive(program.turn_nodes())?;
        Ok(draft)
    }

    /// A variable for each group of fluents.
    fn fluent_variables(&mut self, grouping: &Grouping, suffix: &str) -> Vec<Variable> {
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
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            variables.push(self.definitions.model.labelled(name, &labels));
        }
        variables
    }

    /// Derives nodes in order. Components are unrolled round by round until nothing changes.
    fn derive(&mut self, nodes: Range<usize>) -> Result<(), NotEncoded> {
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
            bodies.push(self.definitions.all(parts, self.limits)?);
        }
        self.definitions.any(bodies, self.limits)
    }

    pub(crate) fn truth(&self, literal: logic::Literal) -> Truth {
        match literal.node() {
            Some((node, true)) => self.truths[node],
            Some((node, false)) => self.truths[node].negated(),
            None => Truth::Constant(literal == logic::Literal::TRUE),
        }
    }

    /// Adds an action for each role, constrained to be legal.
    fn add_actions(&mut self) -> Result<(), NotEncoded> {
        let (program, terms) = (self.program, self.program.terms());
        for (role, &name) in program.role_ids().zip(program.roles()) {
            let labels = program.moves(role).iter().map(|&it| terms.text(it));
            let labels: Vec<String> = labels.collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let action = (self.definitions.model).labelled(terms.text(name), &labels);
            for (place, &legal) in program.legal(role).iter().enumerate() {
                let does = action.is(place as u32);
                self.truths[program.first_move(role) + place] = Truth::Literal(does);
                self.imply(does, self.truth(legal))?;
            }
            self.actions.push(action);
        }
        Ok(())
    }

    /// Adds a flag for each move of chance: whether it is legal.
    fn add_flags(&mut self, chance: Option<RoleId>) -> Result<(), NotEncoded> {
        let Some(chance) = chance else {
            return Ok(());
        };
        let program = self.program;
        for (&action, &legal) in program.moves(chance).iter().zip(program.legal(chance)) {
            let name = format!("legal {}", program.terms().text(action));
            let flag = self.definitions.model.variable(name, 2);
            self.equal(flag.is(1), self.truth(legal))?;
            self.flags.push(flag);
        }
        Ok(())
    }

    /// Constrains a literal to be equivalent to a truth.
    pub(crate) fn equal(
        &mut self,
        literal: constraint::Literal,
        truth: Truth,
    ) -> Result<(), NotEncoded> {
        let model = &mut self.definitions.model;
        match truth {
            Truth::Constant(true) => model.clause(&[literal])?,
            Truth::Constant(false) => model.clause(&[!literal])?,
            Truth::Literal(other) => model.and(literal, &[other])?,
        }
        Ok(())
    }

    fn imply(&mut self, literal: constraint::Literal, truth: Truth) -> Result<(), NotEncoded> {
        let model = &mut self.definitions.model;
        match truth {
            Truth::Constant(true) => {}
            Truth::Constant(false) => model.clause(&[!literal])?,
            Truth::Literal(then) => model.clause(&[!literal, then])?,
        }
        Ok(())
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
            self.definitions.model.clause(&[!over])?;
        }
        Ok(())
    }

    /// Adds the variables of the next state.
    pub(crate) fn add_next(&mut self, grouping: &Grouping) -> Result<Vec<Variable>, NotEncoded> {
        let next = self.fluent_variables(grouping, "'");
        for (fluent, truth) in self.next().into_iter().enumerate() {
            let place = grouping.places[fluent];
            self.equal(next[place.group].is(place.value), truth)?;
        }
        Ok(next)
    }
}

impl Draft<'_> {
    /// Derives what the end and the goals of the next state need, from the variables of that
    /// state. From here on truths are those of the next state.
    pub(crate) fn turn_to_next(
        &mut self,
        grouping: &Grouping,
        next: &[Variable],
    ) -> Result<(), NotEncoded> {
        let program = self.program;
        let goals = program.role_ids().flat_map(|role| program.goals(role));
        let goals: Vec<logic::Literal> = goals.map(|goal| goal.1).collect();
        self.needed = needed(program, goals.iter().chain([&program.terminal()]));
        self.truths.fill(Truth::FALSE);
        for (fluent, place) in grouping.places.iter().enumerate() {
            self.truths[fluent] = Truth::Literal(next[place.group].is(place.value));
        }
        self.derive(program.state_nodes())
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

/// How large an encoding is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many variables there are.
    pub variables: usize,
    /// How many values the largest domain has.
    pub largest: usize,
    /// How many constraints there are.
    pub constraints: usize,
}

impl Size {
    /// The size of a model.
    pub(crate) fn of(model: &Model) -> Size {
        let domains = model.variables().map(|it| model.domain(it).len());
        Size {
            variables: model.len(),
            largest: domains.max().unwrap_or(0),
            constraints: model.constraints().len(),
        }
    }
}

/// A round of a game as a constraint network.
#[derive(Debug)]
pub struct Encoding {
    model: Model,
    pub(crate) network: Network,
    /// The model as definitions over fluents and actions, if it has that form.
    pub(crate) defined: Option<Defined>,
    pub(crate) grouping: Grouping,
    pub(crate) now: Vec<Variable>,
    pub(crate) actions: Vec<Variable>,
    pub(crate) next: Vec<Variable>,
}

impl Encoding {
    /// Encodes a game.
    pub fn new(evaluator: &Evaluator, limits: &EncodingLimits) -> Result<Encoding, NotEncoded> {
        let grouping = proof::proven(evaluator, limits)?;
        Encoding::with(evaluator.program(), grouping, limits)
    }

    fn with(
        program: &GroundProgram,
        grouping: Grouping,
        limits: &EncodingLimits,
    ) -> Result<Encoding, NotEncoded> {
        let part = Part::Turn;
        let mut draft = Draft::new(program, &grouping, Scope { part, limits })?;
        let next = draft.add_next(&grouping)?;
        let model = draft.definitions.model;
        let holds = |place: &Place| next[place.group].is(place.value);
        let watched: Vec<constraint::Literal> = grouping.places.iter().map(holds).collect();
        let signature = Signature {
            given: &draft.now,
            decisions: &draft.actions,
            watched: &watched,
            noted: &[],
        };
        Ok(Encoding {
            network: Network::new(&model)?,
            defined: Defined::new(&model, signature),
            model,
            grouping,
            now: draft.now,
            actions: draft.actions,
            next,
        })
    }

    /// The variables and constraints, with their names.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// Which fluents are values of one variable.
    pub fn grouping(&self) -> &Grouping {
        &self.grouping
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        Size::of(&self.model)
    }
}
