//! The recipe "add a player" of CONTRIBUTING.md: a player in forty lines, and matches it plays.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arena::referee::{Setup, Substitute, play_in_turn};
use arena::{Clocks, Patience};
use game::{Bits, Feature, Game, Limits};
use players::kit::select::Bandit;
use players::kit::{Batch, By, Evaluate, Playouts, Search, Searching, Thread};
use players::{Budget, Decision, Player, Seat, roster};
use std::sync::Arc;

// The player: playouts after each of its moves, shared out among them by confidence bounds.

/// Flat Monte-Carlo search.
struct Flat {
    seat: Seat,
}

impl Search for Flat {
    fn seat(&self) -> &Seat {
        &self.seat
    }

    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        let (game, role) = (&self.seat.game, self.seat.role);
        let mut thread = Thread::new(game, self.seat.seed, budget);
        let mut playouts = Playouts::uniform(game, true);
        thread.walk.load(state);
        let moves = thread.walk.legal(role);
        let mut bandit = Bandit::new(moves.len());
        let (mut joint, mut estimates) = (Vec::new(), Vec::new());
        for iteration in 0.. {
            if !budget.is_left(iteration) || thread.clock.is_late() {
                break;
            }
            let arm = bandit.pick(0.3);
            thread.walk.load(state);
            thread.walk.any_joint(&mut joint, &mut thread.random);
            joint[role.index()] = moves[arm];
            thread.walk.play(&joint);
            let (next, by) = (thread.walk.state().to_owned(), By::Lanes);
            let states = &[&*next];
            playouts.evaluate(&mut thread, &Batch { states, by }, &mut estimates);
            bandit.add(arm, estimates.pop()?.values[role.index()]);
        }
        let best = bandit.best()?;
        let mut decision = Decision::plain(moves[best]);
        decision.value = Some(f64::from(bandit.mean(best)));
        Some(decision)
    }
}

/// The player, as an entry of the roster would make it.
fn flat(seat: Seat) -> Box<dyn Player> {
    Box::new(Searching::new(
        "flat",
        &[Feature::HiddenInformation],
        Flat { seat },
    ))
}

// Its matches.

fn setup(name: &str, seed: u64) -> Setup {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let rules = std::fs::read_to_string(format!("{games}/{name}/rules.kif")).unwrap();
    Setup {
        game: Arc::new(Game::load(rules.as_str(), &Limits::default()).unwrap()),
        clocks: Clocks::Iterations { start: 0, play: 60 },
        patience: Patience::default(),
        substitute: Substitute::default(),
        seed,
    }
}

/// What the player got in some matches against random players, from 0 to 1.
fn score(name: &str) -> f64 {
    let mut goals = Vec::new();
    for seed in 0..10 {
        let setup = setup(name, seed);
        let roles: Vec<_> = setup.game.players().collect();
        let mine = roles[seed as usize % roles.len()];
        let players = setup.game.role_ids().map(|role| {
            let seat = Seat {
                game: Arc::clone(&setup.game),
                role,
                seed,
                threads: 1,
                memory: None,
                helpers: None,
            };
            match role {
                _ if setup.is_chance(role) => None,
                _ if role == mine => Some(flat(seat)),
                _ => Some(roster::player("random", seat).unwrap()),
            }
        });
        let record = play_in_turn(&setup, players.collect()).unwrap();
        assert!(record.completed && record.faults() == 0, "{name}");
        goals.push(record.goals[mine.index()].unwrap() as f64 / 100.0);
    }
    goals.iter().sum::<f64>() / goals.len() as f64
}

#[test]
fn the_player_of_the_recipe_beats_random_players() {
    for name in ["tic-tac-toe", "connect-four", "breakthrough"] {
        let score = score(name);
        assert!(score >= 0.9, "{name}: {score}");
    }
}

#[test]
fn it_refuses_what_it_cannot_play() {
    let game = setup("monty-hall", 1).game;
    let role = game.players().next().unwrap();
    let seat = Seat {
        game,
        role,
        seed: 1,
        threads: 1,
        memory: None,
        helpers: None,
    };
    let refusal = flat(seat).start(&Budget::Iterations(1)).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "flat cannot play games with hidden information"
    );
}
