//! The propagators against the plain one, which asks every value for support afresh.

mod common;

use common::{arc_consistent, is_plain, model};
use constraint::{Network, Solver, Variable};
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
