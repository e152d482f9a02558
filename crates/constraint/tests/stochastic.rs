//! Solvers of stochastic problems against enumeration of policies, on thousands of small random
//! problems.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::model;
use constraint::solve::{Effort, decisions, feasible, raise, solve, split};
use constraint::{Chance, Model, Scsp, Soft, Strength, TOLERANCE, Value, Variable};
use proptest::prelude::*;

/// Models of up to five variables of few values, some stochastic, with soft constraints.
fn scsp() -> impl Strategy<Value = Scsp> {
    let parts = (
        model(),
        prop::collection::vec(0..6u32, 6),
        prop::collection::vec(0..1000u32, 40),
        1..3usize,
    );
    parts.prop_map(|(model, kinds, numbers, players)| build(&model, &kinds, (&numbers, players)))
}

fn build(drawn: &Model, kinds: &[u32], (numbers, players): (&[u32], usize)) -> Scsp {
    let mut model = drawn.with(Vec::new()).unwrap();
    for variable in model.variables() {
        model.domain_mut(variable).retain(|it| it < 3);
    }
    let is_stochastic = |it: Variable| kinds[it.index()] < 2;
    let count = model.variables().filter(|&it| is_stochastic(it)).count();
    for constraint in drawn.constraints() {
        // Fewer constraints with chance, or hardly any problem would be feasible.
        let touches = constraint.scope().iter().any(|&it| is_stochastic(it));
        if !touches || kinds[constraint.scope().len() % 6] < 3 {
            model.add(constraint.clone()).unwrap();
        }
    }
    let names = ["one", "two"];
    let mut scsp = Scsp::new(model.clone(), &names[..players]);
    for variable in model
        .variables()
        .filter(|&it| is_stochastic(it) && count < 4)
    {
        scsp.set_chance(variable, chance(&model, variable, numbers))
            .unwrap();
    }
    for (number, variable) in model.variables().enumerate().take(3) {
        let other = Variable(numbers[number] % model.len() as u32);
        let scope = if other == variable {
            vec![variable]
        } else {
            vec![variable, other]
        };
        let row = |value: u32| {
            let tuple = (0..scope.len() as u32)
                .map(|it| (value + it * numbers[value as usize]) % 3)
                .collect();
            let utility = (0..players)
                .map(|it| f64::from(numbers[it + value as usize] % 4) / 4.0)
                .collect();
            (tuple, utility)
        };
        let rows = (0..4).map(row).collect();
        scsp.add_soft(Soft { scope, rows }).unwrap();
    }
    scsp
}

fn chance(model: &Model, variable: Variable, numbers: &[u32]) -> Chance {
    let values = model.domain(variable).capacity();
    let only = |it: u32| {
        (0..values)
            .map(|value| f64::from(u32::from(value == it)))
            .collect()
    };
    match numbers[variable.index() + 10] % 3 {
        0 if variable.0 > 0 => {
            // Given the variable before: certain for its value 0, else spread over two.
            let spread = (0..values).map(|it| {
                if values == 1 {
                    1.0
                } else if it < 2 {
                    0.5
                } else {
                    0.0
                }
            });
            let rows = vec![
                (vec![0], only(numbers[20] % values.min(3))),
                (vec![constraint::ANY], spread.collect()),
            ];
            Chance::Given {
                scope: vec![Variable(variable.0 - 1)],
                rows,
            }
        }
        _ => Chance::Uniform,
    }
}

/// The expected utilities of all feasible policies from a variable on.
fn all(scsp: &Scsp, values: &mut Vec<Value>) -> Vec<Vec<f64>> {
    let variable = Variable(values.len() as u32);
    if values.len() == scsp.model().len() {
        let utility = scsp.utility(values);
        return if utility.contains(&f64::NEG_INFINITY) {
            Vec::new()
        } else {
            vec![utility]
        };
    }
    let mut found: Vec<Vec<f64>>;
    if scsp.is_stochastic(variable) {
        found = vec![vec![0.0; scsp.players().len()]];
        for (value, odd) in scsp.odds(variable, |it| values[it.index()]) {
            values.push(value);
            let below = all(scsp, values);
            values.pop();
            let sum = |one: &Vec<f64>, two: &Vec<f64>| {
                one.iter().zip(two).map(|(a, b)| a + odd * b).collect()
            };
            found = found
                .iter()
                .flat_map(|one| below.iter().map(move |two| sum(one, two)))
                .collect();
            unify(&mut found);
        }
    } else {
        found = Vec::new();
        for value in scsp.model().domain(variable).values().collect::<Vec<_>>() {
            values.push(value);
            found.extend(all(scsp, values));
            values.pop();
        }
        unify(&mut found);
    }
    found
}

