//! Every engine numbers moves as the ground program does.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use circuit::{Circuit, Single};
use encoding::Micro;
use game::{Engine, Game, Limits, MoveId};
use gdl::{Policy, Source};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::Path;

/// How many turns of each game are compared.
const TURNS: usize = 20;

fn load(name: &str, engine: Engine) -> Game {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
    let tree = gdl::read(Source::from_bytes(rules), None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
    Game::new(&program, engine, &Limits::default()).unwrap()
}

/// Roles that take turns, with several guards, that choose at once, alone, and with chance.
const GAMES: [&str; 6] = [
    "tic-tac-toe",
    "amazons-torus",
    "othello",
    "rock-paper-scissors",
    "eight-queens",
    "backgammon",
];

#[test]
fn circuit_and_propnet_have_the_moves_of_the_program() {
    for name in GAMES {
        let (ground, single) = (load(name, Engine::Ground), load(name, Engine::Single));
        let (program, propnet) = (ground.ground().unwrap(), single.propnet().unwrap());
        let circuit = Circuit::new(program, 20_000_000).unwrap();
        for role in program.role_ids() {
            assert_eq!(circuit.moves()[role.index()], program.moves(role), "{name}");
            assert_eq!(propnet.moves(role), program.moves(role), "{name}");
        }
    }
}

#[test]
fn gates_and_constraints_agree_on_the_numbers_of_legal_moves() {
    for name in GAMES {
        let (ground, single) = (load(name, Engine::Ground), load(name, Engine::Single));
        let mut micro = Micro::new(ground.encoding().unwrap().unwrap());
        let mut single = Single::new(single.propnet().unwrap());
        let roles = ground.ground().unwrap().role_ids();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(6);
        for _ in 0..TURNS {
            if single.terminal() {
                break;
            }
            micro.load(single.state()).unwrap();
            for role in roles.clone() {
                let legal: Vec<MoveId> = single.legal(role).collect();
                assert!(legal.is_sorted(), "{name}");
                assert_eq!(micro.legal(role).collect::<Vec<_>>(), legal, "{name}");
            }
            let joint = roles
                .clone()
                .map(|role| single.any_legal(role, &mut random));
            let joint: Vec<MoveId> = joint.collect::<Option<_>>().unwrap();
            let mut next = game::BitsBuf::default();
            assert!(micro.follow(&joint, &mut next));
            single.play(&joint);
            assert_eq!(*single.state(), *next, "{name}");
        }
    }
}
