//! The state after a move, and what a move brings about.

use super::{Aim, Moves, Pick, Win};
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
    /// cause that can be gained.
    pub(super) fn wins(&self, turn: &mut Turn<'_>, aim: &Aim, picks: &[Pick]) -> Vec<Win> {
        let mut gains = Gains {
            turn,
            ahead: self,
            known: HashMap::new(),
        };
        let mut wins = Vec::new();
        for &pick in picks {
            let cause = &aim.causes[pick.cause];
            let mut gained = gains.of(cause.wire);
            if !gained.is_empty() {
                let open = cause.open.iter();
                let open = open.map(|&part| self.state.of(aim.goal[part])).collect();
                let open = gains.turn.net.all(open);
                gained = gains.given(gained, open);
            }
            if !gained.is_empty() {
                wins.push(Win {
                    pick,
                    gains: gained,
                });
            }
        }
        wins
    }
}

/// Something that holds after a move: by a change, given something that stays.
#[derive(Copy, Clone)]
pub(super) struct Gain {
    pub(super) by: Wire,
    pub(super) given: Wire,
}

impl Gain {
    fn by(by: Wire) -> Vec<Gain> {
        match by {
            Wire::FALSE => Vec::new(),
            _ => vec![Gain {
                by,
                given: Wire::TRUE,
            }],
        }
    }
}

/// What holds after a move, where it does not hold before.
struct Gains<'g, 'c> {
    turn: &'g mut Turn<'c>,
    ahead: &'g Ahead<'g>,
    known: HashMap<Wire, Vec<Gain>>,
}

impl Gains<'_, '_> {
    /// Where a wire holds after the move: any of some gains, right in all lanes where it does not
    /// hold before.
    fn of(&mut self, wire: Wire) -> Vec<Gain> {
        let (now, then) = (self.turn.copies.of(wire), self.ahead.state.of(wire));
        if now == then {
            return Vec::new();
        }
        if then.node() == 0 || now == Wire::FALSE {
            return Gain::by(then);
        }
        if let Some(known) = self.known.get(&wire) {
            return known.clone();
        }
        let gained = match (self.turn.circuit.net.node(wire.node()), wire.is_negated()) {
            (Node::And(a, b), true) => [self.of(a.negated()), self.of(b.negated())].concat(),
            (Node::And(a, b), false) => match [a, b].map(|it| self.stays(it)) {
                // The other one did not hold before where this one did.
                [Some(a), _] => {
                    let gained = self.of(b);
                    self.given(gained, a)
                }
                [None, Some(b)] => {
                    let gained = self.of(a);
                    self.given(gained, b)
                }
                [None, None] => Gain::by(then),
            },
            _ => Gain::by(without(&self.turn.net, then, now)),
        };
        self.known.insert(wire, gained.clone());
        gained
    }

    /// Gains where something else holds, too.
    fn given(&mut self, mut gains: Vec<Gain>, wire: Wire) -> Vec<Gain> {
        for gain in &mut gains {
            gain.given = self.turn.net.and(gain.given, wire);
        }
        gains.retain(|gain| gain.given != Wire::FALSE);
        gains
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
