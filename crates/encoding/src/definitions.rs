//! Derived nodes as defined variables, each definition once.

use crate::{EncodingLimits, NotEncoded};
use constraint::{Junction, Literal, Model};
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
#[derive(Debug, Default)]
pub(crate) struct Definitions {
    pub(crate) model: Model,
    known: HashMap<(bool, Vec<Literal>), Literal, foldhash::fast::FixedState>,
    literals: usize,
}

impl Definitions {
    /// The AND of some truths.
    pub(crate) fn all(
        &mut self,
        parts: Vec<Truth>,
        limits: &EncodingLimits,
    ) -> Result<Truth, NotEncoded> {
        self.joined(Junction::And, parts, limits)
    }

    /// The OR of some truths.
    pub(crate) fn any(
        &mut self,
        parts: Vec<Truth>,
        limits: &EncodingLimits,
    ) -> Result<Truth, NotEncoded> {
        self.joined(Junction::Or, parts, limits)
    }

    fn joined(
        &mut self,
        junction: Junction,
        parts: Vec<Truth>,
        limits: &EncodingLimits,
    ) -> Result<Truth, NotEncoded> {
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
            _ => self.define(junction, body, limits).map(Truth::Literal),
        }
    }

    /// The variable that a body defines.
    fn define(
        &mut self,
        junction: Junction,
        body: Vec<Literal>,
        limits: &EncodingLimits,
    ) -> Result<Literal, NotEncoded> {
        let key = (junction == Junction::And, body);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        self.literals += key.1.len();
        if self.literals > limits.literals {
            let limit = limits.literals;
            return Err(NotEncoded::TooManyLiterals { limit });
        }
        if self.model.len() >= limits.variables {
            let limit = limits.variables;
            return Err(NotEncoded::TooManyVariables { limit });
        }
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
