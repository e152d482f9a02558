//! The constraints of a stage, read back: what defines a variable, what decides each value of a
//! next fluent, what each value of an action needs.

use crate::NotEncoded;
use crate::stage::Encoding;
use constraint::{Constraint, Junction, Literal, Model, Value, Variable};

/// What a variable of two values is defined by: its value is 1 if and only if this holds.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub(super) junction: Junction,
    pub(super) body: Vec<Literal>,
}

/// Values of a variable, each with a literal.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    pub(super) variable: Variable,
    pub(super) rows: Vec<(Value, Literal)>,
}

/// A stage in parts. Values that are never taken are out of the domains.
#[derive(Debug)]
pub(super) struct Parts {
    pub(super) model: Model,
    /// For each variable its definition, if it has one.
    pub(super) definitions: Vec<Option<Definition>>,
    /// For each action what its values need.
    pub(super) actions: Vec<Rows>,
    /// For each next fluent variable, what its values are equivalent to.
    pub(super) next: Vec<Rows>,
}

impl Parts {
    /// The parts of a stage.
    pub(super) fn of(encoding: &Encoding) -> Result<Parts, NotEncoded> {
        let rows = |variables: &[Variable]| -> Vec<Rows> {
            let none = |&variable: &Variable| Rows {
                variable,
                rows: Vec::new(),
            };
            variables.iter().map(none).collect()
        };
        let model = encoding.model();
        let mut parts = Parts {
            model: model.clone(),
            definitions: vec![None; model.len()],
            actions: rows(&encoding.actions),
            next: rows(&encoding.next),
        };
        for constraint in model.constraints() {
            parts.take(constraint).ok_or(NotEncoded::NotDefined)?;
        }
        Ok(parts)
    }

    /// Takes a constraint apart; none if it is of no kind that a stage has.
    fn take(&mut self, constraint: &Constraint) -> Option<()> {
        match constraint {
            Constraint::Definition {
                head,
                junction,
                body,
            } => self.take_definition(*head, (*junction, body)),
            Constraint::Clause(literals) => self.take_clause(literals),
            Constraint::Table { .. } => None,
        }
    }

    fn take_clause(&mut self, literals: &[Literal]) -> Option<()> {
        match *literals {
            [only] => {
                let domain = self.model.domain_mut(only.variable);
                domain.retain(|value| only.holds(value));
            }
            [does, then] => {
                let mut actions = self.actions.iter_mut();
                let action = actions.find(|it| it.variable == does.variable)?;
                action.rows.push((does.value, then));
            }
            _ => return None,
        }
        Some(())
    }

    fn take_definition(
        &mut self,
        head: Literal,
        (junction, body): (Junction, &[Literal]),
    ) -> Option<()> {
        let first = self.next.first().map(|rows| rows.variable);
        let next = first.and_then(|first| head.variable.0.checked_sub(first.0));
        if let Some(next) = next {
            let &[only] = body else {
                return None;
            };
            let rows = &mut self.next.get_mut(next as usize)?.rows;
            rows.push((head.value, only));
        } else {
            let body = body.to_vec();
            self.definitions[head.variable.index()] = Some(Definition { junction, body });
        }
        Some(())
    }
}
