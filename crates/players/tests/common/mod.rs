//! Matches as far as moves lead, and what players choose there.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test may panic, and need not use everything"
)]

use game::{Bits, BitsBuf, Engine, Game, Limits, MoveId, RoleId};
use gdl::{Policy, Source};
use players::{Budget, Decision, Observation, Player, Seat, roster};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

pub fn load(name: &str) -> Arc<Game> {
    Arc::new(Game::of(&program(name), &Limits::default()))
}

/// Loads the text of a sheet.
pub fn of_text(rules: &str) -> Game {
    let tree = gdl::read(rules.into(), None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
    Game::of(&program, &Limits::default())
}

pub fn interpreted(name: &str) -> Game {
    Game::new(&program(name), Engine::Interpreter, &Limits::default()).unwrap()
}

fn program(name: &str) -> gdl::Program {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
    let tree = gdl::read(Source::from_bytes(rules), None, &gdl::ReadLimits::default());
    gdl::check(tree, &Policy::lenient()).program.unwrap()
}

pub fn player(game: &Arc<Game>, role: usize, text: &str) -> Box<dyn Player> {
    let game = Arc::clone(game);
    let role = RoleId::new(role);
    roster::player(
        text,
        Seat {
            game,
            role,
            seed: 1,
            threads: 1,
            memory: None,
            helpers: None,
        },
    )
    .unwrap()
}

/// Lets a player observe a state in which its role has legal moves.
pub fn observe(player: &mut dyn Player, (game, role): (&Game, RoleId), state: &Bits) {
    let mut walk = game.walk();
    walk.load(state);
    let legal = walk.legal(role);
    player.observe(&Observation {
        turn: 0,
        state: Some(state),
        legal: &legal,
        joint: None,
        percepts: &[],
        own: None,
    });
}

/// A match, as far as moves given as texts lead.
pub struct Position {
    pub game: Arc<Game>,
    pub state: BitsBuf,
}

impl Position {
    pub fn after(name: &str, joints: &[&[&str]]) -> Position {
        Position::of(load(name), joints)
    }

    pub fn of(game: Arc<Game>, joints: &[&[&str]]) -> Position {
        let mut scratch = game.scratch();
        let mut walk = game.walk();
        for joint in joints {
            let joint = joint.join("\n");
            let tree = gdl::read(joint.as_str().into(), None, &gdl::ReadLimits::default());
            let joint = game.role_ids().zip(tree.forms()).map(|(role, form)| {
                let term = game.term(&mut scratch, form).unwrap();
                game.move_id(role, term).unwrap()
            });
            let joint: Vec<MoveId> = joint.collect();
            walk.play(&joint);
        }
        let state = walk.state().to_owned();
        drop(walk);
        Position { game, state }
    }

    pub fn choice(&mut self, role: usize, text: &str, budget: Budget) -> Decision {
        let mut player = player(&self.game, role, text);
        let role = RoleId::new(role);
        observe(&mut *player, (&self.game, role), &self.state);
        player.choose(&budget).unwrap()
    }

    /// What a move is called.
    pub fn name(&self, role: usize, action: MoveId) -> String {
        let term = self.game.move_term(RoleId::new(role), action);
        self.game.scratch().terms().text(term)
    }
}

/// Plays to the end, where everything is got, and known to be got.
pub fn solve(mut position: Position, text: &str, iterations: u64) {
    const ROLE: RoleId = RoleId::new(0);
    loop {
        let game = Arc::clone(&position.game);
        let mut walk = game.walk();
        walk.load(&position.state);
        if walk.terminal() {
            assert_eq!(walk.goal(ROLE), Some(100));
            return;
        }
        let decision = position.choice(0, text, Budget::Iterations(iterations));
        if walk.legal(ROLE).len() > 1 {
            assert_eq!((decision.value, decision.proven), (Some(1.0), true));
        }
        walk.play(&[decision.action]);
        position.state.copy_from(walk.state());
    }
}

/// Four threads prove tic-tac-toe a draw, on one tree.
pub fn prove_in_threads(text: &str) {
    let game = load("tic-tac-toe");
    let role = RoleId::new(0);
    let seat = Seat {
        game: Arc::clone(&game),
        role,
        seed: 1,
        threads: 4,
        memory: None,
        helpers: None,
    };
    let mut player = roster::player(text, seat).unwrap();
    // It is done as soon as the draw is proven, long before that.
    let until = Instant::now() + Duration::from_secs(300);
    player.start(&Budget::Until(until)).unwrap();
    let first = game.walk().state().to_owned();
    observe(&mut *player, (&game, role), &first);
    let decision = player.choose(&Budget::Until(until)).unwrap();
    assert_eq!((decision.value, decision.proven), (Some(0.5), true));
}

/// Without a ground program the interpreter answers, the tree is the same, and a win is proven.
pub fn search_without_gates(text: &str) {
    let joints: &[&[&str]] = &[
        &["(mark 1 1)", "noop"],
        &["noop", "(mark 3 1)"],
        &["(mark 1 2)", "noop"],
        &["noop", "(mark 3 2)"],
    ];
    let mut position = Position::of(Arc::new(interpreted("tic-tac-toe")), joints);
    let decision = position.choice(0, text, Budget::Iterations(300));
    assert_eq!(position.name(0, decision.action), "(mark 1 3)");
    assert_eq!((decision.value, decision.proven), (Some(1.0), true));
}

/// In a lost position the match is made as long as it can be: of two threats one is parried.
pub fn delay_a_loss(text: &str) {
    let joints: &[&[&str]] = &[
        &["(mark 1 1)", "noop"],
        &["noop", "(mark 1 2)"],
        &["(mark 3 3)", "noop"],
        &["noop", "(mark 2 1)"],
        &["(mark 3 1)", "noop"],
    ];
    // x threatens (2 2) and (3 2): o loses, at once unless it takes one of them.
    let mut position = Position::after("tic-tac-toe", joints);
    for iterations in [300, 3000] {
        let decision = position.choice(1, text, Budget::Iterations(iterations));
        assert_eq!((decision.value, decision.proven), (Some(0.0), true));
        let name = position.name(1, decision.action);
        assert!(["(mark 2 2)", "(mark 3 2)"].contains(&&*name), "{name}");
    }
}
