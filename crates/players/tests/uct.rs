//! UCT with counted budgets: what it finds, and that it finds it again.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{Position, delay_a_loss, load, player, prove_in_threads, search_without_gates, solve};
use game::RoleId;
use players::{Budget, Seat, roster};
use std::sync::Arc;

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    for text in ["uct", "uct:lanes=no"] {
        let decision =
            Position::after("tic-tac-toe", &[]).choice(0, text, Budget::Iterations(100_000));
        assert!(decision.proven, "{text}");
        assert_eq!(decision.value, Some(0.5), "{text}");
    }
}

#[test]
fn small_boards_of_connect_four_are_proven_draws() {
    for (name, most) in [("connect-four-4x4", 30_000), ("connect-four-5x4", 600_000)] {
        let decision = Position::after(name, &[]).choice(0, "uct", Budget::Iterations(most));
        assert_eq!(
            (decision.value, decision.proven),
            (Some(0.5), true),
            "{name}"
        );
    }
}

#[test]
fn threads_share_one_tree() {
    prove_in_threads("uct");
}

#[test]
fn without_gates_the_interpreter_is_searched() {
    search_without_gates("uct");
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
    let decision = wins.choice(0, "uct", Budget::Iterations(2000));
    assert_eq!(wins.name(0, decision.action), "(drop 1)");
    assert_eq!((decision.value, decision.proven), (Some(1.0), true));

    let mut threatened = Position::after("connect-four", &joints[..5]);
    let decision = threatened.choice(1, "uct", Budget::Iterations(200));
    assert_eq!(threatened.name(1, decision.action), "(drop 1)");
}

#[test]
fn a_solution_that_was_found_is_followed() {
    for (name, iterations) in [("eight-queens", 3000), ("nonogram-checkerboard", 300_000)] {
        solve(Position::after(name, &[]), "uct", iterations);
    }
}

#[test]
fn the_same_seed_and_count_give_the_same_choice() {
    let choice = || Position::after("othello", &[]).choice(0, "uct", Budget::Iterations(30));
    assert_eq!(choice(), choice());
}

#[test]
fn hidden_information_is_refused() {
    let game = load("monty-hall");
    let refusal = player(&game, 0, "uct")
        .start(&Budget::Iterations(1))
        .unwrap_err();
    assert!(refusal.to_string().contains("hidden information"));
}

#[test]
fn texts_that_name_no_player_are_refused() {
    let game = load("tic-tac-toe");
    let seat = || Seat {
        game: Arc::clone(&game),
        role: RoleId::new(0),
        seed: 1,
        threads: 1,
        memory: None,
        helpers: None,
    };
    for (text, said) in [
        ("uckt", "no player `uckt`"),
        ("uct:c", "`c` is not an option"),
        ("uct:d=1", "uct has no option `d`"),
        ("uct:c=-1", "`c` is a number from 0 to 100"),
        ("random:c=1", "random has no option `c`"),
    ] {
        let error = roster::player(text, seat()).err().unwrap().to_string();
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_proven_loss_is_delayed() {
    delay_a_loss("uct");
}

/// Every rule and policy, in lanes and one by one.
const FAMILY: [&str; 22] = [
    "uct-plain",
    "rave",
    "grave",
    "ucd",
    "ucd:d1=3,d2=1,d3=1",
    "ucd:d1=4,d2=4,d3=4,lanes=no",
    "cadia",
    "cadia-2008",
    "ary",
    "uct:policy=to-mast",
    "uct:policy=fast,decisive=yes",
    "uct:policy=nst",
    "uct:policy=past",
    "uct:policy=past,decisive=both",
    "uct:lanes=no,decisive=both",
    "uct:policy=lgr1",
    "grave:policy=lgr2",
    "grave:policy=mast,decisive=yes",
    "uct:urgency=0.1",
    "uct:cutoff=20",
    "uct:policy=nst,cutoff=3",
    "rave:lanes=no",
];

#[test]
fn the_whole_family_takes_a_win_and_can_be_repeated() {
    let joints: &[&[&str]] = &[
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
    ];
    for text in FAMILY {
        // The other threatens a row of four.
        let choice = || {
            let mut position = Position::after("connect-four", joints);
            let decision = position.choice(1, text, Budget::Iterations(300));
            (position.name(1, decision.action), decision)
        };
        let (name, decision) = choice();
        assert_eq!(name, "(drop 1)", "{text}");
        assert_eq!(choice().1, decision, "{text}");
    }
}

#[test]
fn a_share_of_the_time_is_that_share_of_the_iterations() {
    let choice =
        |text, count| Position::after("othello", &[]).choice(0, text, Budget::Iterations(count));
    for (part, whole) in [("uct:time=0.25", "uct"), ("mac-ucb:time=0.25", "mac-ucb")] {
        assert_eq!(choice(part, 40), choice(whole, 10));
        assert_ne!(choice(part, 40), choice(whole, 40));
    }
}
