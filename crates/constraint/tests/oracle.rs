//! Counts of solutions against independent solvers, where they are installed.

#[path = "oracle/foreign.rs"]
mod foreign;
#[path = "oracle/instances.rs"]
mod instances;

use constraint::{Model, Network, Query, Solver};
use instances::Shape;

fn count(model: &Model) -> u64 {
    let network = Network::new(model).expect("instances are small");
    Solver::new(&network).count(&Query::default()).solutions
}

fn networks() -> Vec<Model> {
    let shape = |variables, size, tables, arity, allowed| Shape {
        variables,
        size,
        tables,
        arity,
        allowed,
    };
    let shapes = [
        shape(12, 3, 10, 3, 500),
        shape(14, 5, 20, 3, 370),
        shape(15, 8, 50, 2, 620),
        shape(7, 6, 6, 4, 300),
        shape(10, 2, 8, 4, 600),
    ];
    let random = |(seed, shape): (usize, &Shape)| instances::random(*shape, seed as u64);
    let mut all: Vec<Model> = shapes.iter().enumerate().map(random).collect();
    all.extend([instances::latin(4), instances::round(6, 5, 1)]);
    all.extend((0..4).map(instances::mixed));
    all
}

#[test]
#[expect(clippy::print_stdout, reason = "a test that skips says so")]
fn other_solvers_count_the_same() {
    let mut answers = 0;
    for model in networks() {
        let ours = count(&model);
        for answer in [
            foreign::gecode(&model, "first_fail"),
            foreign::cp_sat(&model, true),
        ]
        .into_iter()
        .flatten()
        {
            assert_eq!(answer.solutions, ours);
            answers += 1;
        }
    }
    if answers == 0 {
        println!("skipped: neither fzn-gecode nor a Python with OR-Tools is here");
    }
}
