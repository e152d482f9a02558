//! The solutions of the µSCSP of a state are the legal joint moves, each with the state that
//! follows: along random matches of all our games.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use constraint::{Ending, Network, Query, Scsp, Solver, Strength, text};
use encoding::{Encoding, EncodingLimits, Micro, NotEncoded};
use logic::{BitsBuf, Evaluator, FluentId, GroundLimits, Interpreter, State, View};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn load(name: &str) -> Evaluator {
    let rules = fs::read(games().join(name).join("rules.kif")).unwrap();
    let source = gdl::Source::from_bytes(rules);
    let tree = gdl::read(source, None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
    let interpreter = Interpreter::new(&program, logic::InterpreterLimits::default());
    Evaluator::new(logic::ground(&interpreter, &GroundLimits::default()).unwrap())
}

/// The state of the fluents that hold.
fn packed(evaluator: &Evaluator, holds: impl Fn(FluentId) -> bool) -> BitsBuf {
    let count = evaluator.program().fluents().len();
    let mut state = BitsBuf::empty(count);
    let held = FluentId::all(count).filter(|&it| holds(it));
    held.for_each(|it| state.insert(it));
    state
}

/// Compares a state with its µSCSP.
fn compare(evaluator: &Evaluator, micro: &mut Micro<'_>, (state, view): (&State, &View)) {
    let program = evaluator.program();
    let holds = |state: &State| -> BitsBuf {
        let fluents = program.fluents();
        packed(evaluator, |it| {
            state.fluents().contains(&fluents[it.index()])
        })
    };
    micro.load(&holds(state)).unwrap();
    let mut found = BTreeSet::new();
    let report = micro.each(&Query::default(), |it| {
        let joint = program.role_ids().zip(it.joint);
        let joint = joint.map(|(role, action)| program.moves(role)[action.index()]);
        let joint: Vec<_> = joint.collect();
        let legal = joint.iter().zip(&view.legal);
        assert!(legal.clone().all(|(action, legal)| legal.contains(action)));
        let (next, _) = evaluator.next(state, &joint).unwrap();
        assert_eq!(*it.next, *holds(&next));
        assert!(found.insert(joint), "a solution comes twice");
        ControlFlow::Continue(())
    });
    assert_eq!(report.ending, Ending::Complete);
    assert_eq!(found.len(), view.legal.iter().map(Vec::len).product());
}

#[test]
fn solutions_are_the_legal_joint_moves_of_our_games() {
    for folder in fs::read_dir(games()).unwrap() {
        let name = folder.unwrap().file_name().into_string().unwrap();
        let evaluator = load(&name);
        let encoding = Encoding::new(&evaluator, &EncodingLimits::default()).unwrap();
        let mut mac = Micro::new(&encoding);
        let mut fc = Micro::with_strength(&encoding, Strength::Forward);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut state = evaluator.initial();
        loop {
            let view = evaluator.view(&state).unwrap();
            if view.terminal {
                break;
            }
            for micro in [&mut mac, &mut fc] {
                compare(&evaluator, micro, (&state, &view));
            }
            let any = |legal: &Vec<_>| legal[random.next_u64() as usize % legal.len()];
            let joint: Vec<_> = view.legal.iter().map(any).collect();
            (state, _) = evaluator.next(&state, &joint).unwrap();
        }
    }
}

#[test]
fn the_model_of_a_state_has_the_legal_joint_moves_as_solutions() {
    for (name, moves) in [("tic-tac-toe", 9), ("breakthrough", 22), ("othello", 4)] {
        let evaluator = load(name);
        let encoding = Encoding::new(&evaluator, &EncodingLimits::default()).unwrap();
        let initial = evaluator.program().initial();
        let model = encoding.of_state(initial).unwrap();
        let text = text::write(&Scsp::new(model.clone(), &["one", "two"]));
        let read = text::read(&text, &text::TextLimits::default()).unwrap();
        assert_eq!(read.model(), &model);
        let network = Network::new(&model).unwrap();
        let report = Solver::new(&network).count(&Query::default());
        assert_eq!(report.solutions, moves, "{name}");
        let all = packed(&evaluator, |_| true);
        assert!(encoding.of_state(&all).is_err());
    }
}

/// How many variables of several fluents a game has, and of how many one always holds.
fn groups(name: &str) -> (usize, usize) {
    let evaluator = load(name);
    let encoding = Encoding::new(&evaluator, &EncodingLimits::default()).unwrap();
    let groups = encoding.grouping().groups.iter();
    let several = groups.filter(|group| group.fluents.len() > 1);
    let exact = several.clone().filter(|group| group.exact);
    (several.count(), exact.count())
}

#[test]
fn fluents_that_exclude_each_other_are_found() {
    // Nine squares and whose turn it is.
    assert_eq!(groups("tic-tac-toe"), (10, 10));
    // Squares may be empty.
    assert_eq!(groups("connect-four"), (43, 1));
    assert_eq!(groups("breakthrough"), (65, 1));
    assert_eq!(groups("hex"), (82, 1));
    // Two coins, and nothing before they are shown.
    assert_eq!(groups("matching-pennies").0, 2);
}

#[test]
fn a_state_that_cannot_be_is_a_conflict() {
    let evaluator = load("tic-tac-toe");
    let encoding = Encoding::new(&evaluator, &EncodingLimits::default()).unwrap();
    let mut micro = Micro::new(&encoding);
    assert!(micro.load(&packed(&evaluator, |_| true)).is_err());
    assert!(micro.load(&packed(&evaluator, |_| false)).is_err());
    assert!(micro.load(evaluator.program().initial()).is_ok());
}

#[test]
fn limits_are_kept() {
    let evaluator = load("othello");
    let limits = EncodingLimits {
        variables: 1000,
        ..EncodingLimits::default()
    };
    let refused = Encoding::new(&evaluator, &limits).unwrap_err();
    assert_eq!(refused, NotEncoded::TooManyVariables { limit: 1000 });
}
