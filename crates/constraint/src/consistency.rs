//! Local consistencies of a whole model: which values can be removed before search.
//!
//! Takes a model, gives domains; none if there is no solution. Arc consistency requires that
//! every value has support in every constraint; singleton arc consistency, that the model can be
//! made arc consistent after each value is assumed (Debruyne and Bessière, IJCAI 1997).

use crate::domain::Domain;
use crate::model::{Invalid, Model, Variable};
use crate::network::Network;
use crate::solver::Solver;

/// The domains of an arc consistent model; none if one is empty.
pub fn arc(model: &Model) -> Result<Option<Vec<Domain>>, Invalid> {
    let network = Network::new(model)?;
    let solver = Solver::new(&network);
    Ok(solver.is_alive().is_ok().then(|| domains(model, &solver)))
}

/// The domains of a singleton arc consistent model; none if one is empty.
pub fn singleton(model: &Model) -> Result<Option<Vec<Domain>>, Invalid> {
    let network = Network::new(model)?;
    let mut solver = Solver::new(&network);
    let mut is_alive = solver.is_alive().is_ok();
    let mut changed = true;
    while changed && is_alive {
        changed = false;
        for variable in model.variables() {
            let Some(any) = try_all(&mut solver, variable) else {
                is_alive = false;
                break;
            };
            changed |= any;
        }
    }
    Ok(is_alive.then(|| domains(model, &solver)))
}

/// Excludes the values of a variable that are refuted once assumed. Returns whether any were
/// excluded; `None` if none is left.
fn try_all(solver: &mut Solver<'_>, variable: Variable) -> Option<bool> {
    let mut any = false;
    let mut from = 0;
    while let Some(value) = solver.next(variable, from) {
        from = value + 1;
        let level = solver.level();
        let outcome = solver.assume(variable, value);
        solver.pop_to(level);
        if outcome.is_err() {
            any = true;
            solver.exclude(variable, value).ok()?;
        }
    }
    Some(any)
}

fn domains(model: &Model, solver: &Solver<'_>) -> Vec<Domain> {
    let of = |variable| solver.domain(variable, model.domain(variable).capacity());
    model.variables().map(of).collect()
}
