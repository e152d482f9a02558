//! Weights and counts of moves, against rules that count for themselves.

use super::{
    OfWidth, Outcomes, Request, Simulator, SimulatorOptions, Start, Variant, Weights, Width,
};
use crate::circuit::Circuit;
use crate::kernel::Code;
use crate::moves::MoveTable;
use logic::{BitsBuf, FluentId, MoveId, RoleId};
use std::fmt::Write;
use std::sync::Arc;

/// How many moves `a` and `b` have.
const MOVES: usize = 6;

/// Two roles move at once; what they have played is part of the state. For each of their moves
/// two more roles watch: one gets 100 where it was played, the other what the mover gets then.
/// Matches end early, get stuck, or last five turns; two moves are legal every other turn.
fn watched() -> String {
    let mut rules = "
        (role a) (role b) (player a) (player b)
        (init (turn 0)) (init (control x))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (move m0) (move m1) (move m2) (move m3)
        (<= (move ?m) (rare ?m) (true (control x)))
        (rare m4) (rare m5)
        (<= (legal ?p ?m) (player ?p) (move ?m) (not (true (last ?p ?m))) (not (stuck ?p)))
        (<= (stuck b) (true (last a m2)) (true (last b m2)))
        (<= (next (last ?p ?m)) (player ?p) (does ?p ?m))
        (<= (next (played ?p ?m)) (player ?p) (does ?p ?m))
        (<= (next (played ?p ?m)) (true (played ?p ?m)))
        (<= (next (turn ?n)) (true (turn ?k)) (succ ?k ?n))
        (<= (next (control x)) (true (control o)))
        (<= (next (control o)) (true (control x)))
        (<= early (true (last a m1)) (true (last b m1)))
        (<= terminal early)
        (<= terminal (true (turn 5)))
        (<= (value a 100) early)
        (<= (value a 30) (not early) (true (played a m0)))
        (<= (value a 60) (not early) (not (true (played a m0))))
        (<= (value b 0) early)
        (<= (value b 45) (not early) (true (played b m3)))
        (<= (value b 70) (not early) (not (true (played b m3))))
        (<= (goal ?p ?v) (player ?p) (value ?p ?v))"
        .to_string();
    for (player, number) in movers() {
        let seen = format!("(true (played {player} m{number}))");
        for watcher in [format!("n{player}{number}"), format!("s{player}{number}")] {
            let role = format!("(role {watcher}) (legal {watcher} noop)");
            write!(rules, "{role} (<= (goal {watcher} 0) (not {seen}))").expect("a string");
        }
        let count = format!("(<= (goal n{player}{number} 100) {seen})");
        let sum = format!("(<= (goal s{player}{number} ?v) (value {player} ?v) {seen})");
        writeln!(rules, "{count} {sum}").expect("a string");
    }
    rules
}

/// The moves of `a` and `b`.
fn movers() -> impl Iterator<Item = (char, usize)> {
    "ab".chars()
        .flat_map(|player| (0..MOVES).map(move |number| (player, number)))
}

/// A circuit, with the names of its fluents and of the moves of each role.
struct Named {
    circuit: Arc<Circuit>,
    fluents: Vec<String>,
    roles: Vec<String>,
    moves: Vec<Vec<String>>,
}

impl Named {
    fn new(rules: &str) -> Named {
        let source = gdl::Source::from_bytes(rules.as_bytes().to_vec());
        let tree = gdl::read(source, None, &gdl::ReadLimits::default());
        let checked = gdl::check(tree, &gdl::Policy::lenient());
        let program = checked.program.expect("rules without errors");
        let interpreter = logic::Interpreter::new(&program, logic::InterpreterLimits::default());
        let ground = logic::ground(&interpreter, &logic::GroundLimits::default());
        let circuit = Circuit::new(&ground.expect("a ground program"), 100_000);
        let circuit = Arc::new(circuit.expect("a small circuit"));
        let scratch = interpreter.scratch();
        let text = |&term: &logic::TermId| scratch.terms().text(term);
        Named {
            fluents: circuit.fluents().iter().map(text).collect(),
            moves: (circuit.moves().iter())
                .map(|moves| moves.iter().map(text).collect())
                .collect(),
            roles: interpreter.rules().roles().iter().map(text).collect(),
            circuit,
        }
    }

    fn role(&self, name: &str) -> RoleId {
        let place = self.roles.iter().position(|it| it == name);
        RoleId::new(place.expect("a role"))
    }

    fn move_of(&self, role: RoleId, name: &str) -> MoveId {
        let place = self.moves[role.index()].iter().position(|it| it == name);
        MoveId::new(place.expect("a move"))
    }

