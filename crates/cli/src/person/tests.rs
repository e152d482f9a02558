//! What a person says is understood, and hints are good.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use super::hints::Hints;
use super::moves::Moves;
use super::words::{Said, said};
use game::{Engine, Game, Limits, Scratch, TermId};
use players::{Budget, Seat, roster};
use std::sync::Arc;

fn game(rules: &str) -> Game {
    let tree = gdl::read(rules.into(), None, &gdl::Limits::default());
    let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
    Game::for_play(&program, &Limits::default()).0
}

/// A role that may do some things.
struct Choice {
    moves: Moves,
    scratch: Scratch,
}

impl Choice {
    fn new(texts: &[&str]) -> Choice {
        let legal: String = texts.iter().map(|it| format!("(legal r {it})")).collect();
        let rules =
            format!("(role r) (init on) (next on) (<= terminal (true off)) (goal r 0) {legal}");
        let tree = gdl::read(rules.as_str().into(), None, &gdl::Limits::default());
        let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
        let game = Game::new(&program, Engine::Interpreter, &Limits::default()).unwrap();
        let mut scratch = game.scratch();
        let state = game.initial(&mut scratch).unwrap();
        let view = game.view(&mut scratch, &state).unwrap();
        let text = |&action: &TermId| (action, scratch.terms().text(action));
        let moves = Moves::new(view.legal[0].iter().map(text));
        Choice { moves, scratch }
    }

    fn said(&self, line: &str) -> Said {
        said(line, &self.moves, 80)
    }

    /// The move that a line means.
    fn chosen(&self, line: &str) -> String {
        match self.said(line) {
            Said::Move(action) => self.scratch.terms().text(action),
            other => format!("{other:?}"),
        }
    }
}

#[test]
fn a_move_is_known_however_it_is_written() {
    let choice = Choice::new(&["(mark 1 1)", "(mark 1 2)", "(jump (to a) b)", "noop"]);
    for line in ["(mark 1 2)", "mark 1 2", "MARK(1, 2)", "  ( mark 1 2", "3"] {
        assert_eq!(choice.chosen(line), "(mark 1 2)", "{line}");
    }
    for line in ["j", "jump to a b", "jump (to", "1"] {
        assert_eq!(choice.chosen(line), "(jump (to a) b)", "{line}");
    }
    assert_eq!(choice.chosen("NO"), "noop");
    for line in ["mark 3", "mark 1 1 1", "0", "5", "mark1"] {
        assert_eq!(choice.said(line), Said::Unknown, "{line}");
    }
    let list = "  2  (mark 1 1)\n  3  (mark 1 2)\n";
    assert_eq!(choice.said("mark 1"), Said::Ambiguous(list.to_string()));
    assert_eq!(choice.said("  "), Said::Nothing);
}

#[test]
fn a_whole_move_goes_before_longer_ones() {
    let choice = Choice::new(&["(go 1)", "(go 10)", "(go 2)", "Left", "left"]);
    assert_eq!(choice.chosen("go 1"), "(go 1)");
    assert_eq!(choice.chosen("Left"), "Left");
    assert_eq!(choice.chosen("left"), "left");
    assert!(matches!(choice.said("LEFT"), Said::Ambiguous(_)));
    let list = "  1  (go 1)    4  Left\n  2  (go 2)    5  left\n  3  (go 10)\n";
    assert_eq!(choice.moves.list("", 80), list);
}

#[test]
fn moves_that_are_numbers_are_not_numbered() {
    let choice = Choice::new(&["2", "10", "3"]);
    assert_eq!(choice.chosen("2"), "2");
    assert_eq!(choice.chosen("1"), "10");
    assert_eq!(choice.moves.list("", 80), "  2\n  3\n  10\n");
}

#[test]
fn commands_are_known() {
    let choice = Choice::new(&["(mark 1 1)", "undo"]);
    assert_eq!(choice.said("Hint"), Said::Hint);
    assert_eq!(choice.said("moves 1 1"), Said::Moves("1 1".to_string()));
    assert_eq!(choice.said("quit now"), Said::Unknown);
    assert_eq!(choice.chosen("undo"), "undo");
    assert_eq!(choice.said(":undo"), Said::Undo);
    assert_eq!(choice.said(":mark"), Said::Unknown);
}

#[test]
fn lines_are_completed_as_they_were_begun() {
    let choice = Choice::new(&["(mark 1 1)", "(mark 10 1)", "noop"]);
    let completions = |line| choice.moves.completions(line);
    assert_eq!(completions("ma"), ["mark 1 1", "mark 10 1"]);
    assert_eq!(completions("(Mark 10"), ["(mark 10 1)"]);
    assert_eq!(completions("mark 1 "), ["mark 1 1"]);
    assert_eq!(completions("").len(), 3);
    assert!(completions("x").is_empty());
}

#[test]
fn a_hint_is_the_move_that_wins() {
    let game = Arc::new(game(
        "(role r) (init (at 0)) (succ 0 1) (succ 1 2)
         (legal r wait) (<= (legal r (win ?n)) (true (at ?n)))
         (<= (next won) (does r (win 1))) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
         (<= terminal (true won)) (<= terminal (true (at 2)))
         (<= (goal r 100) (true won)) (<= (goal r 0) (not (true won)))",
    ));
    let mut scratch = game.scratch();
    let seat = Seat {
        game: Arc::clone(&game),
        role: 0,
        seed: 1,
        threads: 1,
    };
    let mut hints = Hints::new(roster::player("uct", seat).unwrap());
    let first = game.initial(&mut scratch).unwrap();
    let legal = game.view(&mut scratch, &first).unwrap().legal.remove(0);
    let second = game.next(&mut scratch, &first, &legal[..1]).unwrap().0;
    let legal = game.view(&mut scratch, &second).unwrap().legal.remove(0);
    let hint = hints
        .ask(&second, &legal, &Budget::Iterations(100))
        .unwrap();
    assert_eq!(scratch.terms().text(hint.action), "(win 1)");
    assert_eq!((hint.value, hint.proven), (Some(1.0), true));
}
