//! Steps of playouts against the circuit they are made of, in every lane.

use super::{Extras, Step, turn, view};
use crate::circuit::Circuit;
use crate::kernel::{Code, Kernel};
use crate::lanes::random::Random;
use crate::lanes::word::{Lanewise, Word};
use crate::steps::cycle::Cycle;
use std::path::Path;
use std::{env, fs};

/// How many turns each game is played.
const TURNS: usize = 70;

fn circuit(rules: Vec<u8>) -> Option<Circuit> {
    let tree = gdl::read(
        gdl::Source::from_bytes(rules),
        None,
        &gdl::Limits::default(),
    );
    let program = gdl::check(tree, &gdl::Policy::lenient()).program?;
    let interpreter = logic::Interpreter::new(&program, logic::Limits::default());
    let ground = logic::ground(&interpreter, &logic::GroundLimits::default()).ok()?;
    Circuit::new(&ground, 200_000).ok()
}

/// Our games, and some public ones if they are there.
fn sheets() -> Vec<std::path::PathBuf> {
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
        let circuit = circuit(rules).expect("a circuit");
        let name = sheet.display().to_string();
        let cycle = Cycle::new(&circuit);
        let points: Vec<_> = (0..cycle.len()).collect();
        check::<4>(&circuit, &cycle, &points, Code::Native, &name);
        check::<8>(&circuit, &cycle, &points, Code::Native, &name);
        check::<1>(&circuit, &cycle, &[], Code::Portable, &name);
    }
}

/// Plays with the kernels of the points, or the one for anywhere, and compares.
fn check<const P: usize>(
    circuit: &Circuit,
    cycle: &Cycle,
    points: &[usize],
    code: Code,
    name: &str,
) {
    let fluents = circuit.fluents.len();
    let weights: Vec<Vec<u32>> = circuit
        .moves
        .iter()
        .map(|moves| vec![1; moves.len()])
        .collect();
    let known = |point: &usize| cycle.known(*point, fluents);
    let mut known: Vec<_> = points.iter().map(known).collect();
    if known.is_empty() {
        known.push(vec![None; fluents]);
    }
    let steps: Vec<(Step, Kernel<P>)> = (known.iter())
        .map(|known| {
            let step = Step::new(circuit, known, &weights, Extras::Moves);
            let kernel = Kernel::new(&step.plan, code);
            (step, kernel)
        })
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
        kernel.run(&mut memory);
        let outputs = &memory[kernel.first_output()..];
        ended = ended.or(checker.step(&state, outputs, ended));
        state.copy_from_slice(&outputs[2..][..fluents]);
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
