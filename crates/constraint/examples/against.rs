//! Enumerates all solutions of table networks with this crate, Gecode and CP-SAT, in one run,
//! and prints how many times longer the better of the two takes; `none` is one that is missing
//! or takes over half a minute.
//!
//! `cargo run --release -p constraint --example against`, with `-- ours` for our times alone.

#![allow(clippy::print_stdout, reason = "it is a program to be run by hand")]

#[path = "../tests/oracle/foreign.rs"]
mod foreign;
#[path = "../tests/oracle/instances.rs"]
mod instances;

use constraint::{Model, Network, Query, Solver};
use instances::Shape;
use std::ops::ControlFlow;
use std::time::Instant;

/// Solutions and seconds from the compiled network on, as the others count them.
fn ours(model: &Model) -> (u64, f64) {
    let network = Network::new(model).expect("instances are small");
    let start = Instant::now();
    let mut solver = Solver::new(&network);
    let last = constraint::Variable(model.len() as u32 - 1);
    let mut sum = 0u64;
    let report = solver.each(&Query::default(), |solution| {
        sum += u64::from(solution.value(last));
        ControlFlow::Continue(())
    });
    std::hint::black_box(sum);
    (report.solutions, start.elapsed().as_secs_f64())
}

fn best(answers: impl IntoIterator<Item = Option<foreign::Answer>>, solutions: u64) -> Option<f64> {
    let answers = answers.into_iter().flatten().map(|answer| {
        assert_eq!(answer.solutions, solutions, "the solvers differ");
        answer.seconds
    });
    answers.min_by(f64::total_cmp)
}

fn seconds(time: Option<f64>) -> String {
    time.map_or_else(|| "none".to_string(), |time| format!("{time:.4}"))
}

fn main() {
    let shape = |variables, size, tables, arity, allowed| Shape {
        variables,
        size,
        tables,
        arity,
        allowed,
    };
    let random = |shape: Shape, seed| instances::random(shape, seed);
    let all = [
        ("latin 5", instances::latin(5)),
        ("round 12", instances::round(12, 12, 3)),
        ("ternary, loose", random(shape(16, 4, 12, 3, 450), 1)),
        ("ternary, tight", random(shape(40, 6, 60, 3, 340), 4)),
        ("binary, tight", random(shape(30, 10, 110, 2, 590), 5)),
        ("wide tables", random(shape(9, 10, 8, 5, 300), 7)),
        ("huge tables", random(shape(8, 10, 12, 5, 400), 11)),
        ("hard", random(shape(36, 8, 90, 3, 440), 12)),
    ];
    println!(
        "{:16} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "network", "solutions", "ours", "gecode", "cp-sat", "ratio"
    );
    for (name, model) in &all {
        // Two runs, as Gecode has two with different searches: the better one counts.
        let (solutions, first) = ours(model);
        let time = first.min(ours(model).1);
        if std::env::args().any(|it| it == "ours") {
            println!("{name:16} {solutions:>9} {time:>9.4}");
            continue;
        }
        let searches = ["dom_w_deg", "first_fail"].map(|it| foreign::gecode(model, it));
        let gecode = best(searches, solutions);
        let cp_sat = best([foreign::cp_sat(model)], solutions);
        let other = [gecode, cp_sat]
            .into_iter()
            .flatten()
            .min_by(f64::total_cmp);
        let ratio = other.map_or_else(String::new, |other| format!("{:.1}", other / time));
        let (gecode, cp_sat) = (seconds(gecode), seconds(cp_sat));
        println!("{name:16} {solutions:>9} {time:>9.4} {gecode:>9} {cp_sat:>9} {ratio:>7}");
    }
}
