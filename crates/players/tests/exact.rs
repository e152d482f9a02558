//! Exact values, against what is published or computed here in another way.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{load, of_text};
use players::exact::{Exact, Plan, SolveLimits, Unsolved, competitive, cooperative};
use std::collections::HashMap;

fn solved(name: &str) -> Exact {
    competitive(&load(name), &SolveLimits::default()).unwrap()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-6
}

#[test]
fn tic_tac_toe_and_small_boards_of_connect_four_are_draws() {
    // Connect four: J. Tromp's table of small boards.
    for name in ["tic-tac-toe", "connect-four-4x4", "connect-four-5x4"] {
        assert_eq!(solved(name).values, [0.5, 0.5], "{name}");
    }
}

/// 3 xor 4 xor 5 is not zero: the first player wins.
#[test]
fn nim_is_won_by_who_moves_to_a_sum_of_zero() {
    let exact = solved("nim");
    assert_eq!(exact.values, [1.0, 0.0]);
    // The only such move: two from the heap of three, as 1 xor 4 xor 5 is zero.
    let game = load("nim");
    let first = exact.plan.steps[0].branches[0].joint[0];
    assert_eq!(game.scratch().terms().text(first), "(take a 2)");
}

#[test]
fn rock_paper_scissors_is_mixed() {
    let exact = solved("rock-paper-scissors");
    assert!(
        exact.values.iter().all(|&value| near(value, 0.5)),
        "{exact:?}"
    );
    let branches = &exact.plan.steps[0].branches;
    assert_eq!(branches.len(), 9);
    assert!(
        branches
            .iter()
            .all(|branch| near(branch.probability, 1.0 / 9.0))
    );
}

/// The race by hand: what the runner about to roll wins, with so many squares to go for both.
fn race(own: u32, other: u32, known: &mut HashMap<(u32, u32), f64>) -> f64 {
    if let Some(&value) = known.get(&(own, other)) {
        return value;
    }
    let mut after = |squares: u32| match squares >= own {
        true => 1.0,
        false => 1.0 - race(other, own - squares, known),
    };
    let mut sum = 0.0;
    for first in 1..=6 {
        let stop = after(first);
        let again: f64 = (1..=6)
            .map(|second| after(if second > first { first + second } else { 1 }))
            .sum();
        sum += stop.max(again / 6.0);
    }
    known.insert((own, other), sum / 6.0);
    sum / 6.0
}

#[test]
fn a_dice_race_has_the_value_of_expectimax() {
    let expected = race(20, 20, &mut HashMap::new());
    let exact = solved("dice-race");
    assert!(
        near(exact.values[0], expected),
        "{} {expected}",
        exact.values[0]
    );
    assert!(near(exact.values[0] + exact.values[1], 1.0));
}

#[test]
fn what_players_who_choose_at_once_can_get_together_needs_no_contest() {
    // Alice and Bob want the same: to match a coin of chance.
    assert_eq!(solved("matching-pennies").values[..2], [0.5, 0.5]);
}

fn reaches(name: &str, theta: &[f64]) -> bool {
    let answer = cooperative(&load(name), Some(theta), &SolveLimits::default()).unwrap();
    if let Some(exact) = &answer.found {
        assert!(
            expected(&exact.plan, 0)
                .iter()
                .zip(theta)
                .all(|(value, theta)| value >= theta)
        );
    }
    answer.found.is_some()
}

/// What a whole plan brings, by its leaves alone.
fn expected(plan: &Plan, place: usize) -> Vec<f64> {
    let step = &plan.steps[place];
    if step.branches.is_empty() {
        assert!(step.over);
        return step.values.clone();
    }
    let mut sum = vec![0.0; step.values.len()];
    for branch in &step.branches {
        for (sum, value) in sum.iter_mut().zip(expected(plan, branch.next)) {
            *sum += branch.probability * value;
        }
    }
    sum
}

#[test]
fn matching_pennies_has_a_policy_of_one_half_and_none_above() {
    assert!(reaches("matching-pennies", &[0.5, 0.5]));
    assert!(!reaches("matching-pennies", &[0.51, 0.51]));
    let answer = cooperative(&load("matching-pennies"), None, &SolveLimits::default()).unwrap();
    assert!(near(answer.common, 0.5));
}

#[test]
fn in_tic_tac_toe_all_can_let_one_win_or_draw_but_not_both() {
    assert!(reaches("tic-tac-toe", &[1.0, 0.0]));
    assert!(reaches("tic-tac-toe", &[0.5, 0.5]));
    assert!(!reaches("tic-tac-toe", &[1.0, 0.5]));
}

