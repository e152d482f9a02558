//! Search against enumeration, on thousands of small random models.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{brute_force, model, solve};
use constraint::{Model, Network, Order, Query, Solver, Strength, Value, Variable};
use proptest::prelude::*;

fn with(model: &Model, variable: Variable, value: Value) -> Model {
    let mut model = model.clone();
    model.domain_mut(variable).retain(|it| it == value);
    model
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn all_solutions_are_found_each_once(model in model()) {
        let network = Network::new(&model).unwrap();
        let expected = brute_force(&model);
        for strength in [Strength::Arc, Strength::Forward] {
            let mut solver = Solver::with_strength(&network, strength);
            for order in [Order::WeightedDegree, Order::Fixed] {
                let query = Query { order, ..Query::default() };
                prop_assert_eq!(&solve(&mut solver, &query), &expected);
                prop_assert_eq!(solver.count(&query).solutions, expected.len() as u64);
            }
        }
    }

    #[test]
    fn assumptions_are_as_if_posed_and_can_be_taken_back(model in model(), picks in prop::collection::vec((0..100u32, 0..1000u32), 1..8)) {
        let network = Network::new(&model).unwrap();
        let mut solver = Solver::new(&network);
        for (variable, value) in picks {
            let variable = Variable(variable % model.len() as u32);
            let value = value % model.domain(variable).capacity();
            let expected = brute_force(&with(&model, variable, value));
            match solver.assume(variable, value) {
                Ok(()) => prop_assert_eq!(solve(&mut solver, &Query::default()), expected),
                Err(_) => prop_assert!(expected.is_empty()),
            }
            solver.reset();
        }
        prop_assert_eq!(solve(&mut solver, &Query::default()), brute_force(&model));
    }

    #[test]
    fn a_projection_has_each_assignment_once(model in model(), mask in 0..256u32) {
        let wanted: Vec<Variable> = model.variables().filter(|it| mask >> it.0 & 1 == 1).collect();
        let mut expected: Vec<Vec<Value>> = brute_force(&model).iter()
            .map(|values| wanted.iter().map(|it| values[it.index()]).collect()).collect();
        expected.sort();
        expected.dedup();
        let network = Network::new(&model).unwrap();
        let mut solver = Solver::new(&network);
        for order in [Order::WeightedDegree, Order::Fixed] {
            let query = Query { projection: Some(&wanted), order, ..Query::default() };
            prop_assert_eq!(&solve(&mut solver, &query), &expected);
            prop_assert_eq!(solver.count(&query).solutions, expected.len() as u64);
        }
    }
}
