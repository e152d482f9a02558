//! Enumerates all solutions of networks with this crate, Gecode and CP-SAT, in one run, and
//! prints milliseconds and the ratio of the faster of the two to ours; `none` is a solver that is
//! missing or takes over half a minute.
//!
//! `cargo run --release -p constraint --example against`, with `-- ours` for our times alone,
//! with `-- FILE.scsp …` for the networks of files. `ludex show scsp GAME --turns N` writes one.
//!
//! The others' time is the solving time they report: without starting the process, reading or,
//! with Gecode, posting constraints. Ours starts with the compiled network. Variables with one
//! value get their full domains in the network, and assuming the value is part of our time, as
//! one network serves many assumptions.

#![allow(clippy::print_stdout, reason = "it is a program to be run by hand")]

#[path = "../tests/oracle/foreign.rs"]
mod foreign;
#[path = "../tests/oracle/instances.rs"]
mod instances;

use constraint::{Defined, Domain, Kept, Model, Network, Query, SearchLimits, Signature, Solver};
use constraint::{Value, Variable, text};
use instances::Shape;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

/// The model with full domains for the variables that have one value, and these values.
fn opened(model: &Model) -> (Model, Vec<(Variable, Value)>) {
    let (mut open, mut given) = (model.clone(), Vec::new());
    for variable in model.variables() {
        if let Some(value) = model.domain(variable).single() {
            *open.domain_mut(variable) = Domain::full(model.domain(variable).capacity());
            given.push((variable, value));
        }
    }
    (open, given)
}

/// Solutions and seconds of the solver, from the compiled network on.
fn ours(model: &Model) -> (u64, f64) {
    let (open, given) = opened(model);
    if let Some(answer) = kept(&open, &given) {
        return answer;
    }
    let network = Network::new(&open).expect("networks are small");
    let free = foreign::free(model);
    let query = Query {
        projection: (free.len() < model.len()).then_some(&free),
        ..Query::default()
    };
    let mut start = Instant::now();
    let mut solver = Solver::new(&network);
    if !given.is_empty() {
        start = Instant::now();
    }
    let last = Variable(model.len() as u32 - 1);
    let (mut sum, mut solutions) = (0u64, 0);
    if solver.assume_all(given).is_ok() {
        let report = solver.each(&query, |solution| {
            sum += u64::from(solution.value(last));
            ControlFlow::Continue(())
        });
        solutions = report.solutions;
    }
    std::hint::black_box(sum);
    (solutions, start.elapsed().as_secs_f64())
}

/// The same with [`Kept`], if the free variables define all others.
fn kept(open: &Model, values: &[(Variable, Value)]) -> Option<(u64, f64)> {
    let given: Vec<Variable> = values.iter().map(|it| it.0).collect();
    let mut decisions = foreign::free(open);
    decisions.retain(|it| !given.contains(it));
    let signature = Signature {
        given: &given,
        decisions: &decisions,
        watched: &[],
        noted: &[],
    };
    let defined = Defined::new(open, signature)?;
    let mut kept = Kept::new(&defined);
    let start = Instant::now();
    for &(variable, value) in values {
        kept.set(variable, value);
    }
    kept.settle();
    let report = kept.each(&SearchLimits::default(), |_, _| ControlFlow::Continue(()));
    Some((report.solutions, start.elapsed().as_secs_f64()))
}

fn best(answers: impl IntoIterator<Item = Option<foreign::Answer>>, solutions: u64) -> Option<f64> {
    let answers = answers.into_iter().flatten().map(|answer| {
        assert_eq!(answer.solutions, solutions, "the solvers differ");
        answer.seconds
    });
    answers.min_by(f64::total_cmp)
}

fn milliseconds(time: Option<f64>) -> String {
    time.map_or_else(|| "none".to_string(), |time| format!("{:.3}", time * 1e3))
}

/// The networks of the files named; the built-in ones if none is.
fn networks(files: &[String]) -> Vec<(String, Model)> {
    if files.is_empty() {
        return built_in();
    }
    let read = |file: &String| {
        let text = std::fs::read_to_string(file).expect("the file can be read");
        let scsp = text::read(&text, &text::TextLimits::default());
        let scsp = scsp.unwrap_or_else(|problems| panic!("{file}:{}", problems[0]));
        let name = Path::new(file).file_stem().unwrap_or_default();
        (name.to_string_lossy().into_owned(), scsp.model().clone())
    };
    files.iter().map(read).collect()
}

fn built_in() -> Vec<(String, Model)> {
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
    all.map(|(name, model)| (name.to_string(), model)).into()
}

fn main() {
    let (words, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|it| it == "ours");
    println!(
        "{:20} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "network", "solutions", "ours", "gecode", "cp-sat", "ratio"
    );
    for (name, model) in &networks(&files) {
        // The better of two runs counts, as the others have two with different searches.
        let (solutions, first) = ours(model);
        let time = first.min(ours(model).1);
        let own = milliseconds(Some(time));
        if !words.is_empty() {
            println!("{name:20} {solutions:>9} {own:>9}");
            continue;
        }
        let searches = ["dom_w_deg", "first_fail"].map(|it| foreign::gecode(model, it));
        let gecode = best(searches, solutions);
        let cp_sat = best(
            [true, false].map(|it| foreign::cp_sat(model, it)),
            solutions,
        );
        let other = [gecode, cp_sat]
            .into_iter()
            .flatten()
            .min_by(f64::total_cmp);
        let ratio = other.map_or_else(String::new, |other| format!("{:.1}", other / time));
        let (gecode, cp_sat) = (milliseconds(gecode), milliseconds(cp_sat));
        println!("{name:20} {solutions:>9} {own:>9} {gecode:>9} {cp_sat:>9} {ratio:>7}");
    }
}
