//! The problem of a game's stages has the value that the game has if all play together, where
//! its horizon suffices.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use constraint::solve::{Effort, raise};
use constraint::{Scsp, Strength, text};
use encoding::{EncodingLimits, Horizon, NotEncoded};
use game::{Bits, Game, Limits};
use players::exact::{SolveLimits, cooperative};

fn of_text(rules: &[u8]) -> Game {
    let source = gdl::Source::from_bytes(rules.to_vec());
    Game::load(source, &Limits::default()).unwrap()
}

fn ours(name: &str) -> Game {
    of_text(library::find(name).unwrap().rules())
}

fn problem(game: &Game, stages: usize, from: &Bits) -> Scsp {
    let ground = game.ground().unwrap();
    let grouping = game.encoding().unwrap().unwrap().grouping();
    let from = Some(from);
    let horizon = Horizon { stages, from };
    encoding::scsp(ground, (grouping, horizon), &EncodingLimits::default()).unwrap()
}

/// What every player can get at once within so many stages, by the problem as text.
fn common(game: &Game, stages: usize) -> f64 {
    let scsp = problem(game, stages, game.ground().unwrap().initial());
    let read = text::read(&text::write(&scsp), &text::TextLimits::default()).unwrap();
    assert_eq!(read.model(), scsp.model());
    let values = [Strength::Arc, Strength::Forward].map(|strength| {
        let effort = Effort {
            strength,
            ..Effort::default()
        };
        least(&read, &effort)
    });
    assert!((values[0] - values[1]).abs() < 1e-9, "{values:?}");
    values[0]
}

fn least(scsp: &Scsp, effort: &Effort) -> f64 {
    let best = raise(scsp, effort).unwrap().pop().unwrap().best;
    let (values, policy) = best.unwrap();
    assert!(policy.is_feasible(scsp));
    values.into_iter().fold(1.0, f64::min)
}

fn agrees(game: &Game, stages: usize) {
    let exact = cooperative(game, None, &SolveLimits::default()).unwrap();
    let value = common(game, stages);
    assert!((value - exact.common).abs() < 1e-6, "{stages}: {value}");
}

#[test]
fn matching_pennies_is_worth_a_half() {
    let game = ours("matching-pennies");
    agrees(&game, 2);
    assert!((common(&game, 2) - 0.5).abs() < 1e-9);
    // Nobody gets anything before the end, and nothing more after it.
    assert!(common(&game, 1).abs() < 1e-9);
    assert!((common(&game, 4) - 0.5).abs() < 1e-9);
}

/// Chance is the first role, and moves at the same time as the guesser.
#[test]
fn players_decide_before_chance() {
    let game = of_text(
        b"(role random) (role guesser) (init (at start)) (side heads) (side tails)
        (<= (legal ?r (say ?s)) (role ?r) (side ?s))
        (<= (next hit) (does random (say ?s)) (does guesser (say ?s)))
        (<= (next (at end)) (true (at start)))
        (<= terminal (true (at end)))
        (<= (goal guesser 100) (true hit)) (<= (goal guesser 0) (not (true hit)))",
    );
    agrees(&game, 1);
    assert!((common(&game, 1) - 0.5).abs() < 1e-9);
}

