//! UCT with counted budgets: what it finds, and that it finds it again.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use game::{Engine, Game, Limits, Scratch, State, TermId};
use gdl::{Policy, Source};
use players::{Budget, Decision, Player, Seat, Turn, roster};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn load(name: &str) -> Arc<Game> {
    Arc::new(Game::for_play(&program(name), &Limits::default()).0)
}

fn interpreted(name: &str) -> Game {
    Game::new(&program(name), Engine::Interpreter, &Limits::default()).unwrap()
}

fn program(name: &str) -> gdl::Program {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
    let tree = gdl::read(Source::from_bytes(rules), None, &gdl::Limits::default());
    gdl::check(tree, &Policy::lenient()).program.unwrap()
}

fn player(game: &Arc<Game>, role: usize, text: &str) -> Box<dyn Player> {
    let game = Arc::clone(game);
    roster::player(
        text,
        Seat {
            game,
            role,
            seed: 1,
            threads: 1,
        },
    )
    .unwrap()
}

/// A match, as far as moves given as texts lead.
struct Position {
    game: Arc<Game>,
    scratch: Scratch,
    state: State,
}

impl Position {
    fn after(name: &str, joints: &[&[&str]]) -> Position {
        Position::of(load(name), joints)
    }

    fn of(game: Arc<Game>, joints: &[&[&str]]) -> Position {
        let mut scratch = game.scratch();
        let mut state = game.initial(&mut scratch).unwrap();
        for joint in joints {
            let joint = joint.join("\n");
            let tree = gdl::read(joint.as_str().into(), None, &gdl::Limits::default());
            let joint = tree
                .forms()
                .map(|form| game.term(&mut scratch, form).unwrap());
            let joint: Vec<TermId> = joint.collect();
            (state, _) = game.next(&mut scratch, &state, &joint).unwrap();
        }
        Position {
            game,
            scratch,
            state,
        }
    }

    fn choice(&mut self, role: usize, text: &str, budget: Budget) -> Decision {
        let view = self.game.view(&mut self.scratch, &self.state).unwrap();
        let turn = Turn {
            state: Some(&self.state),
            legal: &view.legal[role],
            joint: None,
            percepts: &[],
        };
        player(&self.game, role, text).choose(&turn, &budget)
    }
}

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
    let game = load("tic-tac-toe");
    let seat = Seat {
        game: Arc::clone(&game),
        role: 0,
        seed: 1,
        threads: 4,
    };
    let mut player = roster::player("uct", seat).unwrap();
    // It is done as soon as the draw is proven, long before that.
    let until = Instant::now() + Duration::from_secs(300);
    player.start(&Budget::Until(until)).unwrap();
    let mut position = Position::after("tic-tac-toe", &[]);
    let view = game.view(&mut position.scratch, &position.state).unwrap();
    let turn = Turn {
        state: Some(&position.state),
        legal: &view.legal[0],
        joint: None,
        percepts: &[],
    };
    let decision = player.choose(&turn, &Budget::Until(until));
    assert_eq!((decision.value, decision.proven), (Some(0.5), true));
}

#[test]
fn without_a_network_the_interpreter_plays_out() {
    let joints: &[&[&str]] = &[
        &["(mark 1 1)", "noop"],
        &["noop", "(mark 3 1)"],
        &["(mark 1 2)", "noop"],
        &["noop", "(mark 3 2)"],
    ];
    let mut position = Position::of(Arc::new(interpreted("tic-tac-toe")), joints);
    let decision = position.choice(0, "uct", Budget::Iterations(300));
    assert_eq!(position.scratch.terms().text(decision.action), "(mark 1 3)");
    assert_eq!((decision.playouts, decision.proven), (300, false));
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
    assert_eq!(wins.scratch.terms().text(decision.action), "(drop 1)");
    assert_eq!((decision.value, decision.proven), (Some(1.0), true));

    let mut threatened = Position::after("connect-four", &joints[..5]);
    let decision = threatened.choice(1, "uct", Budget::Iterations(200));
    assert_eq!(threatened.scratch.terms().text(decision.action), "(drop 1)");
}

#[test]
fn a_solution_that_was_found_is_followed() {
    for (name, iterations) in [("eight-queens", 3000), ("nonogram-checkerboard", 300_000)] {
        solve(Position::after(name, &[]), iterations);
    }
}

fn solve(mut position: Position, iterations: u64) {
    loop {
        let view = position
            .game
            .view(&mut position.scratch, &position.state)
            .unwrap();
        if view.terminal {
            let goals: Vec<String> = (view.goals[0].iter())
                .map(|&goal| position.scratch.terms().text(goal))
                .collect();
            assert_eq!(goals, ["100"]);
            return;
        }
        let decision = position.choice(0, "uct", Budget::Iterations(iterations));
        if view.legal[0].len() > 1 {
            assert_eq!((decision.value, decision.proven), (Some(1.0), true));
        }
        let joint = [decision.action];
        let next = position
            .game
            .next(&mut position.scratch, &position.state, &joint);
        (position.state, _) = next.unwrap();
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
        role: 0,
        seed: 1,
        threads: 1,
    };
    for (text, said) in [
        ("uckt", "no player `uckt`"),
        ("uct:c", "`c` is not an option"),
        ("uct:d=1", "uct has no option `d`"),
        ("uct:c=-1", "`-1` is no value for `c`"),
        ("random:c=1", "random has no option `c`"),
    ] {
        let error = roster::player(text, seat()).err().unwrap().to_string();
        assert!(error.contains(said), "{error}");
    }
}
