//! Steps of playouts against the circuit they are made of, in every lane.

use super::{Threats, TurnOptions, TurnPlan, turn, view};
use crate::circuit::Circuit;
use crate::kernel::{Code, Kernel};
use crate::lanes::kernels::Kernels;
use crate::lanes::random::Random;
use crate::lanes::request::Decisive;
use crate::lanes::word::{Lanewise, Word};
use std::path::Path;
use std::sync::Arc;
use std::{env, fs};

/// How many digits weights have.
const DIGITS: usize = 5;
/// How many turns each game is played.
const TURNS: usize = 70;

pub(super) fn circuit(rules: Vec<u8>) -> Option<Circuit> {
    let tree = gdl::read(
        gdl::Source::from_bytes(rules),
        None,
        &gdl::ReadLimits::default(),
    );
    let program = gdl::check(tree, &gdl::Policy::lenient()).program?;
    let interpreter = logic::Interpreter::new(&program, logic::InterpreterLimits::default());
    let ground = logic::ground(&interpreter, &logic::GroundLimits::default()).ok()?;
    Circuit::new(&ground, 200_000).ok()
}

/// Our games, and some public ones if they are there.
pub(super) fn sheets() -> Vec<std::path::PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let games = fs::read_dir(root.join("games")).expect("our games");
    let mut sheets: Vec<_> = games
        .map(|entry| entry.expect("a game").path().join("rules.kif"))
        .collect();
    let shared = env::var_os("LUDEX_SHARED").map_or(root.join("../shared"), Into::into);
    for name in [
        "ggp-games/battlebrushes.kif",
        "ggp-games/checkers.kif",
        "ggp-games/chineseCheckers3.kif",
        "ggp-games/kalaha6x2x4.kif",
        "ggp-games/pentago.kif",
        "ggp-games/quarto.kif",
        "ggp-games/reversi.kif",
    ] {
        sheets.extend(Some(shared.join(name)).filter(|path| path.exists()));
    }
    sheets
}

#[test]
fn every_lane_does_a_legal_move_and_its_consequences() {
    for sheet in sheets() {
        let rules = fs::read(&sheet).expect("a sheet");
        let circuit = Arc::new(circuit(rules).expect("a circuit"));
        let name = sheet.display().to_string();
        let kernels = Kernels::<8>::new(circuit.clone(), Code::Native);
        let case = |weighted| Case {
            circuit: &circuit,
            turns: turns(&kernels, weighted, Decisive::No),
            code: Code::Native,
            name: &name,
        };
        check::<4>(&case(false));
        check::<8>(&case(false));
        check::<8>(&case(true));
        for decisive in [Decisive::Wins, Decisive::Both] {
            let decisive = |weighted| Case {
                turns: turns(&kernels, weighted, decisive),
                ..case(weighted)
            };
            check::<8>(&decisive(false));
            check::<8>(&decisive(true));
        }
        let anywhere = |weighted| Case {
            turns: vec![anywhere(&circuit, weighted)],
            code: Code::Portable,
            ..case(weighted)
        };
        check::<1>(&anywhere(false));
        check::<1>(&anywhere(true));
    }
}

/// Turns to be compared with the circuit.
struct Case<'c> {
    circuit: &'c Circuit,
    turns: Vec<TurnPlan>,
    code: Code,
    name: &'c str,
}

/// The turns at all points of the cycle.
fn turns(kernels: &Kernels<8>, weighted: bool, decisive: Decisive) -> Vec<TurnPlan> {
    let circuit = &kernels.circuit;
    let known = |point| kernels.cycle.known(point, circuit.fluents.len());
    let turn = |point| {
        let next = known((point + 1) % kernels.cycle.len());
        let threats = Threats {
            known: &next,
            list: kernels.threats(Some(point)),
        };
        let options = TurnOptions {
            decisive: match decisive {
                Decisive::No => &[],
                Decisive::Wins | Decisive::Both => kernels.picks(Some(point)),
            },
            threats: Some(threats).filter(|_| decisive == Decisive::Both),
            ..options(weighted)
        };
        TurnPlan::new(circuit, &known(point), options)
    };
    (0..kernels.cycle.len()).map(turn).collect()
}

/// The turn of lanes that stand anywhere.
fn anywhere(circuit: &Circuit, weighted: bool) -> TurnPlan {
    let known = vec![None; circuit.fluents.len()];
    TurnPlan::new(circuit, &known, options(weighted))
}

fn options(weighted: bool) -> TurnOptions<'static> {
    TurnOptions {
        digits: if weighted { DIGITS } else { 0 },
        moves: true,
        ..TurnOptions::default()
    }
}

