//! The naive propagator: searches a supporting tuple for every value, each time.
//!
//! It is the reference that the fast ones are tested against. Takes a constraint and
//! domains, gives smaller domains.

use crate::domain::{Domain, Value};
use crate::model::Constraint;
use crate::table::each_tuple;

/// Removes the values of a constraint's variables that have no support, trying every tuple of
/// the domains. Returns whether any were removed.
pub fn revise(constraint: &Constraint, domains: &mut [Domain]) -> bool {
    let scope = constraint.scope();
    let inside: Vec<&Domain> = scope.iter().map(|it| &domains[it.index()]).collect();
    let mut supported: Vec<Domain> = inside
        .iter()
        .map(|it| Domain::empty(it.capacity()))
        .collect();
    each_tuple(&inside, |tuple| {
        let value = |variable| -> Value {
            let place = scope.iter().position(|&it| it == variable);
            tuple[place.expect("a constraint asks for variables of its scope")]
        };
        if constraint.holds(value) {
            for (domain, &value) in supported.iter_mut().zip(tuple) {
                domain.insert(value);
            }
        }
    });
    let mut changed = false;
    for (&variable, domain) in scope.iter().zip(supported) {
        changed |= domains[variable.index()] != domain;
        domains[variable.index()] = domain;
    }
    changed
}
