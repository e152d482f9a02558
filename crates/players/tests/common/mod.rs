//! Matches as far as moves lead, and what players choose there.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test may panic, and need not use everything"
)]

use game::{Engine, Game, Limits, Scratch, State, TermId};
use gdl::{Policy, Source};
use players::{Budget, Decision, Player, Seat, Turn, roster};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub fn load(name: &str) -> Arc<Game> {
    Arc::new(Game::for_play(&program(name), &Limits::default()).0)
}

pub fn interpreted(name: &str) -> Game {
    Game::new(&program(name), Engine::Interpreter, &Limits::default()).unwrap()
}

fn program(name: &str) -> gdl::Program {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
    let tree = gdl::read(Source::from_bytes(rules), None, &gdl::Limits::default());
    gdl::check(tree, &Policy::lenient()).program.unwrap()
}

pub fn player(game: &Arc<Game>, role: usize, text: &str) -> Box<dyn Player> {
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
pub struct Position {
    pub game: Arc<Game>,
    pub scratch: Scratch,
    pub state: State,
}

impl Position {
    pub fn after(name: &str, joints: &[&[&str]]) -> Position {
        Position::of(load(name), joints)
    }

    pub fn of(game: Arc<Game>, joints: &[&[&str]]) -> Position {
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

    pub fn choice(&mut self, role: usize, text: &str, budget: Budget) -> Decision {
        let view = self.game.view(&mut self.scratch, &self.state).unwrap();
        let turn = Turn {
            state: Some(&self.state),
            legal: &view.legal[role],
            joint: None,
            percepts: &[],
            own: None,
        };
        player(&self.game, role, text).choose(&turn, &budget)
    }
}

/// Plays to the end, where everything is got, and known to be got.
pub fn solve(mut position: Position, text: &str, iterations: u64) {
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
        let decision = position.choice(0, text, Budget::Iterations(iterations));
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

/// Four threads prove tic-tac-toe a draw, on one tree.
pub fn prove_in_threads(text: &str) {
    let game = load("tic-tac-toe");
    let seat = Seat {
        game: Arc::clone(&game),
        role: 0,
        seed: 1,
        threads: 4,
    };
    let mut player = roster::player(text, seat).unwrap();
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
        own: None,
    };
    let decision = player.choose(&turn, &Budget::Until(until));
    assert_eq!((decision.value, decision.proven), (Some(0.5), true));
}

/// Without a ground program the interpreter plays out, and a win is found.
pub fn play_out_without_gates(text: &str) {
    let joints: &[&[&str]] = &[
        &["(mark 1 1)", "noop"],
        &["noop", "(mark 3 1)"],
        &["(mark 1 2)", "noop"],
        &["noop", "(mark 3 2)"],
    ];
    let mut position = Position::of(Arc::new(interpreted("tic-tac-toe")), joints);
    let decision = position.choice(0, text, Budget::Iterations(300));
    assert_eq!(position.scratch.terms().text(decision.action), "(mark 1 3)");
    assert_eq!((decision.playouts, decision.proven), (300, false));
}
