//! Preprocessing keeps all solutions; consistencies agree with their definitions.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{brute_force, is_plain, model};
use constraint::{Constraint, Domain, Model, Table, consistency, preprocess};
use proptest::prelude::*;

/// Singleton arc consistency by its definition.
fn singleton(model: &Model) -> Option<Vec<Domain>> {
    let mut model = model.clone();
    let domains = common::arc_consistent(&model)?;
    for (variable, domain) in model.variables().zip(domains) {
        *model.domain_mut(variable) = domain;
    }
    for variable in model.variables() {
        for value in model.domain(variable).values().collect::<Vec<_>>() {
            let mut assumed = model.clone();
            assumed.domain_mut(variable).retain(|it| it == value);
            if common::arc_consistent(&assumed).is_none() {
                model.domain_mut(variable).remove(value);
                return singleton(&model);
            }
        }
    }
    Some(
        model
            .variables()
            .map(|it| model.domain(it).clone())
            .collect(),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn every_step_keeps_the_solutions(model in model()) {
        let expected = brute_force(&model);
        prop_assert_eq!(&brute_force(&preprocess::merge(&model)), &expected);
        prop_assert_eq!(&brute_force(&preprocess::unary(&model, |_| true)), &expected);
        prop_assert_eq!(&brute_force(&preprocess::universal(&model)), &expected);
        match preprocess::all(&model).unwrap() {
            Some(small) => prop_assert_eq!(brute_force(&small), expected),
            None => prop_assert!(expected.is_empty()),
        }
    }

    #[test]
    fn consistencies_are_their_definitions(model in model().prop_filter("plain and small", |it| {
        is_plain(it) && it.domain(it.variables().next().unwrap()).len() < 10
    })) {
        prop_assert_eq!(consistency::arc(&model).unwrap(), common::arc_consistent(&model));
        prop_assert_eq!(consistency::singleton(&model).unwrap(), singleton(&model));
    }
}

#[test]
fn tables_of_equal_scope_become_their_intersection() {
    let mut model = Model::new();
    let (x, y) = (model.variable("x", 2), model.variable("y", 2));
    model
        .table(&[x, y], Table::allowed(2, [[0, 1], [1, 0]]))
        .unwrap();
    model
        .table(&[y, x], Table::allowed(2, [[1, 0], [1, 1]]))
        .unwrap();
    let merged = preprocess::merge(&model);
    let table = Table::allowed(2, [[0, 1]]);
    assert_eq!(
        merged.constraints(),
        [Constraint::Table {
            scope: vec![x, y],
            table
        }]
    );
}

#[test]
fn unary_tables_become_domains() {
    let mut model = Model::new();
    let x = model.variable("x", 3);
    model.table(&[x], Table::allowed(1, [[0], [2]])).unwrap();
    let small = preprocess::unary(&model, |_| true);
    assert!(small.constraints().is_empty());
    assert!(small.domain(x).values().eq([0, 2]));
}

#[test]
fn universal_variables_leave_their_scope() {
    let mut model = Model::new();
    let (x, y, z) = (
        model.variable("x", 2),
        model.variable("y", 2),
        model.variable("z", 2),
    );
    model
        .relation(&[x, y, z], |values| values[0] == values[2])
        .unwrap();
    model.relation(&[x, y], |_| true).unwrap();
    let small = preprocess::universal(&model);
    let table = Table::allowed(2, [[0, 0], [1, 1]]);
    assert_eq!(
        small.constraints(),
        [Constraint::Table {
            scope: vec![x, z],
            table
        }]
    );
}

#[test]
fn singleton_consistency_sees_what_arc_consistency_does_not() {
    // Three variables of two values that all differ.
    let mut model = Model::new();
    let variables = ["x", "y", "z"].map(|name| model.variable(name, 2));
    for (one, two) in [(0, 1), (0, 2), (1, 2)] {
        model
            .relation(&[variables[one], variables[two]], |it| it[0] != it[1])
            .unwrap();
    }
    assert!(consistency::arc(&model).unwrap().is_some());
    assert!(consistency::singleton(&model).unwrap().is_none());
}
