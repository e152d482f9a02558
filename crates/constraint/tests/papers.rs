//! The worked examples of the papers P1 and P2 (`docs/papers.md`). Where a figure contradicts its
//! own definition the test says so.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use constraint::solve::{Effort, decisions, feasible, raise, solve, split};
use constraint::{
    Constraint, Network, Query, Scsp, Solver, Strength, Table, Value, Variable, preprocess, text,
};

fn read(name: &str) -> Scsp {
    let path = format!("{}/tests/networks/{name}.scsp", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read_to_string(path).expect("the network is there");
    text::read(&file, &text::TextLimits::default()).expect("the network is right")
}

fn named(scsp: &Scsp, name: &str) -> Variable {
    let found = scsp
        .model()
        .variables()
        .find(|&it| scsp.model().name(it) == name);
    found.expect("the variable is there")
}

/// The decisions of policies, as `name=value`.
fn spoken(scsp: &Scsp, all: &[Vec<(Variable, Value)>]) -> Vec<String> {
    let model = scsp.model();
    let pair =
        |&(it, value): &(Variable, Value)| format!("{}={}", model.name(it), model.label(it, value));
    let line =
        |pairs: &Vec<(Variable, Value)>| pairs.iter().map(pair).collect::<Vec<_>>().join(" ");
    all.iter().map(line).collect()
}

fn forward() -> Effort {
    Effort {
        strength: Strength::Forward,
        ..Effort::default()
    }
}

#[test]
fn p1_example_2_has_a_policy_of_value_one_half() {
    let scsp = read("pennies-policy");
    assert_eq!(scsp.stages().len(), 2);
    for effort in [Effort::default(), forward()] {
        let (value, policy) = solve(&scsp, &effort).unwrap().best.unwrap();
        assert_eq!(value, [0.5, 0.5]);
        assert!(policy.is_feasible(&scsp) && policy.reaches(scsp.threshold()));
        // Figure 2(b): both place the same side, and stay with it, then chance branches.
        let shown = "x1a = H\nx1b = H\ny1 is U (1):\n  x2a = H\n  x2b = H\n  \
                     y2 is H (0.5):\n    utility 1 1\n  y2 is T (0.5):\n    utility 0 0\n";
        assert_eq!(policy.text(&scsp), shown);
    }
    // One half is the optimum: raising the threshold finds no other policy.
    let last = raise(&scsp, &Effort::default()).unwrap().pop().unwrap();
    assert_eq!(last.best.unwrap().0, [0.5, 0.5]);
    let mut more = scsp.clone();
    more.set_threshold(&[0.51, 0.5]).unwrap();
    assert!(solve(&more, &Effort::default()).unwrap().best.is_none());
}

/// Solves the round of Figure 3 in a state; the feasible decisions of alice and bob, and the
/// policies' chance.
fn round(state: &[(&str, &str)]) -> (Vec<String>, Vec<usize>) {
    let mut scsp = read("pennies-round");
    let mut model = scsp.model().clone();
    for (name, label) in state {
        let variable = named(&scsp, name);
        model
            .domain_mut(variable)
            .retain(|it| scsp.model().label(variable, it) == *label);
    }
    scsp = scsp.with_model(model);
    let choices = [named(&scsp, "choose_a"), named(&scsp, "choose_b")];
    let all = decisions(&scsp, &Effort::default()).unwrap();
    let only = |it: &Vec<(Variable, Value)>| {
        it.iter()
            .copied()
            .filter(|it| choices.contains(&it.0))
            .collect()
    };
    let chosen: Vec<Vec<(Variable, Value)>> = all.iter().map(only).collect();
    let policies = feasible(&scsp, &forward()).unwrap().all;
    assert!(policies.iter().all(|it| it.is_feasible(&scsp)));
    assert_eq!(policies.len(), all.len());
    let outcomes = policies.iter().map(|it| it.paths().len()).collect();
    (spoken(&scsp, &chosen), outcomes)
}

#[test]
fn p1_figure_3_is_the_round_of_matching_pennies() {
    let scsp = read("pennies-round");
    let model = scsp.model();
    assert_eq!(model.len(), 16);
    let sizes = |name: &str| model.domain(named(&scsp, name)).len();
    assert_eq!(
        [sizes("terminal"), sizes("coin_a"), sizes("control_r")],
        [2, 3, 2]
    );
    assert_eq!(
        [
            sizes("choose_b"),
            sizes("next_coin_r"),
            sizes("next_control_a")
        ],
        [3, 3, 2]
    );
    // The conditional table of choose_r.
    let (choose, control) = (named(&scsp, "choose_r"), named(&scsp, "control_r"));
    let odds = |value| scsp.odds(choose, |it| if it == control { value } else { 0 });
    assert_eq!(odds(0), [(0, 0.5), (1, 0.5)]);
    assert_eq!(odds(1), [(2, 1.0)]);
    // The terminal constraint has all 27 combinations of coins.
    let Constraint::Table { table, .. } = &model.constraints()[0] else {
        panic!()
    };
    assert_eq!(table.len(), 27);
}

#[test]
fn p1_figure_3_has_four_policies_first_and_one_when_chance_moves() {
    // By the letter of the definition the legal constraint of choose_r leaves no feasible
    // policy: its branch `noop` has probability 0 and utility −∞. Branches of probability 0 are
    // not part of a policy here.
    let first = [
        ("coin_a", "U"),
        ("coin_b", "U"),
        ("coin_r", "U"),
        ("control_a", "true"),
        ("control_b", "true"),
        ("control_r", "false"),
    ];
    let (chosen, outcomes) = round(&first);
    assert_eq!(
        chosen,
        [
            "choose_a=heads choose_b=heads",
            "choose_a=heads choose_b=tails",
            "choose_a=tails choose_b=heads",
            "choose_a=tails choose_b=tails"
        ]
    );
    assert_eq!(outcomes, [1; 4]);
    // The figure's table for control turns every player's control over in every round. That is
    // right here; after the second round it gives control back to alice and bob, which the
    // rules of Figure 1 do not.
    let second = [
        ("coin_a", "H"),
        ("coin_b", "H"),
        ("coin_r", "U"),
        ("control_a", "false"),
        ("control_b", "false"),
        ("control_r", "true"),
    ];
    assert_eq!(
        round(&second),
        (vec!["choose_a=noop choose_b=noop".to_string()], vec![2])
    );
}

#[test]
fn p1_figure_4_has_the_feasibility_constraint_and_the_solution_of_the_text() {
    let scsp = read("figure-4");
    let parts = split(&scsp);
    assert_eq!(parts.decision.constraints().len(), 1);
    assert_eq!(parts.stochastic.model().constraints().len(), 2);
    let scope = vec![named(&scsp, "x1"), named(&scsp, "x2")];
    // As places: x1 has the values 1, 2, 3. c_s = {(2,1), (2,2)}.
    let table = Table::allowed(2, [[1, 1], [1, 2]]);
    let expected = Constraint::Table { scope, table };
    let feasibility = parts.feasibility(&forward()).unwrap();
    assert_eq!(feasibility, Some(expected));
    let model = parts.with(feasibility);
    let network = Network::new(&model).unwrap();
    let mut solver = Solver::new(&network);
    assert_eq!(
        solver
            .count(&Query {
                projection: Some(&parts.scope),
                ..Query::default()
            })
            .solutions,
        1
    );
    let all = decisions(&scsp, &Effort::default()).unwrap();
    assert_eq!(spoken(&scsp, &all), ["x1=2 x2=2"]);
    // The text has θ = 3/4 where every constraint is hard: by Definition 2 a hard constraint is
    // worth 0, so no policy would reach it. P2 speaks of a satisfaction of 1; θ is 0 here.
    let policies = feasible(&scsp, &forward()).unwrap().all;
    assert_eq!(policies.len(), 1);
    assert!(policies[0].is_feasible(&scsp));
}

#[test]
fn p2_example_1_has_a_policy_of_value_two_thirds_and_better_ones() {
    let scsp = read("example-1");
    let policies = feasible(&scsp, &forward()).unwrap().all;
    let values: Vec<f64> = policies.iter().map(|it| it.expected()[0]).collect();
    // x1 = x2 = 0 is the policy of Figure 1; it is a solution, not the best.
    assert!((values[0] - 2.0 / 3.0).abs() < 1e-12);
    assert_eq!(values[1..], [1.0, 1.0]);
    assert!(policies.iter().all(|it| it.reaches(scsp.threshold())));
    let best = raise(&scsp, &Effort::default())
        .unwrap()
        .pop()
        .unwrap()
        .best
        .unwrap();
    assert_eq!(best.0, [1.0]);
}

#[test]
fn p2_example_2_has_two_policies_of_chance_and_one_solution() {
    let scsp = read("example-2");
    let parts = split(&scsp);
    // Places: x=2 and x=3 with z=2. The text then writes c_s as "x = z = 2 | x = z = 3", but 3
    // is no value of z, and the policies it lists are (x=2; z=2) and (x=3; z=2).
    let scope = vec![named(&scsp, "x"), named(&scsp, "z")];
    let table = Table::allowed(2, [[1, 2], [2, 2]]);
    assert_eq!(
        parts.feasibility(&forward()).unwrap(),
        Some(Constraint::Table { scope, table })
    );
    let all = decisions(&scsp, &Effort::default()).unwrap();
    assert_eq!(spoken(&scsp, &all), ["x=2 z=2"]);
}

#[test]
fn preprocessing_keeps_the_policies_of_the_examples() {
    for name in [
        "pennies-policy",
        "pennies-round",
        "figure-4",
        "example-1",
        "example-2",
    ] {
        let scsp = read(name);
        let small = preprocess::stochastic(&scsp)
            .unwrap()
            .expect("there are policies");
        let before = feasible(&scsp, &forward()).unwrap().all;
        let after = feasible(&small, &forward()).unwrap().all;
        assert_eq!(before, after, "{name}");
    }
}
