//! The interpreter on small rules that are hard in one way each.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gdl::{Policy, Source};
use logic::{Cancel, Interpreter, InterpreterLimits, NoAnswer};
use std::thread;
use std::time::Instant;

/// Rules that every sheet needs, for sheets about something else.
const REST: &str = "(role a) (legal a go) (goal a 100)";

fn interpreter(rules: &str) -> Interpreter {
    interpreter_with(rules, InterpreterLimits::default())
}

fn interpreter_with(rules: &str, limits: InterpreterLimits) -> Interpreter {
    let tree = gdl::read(Source::from(rules), None, &gdl::ReadLimits::default());
    let checked = gdl::check(tree, &Policy::lenient());
    let program = checked
        .program
        .unwrap_or_else(|| panic!("{:?}", checked.diagnostics));
    Interpreter::new(&program, limits)
}

/// The fluents of the first state, as text.
fn first_state(rules: &str) -> String {
    let interpreter = interpreter(&format!(
        "{rules} {REST} (<= terminal (true end)) (next end)"
    ));
    let mut scratch = interpreter.scratch();
    let state = interpreter.initial(&mut scratch).unwrap();
    let fluents = state
        .fluents()
        .iter()
        .map(|&fluent| scratch.terms().text(fluent));
    let mut fluents: Vec<String> = fluents.collect();
    fluents.sort();
    fluents.join(" ")
}

#[test]
fn recursion_goes_around_in_circles_and_ends() {
    let edges = "(edge 1 2) (edge 2 3) (edge 3 1) (edge 3 4)";
    let left = "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (edge ?y ?z))";
    let right = "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (edge ?x ?y) (path ?y ?z))";
    let double = "(<= (path ?x ?y) (edge ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))";
    for path in [left, right, double] {
        let from = |x| format!("{edges} {path} (<= (init (to ?y)) (path {x} ?y))");
        assert_eq!(first_state(&from("1")), "(to 1) (to 2) (to 3) (to 4)");
        assert_eq!(first_state(&from("?x")), "(to 1) (to 2) (to 3) (to 4)");
        assert_eq!(first_state(&from("4")), "");
    }
}

#[test]
fn relations_may_need_each_other() {
    let rules = "(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (even 0)
        (<= (even ?y) (succ ?x ?y) (odd ?x)) (<= (odd ?y) (succ ?x ?y) (even ?x))
        (<= (init (even ?x)) (even ?x)) (<= (init (odd ?x)) (odd ?x))";
    assert_eq!(
        first_state(rules),
        "(even 0) (even 2) (even 4) (odd 1) (odd 3)"
    );
}

#[test]
fn negation_may_be_stratified_by_instance_alone() {
    let rules = "(succ 0 1) (succ 1 2) (succ 2 3) (even 0)
        (<= (even ?y) (succ ?x ?y) (not (even ?x))) (<= (init ?x) (even ?x))";
    assert_eq!(first_state(rules), "0 2");
}

#[test]
fn negation_around_a_circle_is_refused() {
    let rules = "(succ 0 1) (succ 1 0) (<= (even ?y) (succ ?x ?y) (not (even ?x)))
        (<= (init ?x) (even ?x)) terminal";
    let interpreter = interpreter(&format!("{rules} {REST}"));
    let answer = interpreter.initial(&mut interpreter.scratch());
    let predicate = "even".to_string();
    assert_eq!(answer, Err(NoAnswer::Unstratified { predicate }));
}

#[test]
fn callers_may_supply_the_values_of_a_head() {
    let rules = "(index 1) (index 2) (<= (differ ?x ?y) (distinct ?x ?y))
        (<= (init (pair ?x ?y)) (differ ?x ?y) (index ?x) (index ?y))";
    let reordered = rules.replace(
        "(differ ?x ?y) (index ?x) (index ?y)",
        "(index ?x) (index ?y) (differ ?x ?y)",
    );
    assert_eq!(first_state(&reordered), "(pair 1 2) (pair 2 1)");
}

#[test]
fn conditions_may_stand_in_any_order() {
    let rules = "(index 1) (index 2) (index 3)
        (<= (init (f ?x)) (not (big ?x)) (distinct ?x 1) (index ?x)) (big 3)";
    assert_eq!(first_state(rules), "(f 2)");
    let either = "(index 1) (index 2) (index 3) (big 3)
        (<= (init (f ?x)) (or (not (big ?x)) (distinct ?x 3)) (index ?x))";
    assert_eq!(first_state(either), "(f 1) (f 2)");
}

