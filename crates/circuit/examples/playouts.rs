//! What weights, counts of moves, decisive and anti-decisive moves cost: playouts a second with
//! them, as a share of plain ones.
//!
//! ```text
//! cargo run --release -p circuit --example playouts -- games/connect-four/rules.kif ...
//! ```

#![allow(clippy::print_stdout, reason = "it is a program to be run by hand")]

use circuit::{Circuit, Decisive, Outcomes, Request, Simulator, SimulatorOptions, Start, Weights};
use logic::{BitsBuf, MoveId, RoleId};
use std::sync::Arc;
use std::time::Instant;
use std::{env, fs};

/// Playouts are cut after so many turns.
const TURNS: u64 = 500;
/// Weights have so many digits.
const DIGITS: usize = 4;
/// The best of so many measurements counts.
const ROUNDS: usize = 7;
/// So many playouts fill the lanes a few times.
const PLAYOUTS: u64 = 4096;
/// A search plays so many states out at once, with one playout a lane.
const STATES: usize = 16;

fn main() {
    println!("game, starts: thousands of plain playouts a second; others as a share of that");
    for path in env::args().skip(1) {
        let simulator = simulator(&path);
        let states = states(&simulator);
        for count in [1, states.len().min(STATES)] {
            let playouts = match count {
                1 => PLAYOUTS,
                _ => (simulator.lanes() / count) as u64,
            };
            let start = |state| Start { state, playouts };
            let starts: Vec<Start<'_>> = states[..count].iter().map(|it| start(it)).collect();
            measure(&path, &simulator, &starts);
        }
    }
}

fn simulator(path: &str) -> Simulator {
    let source = gdl::Source::from_bytes(fs::read(path).expect("a file of rules"));
    let tree = gdl::read(source, None, &gdl::ReadLimits::default());
    let checked = gdl::check(tree, &gdl::Policy::lenient());
    let program = checked.program.expect("rules without errors");
    let interpreter = logic::Interpreter::new(&program, logic::InterpreterLimits::default());
    let ground = logic::ground(&interpreter, &logic::GroundLimits::default());
    let circuit = Circuit::new(&ground.expect("a ground program"), 1_000_000);
    let circuit = circuit.expect("a circuit of bounded size");
    Simulator::new(Arc::new(circuit), SimulatorOptions::default())
}

/// States two turns from the first, as a search would play from, at most 32.
fn states(simulator: &Simulator) -> Vec<BitsBuf> {
    let mut states = vec![simulator.initial()];
    for _ in 0..2 {
        let next = states.iter().flat_map(|state| successors(simulator, state));
        states = next.take(32).collect();
    }
    states
}

/// The states after each move of the role that has most, the others doing their first.
fn successors(simulator: &Simulator, state: &BitsBuf) -> Vec<BitsBuf> {
    let view = simulator.view(state).expect("lanes agree");
    let legal = |role: &Vec<bool>| -> Vec<MoveId> {
        let moves = MoveId::all(role.len()).zip(role);
        moves.filter(|(_, legal)| **legal).map(|it| it.0).collect()
    };
    let legal: Vec<Vec<MoveId>> = view.legal.iter().map(legal).collect();
    let most = (0..legal.len()).max_by_key(|&role| legal[role].len());
    let most = most.expect("a game has roles");
    let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
    let mut next = |&it: &MoveId| {
        joint[most] = it;
        let next = simulator.next(state, &joint).expect("lanes agree");
        let mut state = BitsBuf::empty(next.fluents.len());
        for (fluent, _) in next.fluents.iter().enumerate().filter(|it| *it.1) {
            state.insert(logic::FluentId::new(fluent));
        }
        state
    };
    legal[most].iter().map(&mut next).collect()
}

/// What is measured, the plain playouts first.
const CASES: [(&str, Case); 6] = [
    ("plain", Case::new(false, false, Decisive::No)),
    ("weighted", Case::new(true, false, Decisive::No)),
    ("counted", Case::new(false, true, Decisive::No)),
    ("wins", Case::new(false, false, Decisive::Wins)),
    ("both", Case::new(false, false, Decisive::Both)),
    ("all", Case::new(true, true, Decisive::Both)),
];

#[derive(Copy, Clone)]
struct Case {
    weighted: bool,
    counted: bool,
    decisive: Decisive,
}

impl Case {
    const fn new(weighted: bool, counted: bool, decisive: Decisive) -> Case {
        Case {
            weighted,
            counted,
            decisive,
        }
    }
}

fn measure(path: &str, simulator: &Simulator, starts: &[Start<'_>]) {
    let weights = Weights {
        table: &simulator.circuit().move_table(1),
        digits: DIGITS,
    };
    let requests = CASES.map(|(_, case)| Request {
        starts,
        turns: TURNS,
        seed: 1,
        weights: case.weighted.then_some(weights),
        counts: case.counted,
        decisive: case.decisive,
        ..Request::default()
    });
    let mut making = [0.0; CASES.len()];
    let outcomes: Vec<Outcomes> = (requests.iter().zip(&mut making))
        .map(|(request, making)| {
            let began = Instant::now();
            let outcomes = simulator.playouts_with(request);
            *making = began.elapsed().as_secs_f64();
            outcomes
        })
        .collect();
    check(&outcomes);
    let mut best = [f64::INFINITY; CASES.len()];
    for _ in 0..ROUNDS {
        for (number, request) in requests.iter().enumerate() {
            let began = Instant::now();
            let again = simulator.playouts_with(request);
            best[number] = best[number].min(began.elapsed().as_secs_f64());
            assert_eq!(again.tallies, outcomes[number].tallies, "the same seed");
        }
    }
    let turns = |it: usize| outcomes[it].tallies.iter().map(|it| it.turns).sum::<u64>() as f64;
    let playouts: u64 = starts.iter().map(|start| start.playouts).sum();
    print!(
        "{path}, {}: {:.0}",
        starts.len(),
        playouts as f64 / best[0] / 1e3
    );
    for number in 1..CASES.len() {
        print!("; {} {:.2}", CASES[number].0, best[0] / best[number]);
    }
    let per_turn = [3, 4].map(|it| best[0] / turns(0) * turns(it) / best[it]);
    println!(
        "; wins and both per turn {per_turn:.2?}; made in {:.2?} s; gates {:?} and {:?}",
        making,
        simulator.step_gates(),
        simulator.decisive_gates(Decisive::Both),
    );
}

/// Counting changes no result; even weights give the same means; a move was played in no more
/// playouts than there were.
fn check(outcomes: &[Outcomes]) {
    let [plain, weighted, counted, _, _, all] = outcomes else {
        panic!("an outcome for every case");
    };
    assert_eq!(plain.tallies, counted.tallies);
    for (plain, weighted) in plain.tallies.iter().zip(&weighted.tallies) {
        for (one, other) in plain.means().iter().zip(weighted.means()) {
            let error = one.1.hypot(other.1) + 1e-9;
            // By chance once in 5e8; the seed is fixed.
            assert!((one.0 - other.0).abs() <= 6.0 * error, "even weights");
        }
    }
    for outcomes in [counted, all] {
        let tables = outcomes.moves.as_ref().expect("counts were asked for");
        for (table, tally) in tables.iter().zip(&outcomes.tallies) {
            for (role, _, of_move) in table.iter() {
                assert!(of_move.playouts <= tally.playouts);
                assert!(of_move.goals <= tally.goals(role));
            }
            let first = table.of_role(RoleId::new(0)).iter();
            assert!(tally.playouts == 0 || first.map(|it| it.playouts).sum::<u64>() > 0);
        }
    }
}
