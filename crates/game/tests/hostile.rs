//! Rules made to take long: every stage of loading keeps to the limits, and the interpreter plays on.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use game::{Cancel, Exceeded, Game, Limits, NoAnswer, NoEngine, Unanswered};
use std::fmt::Write;

/// Rules that every sheet needs, for sheets about something else.
const REST: &str =
    "(role a) (legal a go) (legal a stop) (goal a 100) (init t) (<= terminal (true end))
    (<= (next t) (true t)) (<= (next end) (does a stop)) ";

fn load(rules: &str, limits: &Limits<'_>) -> Game {
    Game::load(format!("{REST}{rules}").as_str(), limits).unwrap()
}

/// `count` clauses, each made of its number.
fn clauses(count: usize, clause: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |mut all, number| {
        write!(all, "{} ", clause(number)).unwrap();
        all
    })
}

/// Atoms that depend on each other in a circle, entered from outside at one place.
fn circle(count: usize) -> String {
    let step = |it| format!("(<= p{it} p{})", (it + 1) % count);
    format!(
        "{} (<= p0 (does a go)) (<= (next x) p{})",
        clauses(count, step),
        count / 2
    )
}

#[test]
fn a_long_circle_is_no_burden() {
    // A hang guard: what is linear takes a moment, and what is not takes minutes.
    let game = load(&circle(40_000), &Limits::default());
    assert_eq!(game.fallback(), None);
    let gates = game.simulator().unwrap().circuit().len();
    assert!(gates < 1000, "{gates}");
}

#[test]
fn constants_that_follow_from_each_other_vanish() {
    // Both directions, so that one of them is against the order in which atoms are looked at.
    for is_forward in [true, false] {
        let pair = |it: usize| match is_forward {
            true => (it, it + 1),
            false => (it + 1, it),
        };
        let step = |it| {
            let (from, to) = pair(it);
            format!("(<= p{to} p{from}) (<= p{from} p{to} (true t))")
        };
        let first = if is_forward { 0 } else { 20_000 };
        let rules = format!(
            "{} (<= p{first} (not never)) (<= never (true nothing)) (<= (next x) p10)",
            clauses(20_000, step)
        );
        let game = load(&rules, &Limits::default());
        assert!(game.ground().unwrap().components().is_empty());
    }
}

#[test]
fn a_rule_of_many_conditions_is_prepared() {
    let init = clauses(400, |it| format!("(init (c {it} 1))"));
    let keep = "(<= (next (c ?n ?x)) (true (c ?n ?x)))";
    let body = clauses(400, |it| format!("(true (c {it} ?x{it}))"));
    let game = load(
        &format!("{init} {keep} (<= (next x) {body})"),
        &Limits::default(),
    );
    assert_eq!(game.fallback(), None);
}

#[test]
fn terms_that_grow_end_grounding_but_not_the_match() {
    let doubling = "(init (n z)) (<= (next (n (f ?x ?x))) (true (n ?x)))";
    let counting = "(init (n z)) (<= (next (n (s ?x))) (true (n ?x)))";
    for rules in [doubling, counting] {
        let game = load(rules, &Limits::default());
        let reason = game.fallback().unwrap().to_string();
        assert_eq!(
            reason,
            "the rules make a term of more than 65536 characters"
        );
        let mut walk = game.walk();
        let role = game.role_ids().next().unwrap();
        for _ in 0..10 {
            walk.play(&[walk.legal(role)[0]]);
        }
        assert!(!walk.terminal() && walk.failure().is_none());
    }
}

#[test]
fn a_question_about_terms_that_grow_says_why_it_has_no_answer() {
    let succ = clauses(60, |it| format!("(succ {it} {})", it + 1));
    let rules =
        format!("{succ} (init (n 0 z)) (<= (next (n ?j (f ?x ?x))) (true (n ?i ?x)) (succ ?i ?j))");
    let game = load(&rules, &Limits::default());
    assert!(game.fallback().is_some());
    let mut walk = game.walk();
    let role = game.role_ids().next().unwrap();
    let failure = loop {
        if let Some(failure) = walk.failure() {
            break failure.clone();
        }
        walk.play(&[walk.legal(role)[0]]);
    };
    let limit = 1 << 16;
    assert_eq!(
        failure,
        Unanswered::NoAnswer(NoAnswer::TermTooLong { limit })
    );
}

/// Paths of a graph: many atoms, and many more rules.
fn paths() -> String {
    let edges = clauses(400, |it| {
        format!(
            "(e {it} {}) (e {it} {})",
            (it * 7 + 1) % 400,
            (it * 13 + 5) % 400
        )
    });
    format!(
        "{edges} (<= (path ?x ?y) (e ?x ?y) (true t))
         (<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) (<= (next x) (path 1 2))"
    )
}

#[test]
fn loading_ends_when_time_memory_or_patience_do() {
    let mut limits = Limits::default();
    limits.ground.seconds = 0.0;
    let game = load(&paths(), &limits);
    assert_eq!(exceeded(&game), Exceeded::Time { limit: 0.0 });

    let mut limits = Limits::default();
    limits.ground.memory = 1 << 20;
    let game = load(&paths(), &limits);
    assert_eq!(exceeded(&game), Exceeded::Memory { limit: 1 << 20 });

    let cancel = Cancel::default();
    cancel.cancel();
    let mut limits = Limits::default();
    limits.interpreter.cancel = cancel;
    let game = load(&paths(), &limits);
    assert_eq!(exceeded(&game), Exceeded::Cancelled);
}

fn exceeded(game: &Game) -> Exceeded {
    match game.fallback().unwrap() {
        NoEngine::Exceeded(reason) | NoEngine::NotGround(logic::NotGround::Exceeded(reason)) => {
            *reason
        }
        other => panic!("{other}"),
    }
}

#[test]
fn a_relation_of_facts_and_of_rules_that_need_callers_keeps_its_facts() {
    // The rule leaves ?y to callers, so the relation is put in the place of its conditions.
    let rules =
        "(may t 1) (<= (may ?x ?y) (true ?x) (never ?x)) (<= (never ?x) (true nothing) (true ?x))
        (num 1) (num 2) (<= (legal a (put ?n)) (num ?n) (may t ?n))";
    let game = load(rules, &Limits::default());
    assert_eq!(game.fallback(), None);
    let role = game.role_ids().next().unwrap();
    assert_eq!(game.walk().legal(role).len(), 3);
}
