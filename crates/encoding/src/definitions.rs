//! Derived nodes as defined variables, each definition once.

use crate::{EncodingLimits, NotEncoded};
use constraint::{Junction, Literal, Model, Variable};
use hashbrown::HashMap;

/// A truth value in the network: a constant, or a literal.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Truth {
    /// Known.
    Constant(bool),
    /// A literal.
    Literal(Literal),
}

impl Truth {
    pub(crate) const FALSE: Truth = Truth::Constant(false);

    pub(crate) fn negated(self) -> Truth {
        match self {
            Truth::Constant(value) => Truth::Constant(!value),
            Truth::Literal(literal) => Truth::Literal(!literal),
        }
    }
}

/// A model being built, and the definitions it has.
#[derive(Debug)]
pub(crate) struct Definitions {
    pub(crate) model: Model,
    known: HashMap<(bool, Vec<Literal>), Literal, foldhash::fast::FixedState>,
    literals: usize,
    limits: EncodingLimits,
}

impl Definitions {
    /// No variables yet.
    pub(crate) fn new(limits: &EncodingLimits) -> Definitions {
        Definitions {
            model: Model::new(),
            known: HashMap::default(),
            literals: 0,
            limits: *limits,
        }
    }

    /// Adds a variable with named values.
    pub(crate) fn labelled(
        &mut self,
        name: String,
        labels: &[String],
    ) -> Result<Variable, NotEncoded> {
        self.is_room()?;
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        Ok(self.model.labelled(name, &labels))
    }

    /// Adds a variable of two values that says whether something is true.
    pub(crate) fn flag(&mut self, name: String) -> Result<Variable, NotEncoded> {
        self.is_room()?;
        Ok(self.model.variable(name, 2))
    }

    /// Constrains one of some literals to hold.
    pub(crate) fn clause(&mut self, literals: &[Literal]) -> Result<(), NotEncoded> {
        self.take(literals.len())?;
        Ok(self.model.clause(literals)?)
    }

    /// Constrains two literals to be equivalent.
    pub(crate) fn same(&mut self, one: Literal, other: Literal) -> Result<(), NotEncoded> {
        self.take(1)?;
        Ok(self.model.and(one, &[other])?)
    }

    /// Refuses one more variable than the limit.
    fn is_room(&self) -> Result<(), NotEncoded> {
        let limit = self.limits.variables;
        match self.model.len() < limit {
            true => Ok(()),
            false => Err(NotEncoded::TooManyVariables { limit }),
        }
    }

    /// Counts literals; refuses more than the limit.
    fn take(&mut self, literals: usize) -> Result<(), NotEncoded> {
        self.literals += literals;
        let limit = self.limits.literals;
        match self.literals <= limit {
            true => Ok(()),
            false => Err(NotEncoded::TooManyLiterals { limit }),
        }
    }

    /// The AND of some truths.
    pub(crate) fn all(&mut self, parts: Vec<Truth>) -> Result<Truth, NotEncoded> {
        self.joined(Junction::And, parts)
    }

    /// The OR of some truths.
    pub(crate) fn any(&mut self, parts: Vec<Truth>) -> Result<Truth, NotEncoded> {
        self.joined(Junction::Or, parts)
    }

    fn joined(&mut self, junction: Junction, parts: Vec<Truth>) -> Result<Truth, NotEncoded> {
        // The value that decides the whole: false in an AND, true in an OR.
        let decisive = junction == Junction::Or;
        if parts.contains(&Truth::Constant(decisive)) {
            return Ok(Truth::Constant(decisive));
        }
        let literals = parts.into_iter().filter_map(|part| match part {
            Truth::Literal(literal) => Some(literal),
            Truth::Constant(_) => None,
        });
        let mut body: Vec<Literal> = literals.collect();
        body.sort_unstable();
        body.dedup();
        if contradicts(&body, junction) {
            return Ok(Truth::Constant(decisive));
        }
        match body[..] {
            [] => Ok(Truth::Constant(!decisive)),
            [only] => Ok(Truth::Literal(only)),
            _ => self.define(junction, body).map(Truth::Literal),
        }
    }

    /// The variable that a body defines.
    fn define(&mut self, junction: Junction, body: Vec<Literal>) -> Result<Literal, NotEncoded> {
        let key = (junction == Junction::And, body);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.take(key.1.len())?;
        self.is_room()?;
        let name = format!("aux {}", self.model.len());
        let head = self.model.variable(name, 2).is(1);
        match junction {
            Junction::And => self.model.and(head, &key.1)?,
            Junction::Or => self.model.or(head, &key.1)?,
        }
        self.known.insert(key, head);
        Ok(head)
    }
}

/// Whether a sorted body is never true as an AND, or always true as an OR.
fn contradicts(body: &[Literal], junction: Junction) -> bool {
    let opposite = |pair: &[Literal]| {
        let (a, b) = (pair[0], pair[1]);
        let two_values = a.variable == b.variable && a.value != b.value && a.equal && b.equal;
        a == !b || junction == Junction::And && two_values
    };
    body.windows(2).any(opposite)
}