    /// The states of a match, as if nothing had been played before.
    fn states(&self, simulator: &Simulator) -> Vec<BitsBuf> {
        let mut states = vec![simulator.initial()];
        for turn in 0..3 {
            let joint: Vec<MoveId> = RoleId::all(self.roles.len())
                .map(|role| match self.moves[role.index()].len() {
                    1 => MoveId::new(0),
                    _ => self.move_of(role, ["m2", "m0", "m3"][(turn + role.index()) % 3]),
                })
                .collect();
            let next = simulator.next(&states[turn], &joint).expect("one answer");
            let mut state = BitsBuf::empty(self.fluents.len());
            for fluent in FluentId::all(self.fluents.len()) {
                let name = &self.fluents[fluent.index()];
                if next.fluents[fluent.index()] && !name.contains("played") {
                    state.insert(fluent);
                }
            }
            states.push(state);
        }
        states
    }

    /// Compares counts of moves with what the watchers got.
    fn compare(&self, outcomes: &Outcomes) {
        let tables = outcomes.moves.as_ref().expect("counts were asked for");
        for (table, tally) in tables.iter().zip(&outcomes.tallies) {
            assert!(tally.playouts > 0 && tally.turns > 0);
            for (player, number) in movers() {
                let role = self.role(&player.to_string());
                let found = table[(role, self.move_of(role, &format!("m{number}")))];
                let watcher = |kind| self.role(&format!("{kind}{player}{number}"));
                assert_eq!(100 * found.playouts, tally.goals(watcher('n')));
                assert_eq!(found.goals, tally.goals(watcher('s')));
                let idle = table[(watcher('n'), MoveId::new(0))];
                assert_eq!(idle.playouts, tally.playouts);
                assert_eq!(idle.goals, tally.goals(watcher('n')));
            }
        }
    }
}

/// Decides whether goals are part of every turn.
fn with_goals_in_step(mut simulator: Simulator, in_step: bool) -> Simulator {
    match &mut simulator.0 {
        OfWidth::W64(kernels) => kernels.goals_in_step = in_step,
        OfWidth::W256(kernels) => kernels.goals_in_step = in_step,
        OfWidth::W512(kernels) => kernels.goals_in_step = in_step,
        OfWidth::W1024(kernels) => kernels.goals_in_step = in_step,
    }
    simulator
}

/// Weights from 0 on, other ones for each seed; some are above the highest.
fn some_weights(circuit: &Circuit, seed: usize) -> MoveTable<u8> {
    let mut weights = circuit.move_table(0);
    for (number, weight) in weights.values_mut().iter_mut().enumerate() {
        *weight = ((number + seed) * 37 % 90) as u8;
    }
    weights
}

#[test]
fn counts_of_moves_are_what_the_rules_count() {
    let game = Named::new(&watched());
    for (width, in_step) in [
        (Width::W64, true),
        (Width::W64, false),
        (Width::W512, true),
        (Width::W1024, false),
    ] {
        let options = SimulatorOptions {
            width: Some(width),
            ..SimulatorOptions::default()
        };
        let simulator = Simulator::new(game.circuit.clone(), options);
        let simulator = with_goals_in_step(simulator, in_step);
        let states = game.states(&simulator);
        let starts: Vec<Start<'_>> = (states.iter().zip(1..))
            .map(|(state, number)| Start {
                state,
                playouts: 700 * number,
            })
            .collect();
        let weights = Weights {
            table: &some_weights(&game.circuit, 5),
            digits: 4,
        };
        for (starts, weights) in [
            (&starts[..1], None),
            (&starts[..], None),
            (&starts[1..2], Some(weights)),
            (&starts[..], Some(weights)),
        ] {
            let request = Request {
                starts,
                turns: 4,
                seed: 8,
                weights,
                counts: true,
                ..Request::default()
            };
            let outcomes = simulator.playouts_with(&request);
            game.compare(&outcomes);
            let tallies = &outcomes.tallies;
            assert!(tallies.iter().any(|it| it.cut > 0) || starts.len() < states.len());
            assert!(tallies.iter().any(|it| it.stuck > 0));
            let plain = Request {
                counts: false,
                ..request
            };
            let plain = simulator.playouts_with(&plain);
            assert_eq!(plain.tallies, outcomes.tallies);
            assert_eq!(plain.moves, None);
        }
    }
}

#[test]
fn native_code_and_gates_give_the_same_weighted_and_counted() {
    let game = Named::new(&watched());
    let widths = [Width::W256, Width::W512, Width::W1024];
    for (width, in_step) in widths.map(|it| [(it, true), (it, false)]).concat() {
        let outcomes = [Code::Native, Code::Portable].map(|code| {
            let options = SimulatorOptions {
                width: Some(width),
                code,
            };
            let simulator = Simulator::new(game.circuit.clone(), options);
            let simulator = with_goals_in_step(simulator, in_step);
            let states = game.states(&simulator);
            let start = |state| Start {
                state,
                playouts: 2000,
            };
            let starts: Vec<Start<'_>> = states.iter().map(|it| start(it)).collect();
            let weights = Weights {
                table: &some_weights(&game.circuit, 0),
                digits: 6,
            };
            let request = Request {
                starts: &starts,
                turns: 100,
                seed: 3,
                weights: Some(weights),
                counts: true,
                ..Request::default()
            };
            simulator.playouts_with(&request)
        });
        assert_eq!(outcomes[0], outcomes[1]);
    }
}

