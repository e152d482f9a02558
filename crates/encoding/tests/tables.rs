//! A stage in extension has the solutions of the stage by definitions, with forward checking and
//! with arc consistency; forward checking takes more nodes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use constraint::{Ending, Order, Query, Strength};
use encoding::{Encoding, EncodingLimits, Micro, NotEncoded, TableLimits, Tables};
use logic::{BitsBuf, Evaluator, GroundLimits, Interpreter, MoveId};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

fn load(name: &str) -> Evaluator {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
    let source = gdl::Source::from_bytes(rules);
    let tree = gdl::read(source, None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &gdl::Policy::lenient()).program.unwrap();
    let interpreter = Interpreter::new(&program, logic::InterpreterLimits::default());
    Evaluator::new(logic::ground(&interpreter, &GroundLimits::default()).unwrap())
}

/// A legal joint move, and the state after it.
type Solutions = BTreeSet<(Vec<usize>, Vec<u64>)>;

fn solutions(micro: &mut Micro<'_>, order: Order) -> (Solutions, u64) {
    let mut found = BTreeSet::new();
    let query = Query {
        order,
        ..Query::default()
    };
    let report = micro.each(&query, |it| {
        let joint = it.joint.iter().map(|action| action.index()).collect();
        assert!(found.insert((joint, it.next.words().to_vec())));
        ControlFlow::Continue(())
    });
    assert_eq!(report.ending, Ending::Complete);
    (found, report.nodes)
}

/// Compares all ways along a random match; returns the nodes of arc consistency and of forward
/// checking, of all variables by weighted degree.
fn compare(name: &str, turns: usize) -> [u64; 2] {
    let evaluator = load(name);
    let encoding = Encoding::new(&evaluator, &EncodingLimits::default()).unwrap();
    let tables = Tables::new(&encoding, &TableLimits::default()).unwrap();
    assert_eq!(tables.counts().definitions, 0, "{name}");
    let mut defined = Micro::new(&encoding);
    let strengths = [Strength::Arc, Strength::Forward];
    let mut micros = strengths.map(|it| Micro::with_tables(&encoding, &tables, it));
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut state = evaluator.program().initial().to_owned();
    let mut nodes = [0; 2];
    for _ in 0..turns {
        if defined.load(&state).is_err() {
            break;
        }
        let (expected, _) = solutions(&mut defined, Order::default());
        let mut in_order = [0; 2];
        for (place, micro) in micros.iter_mut().enumerate() {
            micro.load(&state).unwrap();
            for role in evaluator.program().role_ids() {
                assert!(micro.legal(role).eq(defined.legal(role)), "{name}");
            }
            let (found, more) = solutions(micro, Order::WeightedDegree);
            assert!(found == expected, "{name}");
            nodes[place] += more;
            let (found, more) = solutions(micro, Order::Fixed);
            assert!(found == expected, "{name}");
            in_order[place] = more;
        }
        // In the order of the stage all follows from actions, one table after another.
        assert_eq!(in_order[0], in_order[1], "{name}");
        let drawn = random.next_u64() as usize % expected.len();
        let (joint, words) = expected.iter().nth(drawn).unwrap();
        let joint: Vec<MoveId> = joint.iter().map(|&it| MoveId::new(it)).collect();
        let mut next = BitsBuf::default();
        for micro in &mut micros {
            assert!(micro.follow(&joint, &mut next));
            assert_eq!(next.words(), words, "{name}");
        }
        state = next;
    }
    nodes
}

#[test]
fn solutions_are_those_of_definitions() {
    for name in [
        "tic-tac-toe",
        "hex",
        "matching-pennies",
        "orchard",
        "othello",
        "bomberman",
    ] {
        compare(name, 20);
    }
}

#[test]
fn forward_checking_takes_more_nodes() {
    for name in ["awale", "kaseklau"] {
        let [mac, fc] = compare(name, 20);
        assert!(fc > 2 * mac, "{name}: {mac} and {fc}");
    }
}

#[test]
fn too_many_moves_leave_definitions() {
    let evaluator = load("chess");
    let encoding = Encoding::new(&evaluator, &EncodingLimits::default()).unwrap();
    let tables = Tables::new(&encoding, &TableLimits::default()).unwrap();
    let counts = tables.counts();
    assert!(counts.definitions > 0, "{counts:?}");
    assert!(counts.tables > counts.definitions, "{counts:?}");
    assert!(counts.tuples <= TableLimits::default().total);
    let limits = TableLimits {
        total: 1000,
        ..TableLimits::default()
    };
    let refused = Tables::new(&encoding, &limits).unwrap_err();
    assert_eq!(refused, NotEncoded::TooManyTuples { limit: 1000 });
}
