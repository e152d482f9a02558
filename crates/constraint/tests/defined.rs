//! `Defined` and `Kept` against the solver, on random models.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::solve;
use constraint::{Conflict, Ending, Value};
use constraint::{
    Defined, Kept, Literal, Model, Network, Query, Reasons, SearchLimits, Signature, Solver,
    Variable,
};
use proptest::prelude::*;
use std::ops::ControlFlow;

/// A model with its given variables, its decisions and the literals defined by them.
#[derive(Clone, Debug)]
struct Posed {
    model: Model,
    given: Vec<Variable>,
    decisions: Vec<Variable>,
    watched: Vec<Literal>,
}

impl Posed {
    fn defined(&self) -> Option<Defined> {
        let signature = Signature {
            given: &self.given,
            decisions: &self.decisions,
            watched: &self.watched,
            noted: &self.watched,
        };
        Defined::new(&self.model, signature)
    }
}

/// A definition: its literals by numbers, whether it is an AND, whether its head is negated.
type Body = (Vec<(usize, bool)>, bool, bool);

fn body() -> impl Strategy<Value = Body> {
    let literals = prop::collection::vec((0..1000usize, any::<bool>()), 0..5);
    (literals, any::<bool>(), any::<bool>())
}

/// Definitions in order, requirements of decisions, and a variable of three values.
fn posed() -> impl Strategy<Value = Posed> {
    let sizes = prop::collection::vec(2..4u32, 1..4);
    let needs = prop::collection::vec(prop::option::of((0..1000usize, any::<bool>())), 8);
    let bodies = (
        prop::collection::vec(body(), 0..8),
        prop::collection::vec(body(), 1..8),
    );
    (sizes.clone(), sizes, bodies, needs, 2..4u32).prop_map(
        |(given, decisions, (early, late), needs, last)| {
            build((&given, &decisions), (&early, &late), (&needs, last))
        },
    )
}

fn build(
    (given, decisions): (&[u32], &[u32]),
    (early, late): (&[Body], &[Body]),
    (needs, last): (&[Option<(usize, bool)>], u32),
) -> Posed {
    let mut model = Model::new();
    let mut literals = Vec::new();
    let inputs = |model: &mut Model, sizes: &[u32], literals: &mut Vec<Literal>| {
        let mut variables = Vec::new();
        for &size in sizes {
            let variable = model.variable(format!("v{}", model.len()), size);
            literals.extend((0..size).map(|value| variable.is(value)));
            variables.push(variable);
        }
        variables
    };
    let given = inputs(&mut model, given, &mut literals);
    define(&mut model, early, &mut literals);
    let known = literals.clone();
    let decisions = inputs(&mut model, decisions, &mut literals);
    let values = decisions.iter().flat_map(|&it| {
        let values = 0..model.domain(it).capacity();
        values.map(move |value| it.is_not(value))
    });
    let values: Vec<Literal> = values.collect();
    for (&value, need) in values.iter().zip(needs) {
        if let &Some((place, negated)) = need {
            let need = literal(&known, (place, negated));
            match place % 7 {
                0 => model.clause(&[value]).unwrap(),
                _ => model.clause(&[need, value]).unwrap(),
            }
        }
    }
    define(&mut model, late, &mut literals);
    // A variable with several defined values: more than one may be true, or none.
    let variable = model.variable("last", 3);
    for value in 0..last {
        let from = literals[(value as usize * 7 + 3) % literals.len()];
        model.and(variable.is(value), &[from]).unwrap();
        literals.push(variable.is(value));
    }
    Posed {
        model,
        given,
        decisions,
        watched: literals,
    }
}

fn literal(known: &[Literal], (place, negated): (usize, bool)) -> Literal {
    let literal = known[place % known.len()];
    if negated { !literal } else { literal }
}

fn define(model: &mut Model, bodies: &[Body], literals: &mut Vec<Literal>) {
    for (body, and, negated) in bodies {
        let variable = model.variable(format!("d{}", model.len()), 2);
        let body: Vec<Literal> = body.iter().map(|&it| literal(literals, it)).collect();
        let head = match negated {
            true => variable.is_not(1),
            false => variable.is(1),
        };
        match (and, &body[..]) {
            (true, []) => model.clause(&[head]).unwrap(),
            (true, body) => model.and(head, body).unwrap(),
            (false, body) => model.or(head, body).unwrap(),
        }
        literals.push(variable.is(u32::from(body.len().is_multiple_of(2))));
    }
}

/// All solutions by the solver: the decisions, and the truth of the watched literals.
fn expected(posed: &Posed, solver: &mut Solver<'_>, given: &[Value]) -> Vec<Vec<Value>> {
    solver.reset();
    let values = posed.given.iter().copied().zip(given.iter().copied());
    if solver.assume_all(values) == Err(Conflict) {
        return Vec::new();
    }
    let solutions = solve(solver, &Query::default());
    let row = |values: Vec<Value>| {
        let decisions = posed.decisions.iter().map(|it| values[it.index()]);
        let truth = |it: &Literal| u32::from(it.holds(values[it.variable.index()]));
        decisions.chain(posed.watched.iter().map(truth)).collect()
    };
    let mut rows: Vec<Vec<Value>> = solutions.into_iter().map(row).collect();
    rows.sort();
    rows
}

