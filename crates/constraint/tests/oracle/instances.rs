//! Networks of several shapes, from a seed.

#![allow(dead_code, reason = "each user takes some of it")]

use constraint::{ANY, Constraint, Domain, Junction, Literal, Model, Table, Value, Variable};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The shape of a random network of tables.
#[derive(Clone, Copy)]
pub struct Shape {
    pub variables: usize,
    pub size: u32,
    pub tables: usize,
    pub arity: usize,
    /// How many of a thousand tuples are allowed.
    pub allowed: u32,
}

fn below(generator: &mut impl Rng, bound: usize) -> usize {
    (generator.next_u64() % bound as u64) as usize
}

/// A random network of a shape.
pub fn random(shape: Shape, seed: u64) -> Model {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut model = Model::new();
    for number in 0..shape.variables {
        model.variable(format!("v{number}"), shape.size);
    }
    let domain = Domain::full(shape.size);
    let domains = vec![&domain; shape.arity];
    for _ in 0..shape.tables {
        let mut scope: Vec<Variable> = Vec::new();
        while scope.len() < shape.arity {
            let variable = Variable(below(&mut generator, shape.variables) as u32);
            if !scope.contains(&variable) {
                scope.push(variable);
            }
        }
        let table = Table::filled(&domains, |_| {
            below(&mut generator, 1000) < shape.allowed as usize
        });
        model.table(&scope, table).expect("drawn to be valid");
    }
    model
}

/// Latin squares of an order, by a binary table for each pair of cells in a line.
pub fn latin(order: u32) -> Model {
    let mut model = Model::new();
    let cells: Vec<Variable> = (0..order * order)
        .map(|cell| model.variable(format!("c{cell}"), order))
        .collect();
    let differ = |values: &[Value]| values[0] != values[1];
    let line = |a: u32, b: u32| a / order == b / order || a % order == b % order;
    for a in 0..order * order {
        for b in a + 1..order * order {
            if line(a, b) {
                let scope = [cells[a as usize], cells[b as usize]];
                model.relation(&scope, differ).expect("valid");
            }
        }
    }
    model
}

/// A network of definitions: Boolean variables, a choice, and Boolean variables defined by both,
/// so that only the first variables are free.
pub fn round(state: usize, choices: u32, seed: u64) -> Model {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut model = Model::new();
    let choice = model.variable("choice", choices);
    let now: Vec<Variable> = (0..state)
        .map(|it| model.variable(format!("f{it}"), 2))
        .collect();
    for number in 0..state {
        let next = model.variable(format!("n{number}"), 2);
        let others = [now[below(&mut generator, state)], now[number]];
        if others[0] == others[1] {
            continue;
        }
        let salt = generator.next_u64();
        let follows = |values: &[Value]| {
            let key = values[0] as u64 * 4 + values[1] as u64 * 2 + values[2] as u64;
            values[3] == u32::from(salt.rotate_left(key as u32 * 7) & 3 == 0)
        };
        model
            .relation(&[choice, others[0], others[1], next], follows)
            .expect("valid");
    }
    model
}

/// A random model of all features: removed values, tables of both kinds, clauses, definitions.
pub fn mixed(seed: u64) -> Model {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut model = Model::new();
    let sizes = [2, 2, 3, 2, 4, 2, 3, 2, 2, 4, 2, 2];
    for (number, size) in sizes.into_iter().enumerate() {
        let variable = model.variable(format!("v{number}"), size);
        if below(&mut generator, 4) == 0 {
            model.domain_mut(variable).remove(size - 1);
        }
    }
    let (first, wide) = (Variable(0), Variable(4));
    let (pair, triple) = ([first, wide], [wide, Variable(6), Variable(9)]);
    let forbidden = Table::forbidden(2, [[0, 1], [1, 2]]);
    let short = Table::allowed(3, [[0, ANY, 1], [1, 1, ANY], [2, ANY, ANY]]);
    model.table(&pair, forbidden).expect("valid");
    model.table(&triple, short).expect("valid");
    for number in 0..3 {
        let mut literals = || -> Vec<Literal> {
            let count = 2 + below(&mut generator, 3);
            (0..count)
                .map(|_| literal(&mut generator, &sizes))
                .collect()
        };
        let (clause, body) = (literals(), literals());
        let junction = if number % 2 == 0 {
            Junction::And
        } else {
            Junction::Or
        };
        let head = literal(&mut generator, &sizes);
        let constraint = Constraint::Definition {
            head,
            junction,
            body,
        };
        model.clause(&clause).expect("drawn to be valid");
        model.add(constraint).expect("drawn to be valid");
    }
    model
}

fn literal(generator: &mut impl Rng, sizes: &[u32]) -> Literal {
    let place = below(generator, sizes.len());
    let value = below(generator, sizes[place] as usize) as Value;
    let variable = Variable(place as u32);
    match below(generator, 2) {
        0 => variable.is(value),
        _ => variable.is_not(value),
    }
}
