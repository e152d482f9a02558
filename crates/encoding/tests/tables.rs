//! A stage in extension has the solutions of the stage by definitions, with forward checking and
//! with arc consistency; forward checking takes more nodes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use constraint::{Ending, Order, Query, Strength};
use encoding::{Encoding, EncodingLimits, Micro, NotEncoded, TableLimits, Tables};
use logic::{BitsBuf, Evaluator, GroundLimits, Interpreter};
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

#[test]
fn measure() {
    for name in [
        "tic-tac-toe",
        "awale",
        "backgammon",
        "bomberman",
        "cant-stop",
        "checkers",
        "chess",
        "chinese-checkers",
        "hex",
        "kaseklau",
        "orchard",
        "othello",
        "pacman",
        "pickomino",
        "yahtzee",
    ] {
        let evaluator = load(name);
        let t = std::time::Instant::now();
        let encoding = Encoding::new(&evaluator, &EncodingLimits::default()).unwrap();
        let e = t.elapsed();
        let t = std::time::Instant::now();
        let tables = Tables::new(&encoding, &TableLimits::default());
        eprint!(
            "{name} enc {:.2}s {:?} tab {:.2}s ",
            e.as_secs_f64(),
            encoding.size(),
            t.elapsed().as_secs_f64()
        );
        let tables = match tables {
            Ok(t) => t,
            Err(r) => {
                eprintln!("{r}");
                continue;
            }
        };
        eprintln!("{:?} {:?}", tables.size(), tables.counts());
        for order in [Order::WeightedDegree, Order::Fixed] {
            for strength in [Strength::Arc, Strength::Forward] {
                let mut plain = Micro::new(&encoding);
                let mut micro = Micro::with_tables(&encoding, &tables, strength);
                let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
                let mut state = evaluator.program().initial().to_owned();
                let (mut nodes, mut failures, mut solutions, mut limited) = (0, 0, 0, 0);
                let began = std::time::Instant::now();
                for _ in 0..30 {
                    if plain.load(&state).is_err() {
                        break;
                    }
                    let joint: Vec<_> = evaluator
                        .program()
                        .role_ids()
                        .map(|role| {
                            let l: Vec<_> = plain.legal(role).collect();
                            l[random.next_u64() as usize % l.len()]
                        })
                        .collect();
                    let mut next = BitsBuf::default();
                    assert!(plain.follow(&joint, &mut next));
                    micro.load(&state).unwrap();
                    let mut query = Query {
                        order,
                        ..Query::default()
                    };
                    query.limits.nodes = Some(20_000);
                    let report = micro.each(&query, |_| ControlFlow::Continue(()));
                    nodes += report.nodes;
                    failures += report.failures;
                    solutions += report.solutions;
                    if report.ending != Ending::Complete {
                        limited += 1;
                    }
                    state = next;
                }
                eprintln!(
                    "    {order:?} {strength:?}: nodes {nodes} failures {failures} solutions {solutions} limited {limited} {:.3}s",
                    began.elapsed().as_secs_f64()
                );
            }
        }
    }
}
