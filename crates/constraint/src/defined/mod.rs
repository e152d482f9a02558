//! `Defined`: a network in which everything follows from given variables and decisions.
//!
//! Takes a model and which of its variables are given and which are decided. If definitions
//! lead from these to every other variable, and other clauses only say which decisions the given
//! values allow, consistency needs no search and no trail: [`Kept`] moves one assignment from
//! network to network by what changes. Gives nothing for any other model: [`crate::Solver`]
//! takes them all.
//!
//! Invariant: nodes are in an order in which each comes after those it depends on; first what
//! is given or decided, then what follows from given variables alone, then the rest. Both of the
//! latter start at a multiple of 64.

mod kept;
mod order;

pub use kept::Kept;

use crate::model::{Constraint, Junction, Literal, Model, Variable};
use hashbrown::HashMap;

/// No node, no value, no group.
const NONE: u32 = u32::MAX;

/// Which variables everything else follows from, and what is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Roles<'r> {
    /// The variables whose values are given.
    pub given: &'r [Variable],
    /// The variables whose values are decided.
    pub decisions: &'r [Variable],
    /// Literals whose truth is kept as a set of bits, in this order.
    pub watched: &'r [Literal],
}

/// A model made ready for [`Kept`]; immutable and shared.
#[derive(Clone, Debug)]
pub struct Defined {
    /// For each variable where its values begin in `inputs`; none if it is defined.
    places: Vec<u32>,
    /// For each value of given variables and decisions the node of its literal, if it has one.
    inputs: Vec<u32>,
    decisions: Vec<Choice>,
    /// For each node where its targets begin in `targets`, and where among them those that are
    /// watched begin.
    starts: Vec<u32>,
    watches: Vec<u32>,
    /// First the nodes that have this one in their bodies, doubled, plus one if they are decided
    /// when it is true; then places in `shown`.
    targets: Vec<u32>,
    /// Whether a node is the OR of its body; else it is the AND.
    is_or: Vec<bool>,
    /// For each node the variable, among those that are checked, of which it is a value.
    groups: Vec<u32>,
    /// For each variable that is checked, whether one of its nodes has to be true.
    exact: Vec<bool>,
    /// Where what depends on decisions begins.
    late: usize,
    /// What holds while no input has a value.
    start: Start,
}

/// A decision: which of its values are allowed is shown from some place on.
#[derive(Clone, Debug)]
struct Choice {
    variable: Variable,
    values: u32,
    /// The first word in `shown`.
    word: usize,
}

/// What changes as values do.
#[derive(Clone, Debug, Default)]
struct Start {
    /// For each node how many literals of its body decide it: false ones of an AND, true ones of
    /// an OR.
    counts: Vec<u32>,
    /// The truth of what is watched, then of what each decision is allowed.
    shown: Vec<u64>,
    /// For each variable that is checked how many of its nodes are true.
    held: Vec<u32>,
    /// How many of these are not as they have to be.
    wrong: usize,
}

/// A literal of a model: a variable and a value, with `=`.
type Key = (Variable, u32);

/// Node of a literal, and whether it stands for the opposite.
type Sign = (Key, bool);

/// A definition of a literal.
struct Rule {
    key: Key,
    is_or: bool,
    body: Vec<Sign>,
}

/// What is found in a model.
struct Draft<'m> {
    model: &'m Model,
    roles: Roles<'m>,
    /// Whether a variable is an input.
    is_input: Vec<bool>,
    rules: Vec<Rule>,
    /// Which rule defines a literal.
    known: HashMap<Key, usize, foldhash::fast::FixedState>,
    /// What values of decisions need; none if they are never allowed.
    needs: HashMap<Key, Option<Literal>, foldhash::fast::FixedState>,
}

impl Defined {
    /// The model made ready; none if something does not follow from the inputs.
    pub fn new(model: &Model, roles: Roles<'_>) -> Option<Defined> {
        let mut draft = Draft::new(model, roles);
        for constraint in model.constraints() {
            draft.take(constraint)?;
        }
        draft.resolve()?;
        draft.finish()
    }

