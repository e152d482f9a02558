//! The propagators against the plain one, which asks every value for support afresh.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{arc_consistent, is_plain, model};
use constraint::{Model, Network, Solver, Table, Variable};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn domains_are_those_of_the_plain_propagator(
        model in model().prop_filter("no variable twice in a clause", is_plain),
        picks in prop::collection::vec((0..100u32, 0..1000u32, any::<bool>()), 0..6),
    ) {
        let network = Network::new(&model).unwrap();
        let mut solver = Solver::new(&network);
        let mut model = model;
        let mut alive = solver.is_alive().is_ok();
        for step in std::iter::once(None).chain(picks.into_iter().map(Some)) {
            if let Some((variable, value, is)) = step {
                let variable = Variable(variable % model.len() as u32);
                let value = value % model.domain(variable).capacity();
                model.domain_mut(variable).retain(|it| (it == value) == is);
                alive = match is {
                    true => solver.assume(variable, value).is_ok(),
                    false => solver.exclude(variable, value).is_ok(),
                };
            }
            let expected = arc_consistent(&model);
            prop_assert_eq!(alive, expected.is_some());
            let Some(domains) = expected else { break };
            for variable in model.variables() {
                let capacity = model.domain(variable).capacity();
                prop_assert_eq!(&solver.domain(variable, capacity), &domains[variable.index()]);
            }
        }
    }
}

/// Forbidden tuples over domains too large to be listed: the propagator that counts.
fn forbidden() -> impl Strategy<Value = Model> {
    let cells = prop::collection::vec((0..90u32, 0..80u32, 0..6u32), 1..120);
    (cells, any::<bool>(), 0..4u32).prop_map(|(cells, third, dense)| {
        let mut model = Model::new();
        let (x, y, z) = (
            model.variable("x", 90),
            model.variable("y", 80),
            model.variable("z", 6),
        );
        let mut tuples: Vec<[u32; 3]> = cells.iter().map(|it| [it.0, it.1, it.2]).collect();
        // Some value is forbidden with everything.
        let all = (0..80).flat_map(|y| (0..6).map(move |z| [dense * 7, y, z]));
        tuples.extend(all);
        model
            .table(&[x, y, z], Table::forbidden(3, tuples))
            .unwrap();
        if third {
            model
                .table(
                    &[x, y],
                    Table::forbidden(2, cells.iter().map(|it| [it.0, it.1])),
                )
                .unwrap();
        }
        model
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn forbidden_tuples_are_counted(model in forbidden(), x in 0..90u32, z in 0..6u32) {
        let network = Network::new(&model).unwrap();
        let mut solver = Solver::new(&network);
        let mut model = model;
        for (variable, value) in [(2, z), (0, x)] {
            let variable = Variable(variable);
            model.domain_mut(variable).retain(|it| it == value);
            let alive = solver.assume(variable, value).is_ok();
            let expected = arc_consistent(&model);
            prop_assert_eq!(alive, expected.is_some());
            let Some(domains) = expected else { break };
            for variable in model.variables() {
                let capacity = model.domain(variable).capacity();
                prop_assert_eq!(&solver.domain(variable, capacity), &domains[variable.index()]);
            }
        }
    }
}

#[test]
fn what_was_counted_is_counted_again_after_a_removal() {
    // x = 0 is forbidden with everything. Once it is gone, y = 0 is forbidden with one value
    // of x less than it seemed.
    let mut model = Model::new();
    let (x, y) = (model.variable("x", 80), model.variable("y", 80));
    let with_x = (0..80).map(|y| [0, y]);
    let with_y = (1..79).map(|x| [x, 0]);
    model
        .table(&[x, y], Table::forbidden(2, with_x.chain(with_y)))
        .unwrap();
    let network = Network::new(&model).unwrap();
    let solver = Solver::new(&network);
    assert!(!solver.allows(x, 0));
    assert!(solver.allows(y, 0), "x = 79 supports it");
}
