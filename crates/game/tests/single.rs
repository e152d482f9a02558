//! One state by change propagation: wherever a match has led it, it says what working memory
//! says that goes to that state afresh, and its playouts come out as those of the lanes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use circuit::{Propnet, Single, Start};
use game::{Engine, Game, Limits, MoveId};
use gdl::{Policy, Source};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::{Path, PathBuf};

/// How many turns of each game are compared.
const TURNS: usize = 300;

fn load(rules: &Path, engine: Engine) -> Game {
    let source = Source::from_bytes(fs::read(rules).unwrap());
    let tree = gdl::read(source, None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
    Game::new(&program, engine, &Limits::default()).unwrap()
}

fn games() -> Vec<PathBuf> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let folders = fs::read_dir(games).unwrap();
    let rules = folders.map(|entry| entry.unwrap().path().join("rules.kif"));
    rules.collect()
}

/// Everything that can be asked of a state.
fn answers(network: &Propnet, single: &mut Single<'_>) -> String {
    let roles = network.role_ids();
    let legal: Vec<Vec<MoveId>> = roles.clone().map(|it| single.legal(it).collect()).collect();
    let goals: Vec<Vec<_>> = roles.map(|it| single.goals(it).collect()).collect();
    let (state, terminal) = (single.state(), single.terminal());
    format!("{state:x?} {terminal} {legal:?} {goals:?}")
}

#[test]
fn a_match_leads_where_one_can_go_at_once() {
    for rules in games() {
        let game = load(&rules, Engine::Single);
        let network = game.propnet().unwrap();
        let mut single = Single::new(network);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for _ in 0..TURNS {
            let mut fresh = Single::new(network);
            fresh.load(single.state());
            let expected = answers(network, &mut fresh);
            assert_eq!(
                answers(network, &mut single),
                expected,
                "{}",
                rules.display()
            );
            let roles = network.role_ids();
            let joint = roles.map(|role| single.any_legal(role, &mut random));
            match joint.collect::<Option<Vec<MoveId>>>() {
                Some(joint) if !single.terminal() => single.play(&joint),
                _ => single.load(network.initial()),
            }
        }
    }
}

/// The means of two samples differ by more than six standard errors with a probability below
/// 1e-8; seeds are fixed.
#[test]
fn playouts_come_out_as_those_of_lanes() {
    for rules in games() {
        let (single, lanes) = (load(&rules, Engine::Single), load(&rules, Engine::Lanes));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut single = Single::new(single.propnet().unwrap());
        let single = single.playouts(&mut random, 500, 200).means();
        let lanes = lanes.simulator().unwrap();
        let state = &lanes.initial();
        let start = Start {
            state,
            playouts: 2000,
        };
        let lanes = lanes.playouts(&[start], 200, 5)[0].means();
        for ((found, error), (expected, other)) in single.iter().zip(&lanes) {
            let tolerance = 6.0 * error.hypot(*other) + 1e-9;
            assert!((found - expected).abs() <= tolerance, "{}", rules.display());
        }
    }
}
