//! The stage of a round: variables and constraints of P1, §3.2.
//!
//! Variables are ordered as in the paper: the fluents of the state, what follows from it, an
//! action for each role, what follows from these, the fluents of the next state. A move that is
//! not legal may not be done; a fluent holds next if and only if its rules say so.

use crate::definitions::{Definitions, Truth};
use crate::groups::Grouping;
use crate::{Limits, NotEncoded, proof};
use constraint::{Defined, Model, Network, Roles, Variable};
use logic::{Evaluator, GroundProgram};
use std::ops::Range;

/// What of a round is encoded.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// What decides legal moves and the next state.
    Turn,
    /// Everything, with a flag for each move of the role that is chance.
    Whole {
        /// Which role that is.
        chance: Option<usize>,
    },
}

/// The stage before its next state has variables.
pub(crate) struct Draft<'p> {
    pub(crate) program: &'p GroundProgram,
    limits: &'p Limits,
    pub(crate) definitions: Definitions,
    /// The variable of each group of fluents.
    pub(crate) now: Vec<Variable>,
    /// For each role its action.
    pub(crate) actions: Vec<Variable>,
    /// For each move of chance whether it is legal, if everything is encoded.
    pub(crate) flags: Vec<Variable>,
    /// For each role the numbers of its moves in the program.
    moves: Vec<Vec<usize>>,
    /// Which nodes are needed, and what each of these is.
    needed: Vec<bool>,
    truths: Vec<Truth>,
}

impl<'p> Draft<'p> {
    pub(crate) fn new(
        program: &'p GroundProgram,
        grouping: &Grouping,
        (limits, part): (&'p Limits, Part),
    ) -> Result<Draft<'p>, NotEncoded> {
        let mut draft = Draft {
            program,
            limits,
            definitions: Definitions::default(),
            now: Vec::new(),
            actions: Vec::new(),
            flags: Vec::new(),
            moves: program.moves_by_role(),
            needed: match part {
                Part::Turn => needed(program, program.next().iter().chain(program.legal())),
                Part::Whole { .. } => vec![true; program.len()],
            },
            truths: vec![Truth::FALSE; program.len()],
        };
        draft.now = draft.fluent_variables(grouping, "");
        for (fluent, &(group, place)) in grouping.places.iter().enumerate() {
            draft.truths[fluent] = Truth::Literal(draft.now[group].is(place));
        }
        draft.derive(program.state_nodes())?;
        if let Part::Whole { chance } = part {
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
                .map(|&it| terms.text(self.program.fluents()[it]))
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

    /// Derives nodes in order. What depends on itself is unrolled, round by round, until
    /// nothing new comes up.
    fn derive(&mut self, nodes: Range<usize>) -> Result<(), NotEncoded> {
        let components = self.program.components().iter();
        let mut components = components.filter(|it| it.start >= nodes.start).peekable();
        let mut node = nodes.start;
        while node < nodes.end {
            let component = components.next_if(|component| component.start == node);
            let end = component.map_or(node + 1, |component| component.end);
            let rounds = if self.needed[node] { end - node } else { 0 };
            for _ in 0..rounds {
                let before = self.truths[node..end].to_vec();
                let after = (node..end).map(|it| self.node(it));
                let after = after.collect::<Result<Vec<Truth>, _>>()?;
                let settled = before == after;
                self.truths[node..end].copy_from_slice(&after);
                if settled {
                    break;
                }
            }
            node = end;
        }
        Ok(())
    }

    /// What a derived node is, by what its bodies are now.
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

    /// An action for each role, and that it is legal.
    fn add_actions(&mut self) -> Result<(), NotEncoded> {
        let (program, terms) = (self.program, self.program.terms());
        let first = program.fluents().len();
        for (role, &name) in program.roles().iter().enumerate() {
            let moves = self.moves[role].clone();
            let labels = moves.iter().map(|&it| terms.text(program.moves()[it].1));
            let labels: Vec<String> = labels.collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            let action = (self.definitions.model).labelled(terms.text(name), &labels);
            for (place, &number) in moves.iter().enumerate() {
                let does = action.is(place as u32);
                self.truths[first + number] = Truth::Literal(does);
                self.imply(does, self.truth(program.legal()[number]))?;
            }
            self.actions.push(action);
        }
        Ok(())
    }

    /// A variable for each move of chance that says whether it is legal.
    fn add_flags(&mut self, chance: Option<usize>) -> Result<(), NotEncoded> {
        let moves = chance.map_or(Vec::new(), |role| self.moves[role].clone());
        for number in moves {
            let (_, action) = self.program.moves()[number];
            let name = format!("legal {}", self.program.terms().text(action));
            let flag = self.definitions.model.variable(name, 2);
            self.equal(flag.is(1), self.truth(self.program.legal()[number]))?;
            self.flags.push(flag);
        }
        Ok(())
    }

    /// Says that a literal holds if and only if something does.
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

    /// What decides whether each fluent holds next.
    pub(crate) fn next(&self) -> Vec<Truth> {
        let next = self.program.next().iter();
        next.map(|&literal| self.truth(literal)).collect()
    }

    /// Says that the match is not over, unless that takes recursion.
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

    /// The variables of the next state.
    pub(crate) fn add_next(&mut self, grouping: &Grouping) -> Result<Vec<Variable>, NotEncoded> {
        let next = self.fluent_variables(grouping, "'");
        for (fluent, truth) in self.next().into_iter().enumerate() {
            let (group, place) = grouping.places[fluent];
            self.equal(next[group].is(place), truth)?;
        }
        Ok(next)
    }
}

/// The nodes that some literals depend on; of a component all, if any.
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

/// A round of a game as a constraint network.
#[derive(Debug)]
pub struct Encoding {
    model: Model,
    pub(crate) network: Network,
    /// The model as what follows from fluents and actions, if it is of that kind.
    pub(crate) defined: Option<Defined>,
    pub(crate) grouping: Grouping,
    pub(crate) now: Vec<Variable>,
    pub(crate) actions: Vec<Variable>,
    pub(crate) next: Vec<Variable>,
}

impl Encoding {
    /// Encodes a game.
    pub fn new(evaluator: &Evaluator, limits: &Limits) -> Result<Encoding, NotEncoded> {
        let grouping = proof::proven(evaluator, limits)?;
        Encoding::with(evaluator.program(), grouping, limits)
    }

    fn with(
        program: &GroundProgram,
        grouping: Grouping,
        limits: &Limits,
    ) -> Result<Encoding, NotEncoded> {
        let mut draft = Draft::new(program, &grouping, (limits, Part::Turn))?;
        let next = draft.add_next(&grouping)?;
        let model = draft.definitions.model;
        let place = |&(group, place): &(usize, u32)| next[group].is(place);
        let watched: Vec<constraint::Literal> = grouping.places.iter().map(place).collect();
        let roles = Roles {
            given: &draft.now,
            decisions: &draft.actions,
            watched: &watched,
        };
        Ok(Encoding {
            network: Network::new(&model)?,
            defined: Defined::new(&model, roles),
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
        let domains = self.model.variables().map(|it| self.model.domain(it).len());
        Size {
            variables: self.model.len(),
            largest: domains.max().unwrap_or(0),
            constraints: self.model.constraints().len(),
        }
    }
}