/// The same by `Kept`.
fn found(posed: &Posed, kept: &mut Kept<'_>, given: &[Value]) -> Vec<Vec<Value>> {
    for (&variable, &value) in posed.given.iter().zip(given) {
        kept.set(variable, value);
    }
    kept.settle();
    let mut rows = Vec::new();
    let report = kept.each(&SearchLimits::default(), |kept, joint| {
        let bit = |place: usize| (kept.watched()[place / 64] >> (place % 64) & 1) as Value;
        let truth = (0..posed.watched.len()).map(bit);
        rows.push(joint.iter().copied().chain(truth).collect());
        ControlFlow::Continue(())
    });
    assert_eq!(report.ending, Ending::Complete);
    assert_eq!(report.solutions, rows.len() as u64);
    rows.sort();
    rows
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn what_is_kept_is_what_the_solver_finds(
        posed in posed(),
        states in prop::collection::vec(prop::collection::vec(0..1000u32, 4), 1..6),
    ) {
        let defined = posed.defined().unwrap();
        let mut kept = Kept::new(&defined);
        let network = Network::new(&posed.model).unwrap();
        let mut solver = Solver::new(&network);
        for state in states {
            let sizes = posed.given.iter().map(|&it| posed.model.domain(it).capacity());
            let given: Vec<Value> = state.iter().zip(sizes).map(|(it, size)| it % size).collect();
            let expected = expected(&posed, &mut solver, &given);
            prop_assert_eq!(found(&posed, &mut kept, &given), expected);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// Where the reasons of a literal's truth hold and the decisions are the same, the literal has
    /// the same truth; and a decision that was allowed is allowed there too.
    #[test]
    fn reasons_are_enough(
        posed in posed(),
        first in prop::collection::vec(0..1000u32, 4),
        others in prop::collection::vec(prop::collection::vec(0..1000u32, 4), 8),
        place in 0..1000usize,
    ) {
        let defined = posed.defined().unwrap();
        let mut kept = Kept::new(&defined);
        let given = |state: &[u32]| -> Vec<Value> {
            let sizes = posed.given.iter().map(|&it| posed.model.domain(it).capacity());
            state.iter().zip(sizes).map(|(it, size)| it % size).collect()
        };
        let load = |kept: &mut Kept<'_>, state: &[u32]| {
            for (&variable, value) in posed.given.iter().zip(given(state)) {
                kept.set(variable, value);
            }
            kept.settle();
        };
        load(&mut kept, &first);
        let joint: Option<Vec<Value>> =
            (0..posed.decisions.len()).map(|it| kept.allowed(it).next()).collect();
        let Some(joint) = joint else { return Ok(()) };
        kept.decide(&joint);
        let place = place % posed.watched.len();
        let truth = kept.notes(place);
        let mut reasons = Reasons::default();
        reasons.clear();
        reasons.noted(&kept, place);
        for (decision, &value) in joint.iter().enumerate() {
            reasons.allowed(&kept, (decision, value));
        }
        for other in others {
            // Another state, in which the causes are as they were.
            let mut other = given(&other);
            for cause in reasons.causes() {
                let it = posed.given.iter().position(|&it| it == cause.variable).unwrap();
                let size = posed.model.domain(cause.variable).capacity();
                other[it] = match (cause.holds, other[it] == cause.value) {
                    (true, _) => cause.value,
                    (false, true) => (cause.value + 1) % size,
                    (false, false) => other[it],
                };
            }
            let fits = reasons.causes().iter().all(|cause| {
                let it = posed.given.iter().position(|&it| it == cause.variable).unwrap();
                (other[it] == cause.value) == cause.holds
            });
            if !fits {
                continue;
            }
            load(&mut kept, &other);
            let allowed = joint.iter().enumerate().all(|(it, &value)| kept.allows(it, value));
            prop_assert!(allowed);
            kept.decide(&joint);
            prop_assert_eq!(kept.notes(place), truth);
        }
    }
}

#[test]
fn models_of_another_kind_are_refused() {
    let posed = |pose: &dyn Fn(&mut Model, [Variable; 4])| {
        let mut model = Model::new();
        let [given, action, a, b] = ["given", "action", "a", "b"].map(|it| model.variable(it, 2));
        model.and(a.is(1), &[given.is(1), action.is(1)]).unwrap();
        pose(&mut model, [given, action, a, b]);
        let posed = Posed {
            model,
            given: vec![given],
            decisions: vec![action],
            watched: vec![a.is(1)],
        };
        posed.defined().is_some()
    };
    assert!(posed(&|it, [_, _, a, b]| it
        .and(b.is(0), &[a.is(1)])
        .unwrap()));
    // A variable without a definition; one with two; cyclic definitions.
    assert!(!posed(&|_, _| {}));
    assert!(!posed(&|it, [given, _, a, b]| {
        it.and(b.is(1), &[a.is(1)]).unwrap();
        it.or(b.is(1), &[given.is(1)]).unwrap();
    }));
    assert!(!posed(&|it, [.., b]| it.and(b.is(1), &[b.is(1)]).unwrap()));
    // A clause without a decision; a decision whose requirement depends on decisions.
    assert!(!posed(&|it, [_, _, a, b]| {
        it.and(b.is(1), &[a.is(1)]).unwrap();
        it.clause(&[a.is(1), b.is(1)]).unwrap();
    }));
    assert!(!posed(&|it, [_, action, a, b]| {
        it.and(b.is(1), &[a.is(1)]).unwrap();
        it.clause(&[action.is_not(1), b.is(1)]).unwrap();
    }));
    // A table.
    assert!(!posed(&|it, [given, _, _, b]| {
        it.relation(&[given, b], |values| values[0] == values[1])
            .unwrap();
    }));
}
