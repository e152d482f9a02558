//! Moves that win at once: they end the match with the most that a role can get.
//!
//! In a lane that plays, the present state is no end. So of all that can bring the end about, a
//! move needs gates only for what it changes. The end is split into what it is a disjunction of,
//! its *causes*; each is asked for after each move, with the role's highest goal unless that has
//! the same cause. What takes too many gates is left out: a win may be missed, but none is
//! claimed that is not there.

mod ahead;
mod purse;
mod recopy;

use crate::net::{Net, Node, Wire};
use crate::steps::Turn;
use ahead::Ahead;
use purse::Purse;
use recopy::Settled;
use std::collections::HashSet;

/// A cause of the end that needs more nodes of the circuit is not asked for.
const LARGEST_CAUSE: usize = 400;
/// Nor is a goal.
const LARGEST_GOAL: usize = 2000;
/// So many nodes are copied for all moves of a role, at most.
const MOST_COPIED: usize = 2_000_000;

/// A move that wins at once where the wire holds.
struct Win {
    number: usize,
    wire: Wire,
}

impl Turn<'_> {
    /// For each role and move, where it is found to win at once, by so many gates at most. A role
    /// that has no such moves here has an empty list.
    pub(super) fn wins(&mut self, gates: usize) -> Vec<Vec<Wire>> {
        let mut purse = Purse::new(self, gates);
        let settled = self.settled();
        let roles = 0..self.circuit.roles();
        roles
            .map(|role| {
                let wins = self.wins_of(role, &settled);
                let legal = &self.circuit.outputs.legal[role];
                let affordable = purse.buy(&self.net, wins, legal.len());
                self.by_move(role, affordable)
            })
            .collect()
    }

    /// What is known of nodes in a state that is no end.
    fn settled(&self) -> Settled {
        let mut settled = Settled::default();
        disjuncts(&self.circuit.net, self.circuit.terminal(), |wire| {
            let node = wire.node();
            let copy = self.copies.of(Wire::new(node));
            settled.insert(node, (copy, Wire::FALSE.negated_if(wire.is_negated())));
        });
        settled
    }

    /// All that makes moves of a role win.
    fn wins_of(&mut self, role: usize, settled: &Settled) -> Vec<Win> {
        let Some(moves) = self.alone(role) else {
            return Vec::new();
        };
        let Some(aim) = Aim::new(self, role) else {
            return Vec::new();
        };
        self.copy_state(aim.wires());
        let mut ahead = Ahead::new(self, (&aim, &moves), settled);
        let mut wins = Vec::new();
        let mut copied = 0;
        for &number in &moves.own {
            copied += ahead.play(&mut self.net, moves.first + number);
            if copied > MOST_COPIED {
                return Vec::new();
            }
            let legal = self.copies.of(self.circuit.outputs.legal[role][number]);
            for end in ahead.ends(self, &aim) {
                let wire = self.net.and(legal, end);
                if wire != Wire::FALSE {
                    wins.push(Win { number, wire });
                }
            }
        }
        wins
    }

    /// The moves of a role, if it has several here and every other role just one.
    fn alone(&self, role: usize) -> Option<Moves> {
        let mut moves = Moves::default();
        let mut input = self.circuit.fluents.len();
        for (number, legal) in self.circuit.outputs.legal.iter().enumerate() {
            let possible = |it: &usize| self.copies.of(legal[*it]) != Wire::FALSE;
            let possible: Vec<usize> = (0..legal.len()).filter(possible).collect();
            match &possible[..] {
                [_, _, ..] if number == role => {
                    moves.first = input;
                    moves.own = possible;
                }
                [only] if number != role => moves.forced.push(input + only),
                _ => return None,
            }
            input += legal.len();
        }
        Some(moves)
    }

    /// Where each move of a role wins, given all that makes it win.
    fn by_move(&mut self, role: usize, wins: Vec<Win>) -> Vec<Wire> {
        if wins.is_empty() {
            return Vec::new();
        }
        let mut by_move = vec![Vec::new(); self.circuit.outputs.legal[role].len()];
        for win in wins {
            by_move[win.number].push(win.wire);
        }
        by_move.into_iter().map(|it| self.net.any(it)).collect()
    }
}

/// The moves that are possible where one role chooses.
#[derive(Default)]
struct Moves {
    own: Vec<usize>,
    /// The input of the role's first move.
    first: usize,
    /// The inputs of what the others do.
    forced: Vec<usize>,
}

/// What ends the match, and what a role wants then.
struct Aim {
    causes: Vec<Cause>,
    /// The role's highest goal, if it is small enough.
    goal: Option<Wire>,
}

/// What ends the match.
struct Cause {
    wire: Wire,
    /// It is a cause of the goal, too.
    wins: bool,
}

impl Aim {
    fn new(turn: &Turn<'_>, role: usize) -> Option<Aim> {
        let net = &turn.circuit.net;
        let goals = turn.circuit.outputs.goals[role].iter();
        let most = goals.filter(|&&(value, wire)| value > 0 && wire != Wire::FALSE);
        let &(_, goal) = most.max_by_key(|&&(value, _)| value)?;
        let wanted: HashSet<Wire> = disjuncts(net, goal, |_| ()).into_iter().collect();
        let goal = Some(goal).filter(|&goal| is_within(net, goal, LARGEST_GOAL));
        let causes: Vec<Cause> = disjuncts(net, turn.circuit.terminal(), |_| ())
            .into_iter()
            .map(|wire| Cause {
                wire,
                wins: wanted.contains(&wire),
            })
            .filter(|cause| cause.wins || goal.is_some())
            .filter(|cause| is_within(net, cause.wire, LARGEST_CAUSE))
            .collect();
        let goal = goal.filter(|_| causes.iter().any(|cause| !cause.wins));
        (!causes.is_empty()).then_some(Aim { causes, goal })
    }

    fn wires(&self) -> impl Iterator<Item = Wire> {
        self.causes.iter().map(|cause| cause.wire).chain(self.goal)
    }
}

/// What a wire is a disjunction of. Visits every disjunction on the way, and these.
fn disjuncts(net: &Net, wire: Wire, mut visit: impl FnMut(Wire)) -> Vec<Wire> {
    let mut seen = HashSet::new();
    let mut open = vec![wire];
    let mut found = Vec::new();
    while let Some(wire) = open.pop() {
        if !seen.insert(wire) {
            continue;
        }
        visit(wire);
        match net.node(wire.node()) {
            Node::And(a, b) if wire.is_negated() => open.extend([b.negated(), a.negated()]),
            _ => found.push(wire),
        }
    }
    found
}

/// Whether a wire needs no more than so many nodes.
fn is_within(net: &Net, wire: Wire, limit: usize) -> bool {
    let mut seen = HashSet::new();
    let mut open = vec![wire.node()];
    while let Some(node) = open.pop() {
        if !seen.insert(node) {
            continue;
        }
        if let Node::And(a, b) | Node::Xor(a, b) = net.node(node) {
            open.extend([a.node(), b.node()]);
        }
        if seen.len() > limit {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests;
