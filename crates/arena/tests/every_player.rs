//! Every player of the roster, alone, against itself and with chance: a match of counted thinking
//! ends without a fault, in bounded memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arena::referee::{Setup, Substitute, play};
use arena::{Clocks, Patience};
use game::{Game, Limits};
use peak_alloc::PeakAlloc;
use players::{Player, Seat, roster};
use std::fs;
use std::path::Path;
use std::sync::Arc;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// A game for one, one for two, and one with chance.
const GAMES: &[&str] = &["eight-queens", "connect-four", "dice-race"];
/// What all players of a match may take together.
const MOST_BYTES: usize = 160 << 20;
const COUNTED: Clocks = Clocks::Iterations {
    start: 50,
    play: 100,
};

fn setup(name: &str) -> Setup {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read_to_string(games.join(name).join("rules.kif")).unwrap();
    Setup {
        game: Arc::new(Game::load(rules.as_str(), &Limits::default()).unwrap()),
        clocks: COUNTED,
        patience: Patience::default(),
        substitute: Substitute::default(),
        seed: 1,
    }
}

/// A player in every seat but that of chance.
fn seated(setup: &Setup, name: &str) -> Vec<Option<Box<dyn Player>>> {
    let player = |role| {
        let game = Arc::clone(&setup.game);
        let (seed, threads) = (2, 1);
        let seat = Seat {
            game,
            role,
            seed,
            threads,
            memory: None,
            helpers: None,
        };
        roster::player(name, seat).unwrap()
    };
    let roles = setup.game.role_ids();
    roles
        .map(|role| (!setup.is_chance(role)).then(|| player(role)))
        .collect()
}

/// One test, so that matches are measured one after the other.
#[test]
fn every_player_plays_every_kind_of_game_in_bounded_memory() {
    for game in GAMES {
        let setup = setup(game);
        for entry in roster::ENTRIES {
            let name = entry.name;
            if players::fits(name, entry.cannot, &setup.game).is_err() {
                continue;
            }
            let before = MEMORY.current_usage();
            MEMORY.reset_peak_usage();
            let record = play(&setup, seated(&setup, name), &mut |_| {}).unwrap();
            let peak = MEMORY.peak_usage().saturating_sub(before);
            assert!(peak < MOST_BYTES, "{game} {name}: {peak} bytes");
            assert!(record.completed, "{game} {name}");
            assert_eq!(record.faults(), 0, "{game} {name}: {:?}", record.starts);
            assert_eq!(record.replay(&setup.game), Ok(()), "{game} {name}");
        }
    }
}