#[test]
fn plain_playouts_do_not_pay_for_weights_and_counts() {
    let game = Named::new(&watched());
    let simulator = Simulator::new(game.circuit.clone(), SimulatorOptions::default());
    let gates = simulator.step_gates();
    let variants = [(4, false), (0, true), (4, true)];
    for (digits, counted) in variants {
        let variant = Variant {
            digits,
            counted,
            ..Variant::default()
        };
        let more = simulator.gates_of(variant);
        assert!(more.iter().zip(&gates).all(|(more, plain)| more >= plain));
    }
    let again = Simulator::new(game.circuit.clone(), SimulatorOptions::default());
    assert_eq!(simulator.step_gates(), gates);
    assert_eq!(again.step_gates(), gates);
}

/// One role chooses once among some moves, the rules do not matter otherwise.
fn one_choice(moves: usize) -> Named {
    let mut rules = "(role a) (init (at 0)) (<= terminal (true (at 1))) (goal a 50)
        (<= (next (at 1)) (true (at 0)))
        (<= (next (was ?m)) (does a ?m))
        (<= (legal a ?m) (move ?m))"
        .to_string();
    for number in 0..moves {
        write!(rules, "(move m{number})").expect("a string");
    }
    Named::new(&rules)
}

/// Chi-square of choices against the weights. With k moves it has k - 1 degrees of freedom; the
/// threshold is exceeded with a probability below 1e-9 (Wilson-Hilferty), and the seed is fixed.
fn is_proportional(simulator: &Simulator, weights: Weights<'_>) {
    const PLAYOUTS: u64 = 200_000;
    let request = Request {
        starts: &[Start {
            state: &simulator.initial(),
            playouts: PLAYOUTS,
        }],
        turns: 10,
        seed: 1,
        weights: Some(weights),
        counts: true,
        ..Request::default()
    };
    let table = simulator
        .playouts_with(&request)
        .moves
        .expect("counts")
        .remove(0);
    let weight = |weight: u8| f64::from(weight.clamp(1, weights.highest()));
    let values = weights.table.values();
    let total: f64 = values.iter().map(|&it| weight(it)).sum();
    let mut statistic = 0.0;
    for (&own, tally) in values.iter().zip(table.values()) {
        let expected = PLAYOUTS as f64 * weight(own) / total;
        statistic += (tally.playouts as f64 - expected).powi(2) / expected;
        assert_eq!(tally.goals, 50 * tally.playouts);
    }
    let freedom = values.len() as f64 - 1.0;
    let spread = 2.0 / (9.0 * freedom);
    let threshold = freedom * (1.0 - spread + 6.1 * f64::sqrt(spread)).powi(3);
    assert!(statistic < threshold, "{statistic} > {threshold}");
}

/// The same simulator follows other weights with each request; 0 counts as 1, and what is above
/// the highest as the highest.
#[test]
fn choices_follow_the_weights_of_each_request() {
    for moves in [7, 80] {
        let game = one_choice(moves);
        let simulator = Simulator::new(game.circuit.clone(), SimulatorOptions::default());
        for (weight, digits) in [(0, 4), (1, 4), (20, 4), (255, 8)] {
            let table = &game.circuit.move_table(weight);
            is_proportional(&simulator, Weights { table, digits });
        }
        for (seed, digits) in [(0, 1), (1, 4), (2, 4), (3, 6), (4, 8)] {
            let table = &some_weights(&game.circuit, seed);
            is_proportional(&simulator, Weights { table, digits });
        }
    }
}

#[test]
fn matches_that_never_end_are_broken_off_in_time() {
    // Waiting is all there is to do: without a deadline the match has more turns than anyone can
    // wait for.
    let rules = "(role r) (init a) (legal r wait) (legal r rest) (<= (next a) (true a))
        (<= terminal (true b)) (<= (next b) (true b)) (goal r 100)";
    let circuit = Named::new(rules).circuit;
    let simulator = Simulator::new(circuit, SimulatorOptions::default());
    let state = simulator.initial();
    let start = Start {
        state: &state,
        playouts: 5000,
    };
    let request = Request {
        starts: &[start],
        turns: u64::MAX,
        until: Some(std::time::Instant::now()),
        ..Request::default()
    };
    let tally = &simulator.playouts_with(&request).tallies[0];
    assert_eq!(tally.cut, simulator.lanes() as u64);
    assert_eq!((tally.playouts, tally.stuck), (0, 0));
}
