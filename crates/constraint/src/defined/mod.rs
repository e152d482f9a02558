//! `Defined`: a model in which every variable is defined by given variables and decisions.
//!
//! Takes a model and its [`Signature`]. If every other variable has a definition, and the other
//! clauses only restrict decisions by given values, consistency needs no search and no trail:
//! [`Kept`] updates one assignment incrementally. Gives `None` for any other model;
//! [`crate::Solver`] accepts all of them.
//!
//! Invariant: nodes are in topological order: first the inputs (given or decided), then the nodes
//! that follow from given variables alone, then those that depend on decisions. The second and
//! the third section start at a multiple of 64.

mod kept;
mod order;
mod reasons;

pub use kept::{Kept, SetAside};
pub use reasons::{Cause, Reasons};

use crate::domain::Value;
use crate::model::{Constraint, Junction, Literal, Model, Variable};
use hashbrown::HashMap;

/// No node, no value, no group.
const NONE: u32 = u32::MAX;

/// Which variables of a model are inputs, and which literals are outputs.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'v> {
    /// The variables whose values are given.
    pub given: &'v [Variable],
    /// The variables whose values are decided.
    pub decisions: &'v [Variable],
    /// Literals whose truth is kept as a bit set, in this order.
    pub watched: &'v [Literal],
    /// More of them, kept as a bit set of their own.
    pub noted: &'v [Literal],
}

/// A model made ready for [`Kept`]; immutable and shared.
#[derive(Clone, Debug)]
pub struct Defined {
    /// For each variable, where its values begin in `inputs`; [`NONE`] if it is defined.
    places: Vec<u32>,
    /// For each value of an input, the node of its literal, or [`NONE`].
    inputs: Vec<u32>,
    decisions: Vec<Choice>,
    /// For each node, where its targets begin in `targets`; `watches`: where the places in `shown`
    /// begin among them.
    starts: Vec<u32>,
    watches: Vec<u32>,
    /// First the nodes with this one in their bodies: twice the number, plus one if they are
    /// decided when it is true. Then places in `shown`.
    targets: Vec<u32>,
    /// Whether a node is the OR of its body; else it is the AND.
    is_or: Vec<bool>,
    /// For each node, the checked variable it is a value of, or [`NONE`].
    groups: Vec<u32>,
    /// For each checked variable, whether one of its nodes has to be true.
    exact: Vec<bool>,
    /// The first node that depends on decisions.
    late: usize,
    /// How many words of `shown` the watched literals take, and where the noted ones end.
    watched: usize,
    noted: usize,
    /// What reasons are found by.
    bodies: Bodies,
    /// The state in which no input has a value.
    start: Start,
}

/// Definitions, read from their heads.
#[derive(Clone, Debug, Default)]
struct Bodies {
    /// For each node, where its body begins in `literals`.
    starts: Vec<u32>,
    /// Nodes of bodies: twice the number, plus one if the literal is negated.
    literals: Vec<u32>,
    /// For each bit of `shown` its literal in the same form, or [`NONE`] if it is a constant.
    shown: Vec<u32>,
    /// For each node the variable and value it stands for, if it is an input.
    inputs: Vec<Option<(Variable, Value)>>,
    /// For each node whether it is the value of a decision.
    decided: Vec<bool>,
}

/// A decision, and where the bits of its allowed values stand.
#[derive(Clone, Debug)]
struct Choice {
    variable: Variable,
    values: u32,
    /// The first word in `shown`.
    word: usize,
}

/// The state of an assignment: all that changes with values.
#[derive(Clone, Debug, Default)]
struct Start {
    /// For each node, how many literals of its body decide it: the false ones of an AND, the true
    /// ones of an OR.
    counts: Vec<u32>,
    /// The truth of the watched literals, then the allowed values of each decision.
    shown: Vec<u64>,
    /// For each checked variable, how many of its nodes are true.
    held: Vec<u32>,
    /// How many checked variables do not have exactly one value.
    wrong: usize,
}

/// The literal `variable = value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Key {
    variable: Variable,
    value: Value,
}

