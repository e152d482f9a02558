//! How many times per second a given assignment can be assumed and its solutions enumerated.
//!
//! The network: a choice of 60 values, 300 Boolean variables given, and 300 defined by these and
//! the choice, by way of 1,200 definitions; 300 small tables.
//! `cargo run --release -p constraint --example rate`

#![allow(clippy::print_stdout, reason = "it is a program to be run by hand")]

use constraint::{Model, Network, Query, Solver, Value, Variable};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::ops::ControlFlow;
use std::time::Instant;

const FLUENTS: usize = 300;
const CHOICES: u32 = 60;

fn pick(generator: &mut impl Rng, from: &[Variable]) -> Variable {
    from[(generator.next_u64() % from.len() as u64) as usize]
}

fn model() -> Result<(Model, Variable, Vec<Variable>), constraint::Invalid> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut model = Model::new();
    let choice = model.variable("choice", CHOICES);
    let now: Vec<Variable> = (0..FLUENTS)
        .map(|it| model.variable(format!("f{it}"), 2))
        .collect();
    let mut parts = Vec::new();
    for number in 0..4 * FLUENTS {
        let part = model.variable(format!("p{number}"), 2);
        let value = (random.next_u64() % u64::from(CHOICES)) as Value;
        let (one, two) = (pick(&mut random, &now), pick(&mut random, &now));
        model.and(part.is(1), &[choice.is(value), one.is(1), two.is(0)])?;
        parts.push(part);
    }
    for (number, &fluent) in now.iter().enumerate() {
        let next = model.variable(format!("n{number}"), 2);
        let stays = model.variable(format!("s{number}"), 2);
        let (one, two) = (pick(&mut random, &parts), pick(&mut random, &parts));
        model.and(stays.is(1), &[fluent.is(1), one.is(0)])?;
        model.or(next.is(1), &[stays.is(1), two.is(1)])?;
        // A value of the choice is not always allowed.
        let value = number as Value % CHOICES;
        let other = pick(&mut random, &now);
        if other != fluent && number % 3 == 0 {
            model.relation(&[choice, fluent, other], |it| {
                it[0] != value || it[1] == 0 || it[2] == 0
            })?;
        }
    }
    Ok((model, choice, now))
}

fn main() -> Result<(), constraint::Invalid> {
    let (model, choice, now) = model()?;
    let network = Network::new(&model)?;
    let mut solver = Solver::new(&network);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
    let states: Vec<Vec<Value>> = (0..100)
        .map(|_| {
            now.iter()
                .map(|_| (random.next_u64() & 1) as Value)
                .collect()
        })
        .collect();
    let query = Query {
        projection: Some(&[choice]),
        ..Query::default()
    };
    let (mut rounds, mut moves, start) = (0u32, 0u64, Instant::now());
    while start.elapsed().as_secs_f64() < 3.0 {
        for state in &states {
            let values = now.iter().copied().zip(state.iter().copied());
            solver.assume_all(values).expect("every state has a move");
            moves += solver.each(&query, |_| ControlFlow::Continue(())).solutions;
            solver.reset();
            rounds += 1;
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let (count, bytes) = (model.constraints().len(), network.bytes());
    println!(
        "{} variables, {count} constraints, {bytes} bytes",
        network.len()
    );
    println!(
        "{:.0} states a second, {:.0} moves a second",
        f64::from(rounds) / seconds,
        moves as f64 / seconds
    );
    Ok(())
}
