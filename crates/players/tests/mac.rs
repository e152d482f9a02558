//! MAC-UCB and FC-UCB with counted budgets: what they find, and that they find it again.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{Position, delay_a_loss, load, player, prove_in_threads, search_without_gates, solve};
use players::Budget;

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    for text in ["mac-ucb", "fc-ucb", "mac-ucb:solver=gates"] {
        let mut start = Position::after("tic-tac-toe", &[]);
        let decision = start.choice(0, text, Budget::Iterations(100_000));
        assert_eq!(
            (decision.value, decision.proven),
            (Some(0.5), true),
            "{text}"
        );
    }
}

#[test]
fn a_small_board_of_connect_four_is_proven_a_draw() {
    let mut start = Position::after("connect-four-4x4", &[]);
    let decision = start.choice(0, "mac-ucb", Budget::Iterations(30_000));
    assert_eq!((decision.value, decision.proven), (Some(0.5), true));
}

/// Networks and gates find the same solutions: then every choice after them is the same.
#[test]
fn what_solves_the_networks_does_not_change_the_choice() {
    for name in [
        "breakthrough",
        "hex",
        "connect-four-4x4",
        "matching-pennies",
    ] {
        let choice = |text: &str| {
            let mut start = Position::after(name, &[]);
            start.choice(0, text, Budget::Iterations(20))
        };
        let mac = choice("mac-ucb:look=no");
        assert_eq!(mac, choice("fc-ucb:look=no"), "{name}");
        assert_eq!(mac, choice("mac-ucb:solver=gates"), "{name}");
    }
}

#[test]
fn a_win_is_taken_and_a_loss_avoided() {
    let joints: &[&[&str]] = &[
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
    ];
    let mut wins = Position::after("connect-four", joints);
    let decision = wins.choice(0, "mac-ucb", Budget::Iterations(200));
    assert_eq!(wins.name(0, decision.action), "(drop 1)");
    assert_eq!((decision.value, decision.proven), (Some(1.0), true));

    let mut threatened = Position::after("connect-four", &joints[..5]);
    let decision = threatened.choice(1, "mac-ucb", Budget::Iterations(200));
    assert_eq!(threatened.name(1, decision.action), "(drop 1)");
}

#[test]
fn states_with_many_moves_are_solved_move_by_move() {
    let mut start = Position::after("tic-tac-toe", &[]);
    let decision = start.choice(0, "mac-ucb:solutions=3", Budget::Iterations(100_000));
    assert_eq!((decision.value, decision.proven), (Some(0.5), true));
}

#[test]
fn a_full_tree_is_searched_on() {
    let mut start = Position::after("othello", &[]);
    let decision = start.choice(0, "mac-ucb:memory=1", Budget::Iterations(3000));
    assert!(
        decision
            .value
            .is_some_and(|value| (0.3..0.7).contains(&value))
    );
}

#[test]
fn a_solution_that_was_found_is_followed() {
    for (name, iterations) in [("eight-queens", 3000), ("nonogram-checkerboard", 300_000)] {
        solve(Position::after(name, &[]), "mac-ucb", iterations);
    }
}

#[test]
fn the_same_seed_and_count_give_the_same_choice() {
    let choice = || Position::after("othello", &[]).choice(0, "mac-ucb", Budget::Iterations(30));
    assert_eq!(choice(), choice());
}

#[test]
fn threads_share_one_tree() {
    prove_in_threads("mac-ucb");
}

#[test]
fn without_gates_the_interpreter_is_searched() {
    search_without_gates("mac-ucb");
}

#[test]
fn hidden_information_is_refused() {
    let refusal = player(&load("monty-hall"), 0, "mac-ucb").start(&Budget::Iterations(1));
    let refusal = refusal.unwrap_err().to_string();
    assert!(
        refusal == "mac-ucb cannot play games with hidden information",
        "{refusal}"
    );
}

#[test]
fn a_proven_loss_is_delayed() {
    delay_a_loss("mac-ucb");
}
