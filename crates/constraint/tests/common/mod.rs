//! Random models for the property tests, and their properties by enumeration.

#![allow(dead_code, reason = "each test uses some of it")]

use constraint::{
    ANY, Constraint, Domain, Junction, Literal, Model, Polarity, Table, Value, Variable,
};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// Every assignment of a model's variables that it accepts, in order.
pub fn brute_force(model: &Model) -> Vec<Vec<Value>> {
    let mut solutions = Vec::new();
    let domains: Vec<Vec<Value>> = model
        .variables()
        .map(|it| model.domain(it).values().collect())
        .collect();
    extend(model, &domains, (&mut Vec::new(), &mut solutions));
    solutions
}

fn extend(
    model: &Model,
    domains: &[Vec<Value>],
    (values, solutions): (&mut Vec<Value>, &mut Vec<Vec<Value>>),
) {
    if values.len() == domains.len() {
        if model.accepts(values) {
            solutions.push(values.clone());
        }
        return;
    }
    for &value in &domains[values.len()] {
        values.push(value);
        extend(model, domains, (values, solutions));
        values.pop();
    }
}

/// All solutions a solver finds, sorted; panics if one comes twice.
pub fn solve(
    solver: &mut constraint::Solver<'_>,
    query: &constraint::Query<'_>,
) -> Vec<Vec<Value>> {
    let mut solutions = Vec::new();
    let report = solver.each(query, |solution| {
        match query.projection {
            None => solutions.push(solution.values()),
            Some(wanted) => solutions.push(wanted.iter().map(|&it| solution.value(it)).collect()),
        }
        ControlFlow::Continue(())
    });
    assert_eq!(report.solutions, solutions.len() as u64);
    solutions.sort();
    assert!(
        solutions.windows(2).all(|pair| pair[0] != pair[1]),
        "a solution came twice"
    );
    solutions
}

/// How a random constraint is drawn.
#[derive(Clone, Debug)]
pub enum Drawn {
    Table {
        polarity: bool,
        arity: usize,
        places: Vec<u32>,
        cells: Vec<u32>,
        short: bool,
    },
    Clause(Vec<(u32, u32, bool)>),
    Definition {
        head: (u32, u32, bool),
        body: Vec<(u32, u32, bool)>,
        and: bool,
    },
}

fn literal() -> impl Strategy<Value = (u32, u32, bool)> {
    (0..1000u32, 0..1000u32, any::<bool>())
}

fn drawn() -> impl Strategy<Value = Drawn> {
    let table = (
        any::<bool>(),
        1..5usize,
        prop::collection::vec(0..1000u32, 5),
        prop::collection::vec(0..1000u32, 0..400),
        prop::bool::weighted(0.3),
    );
    let table = table.prop_map(|(polarity, arity, places, cells, short)| Drawn::Table {
        polarity,
        arity,
        places,
        cells,
        short,
    });
    let clause = prop::collection::vec(literal(), 0..5).prop_map(Drawn::Clause);
    let definition = (
        literal(),
        prop::collection::vec(literal(), 0..5),
        any::<bool>(),
    );
    let definition = definition.prop_map(|(head, body, and)| Drawn::Definition { head, body, and });
    prop_oneof![3 => table, 1 => clause, 2 => definition]
}

/// Small random models: up to 6 variables of up to 5 values, one perhaps wide.
pub fn model() -> impl Strategy<Value = Model> {
    let sizes = prop::collection::vec(1..6u32, 1..7);
    let wide = prop::option::weighted(0.2, 65..140u32);
    (sizes, wide, prop::collection::vec(drawn(), 0..7)).prop_map(|(mut sizes, wide, drawn)| {
        if let Some(wide) = wide {
            sizes.truncate(4);
            sizes[0] = wide;
        }
        build(&sizes, &drawn)
    })
}

fn build(sizes: &[u32], drawn: &[Drawn]) -> Model {
    let mut model = Model::new();
    for (number, &size) in sizes.iter().enumerate() {
        model.variable(format!("v{number}"), size);
    }
    let literal = |&(variable, value, equal): &(u32, u32, bool)| {
        let variable = Variable(variable % sizes.len() as u32);
        let value = value % sizes[variable.index()];
        Literal {
            variable,
            value,
            equal,
        }
    };
    for it in drawn {
        let constraint = match it {
            Drawn::Table { .. } => table(sizes, it),
            Drawn::Clause(literals) => Constraint::Clause(literals.iter().map(literal).collect()),
            Drawn::Definition { head, body, and } => Constraint::Definition {
                head: literal(head),
                junction: if *and { Junction::And } else { Junction::Or },
                body: body.iter().map(literal).collect(),
            },
        };
        model.add(constraint).expect("drawn to be valid");
    }
    model
}

fn table(sizes: &[u32], drawn: &Drawn) -> Constraint {
    let Drawn::Table {
        polarity,
        arity,
        places,
        cells,
        short,
    } = drawn
    else {
        unreachable!()
    };
    let mut scope: Vec<Variable> = Vec::new();
    for place in places {
        let variable = Variable(place % sizes.len() as u32);
        if scope.len() < *arity && !scope.contains(&variable) {
            scope.push(variable);
        }
    }
    let arity = scope.len();
    let mut cells: Vec<Value> = cells[..cells.len() / arity * arity].to_vec();
    for (number, cell) in cells.iter_mut().enumerate() {
        let size = sizes[scope[number % arity].index()];
        *cell = if *short && *cell % 5 == 0 {
            ANY
        } else {
            *cell % size
        };
    }
    let polarity = if *polarity {
        Polarity::Allowed
    } else {
        Polarity::Forbidden
    };
    Constraint::Table {
        scope,
        table: Table::from_cells(polarity, arity, cells),
    }
}

/// The largest arc consistent domains, by the naive propagator; `None` if one is empty.
pub fn arc_consistent(model: &Model) -> Option<Vec<Domain>> {
    let mut domains: Vec<Domain> = model
        .variables()
        .map(|it| model.domain(it).clone())
        .collect();
    loop {
        let mut changed = false;
        for constraint in model.constraints() {
            changed |= constraint::revise(constraint, &mut domains);
        }
        if domains.iter().any(Domain::is_empty) {
            return None;
        }
        if !changed {
            return Some(domains);
        }
    }
}

/// Whether no clause is empty, and no clause or definition names a variable twice.
pub fn is_plain(model: &Model) -> bool {
    model.constraints().iter().all(|it| match it {
        Constraint::Table { .. } => true,
        Constraint::Clause(literals) => !literals.is_empty() && it.scope().len() == literals.len(),
        Constraint::Definition { body, .. } => it.scope().len() == body.len() + 1,
    })
}