    /// How many words the watched literals take.
    pub fn words(&self) -> usize {
        self.decisions
            .first()
            .map_or(self.start.shown.len(), |it| it.word)
    }
}

impl<'m> Draft<'m> {
    fn new(model: &'m Model, roles: Roles<'m>) -> Draft<'m> {
        let mut is_input = vec![false; model.len()];
        for variable in roles.given.iter().chain(roles.decisions) {
            is_input[variable.index()] = true;
        }
        Draft {
            model,
            roles,
            is_input,
            rules: Vec::new(),
            known: HashMap::default(),
            needs: HashMap::default(),
        }
    }

    /// Takes a constraint; none if it is of no kind that is known here.
    fn take(&mut self, constraint: &Constraint) -> Option<()> {
        match constraint {
            Constraint::Table { .. } => None,
            Constraint::Definition {
                head,
                junction,
                body,
            } => self.define(*head, *junction, body),
            Constraint::Clause(literals) => match literals[..] {
                [only] if !self.is_input[only.variable.index()] => {
                    self.define(only, Junction::And, &[])
                }
                [only] => {
                    let before = self.needs.insert(self.refused(only)?, None);
                    before.is_none().then_some(())
                }
                [one, two] => {
                    let (key, need) = match (self.refused(one), self.refused(two)) {
                        (Some(key), None) => (key, two),
                        (None, Some(key)) => (key, one),
                        _ => return None,
                    };
                    let before = self.needs.insert(key, Some(need));
                    before.is_none().then_some(())
                }
                _ => None,
            },
        }
    }

    /// The value that a literal refuses to a decision, if it does.
    fn refused(&self, literal: Literal) -> Option<Key> {
        let is_decision = self.roles.decisions.contains(&literal.variable);
        (is_decision && !literal.equal).then_some((literal.variable, literal.value))
    }

    /// Takes a definition; none if its literal is an input or has another.
    fn define(&mut self, head: Literal, junction: Junction, body: &[Literal]) -> Option<()> {
        if self.is_input[head.variable.index()] {
            return None;
        }
        // What is defined is false: then its opposite is defined by the opposite.
        let is_or = (junction == Junction::Or) == head.equal;
        let sign = |it: &Literal| ((it.variable, it.value), it.equal != head.equal);
        let key = (head.variable, head.value);
        let rule = Rule {
            key,
            is_or,
            body: body.iter().map(sign).collect(),
        };
        self.rules.push(rule);
        let before = self.known.insert(key, self.rules.len() - 1);
        before.is_none().then_some(())
    }

    /// The literal that has a node, for any literal.
    fn sign(&self, (key, negated): Sign) -> Option<Sign> {
        let (variable, value) = key;
        if self.is_input[variable.index()] || self.known.contains_key(&key) {
            return Some((key, negated));
        }
        let other = (variable, 1 - value.min(1));
        let is_opposite = self.model.domain(variable).capacity() == 2;
        (is_opposite && self.known.contains_key(&other)).then_some((other, !negated))
    }

    /// Sees to it that every variable is defined, and that bodies speak of literals that have a
    /// node.
    fn resolve(&mut self) -> Option<()> {
        let mut values = vec![0; self.model.len()];
        for &(variable, _) in self.known.keys() {
            values[variable.index()] += 1;
        }
        for variable in self.model.variables() {
            let domain = self.model.domain(variable);
            let is_defined = values[variable.index()] + 1 >= domain.capacity();
            if domain.len() != domain.capacity() as usize
                || !(is_defined || self.is_input[variable.index()])
            {
                return None;
            }
        }
        for number in 0..self.rules.len() {
            let body = std::mem::take(&mut self.rules[number].body);
            let body = body.into_iter().map(|it| self.sign(it));
            self.rules[number].body = body.collect::<Option<Vec<Sign>>>()?;
        }
        Some(())
    }
}
