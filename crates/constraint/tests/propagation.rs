//! The propagators against the naive one.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{arc_consistent, brute_force, is_plain, model, solve};
use constraint::{ANY, Domain, Model, Network, Query, Solver, Table, Value, Variable};
use proptest::prelude::*;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A sequence of values that are assumed or excluded.
type Picks = Vec<(u32, u32, bool)>;

fn picks() -> impl Strategy<Value = Picks> {
    prop::collection::vec((0..100u32, 0..1000u32, any::<bool>()), 0..6)
}

/// Makes assumptions, and compares all domains with the naive propagator's after each.
fn follow(mut model: Model, picks: Picks) -> Result<(), TestCaseError> {
    let network = Network::new(&model).unwrap();
    let mut solver = Solver::new(&network);
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
            prop_assert_eq!(
                &solver.domain(variable, capacity),
                &domains[variable.index()]
            );
        }
    }
    Ok(())
}

/// Tables of hundreds and thousands of tuples, some short.
fn large() -> impl Strategy<Value = Model> {
    let tables = prop::collection::vec((1..10u64, any::<u64>(), any::<bool>()), 1..4);
    (9..14u32, tables).prop_map(|(size, tables)| {
        let mut model = Model::new();
        let all: Vec<Variable> = (0..4)
            .map(|it| model.variable(format!("v{it}"), size - it))
            .collect();
        for (number, (dense, seed, short)) in tables.into_iter().enumerate() {
            let scope = [all[number], all[(number + 1) % 4], all[(number + 2) % 4]];
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let domains: Vec<Domain> = scope.iter().map(|&it| model.domain(it).clone()).collect();
            let domains: Vec<&Domain> = domains.iter().collect();
            let plain = Table::filled(&domains, |_| random.next_u64() % 10 < dense);
            let mut tuples: Vec<Vec<Value>> = plain.tuples().map(<[Value]>::to_vec).collect();
            for tuple in tuples.iter_mut().filter(|_| short) {
                if random.next_u64().is_multiple_of(50) {
                    tuple[(random.next_u64() % 3) as usize] = ANY;
                }
            }
            model.table(&scope, Table::allowed(3, tuples)).unwrap();
        }
        model
    })
}

/// Forbidden tuples over domains too large to be made positive.
fn forbidden() -> impl Strategy<Value = Model> {
    let cells = prop::collection::vec((0..90u32, 0..80u32, 0..6u32), 1..120);
    (cells, any::<bool>(), 0..4u32).prop_map(|(cells, third, dense)| {
        let mut model = Model::new();
        let (x, y) = (model.variable("x", 90), model.variable("y", 80));
        let z = model.variable("z", 6);
        let mut tuples: Vec<[u32; 3]> = cells.iter().map(|it| [it.0, it.1, it.2]).collect();
        // One value is forbidden with all others.
        tuples.extend((0..80).flat_map(|y| (0..6).map(move |z| [dense * 7, y, z])));
        model
            .table(&[x, y, z], Table::forbidden(3, tuples))
            .unwrap();
        if third {
            let pairs = cells.iter().map(|it| [it.0, it.1]);
            model.table(&[x, y], Table::forbidden(2, pairs)).unwrap();
        }
        model
    })
}

#[test]
fn short_tuples_that_overlap_are_counted_together() {
    // Each constraint alone allows the value 3 of `d`; together they do not.
    let mut model = Model::new();
    let sizes = [("a", 69), ("b", 4), ("c", 3), ("d", 5)];
    let [a, b, c, d] = sizes.map(|(name, size)| model.variable(name, size));
    let tuples = [[0, 2, ANY, ANY], [1, 2, 3, ANY], [2, 2, 3, ANY]];
    let table = Table::forbidden(4, tuples);
    model.table(&[c, b, d, a], table).unwrap();
    follow(model, vec![(b.0, 2, true), (a.0, 7, false)]).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn domains_are_those_of_the_plain_propagator(
        model in model().prop_filter("no variable twice in a clause", is_plain),
        picks in picks(),
    ) {
        follow(model, picks)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn large_tables_are_propagated(model in large(), picks in picks()) {
        follow(model, picks)?;
    }

    #[test]
    fn large_tables_are_searched(model in large()) {
        let network = Network::new(&model).unwrap();
        let mut solver = Solver::new(&network);
        let expected = brute_force(&model);
        prop_assert_eq!(&solve(&mut solver, &Query::default()), &expected);
        prop_assert_eq!(&solve(&mut solver, &Query::default()), &expected);
    }

    #[test]
    fn forbidden_tuples_are_counted(model in forbidden(), picks in picks()) {
        follow(model, picks)?;
    }
}

#[test]
fn what_was_counted_is_counted_again_after_a_removal() {
    // x = 0 is forbidden with all values of y. Once it is removed, y = 0 is forbidden with one
    // value of x less.
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