fn unify(all: &mut Vec<Vec<f64>>) {
    all.sort_by(|a, b| a.partial_cmp(b).unwrap());
    all.dedup_by(|a, b| a.iter().zip(b).all(|(a, b)| (*a - *b).abs() < TOLERANCE));
}

fn least(value: &[f64]) -> f64 {
    value.iter().copied().fold(f64::INFINITY, f64::min)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn the_best_policy_is_found(scsp in scsp()) {
        let expected = all(&scsp, &mut Vec::new());
        let best = expected.iter().map(|it| least(it)).fold(f64::NEG_INFINITY, f64::max);
        for strength in [Strength::Arc, Strength::Forward] {
            let effort = Effort { strength, ..Effort::default() };
            let found = raise(&scsp, &effort).unwrap();
            prop_assert_eq!(found.is_empty(), expected.is_empty());
            let mut before = f64::NEG_INFINITY;
            for outcome in &found {
                let (value, policy) = outcome.best.as_ref().unwrap();
                prop_assert!(policy.is_feasible(&scsp));
                prop_assert!(value.iter().zip(policy.expected()).all(|(a, b)| (a - b).abs() < 1e-7));
                prop_assert!(least(value) > before);
                before = least(value);
            }
            prop_assert!(found.is_empty() || (before - best).abs() < 1e-7, "{} is not {}", before, best);
        }
    }

    #[test]
    fn a_threshold_is_reached_if_it_can_be(scsp in scsp(), place in 0..1000usize, more in 0..3u32) {
        let expected = all(&scsp, &mut Vec::new());
        let mut threshold = match expected.is_empty() {
            true => vec![0.0; scsp.players().len()],
            false => expected[place % expected.len()].clone(),
        };
        threshold[0] += f64::from(more) * 0.01;
        let mut scsp = scsp;
        scsp.set_threshold(&threshold).unwrap();
        let can = expected.iter().any(|it| it.iter().zip(&threshold).all(|(a, b)| *a >= b - TOLERANCE));
        let outcome = solve(&scsp, &Effort::default()).unwrap();
        prop_assert_eq!(outcome.best.is_some(), can);
    }

    #[test]
    fn all_feasible_policies_are_found_and_the_split_agrees(scsp in scsp()) {
        let mut expected = Vec::new();
        let first = scsp.model().variables().find(|&it| scsp.is_stochastic(it));
        let early = first.map_or(scsp.model().len(), Variable::index);
        prefixes(&scsp, early, (&mut Vec::new(), &mut expected));
        for strength in [Strength::Forward, Strength::Arc] {
            let effort = Effort { strength, ..Effort::default() };
            let policies = feasible(&scsp, &effort).unwrap().all;
            prop_assert!(policies.iter().all(|it| it.is_feasible(&scsp)));
            let found: Vec<Vec<Value>> = policies.iter()
                .map(|it| it.decisions().iter().take(early).map(|it| it.1).collect()).collect();
            prop_assert_eq!(&found, &expected);
        }
        // By the split, later variables that do not depend on chance are decided too.
        let late = split(&scsp).late;
        let by_split = decisions(&scsp, &Effort::default()).unwrap();
        prop_assert!(by_split.iter().flatten().all(|(it, _)| !late.contains(it)));
        let mut prefix: Vec<Vec<Value>> = by_split.iter()
            .map(|it| it.iter().filter(|it| it.0.index() < early).map(|it| it.1).collect()).collect();
        prefix.sort();
        prefix.dedup();
        prop_assert_eq!(prefix, expected);
    }
}

/// The assignments of the first variables that a feasible policy extends.
fn prefixes(scsp: &Scsp, early: usize, (values, found): (&mut Vec<Value>, &mut Vec<Vec<Value>>)) {
    if values.len() == early {
        if !all(scsp, values).is_empty() {
            found.push(values.clone());
        }
        return;
    }
    for value in scsp.model().domain(Variable(values.len() as u32)).values() {
        values.push(value);
        prefixes(scsp, early, (values, found));
        values.pop();
    }
}