/// A literal that has a node, or its negation.
#[derive(Clone, Copy, Debug)]
struct Sign {
    key: Key,
    negated: bool,
}

impl From<&Literal> for Key {
    fn from(literal: &Literal) -> Key {
        Key {
            variable: literal.variable,
            value: literal.value,
        }
    }
}

/// A definition of a literal.
struct Rule {
    key: Key,
    is_or: bool,
    body: Vec<Sign>,
}

/// The definitions and restrictions found in a model.
struct Draft<'m> {
    model: &'m Model,
    signature: Signature<'m>,
    /// Whether a variable is an input.
    is_input: Vec<bool>,
    rules: Vec<Rule>,
    /// Which rule defines a literal.
    known: HashMap<Key, usize, foldhash::fast::FixedState>,
    /// The literal that a value of a decision requires; `None` if the value is never allowed.
    needs: HashMap<Key, Option<Literal>, foldhash::fast::FixedState>,
}

impl Defined {
    /// Compiles a model; `None` if a variable does not follow from the inputs.
    pub fn new(model: &Model, signature: Signature<'_>) -> Option<Defined> {
        let mut draft = Draft::new(model, signature);
        for constraint in model.constraints() {
            draft.take(constraint)?;
        }
        draft.resolve()?;
        draft.finish()
    }

    /// How many words the bits of the watched literals take.
    pub fn words(&self) -> usize {
        self.watched
    }

    /// How many nodes there are: inputs and definitions.
    pub fn len(&self) -> usize {
        self.is_or.len()
    }

    /// Whether there is no node.
    pub fn is_empty(&self) -> bool {
        self.is_or.is_empty()
    }
}

impl<'m> Draft<'m> {
    fn new(model: &'m Model, signature: Signature<'m>) -> Draft<'m> {
        let mut is_input = vec![false; model.len()];
        for variable in signature.given.iter().chain(signature.decisions) {
            is_input[variable.index()] = true;
        }
        Draft {
            model,
            signature,
            is_input,
            rules: Vec::new(),
            known: HashMap::default(),
            needs: HashMap::default(),
        }
    }

    /// Adds a constraint; `None` if it is neither a definition nor a restriction of a decision.
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

    /// The value of a decision that a literal excludes, if it is of that form.
    fn refused(&self, literal: Literal) -> Option<Key> {
        let is_decision = self.signature.decisions.contains(&literal.variable);
        (is_decision && !literal.equal).then(|| Key::from(&literal))
    }

    /// Adds a definition; `None` if its literal is an input or is defined already.
    fn define(&mut self, head: Literal, junction: Junction, body: &[Literal]) -> Option<()> {
        if self.is_input[head.variable.index()] {
            return None;
        }
        // `x ≠ v ⇔ body` is stored as `x = v ⇔ ¬body`, with the junction swapped.
        let is_or = (junction == Junction::Or) == head.equal;
        let sign = |it: &Literal| Sign {
            key: Key::from(it),
            negated: it.equal != head.equal,
        };
        let key = Key::from(&head);
        let rule = Rule {
            key,
            is_or,
            body: body.iter().map(sign).collect(),
        };
        self.rules.push(rule);
        let before = self.known.insert(key, self.rules.len() - 1);
        before.is_none().then_some(())
    }

    /// The literal, or for a Boolean variable its opposite, that has a node.
    fn sign(&self, sign: Sign) -> Option<Sign> {
        let Key { variable, value } = sign.key;
        if self.is_input[variable.index()] || self.known.contains_key(&sign.key) {
            return Some(sign);
        }
        let other = Sign {
            key: Key {
                variable,
                value: 1 - value.min(1),
            },
            negated: !sign.negated,
        };
        let is_opposite = self.model.domain(variable).capacity() == 2;
        (is_opposite && self.known.contains_key(&other.key)).then_some(other)
    }

    /// Checks that every variable is defined, and rewrites bodies to literals that have a node.
    fn resolve(&mut self) -> Option<()> {
        let mut values = vec![0; self.model.len()];
        for key in self.known.keys() {
            values[key.variable.index()] += 1;
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