#[test]
fn connectives_nest() {
    let rules = "(index 1) (index 2) (index 3) (big 3)
        (<= (init (f ?x)) (index ?x) (not (or (big ?x) (not (distinct ?x 1)))))";
    assert_eq!(first_state(rules), "(f 2)");
}

#[test]
fn a_variable_under_negation_alone_means_no_value() {
    let rules = "(on 1) (<= (init dark) (not (on ?x))) (<= (init calm) (not (off ?x))) (<= (off ?x) (on ?x) (on 2))";
    assert_eq!(first_state(rules), "calm");
}

#[test]
fn limits_are_answers() {
    let counting = "(init (n z)) (<= (next (n (s ?x))) (true (n ?x))) terminal";
    let limits = InterpreterLimits {
        terms: 100,
        ..InterpreterLimits::default()
    };
    let interpreter = interpreter_with(&format!("{counting} {REST}"), limits);
    let mut scratch = interpreter.scratch();
    let mut state = interpreter.initial(&mut scratch).unwrap();
    let joint = interpreter.view(&mut scratch, &state).unwrap().legal[0].clone();
    let error = loop {
        match interpreter.next(&mut scratch, &state, &joint) {
            Ok(next) => state = next,
            Err(error) => break error,
        }
    };
    assert_eq!(error, NoAnswer::TooManyTerms { limit: 100 });
}

/// Sixty values joined six times: more moves than anyone can wait for.
fn six_way_join() -> String {
    let values: String = (0..60).map(|n| format!("(v {n})")).collect();
    format!(
        "(role a) (init now) {values} terminal (goal a 100) (<= (legal a (m ?a ?b ?c ?d ?e ?f))
         (v ?a) (v ?b) (v ?c) (v ?d) (v ?e) (v ?f))"
    )
}

#[test]
fn a_question_can_be_cancelled_while_it_is_answered() {
    let cancel = Cancel::default();
    let limits = InterpreterLimits {
        steps: u64::MAX,
        terms: usize::MAX,
        memory: usize::MAX,
        characters: usize::MAX,
        cancel: cancel.clone(),
    };
    let interpreter = interpreter_with(&six_way_join(), limits);
    let mut scratch = interpreter.scratch();
    let state = interpreter.initial(&mut scratch).unwrap();
    let answer = thread::scope(|scope| {
        let asking = scope.spawn(|| interpreter.view(&mut scratch, &state));
        while interpreter.scratch().terms().len() < 1000 {
            thread::yield_now();
        }
        cancel.cancel();
        asking.join().unwrap()
    });
    assert_eq!(answer, Err(NoAnswer::Cancelled));
    let again = interpreter.initial(&mut interpreter.scratch());
    assert_eq!(again, Err(NoAnswer::Cancelled));
}

#[test]
fn a_question_ends_at_the_deadline_of_its_scratch() {
    let interpreter = interpreter(&six_way_join());
    let mut scratch = interpreter.scratch();
    let state = interpreter.initial(&mut scratch).unwrap();
    scratch.set_deadline(Some(Instant::now()));
    let answer = interpreter.view(&mut scratch, &state);
    assert_eq!(answer, Err(NoAnswer::TooLate));
    scratch.set_deadline(None);
    assert_eq!(interpreter.initial(&mut scratch), Ok(state));
}

#[test]
fn a_question_ends_when_memory_does() {
    let limits = InterpreterLimits {
        memory: 8 << 20,
        ..InterpreterLimits::default()
    };
    let limit = limits.memory;
    let interpreter = interpreter_with(&six_way_join(), limits.clone());
    let mut scratch = interpreter.scratch();
    let state = interpreter.initial(&mut scratch).unwrap();
    let answer = interpreter.view(&mut scratch, &state);
    assert_eq!(answer, Err(NoAnswer::TooMuchMemory { limit }));

    // Calls inside calls take stack.
    let deep = format!("(<= (p ?x) (p (s ?x))) (<= (init now) (p z)) terminal {REST}");
    let deep = interpreter_with(&deep, limits);
    let answer = deep.initial(&mut deep.scratch());
    assert_eq!(answer, Err(NoAnswer::TooMuchMemory { limit }));
}

#[test]
fn deep_recursion_needs_no_stack() {
    let chain: String = (0..20_000)
        .map(|n| format!("(succ {n} {})", n + 1))
        .collect();
    let rules = format!(
        "{chain} (<= (below ?x ?y) (succ ?x ?y)) (<= (below ?x ?z) (succ ?x ?y) (below ?y ?z))
        (<= (init last) (below 0 20000))"
    );
    assert_eq!(first_state(&rules), "last");
}