/// A heap of five, one or two at a time; who takes the last gets 100, the other 30, but both 60
/// if it took five turns.
#[test]
fn a_heap_is_shared() {
    let game = of_text(
        b"(role a) (role b) (init (heap 5)) (init (turn a)) (init (taken 0))
        (less 5 1 4) (less 4 1 3) (less 3 1 2) (less 2 1 1) (less 1 1 0)
        (less 5 2 3) (less 4 2 2) (less 3 2 1) (less 2 2 0)
        (up 0 1) (up 1 2) (up 2 3) (up 3 4) (up 4 5) (other a b) (other b a)
        (<= (legal ?r (take ?n)) (true (turn ?r)) (true (heap ?h)) (less ?h ?n ?m))
        (<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
        (<= (next (heap ?m)) (does ?r (take ?n)) (true (heap ?h)) (less ?h ?n ?m))
        (<= (next (turn ?o)) (true (turn ?r)) (other ?r ?o))
        (<= (next (taken ?m)) (true (taken ?n)) (up ?n ?m))
        (<= terminal (true (heap 0)))
        (<= slow (true (taken 5)))
        (<= (goal ?r 60) (role ?r) slow)
        (<= (goal ?r 30) (true (turn ?r)) (not slow))
        (<= (goal ?r 100) (role ?r) (not (true (turn ?r))) (not slow))",
    );
    agrees(&game, 5);
    assert!((common(&game, 5) - 0.6).abs() < 1e-9);
    // Four stages are too few for the slow end: a faster one leaves 30 to the role in turn.
    assert!((common(&game, 4) - 0.3).abs() < 1e-9);
}

/// A player may stop at once, or throw a coin up to twice.
#[test]
fn matches_end_at_different_times() {
    let game = of_text(
        b"(role gambler) (role random) (init (has 40)) (init (coins 2)) (side h) (side t)
        (<= (legal gambler stop)) (<= (legal gambler throw))
        (<= (legal random (show ?s)) (side ?s))
        (<= (next (has 20)) (does gambler throw) (does random (show t)))
        (<= (next (has 90)) (does gambler throw) (does random (show h)) (true (has 40)))
        (<= (next (has 50)) (does gambler throw) (does random (show h)) (not (true (has 40))))
        (<= (next (has ?n)) (does gambler stop) (true (has ?n)))
        (<= (next stopped) (does gambler stop))
        (<= (next (coins 1)) (does gambler throw) (true (coins 2)))
        (<= (next (coins 0)) (does gambler throw) (true (coins 1)))
        (<= (next (coins ?n)) (does gambler stop) (true (coins ?n)))
        (<= terminal (true stopped)) (<= terminal (true (coins 0)))
        (<= (goal gambler ?n) (true (has ?n)))",
    );
    // After tails another throw is worth 35, after heads stopping is worth 90.
    let value = (0.9 + 0.35) / 2.0;
    for stages in 2..5 {
        agrees(&game, stages);
        assert!((common(&game, stages) - value).abs() < 1e-9);
    }
}

#[test]
fn rock_paper_scissors_takes_one_stage() {
    agrees(&ours("rock-paper-scissors"), 1);
}

/// After the first four marks in order a draw can still be reached, and there is nothing better
/// for both.
#[test]
fn a_late_position_of_tic_tac_toe_is_solved() {
    let game = ours("tic-tac-toe");
    let encoding = game.encoding().unwrap().unwrap();
    let mut micro = encoding::Micro::new(encoding);
    let mut state = game.ground().unwrap().initial().to_owned();
    for _ in 0..4 {
        micro.load(&state).unwrap();
        let joint: Vec<_> = game
            .role_ids()
            .map(|role| micro.legal(role).next().unwrap())
            .collect();
        let mut next = game::BitsBuf::default();
        assert!(micro.follow(&joint, &mut next));
        state = next;
    }
    let scsp = problem(&game, 5, &state);
    assert!((least(&scsp, &Effort::default()) - 0.5).abs() < 1e-9);
}

#[test]
fn limits_hold_for_all_stages_together() {
    let game = ours("tic-tac-toe");
    let ground = game.ground().unwrap();
    let grouping = game.encoding().unwrap().unwrap().grouping();
    let limits = EncodingLimits {
        variables: 2000,
        ..EncodingLimits::default()
    };
    let of = |stages| {
        let from = Some(ground.initial());
        encoding::scsp(ground, (grouping, Horizon { stages, from }), &limits)
    };
    assert!(of(1).is_ok());
    let refused = of(usize::MAX).unwrap_err();
    assert_eq!(refused, NotEncoded::TooManyVariables { limit: 2000 });
}
