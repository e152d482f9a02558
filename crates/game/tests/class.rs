//! What kind of games ours are, as random matches tell; the same with every engine.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use game::{Class, ClassLimits, Engine, Game, Information, Limits, Turns};
use gdl::{Policy, Source};
use std::path::Path;

/// Every game of ours that shows something new.
const CLASSES: &[(&str, &str)] = &[
    (
        "connect-four",
        "two players, alternating, zero-sum, goals 0 to 100",
    ),
    (
        "matching-pennies",
        "two players and chance, simultaneous, goals 0 to 100",
    ),
    (
        "monty-hall",
        "one player and chance, shared percepts, uncertain state, goals 0 to 100",
    ),
    (
        "tic-tac-toe",
        "two players, alternating, zero-sum, goals 0 to 100",
    ),
];

/// No time: what is seen must not depend on the machine.
const LIMITS: ClassLimits = ClassLimits {
    matches: 20,
    states: 2_000,
    seconds: f64::INFINITY,
};

fn load(rules: Source, engine: Engine) -> Game {
    let tree = gdl::read(rules, None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
    Game::new(&program, engine, &Limits::default()).unwrap()
}

fn class(rules: &str) -> Class {
    let game = load(Source::from(rules), Engine::Interpreter);
    Class::of(&game, 1, &LIMITS).unwrap()
}

#[test]
fn our_games_have_their_classes_with_every_engine() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for (name, class) in CLASSES {
        let rules = std::fs::read(games.join(name).join("rules.kif")).unwrap();
        for engine in [Engine::Interpreter, Engine::Ground] {
            let game = load(Source::from_bytes(rules.clone()), engine);
            let found = Class::of(&game, 1, &LIMITS).unwrap();
            assert_eq!(found.to_string(), *class, "{name}, {engine:?}");
        }
    }
}

#[test]
fn percepts_that_differ_are_hidden_information() {
    let rules = "(role a) (role b) (init start) (legal a 1) (legal a 2) (legal b go)
                 (<= (next (chose ?n)) (does a ?n)) (<= (sees b seen) (does a 1))
                 (<= terminal (true (chose ?n))) (goal a 50) (goal b 30)";
    let class = class(rules);
    assert_eq!(class.information, Information::Hidden);
    assert_eq!(class.turns, Turns::Alternating);
    assert_eq!((class.sum, class.goals), (Some(80), Some(30..=50)));
    // Whatever b sees tells what a did.
    assert!(!class.uncertain);
}

#[test]
fn a_game_without_an_end_or_a_goal_is_no_zero_sum_game() {
    let endless =
        class("(role a) (role b) (legal a go) (legal b go) (goal a 1) (<= terminal (true x))");
    assert_eq!((endless.ends, endless.states), (0, LIMITS.states));
    assert_eq!((endless.sum, &endless.goals), (None, &None));
    let goalless = class(
        "(role a) (role b) (legal a go) (legal b go) (goal a 1) (init x) (<= terminal (true x))",
    );
    assert_eq!((goalless.ends, goalless.sum), (LIMITS.matches, None));
    assert_eq!(goalless.goals, Some(1..=1));
}
