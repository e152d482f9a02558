//! What a person says is understood, and hints are good.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod writing;

use super::hints::Hints;
use super::moves::Moves;
use super::words::{Said, said};
use arena::referee::{Referee, Setup, Substitute};
use arena::{Clocks, Patience};
use game::{Engine, Game, Limits, RoleId, TermId};
use players::witness::{Testimony, Witness};
use players::{Budget, Ending, Seat, roster};
use std::sync::Arc;

fn game(rules: &str) -> Game {
    Game::load(rules, &Limits::default()).unwrap()
}

/// A role that may do some things.
struct Choice {
    moves: Moves,
    /// Each move with its text.
    texts: Vec<(TermId, String)>,
}

impl Choice {
    fn new(texts: &[&str]) -> Choice {
        let legal: String = texts.iter().map(|it| format!("(legal r {it})")).collect();
        let rules =
            format!("(role r) (init on) (next on) (<= terminal (true off)) (goal r 0) {legal}");
        let tree = gdl::read(rules.as_str().into(), None, &gdl::ReadLimits::default());
        let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
        let game = Game::new(&program, Engine::Interpreter, &Limits::default()).unwrap();
        let mut scratch = game.scratch();
        let state = game.initial(&mut scratch).unwrap();
        let view = game.view(&mut scratch, &state).unwrap();
        Choice::of(&game, &view.legal[0])
    }

    /// The legal moves of a role.
    fn of(game: &Game, legal: &[TermId]) -> Choice {
        let scratch = game.scratch();
        let text = |&action: &TermId| (action, scratch.terms().text(action));
        let texts: Vec<(TermId, String)> = legal.iter().map(text).collect();
        let moves = Moves::new(texts.iter().cloned());
        Choice { moves, texts }
    }

    fn said(&self, line: &str) -> Said {
        said(line, &self.moves, 80)
    }

    /// The move that a line means.
    fn chosen(&self, line: &str) -> String {
        match self.said(line) {
            Said::Move(action) => {
                let found = self.texts.iter().find(|(it, _)| *it == action);
                found.unwrap().1.clone()
            }
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
    for line in ["mark 3", "mark 1 1 1", "0", "5", "mark3"] {
        assert_eq!(choice.said(line), Said::Unknown, "{line}");
    }
    let list = "  2  (mark 1 1)\n  3  (mark 1 2)\n";
    for line in ["mark 1", "mark1"] {
        assert_eq!(choice.said(line), Said::Ambiguous(list.to_string()));
    }
    assert_eq!(choice.said("  "), Said::Nothing);
}

#[test]
fn a_whole_move_goes_before_longer_ones() {
    let choice = Choice::new(&["(go 1)", "(go 10)", "(go 2)", "Left", "left"]);
    assert_eq!(choice.chosen("go 1"), "(go 1)");
    assert_eq!(choice.chosen("Left"), "Left");
    assert_eq!(choice.chosen("left"), "left");
    assert!(matches!(choice.said("LEFT"), Said::Ambiguous(_)));
    let list = "  (go 1)    Left\n  (go 2)    left\n  (go 10)\n";
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
    let role = RoleId::new(0);
    let seat = Seat {
        game: Arc::clone(&game),
        role,
        seed: 1,
        threads: 1,
        memory: None,
        helpers: None,
    };
    let mut hints = Hints::new(roster::player("uct", seat).unwrap());
    let setup = Setup {
        game: Arc::clone(&game),
        clocks: Clocks::Iterations { start: 1, play: 1 },
        patience: Patience::default(),
        substitute: Substitute::default(),
        seed: 1,
    };
    let mut referee = Referee::new(&setup, vec![None]).unwrap();
    hints.observe(&referee, role);
    let wait = referee.view().legal[0][0];
    referee.round(Some((role, wait))).unwrap();
    hints.observe(&referee, role);
    let hint = hints.ask(&Budget::Iterations(100)).unwrap();
    let text = game
        .scratch()
        .terms()
        .text(game.move_term(role, hint.action));
    assert_eq!(text, "(win 1)");
    assert_eq!((hint.value, hint.proven), (Some(1.0), true));
}

/// The player that gives hints is asked as the contract says, also when turns are taken back.
#[test]
fn the_terminal_keeps_the_contract() {
    let rules = "(role r) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3)
         (legal r wait) (legal r jump) (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m))
         (<= terminal (true (at 3))) (goal r 100)";
    let setup = Setup {
        game: Arc::new(game(rules)),
        clocks: Clocks::Iterations { start: 1, play: 1 },
        patience: Patience::default(),
        substitute: Substitute::default(),
        seed: 1,
    };
    let role = RoleId::new(0);
    let seat = Seat {
        game: Arc::clone(&setup.game),
        role,
        seed: 1,
        threads: 1,
        memory: None,
        helpers: None,
    };
    let testimony = Testimony::default();
    let player = roster::player("uct", seat).unwrap();
    let witness = Witness::new(player, testimony.clone());
    let mut hints = Hints::new(Box::new(witness));
    let mut referee = Referee::new(&setup, vec![None]).unwrap();
    hints.observe(&referee, role);
    for back in [None, Some(0), None, None, None] {
        hints.ask(&Budget::Iterations(10)).unwrap();
        hints.ask(&Budget::Iterations(10)).unwrap();
        let action = referee.view().legal[0][1];
        referee.round(Some((role, action))).unwrap();
        if let Some(turns) = back {
            referee.back_to(turns).unwrap();
        }
        hints.observe(&referee, role);
    }
    assert!(referee.is_over());
    hints.finish(Ending::Completed);
    assert_eq!(testimony.breach(), None);
}