#[test]
fn limits_and_what_cannot_be_solved_are_said() {
    let small = SolveLimits {
        memory: 1 << 20,
        ..SolveLimits::default()
    };
    let memory = competitive(&load("breakthrough"), &small).unwrap_err();
    assert_eq!(memory, Unsolved::Memory(1));
    let memory = cooperative(&load("othello"), Some(&[1.0, 1.0]), &small).unwrap_err();
    assert_eq!(memory, Unsolved::Memory(1));
    let hidden = competitive(&load("monty-hall"), &small).unwrap_err();
    assert_eq!(hidden, Unsolved::Hidden);
    let short = SolveLimits {
        turns: 3,
        ..SolveLimits::default()
    };
    let turns = competitive(&load("tic-tac-toe"), &short).unwrap_err();
    assert_eq!(turns, Unsolved::Turns(3));
}

/// One turn, in which two roles have two moves each; then what `ends` says.
fn one_turn(ends: &str) -> String {
    let choices = "(role a) (role b) (init start) (legal a l) (legal a r) (legal b l) (legal b r)
        (<= (next done) (true start)) (<= terminal (true done))";
    format!("{choices} {ends}")
}

#[test]
fn where_nobody_gets_anything_any_move_will_do() {
    let goals = one_turn("(goal a 0) (goal b 0)");
    let exact = competitive(&of_text(&goals), &SolveLimits::default()).unwrap();
    assert_eq!(exact.values, [0.0, 0.0]);
    assert_eq!(exact.plan.steps.len(), 2);
    // Chance draws, whatever it is good for.
    let drawn = "(role random) (legal random one) (legal random two)";
    let game = of_text(&format!("{goals} {drawn}"));
    let exact = competitive(&game, &SolveLimits::default()).unwrap();
    let branches = &exact.plan.steps[0].branches;
    assert_eq!(branches.len(), 2);
    assert!(branches.iter().all(|it| near(it.probability, 0.5)));
    let together = cooperative(&game, None, &SolveLimits::default()).unwrap();
    assert!(near(together.common, 0.0) && together.found.is_some());
}

#[test]
fn a_goal_that_is_not_one_number_is_named() {
    for (ends, goals) in [
        ("(goal a -5) (goal b 0)", "-5"),
        ("(goal a 99999999999) (goal b 0)", "99999999999"),
        ("(goal a 4294967295) (goal b 4294967295)", "4294967295"),
        ("(goal a 101) (goal b 0)", "101"),
        ("(goal a much) (goal b 0)", "much"),
        ("(goal a 10) (goal a 20) (goal b 0)", "10 and 20"),
        ("(<= (goal a 10) (true start)) (goal b 0)", "none"),
    ] {
        let game = of_text(&one_turn(ends));
        let expected = Unsolved::Goal {
            role: "a".to_string(),
            goals: goals.to_string(),
        };
        let alone = competitive(&game, &SolveLimits::default());
        assert_eq!(alone.unwrap_err(), expected, "{ends}");
        let together = cooperative(&game, None, &SolveLimits::default());
        assert_eq!(together.unwrap_err(), expected, "{ends}");
    }
}

#[test]
fn a_role_without_a_move_is_said() {
    let stuck = "(role a) (role b) (init start) (legal a l) (legal a r)
        (<= (legal b l) (true start)) (<= (next done) (true start))
        (<= (next done) (true done)) (<= terminal (true never)) (goal a 50) (goal b 50)
        (<= (next never) (true never))";
    let game = of_text(stuck);
    let alone = competitive(&game, &SolveLimits::default());
    assert_eq!(alone.unwrap_err(), Unsolved::Stuck);
    let together = cooperative(&game, None, &SolveLimits::default());
    assert_eq!(together.unwrap_err(), Unsolved::Stuck);
}

/// A long game of coins: the whole plan is made, and no stack is too small.
#[test]
fn a_plan_may_be_long() {
    let turns = 3000;
    let count: String = (0..turns)
        .map(|it| format!("(after {it} {})", it + 1))
        .collect();
    let game = of_text(&format!(
        "(role a) (role random) (init (at 0)) (legal a l) (legal a r) (legal random noop)
        (<= (next (at ?n)) (true (at ?m)) (after ?m ?n)) (<= terminal (true (at {turns})))
        (goal a 100) (goal random 0) {count}"
    ));
    let limits = SolveLimits {
        depth: usize::MAX,
        ..SolveLimits::default()
    };
    let exact = competitive(&game, &limits).unwrap();
    assert_eq!(exact.plan.steps.len(), turns + 1);
    let together = cooperative(&game, None, &limits).unwrap().found.unwrap();
    assert_eq!(together.plan.steps.len(), turns + 1);
}
