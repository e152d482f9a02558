//! `ludex new`: whatever is asked for, the sheet is right, every match ends, each role always has a
//! move, and exactly one goal at the end.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use game::{Engine, Game, Limits, TermId};
use gdl::{Policy, ReadLimits};
use library::Template;

fn template(roles: usize, board: (usize, usize)) -> Template {
    Template {
        title: "a game".to_string(),
        roles,
        board,
    }
}

/// Plays a match that depends on the number, and checks every state of it.
fn play(game: &Game, number: usize, squares: usize) {
    let mut scratch = game.scratch();
    let mut state = game.initial(&mut scratch).unwrap();
    for turn in 0..=squares {
        let view = game.view(&mut scratch, &state).unwrap();
        if view.terminal {
            assert!(view.goals.iter().all(|goals| goals.len() == 1));
            return;
        }
        assert!(view.legal.iter().all(|legal| !legal.is_empty()));
        let pick = |legal: &Vec<TermId>| legal[(7 * turn + number) % legal.len()];
        let joint: Vec<TermId> = view.legal.iter().map(pick).collect();
        (state, _) = game.next(&mut scratch, &state, &joint).unwrap();
    }
    panic!("match {number} does not end");
}

#[test]
fn new_games_are_well_formed() {
    for roles in 1..=6 {
        for board in [(3, 3), (3, 5), (7, 6)] {
            let sheet = template(roles, board).sheet().unwrap();
            let tree = gdl::read(sheet.as_str().into(), None, &ReadLimits::default());
            let checked = gdl::check(tree, &Policy::strict());
            let found = &checked.diagnostics;
            assert!(found.is_empty(), "{roles} roles, {board:?}: {found:?}");
            let program = checked.program.unwrap();
            let game = Game::new(&program, Engine::Interpreter, &Limits::default()).unwrap();
            (0..20).for_each(|number| play(&game, number, board.0 * board.1));
        }
    }
}

#[test]
fn what_cannot_be_played_is_refused() {
    for (roles, board) in [(0, (3, 3)), (7, (3, 3)), (2, (2, 3)), (2, (3, 31))] {
        assert!(template(roles, board).sheet().is_err());
    }
}
