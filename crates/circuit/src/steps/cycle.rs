//! Fluents that go round by themselves, whatever is done: whose turn it is, most often.
//!
//! A set of fluents whose next values depend on that set alone repeats what it did once it is
//! back where it started. If all lanes stand at the same point of the cycle, these fluents are
//! constants there, and what they decide needs no gates.

use crate::circuit::Circuit;
use crate::net::{Net, Node, Wire};

/// A longer cycle would need more code than it saves.
const LONGEST: usize = 8;
/// Fluents that depend on more others are not looked at.
const MOST_NEEDED: usize = 32;

/// What some fluents are at each point of the cycle, from the first state on.
#[derive(Debug)]
pub(crate) struct Cycle {
    /// The fluents that go round.
    pub(crate) fluents: Vec<usize>,
    /// Their values at each point. There is always one.
    pub(crate) points: Vec<Vec<bool>>,
}

impl Cycle {
    pub(crate) fn new(circuit: &Circuit) -> Cycle {
        let closed = closed_sets(circuit);
        let course = course(circuit);
        let mut length = 1;
        let mut fluents = Vec::new();
        for set in closed {
            let repeats = |&n: &usize| {
                set.iter()
                    .all(|&fluent| course[n][fluent] == course[0][fluent])
            };
            let Some(own) = (1..=LONGEST).find(repeats) else {
                continue;
            };
            let joint = length / common_divisor(length, own) * own;
            if joint <= LONGEST {
                length = joint;
                fluents.extend(set);
            }
        }
        fluents.sort_unstable();
        fluents.dedup();
        let point = |point: usize| fluents.iter().map(|&it| course[point][it]).collect();
        let points = (0..length).map(point).collect();
        Cycle { fluents, points }
    }

    pub(crate) fn len(&self) -> usize {
        self.points.len()
    }

    /// The point at which a state stands, if it is one of the cycle.
    pub(crate) fn point(&self, state: impl Fn(usize) -> bool) -> Option<usize> {
        let stands = |values: &Vec<bool>| {
            let mut pairs = self.fluents.iter().zip(values);
            pairs.all(|(&fluent, &value)| state(fluent) == value)
        };
        self.points.iter().position(stands)
    }

    /// What is known of each fluent at a point.
    pub(crate) fn known(&self, point: usize, fluents: usize) -> Vec<Option<bool>> {
        let mut known = vec![None; fluents];
        for (&fluent, &value) in self.fluents.iter().zip(&self.points[point]) {
            known[fluent] = Some(value);
        }
        known
    }
}

fn common_divisor(a: usize, b: usize) -> usize {
    if b == 0 { a } else { common_divisor(b, a % b) }
}

/// For fluents that depend on no move, directly or not, all fluents they depend on.
fn closed_sets(circuit: &Circuit) -> Vec<Vec<usize>> {
    let free = free_of_moves(circuit);
    let needs: Vec<Option<Vec<usize>>> = (circuit.outputs.next.iter())
        .map(|&wire| {
            if free[wire.node()] {
                needs(&circuit.net, wire)
            } else {
                None
            }
        })
        .collect();
    let closure = |fluent: usize| {
        let mut closed = vec![fluent];
        let mut next = 0;
        while next < closed.len() {
            for &other in needs[closed[next]].as_ref()? {
                if !closed.contains(&other) {
                    closed.push(other);
                }
            }
            if closed.len() > MOST_NEEDED {
                return None;
            }
            next += 1;
        }
        Some(closed)
    };
    (0..needs.len()).filter_map(closure).collect()
}

/// Which nodes depend on no move.
fn free_of_moves(circuit: &Circuit) -> Vec<bool> {
    let mut free = Vec::with_capacity(circuit.net.len());
    for node in 0..circuit.net.len() {
        free.push(match circuit.net.node(node) {
            Node::False => true,
            Node::Input(number) => (number as usize) < circuit.fluents.len(),
            Node::And(a, b) | Node::Xor(a, b) => free[a.node()] && free[b.node()],
        });
    }
    free
}

/// The inputs a wire needs, if they are few.
fn needs(net: &Net, wire: Wire) -> Option<Vec<usize>> {
    let mut inputs = Vec::new();
    let mut open = vec![wire.node()];
    let mut seen = vec![];
    while let Some(node) = open.pop() {
        if seen.contains(&node) {
            continue;
        }
        seen.push(node);
        match net.node(node) {
            Node::False => {}
            Node::Input(number) => inputs.push(number as usize),
            Node::And(a, b) | Node::Xor(a, b) => open.extend([a.node(), b.node()]),
        }
        if seen.len() > 4 * MOST_NEEDED {
            return None;
        }
    }
    Some(inputs)
}

/// The fluents of the first states if no move is done: right for those that need none.
fn course(circuit: &Circuit) -> Vec<Vec<bool>> {
    let mut course = vec![circuit.initial.clone()];
    let mut values = vec![false; circuit.net.len()];
    for time in 0..LONGEST {
        let get = |values: &[bool], wire: Wire| values[wire.node()] != wire.is_negated();
        for node in 0..circuit.net.len() {
            values[node] = match circuit.net.node(node) {
                Node::False => false,
                Node::Input(number) => course[time].get(number as usize).is_some_and(|&it| it),
                Node::And(a, b) => get(&values, a) && get(&values, b),
                Node::Xor(a, b) => get(&values, a) != get(&values, b),
            };
        }
        let next = circuit.outputs.next.iter().map(|&wire| get(&values, wire));
        course.push(next.collect());
    }
    course
}
