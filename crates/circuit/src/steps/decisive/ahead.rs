//! The state after a move, and what a move brings about.

use super::{Aim, Moves};
use crate::net::{Net, Node, Wire};
use crate::steps::decisive::recopy::{Recopy, Settled};
use crate::steps::{Turn, fluent};
use std::collections::HashMap;

/// The state after a move.
pub(super) struct Ahead<'n> {
    next: Recopy<'n>,
    /// What the aim needs of the state.
    state: Recopy<'n>,
    /// The fluents that a node of the net decides, and how.
    decided: HashMap<usize, Vec<(usize, Wire)>>,
}

impl<'n> Ahead<'n> {
    pub(super) fn new<'c: 'n>(
        turn: &mut Turn<'c>,
        (aim, moves): (&Aim, &Moves),
        settled: &'n Settled,
    ) -> Ahead<'n> {
        let (circuit, known) = (turn.circuit, turn.known);
        let outputs = &circuit.outputs;
        let aims: Vec<Wire> = aim.wires().collect();
        let cone = circuit.net.cone(aims.iter().copied());
        let nodes = (0..circuit.net.len()).filter(|&node| cone[node]);
        let mut decided: HashMap<usize, Vec<(usize, Wire)>> = HashMap::new();
        let mut wires = Vec::new();
        for node in nodes {
            if let Node::Input(number) = circuit.net.node(node) {
                let wire = outputs.next[number as usize];
                let of_node = decided.entry(wire.node()).or_default();
                of_node.push((number as usize, wire));
                wires.push(wire);
            }
        }
        let next = Recopy::new(
            &mut turn.net,
            (&circuit.net, &wires),
            settled,
            |net, it| match it < circuit.fluents.len() {
                true => fluent(net, known, it),
                false => Wire::FALSE.negated_if(moves.forced.contains(&it)),
            },
        );
        let state = Recopy::new(&mut turn.net, (&circuit.net, &aims), settled, |_, it| {
            next.of(outputs.next[it])
        });
        Ahead {
            next,
            state,
            decided,
        }
    }

    /// Goes to the state after the move of an input. Returns how many nodes were copied.
    pub(super) fn play(&mut self, net: &mut Net, input: usize) -> usize {
        let Ahead {
            next,
            state,
            decided,
        } = self;
        let copied = next.change(net, [(input, Wire::TRUE)].into_iter());
        let changed = next.changed().iter();
        let fluents = changed.flat_map(|node| decided.get(node).into_iter().flatten());
        let fluents = fluents.map(|&(fluent, wire)| (fluent, next.of(wire)));
        copied + state.change(net, fluents)
    }

    /// Where the move ends the match as the role wants, if it has not ended before: for each
    /// cause.
    pub(super) fn ends(&self, turn: &mut Turn<'_>, aim: &Aim) -> Vec<Wire> {
        let mut gains = Gains {
            turn,
            ahead: self,
            known: HashMap::new(),
        };
        let mut ends = Vec::with_capacity(aim.causes.len());
        for cause in &aim.causes {
            let gained = gains.of(cause.wire);
            ends.push(match aim.goal {
                Some(goal) if !cause.wins => gains.turn.net.and(gained, self.state.of(goal)),
                _ => gained,
            });
        }
        ends
    }
}

/// What holds after a move, where it does not hold before.
struct Gains<'g, 'c> {
    turn: &'g mut Turn<'c>,
    ahead: &'g Ahead<'g>,
    known: HashMap<Wire, Wire>,
}

impl Gains<'_, '_> {
    /// Where a wire holds after the move, right in all lanes where it does not hold before.
    fn of(&mut self, wire: Wire) -> Wire {
        let (now, then) = (self.turn.copies.of(wire), self.ahead.state.of(wire));
        if now == then || then == Wire::FALSE {
            return Wire::FALSE;
        }
        if then == Wire::TRUE || now == Wire::FALSE {
            return then;
        }
        if let Some(&known) = self.known.get(&wire) {
            return known;
        }
        let gained = match (self.turn.circuit.net.node(wire.node()), wire.is_negated()) {
            (Node::And(a, b), true) => {
                let (a, b) = (self.of(a.negated()), self.of(b.negated()));
                self.turn.net.or(a, b)
            }
            (Node::And(a, b), false) => match [a, b].map(|it| self.stays(it)) {
                // The other one did not hold before where this one did.
                [Some(a), _] => self.and_gained(a, b),
                [None, Some(b)] => self.and_gained(b, a),
                [None, None] => then,
            },
            _ => without(&self.turn.net, then, now),
        };
        self.known.insert(wire, gained);
        gained
    }

    fn and_gained(&mut self, stays: Wire, other: Wire) -> Wire {
        let gained = self.of(other);
        self.turn.net.and(stays, gained)
    }

    /// A wire that is the same before and after the move.
    fn stays(&self, wire: Wire) -> Option<Wire> {
        let now = self.turn.copies.of(wire);
        (now == self.ahead.state.of(wire)).then_some(now)
    }
}

/// A simpler wire that is the same wherever `never` does not hold: `never ∨ x` is `x` there.
fn without(net: &Net, wire: Wire, never: Wire) -> Wire {
    match net.node(wire.node()) {
        Node::And(a, b) if wire.is_negated() && a == never.negated() => b.negated(),
        Node::And(a, b) if wire.is_negated() && b == never.negated() => a.negated(),
        _ => wire,
    }
}
