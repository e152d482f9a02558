//! The preprocessing of P1 §4.1: a model → a smaller one with the same solutions.
//!
//! Each step is a function of its own: [`merge()`] tables of equal scope, [`unary()`] constraints
//! into domains, [`universal()`] variables out of scopes, [`singleton()`] arc consistency. For a
//! stochastic problem [`stochastic`] does all of them, and keeps the domains of stochastic
//! variables: a constraint cannot prevent chance from drawing a value.

mod merge;
mod unary;
mod universal;

pub use merge::merge;
pub use unary::unary;
pub use universal::universal;

use crate::consistency;
use crate::model::{Invalid, Model, Variable};
use crate::scsp::Scsp;
use crate::solve::split;

/// Makes domains singleton arc consistent; `None` if there is no solution.
pub fn singleton(model: &Model) -> Result<Option<Model>, Invalid> {
    let Some(domains) = consistency::singleton(model)? else {
        return Ok(None);
    };
    let mut model = model.clone();
    for (variable, domain) in model.variables().zip(domains) {
        *model.domain_mut(variable) = domain;
    }
    Ok(Some(model))
}

/// All steps, for a CSP; none if there is no solution.
pub fn all(model: &Model) -> Result<Option<Model>, Invalid> {
    let model = universal(&unary(&merge(model), |_| true));
    singleton(&model)
}

/// All steps, for a stochastic problem; none if there is no feasible policy. Singleton arc
/// consistency is that of its decision part N′.
pub fn stochastic(scsp: &Scsp) -> Result<Option<Scsp>, Invalid> {
    let is_decision = |variable: Variable| !scsp.is_stochastic(variable);
    let mut model = universal(&unary(&merge(scsp.model()), is_decision));
    let parts = split(&scsp.with_model(model.clone()));
    let Some(domains) = consistency::singleton(&parts.decision)? else {
        return Ok(None);
    };
    for (variable, domain) in model.variables().zip(domains) {
        if is_decision(variable) {
            *model.domain_mut(variable) = domain;
        }
    }
    Ok(Some(scsp.with_model(model)))
}