/// Plays with the kernels of the turns, and compares.
fn check<const P: usize>(case: &Case<'_>) {
    let Case { circuit, name, .. } = *case;
    let fluents = circuit.fluents.len();
    let steps: Vec<(&TurnPlan, Kernel<P>)> = (case.turns.iter())
        .map(|turn| (turn, Kernel::new(&turn.plan, case.code)))
        .collect();
    let checker = Checker {
        circuit,
        view: Kernel::new(&view(circuit), Code::Portable),
        turn: Kernel::new(&turn(circuit), Code::Portable),
        name,
    };
    let mut random = Random::new(5);
    let start: Vec<Word<P>> = circuit.initial.iter().map(|&it| Word::splat(it)).collect();
    let mut state = start.clone();
    let mut ended = [0; P];
    for time in 0..TURNS {
        let (step, kernel) = &steps[time % steps.len()];
        if time % steps.len() == 0 {
            for (state, start) in state.iter_mut().zip(&start) {
                *state = state.without(ended).or(start.and(ended));
            }
            ended = [0; P];
        }
        let mut memory = vec![[0; P]; kernel.slots()];
        memory[1..][..fluents].copy_from_slice(&state);
        random.fill(memory[1 + fluents..][..step.random].as_flattened_mut());
        weigh(step, &mut memory);
        let record = step.inputs.record.as_ref().expect("moves are recorded");
        memory[1 + record.active] = [u64::MAX; P];
        kernel.run(&mut memory);
        let outputs = &memory[kernel.first_output()..];
        let answers = &outputs[..2 + fluents];
        let done = &memory[1..][record.played.clone()];
        ended = ended.or(checker.step(&state, &[answers, done].concat(), ended));
        state.copy_from_slice(&answers[2..]);
    }
}

/// Gives each move a weight of its own, if weights are inputs.
fn weigh<const P: usize>(step: &TurnPlan, memory: &mut [Word<P>]) {
    for (number, word) in memory[1..][step.inputs.weights.clone()]
        .iter_mut()
        .enumerate()
    {
        let weight = 1 + (number / DIGITS) % 30;
        *word = Word::splat(weight >> (number % DIGITS) & 1 == 1);
    }
}

struct Checker<'c, const P: usize> {
    circuit: &'c Circuit,
    view: Kernel<P>,
    turn: Kernel<P>,
    name: &'c str,
}

impl<const P: usize> Checker<'_, P> {
    /// Compares one step; returns the lanes that have ended.
    fn step(&self, state: &[Word<P>], outputs: &[Word<P>], idle: Word<P>) -> Word<P> {
        let fluents = state.len();
        let name = self.name;
        let answers = self.run(&self.view, state, &[]);
        let active = [u64::MAX; P].without(idle);
        assert_eq!(
            outputs[0].and(active),
            answers[0].and(active),
            "{name}: terminal"
        );
        let (next, done) = outputs[2..].split_at(fluents);
        let mut stuck = [0; P];
        let mut place = 0;
        for moves in &self.circuit.moves {
            let legal = &answers[1 + place..][..moves.len()];
            let any = legal.iter().fold([0; P], |any, &legal| any.or(legal));
            stuck = stuck.or([u64::MAX; P].without(any));
            place += moves.len();
        }
        assert_eq!(outputs[1].and(active), stuck.and(active), "{name}: stuck");
        let playing = active.without(outputs[0]).without(stuck);
        let mut place = 0;
        for moves in &self.circuit.moves {
            let mut once = [0; P];
            for number in place..place + moves.len() {
                let chosen = done[number].and(playing);
                assert!(once.and(chosen).is_none(), "{name}: two moves at once");
                assert!(
                    chosen.without(answers[1 + number]).is_none(),
                    "{name}: not legal"
                );
                once = once.or(chosen);
            }
            assert_eq!(once, playing, "{name}: no move");
            place += moves.len();
        }
        let expected = self.run(&self.turn, state, &done[..place]);
        for (next, expected) in next.iter().zip(&expected) {
            assert_eq!(next.and(playing), expected.and(playing), "{name}: next");
        }
        active.without(playing)
    }

    fn run(&self, kernel: &Kernel<P>, state: &[Word<P>], moves: &[Word<P>]) -> Vec<Word<P>> {
        let mut memory = vec![[0; P]; kernel.slots()];
        memory[1..][..state.len()].copy_from_slice(state);
        memory[1 + state.len()..][..moves.len()].copy_from_slice(moves);
        kernel.run(&mut memory);
        memory[kernel.first_output()..].to_vec()
    }
}
