//! Unary constraints become domains.

use crate::model::{Constraint, Literal, Model, Variable};

/// Moves unary constraints into domains, for the variables that pass the test `is_free`.
pub fn unary(model: &Model, is_free: impl Fn(Variable) -> bool) -> Model {
    let is_unary = |it: &Constraint| match it.scope()[..] {
        [variable] => is_free(variable) && !matches!(it, Constraint::Definition { .. }),
        _ => false,
    };
    let (unary, rest): (Vec<Constraint>, Vec<Constraint>) =
        model.constraints().iter().cloned().partition(is_unary);
    let mut model = model.with(rest).expect("a part of a valid model is valid");
    for constraint in unary {
        match &constraint {
            Constraint::Table { scope, table } => {
                model
                    .domain_mut(scope[0])
                    .retain(|value| table.holds(&[value]));
            }
            Constraint::Clause(literals) => {
                let holds = |value| literals.iter().any(|it: &Literal| it.holds(value));
                model.domain_mut(literals[0].variable).retain(holds);
            }
            Constraint::Definition { .. } => {}
        }
    }
    model
}
