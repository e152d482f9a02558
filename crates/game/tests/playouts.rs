//! Playouts in lanes: from any states, counted start by start, the same for the same seed,
//! and with the same results on the average as one state at a time.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use circuit::{
    Code, End, Request, Simulator, SimulatorOptions, Single, Start, Tally, Weights, Width,
};
use game::{Engine, Game, Limits};
use gdl::{Policy, Source};
use logic::{BitsBuf, MoveId, RoleId};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Longer matches are cut.
const TURNS: u64 = 1000;

fn load(name: &str, engine: Engine) -> Game {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
    let tree = gdl::read(Source::from_bytes(rules), None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
    Game::new(&program, engine, &Limits::default()).unwrap()
}

/// A simulator with options of its own.
fn simulator(name: &str, options: SimulatorOptions) -> Simulator {
    let ground = load(name, Engine::Ground);
    let circuit = circuit::Circuit::new(ground.ground().unwrap(), 1_000_000).unwrap();
    Simulator::new(Arc::new(circuit), options)
}

/// States that come up in random matches, with what single playouts from each came to.
fn starts(name: &str, count: usize, playouts: u64) -> Vec<(BitsBuf, Tally)> {
    let game = load(name, Engine::Single);
    let network = game.propnet().unwrap();
    let mut single = Single::new(network);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut starts = Vec::new();
    while starts.len() < count {
        single.load(network.initial());
        let (_, _) = single.playout(&mut random, starts.len() as u64 % 7);
        let state = single.state().to_owned();
        let mut tally = Tally::new(network.roles());
        for _ in 0..playouts {
            single.load(&state);
            let (end, length) = single.playout(&mut random, TURNS);
            tally.turns += length;
            assert_eq!(end, End::Over);
            tally.playouts += 1;
            for role in RoleId::all(network.roles()) {
                tally.add_goals(role, single.goal(role).unwrap(), 1);
            }
        }
        starts.push((state, tally));
    }
    starts
}

/// Means differ by less than six standard errors, which happens by chance once in 5e8.
fn agree(one: &Tally, other: &Tally, what: &str) {
    for (&(a, error_a), &(b, error_b)) in one.means().iter().zip(&other.means()) {
        let error = (error_a * error_a + error_b * error_b).sqrt();
        assert!(
            (a - b).abs() <= 6.0 * error,
            "{what}: {a} and {b}, ±{error}"
        );
    }
}

#[test]
fn every_start_has_its_own_results() {
    for name in [
        "tic-tac-toe",
        "connect-four",
        "breakthrough",
        "monty-hall",
        "othello",
    ] {
        let expected = starts(name, 40, 1000);
        for width in [Width::W64, Width::W256, Width::W512, Width::W1024] {
            let options = SimulatorOptions {
                width: Some(width),
                ..SimulatorOptions::default()
            };
            let simulator = simulator(name, options);
            let mut starts = Vec::new();
            for (number, (state, _)) in expected.iter().enumerate() {
                let playouts = 1000 + number as u64;
                starts.push(Start { state, playouts });
            }
            let tallies = simulator.playouts(&starts, TURNS, 3);
            for ((start, tally), (_, expected)) in starts.iter().zip(&tallies).zip(&expected) {
                assert_eq!(tally.ended(), start.playouts, "{name}");
                assert_eq!(tally.playouts, start.playouts, "{name}");
                agree(tally, expected, name);
                let lengths = [tally, expected].map(|it| it.turns as f64 / it.playouts as f64);
                assert!((lengths[0] - lengths[1]).abs() < 4.0, "{name}: {lengths:?}");
            }
        }
    }
}

#[test]
fn the_same_seed_and_number_of_threads_give_the_same() {
    let one = simulator("connect-four", SimulatorOptions::default());
    let state = &one.initial();
    let start = [Start {
        state,
        playouts: 5000,
    }];
    let first = one.playouts_in_threads(&start, TURNS, 5, 2);
    assert_eq!(first, one.playouts_in_threads(&start, TURNS, 5, 2));
    assert_ne!(first, one.playouts_in_threads(&start, TURNS, 6, 2));
    assert_eq!(first[0].ended(), 5000);
}

#[test]
fn native_code_and_gates_give_the_same() {
    let names = [
        "tic-tac-toe",
        "connect-four",
        "hex",
        "eight-queens",
        "matching-pennies",
    ];
    for name in names {
        for width in [Width::W256, Width::W512, Width::W1024] {
            let tallies = [Code::Native, Code::Portable].map(|code| {
                let options = SimulatorOptions {
                    width: Some(width),
                    code,
                };
                let simulator = simulator(name, options);
                let state = &simulator.initial();
                let start = Start {
                    state,
                    playouts: 3000,
                };
                let mut weights = simulator.circuit().move_table(1);
                let numbered = weights.values_mut().iter_mut().zip((0..9).cycle());
                numbered.for_each(|(weight, number)| *weight += number);
                let request = Request {
                    starts: &[start, start],
                    turns: TURNS,
                    seed: 9,
                    weights: Some(Weights {
                        table: &weights,
                        digits: 4,
                    }),
                    counts: true,
                    ..Request::default()
                };
                let plain = simulator.playouts(&[start], TURNS, 9);
                let decisive = Request {
                    decisive: game::Decisive::Both,
                    ..request
                };
                let with = [request, decisive].map(|it| simulator.playouts_with(&it));
                (plain, with)
            });
            assert_eq!(tallies[0], tallies[1], "{name}");
        }
    }
}

#[test]
fn a_match_is_cut_after_so_many_turns() {
    let simulator = simulator("breakthrough", SimulatorOptions::default());
    let state = &simulator.initial();
    let start = Start {
        state,
        playouts: 2000,
    };
    let tally = simulator.playouts(&[start], 10, 1).remove(0);
    assert_eq!((tally.cut, tally.turns), (2000, 20_000));
}

/// Whoever takes the centre first almost always wins more often.
#[test]
fn weights_change_what_is_played() {
    let simulator = simulator("tic-tac-toe", SimulatorOptions::default());
    let mut weights = simulator.circuit().move_table(1);
    let scratch = load("tic-tac-toe", Engine::Ground).scratch();
    for role in RoleId::all(2) {
        let mut moves = simulator.circuit().moves()[role.index()].iter();
        let centre = moves.position(|&it| scratch.terms().text(it) == "(mark 2 2)");
        weights[(role, MoveId::new(centre.unwrap()))] = u8::MAX;
    }
    let weights = Weights {
        table: &weights,
        digits: 6,
    };
    let plain = Request {
        starts: &[Start {
            state: &simulator.initial(),
            playouts: 20_000,
        }],
        turns: TURNS,
        seed: 1,
        ..Request::default()
    };
    let weighted = Request {
        weights: Some(weights),
        ..plain
    };
    let [one, other] = [plain, weighted].map(|it| simulator.playouts_with(&it).tallies.remove(0));
    let ((a, error_a), (b, error_b)) = (one.means()[0], other.means()[0]);
    assert!((a - b).abs() > 6.0 * (error_a + error_b), "{a} and {b}");
}
