//! Moves that win at once: they end the match with the most that a role can get.
//!
//! In a lane that plays, the present state is no end. So of all that can bring the end about, a
//! move needs gates only for what it changes. The end is split into what it is a disjunction of,
//! its *causes*; each is asked for after each move, with the role's highest goal unless that has
//! the same cause. Gates are spent on what wins most often in some sample of states, and what is
//! too large is left out: a win may be missed, but none is claimed that is not there.

mod ahead;
mod purse;
mod recopy;
mod run;
mod threats;

use crate::circuit::Circuit;
use crate::lanes::word::Word;
use crate::net::{Net, Node, Wire};
use crate::steps::Turn;
use ahead::{Ahead, Gain};
pub(crate) use purse::Funds;
use recopy::Settled;
use std::collections::{BTreeMap, HashSet};
pub(crate) use threats::{Stand, Threat, Threats, threats};

/// A cause of the end that needs more nodes of the circuit is not asked for.
const LARGEST_CAUSE: usize = 400;
/// Nor is a goal.
const LARGEST_GOAL: usize = 2000;
/// So many nodes are copied for all moves of a role, at most.
const MOST_COPIED: usize = 2_000_000;

/// A way to win at once that gates are spent on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Pick {
    role: usize,
    number: usize,
    cause: usize,
}

/// States that come up in playouts, one in each lane.
pub(crate) struct Sample<const P: usize> {
    pub(crate) state: Vec<Word<P>>,
    /// The lanes that play.
    pub(crate) playing: Word<P>,
}

/// Whether there may be ways to win at once that are small enough, where some fluents are known.
pub(crate) fn may_decide(circuit: &Circuit, known: &[Option<bool>]) -> bool {
    let turn = Turn::new(circuit, known);
    let mut roles = 0..circuit.roles();
    roles.any(|role| turn.alone(role).is_some() && Aim::new(&turn, role).is_some())
}

/// The ways to win at once that are worth their gates, where some fluents are known.
pub(crate) fn picks<const P: usize>(
    circuit: &Circuit,
    known: &[Option<bool>],
    funds: &Funds<'_, P>,
) -> Vec<Pick> {
    let mut turn = Turn::new(circuit, known);
    let settled = turn.settled();
    let mut picks = Vec::new();
    for role in 0..circuit.roles() {
        let wins = turn.search(role, &settled, |_| true);
        if !wins.is_empty() {
            picks.extend(funds.buy(&mut turn, &wins));
        }
    }
    picks
}

/// A move that wins at once where any of its gains does.
struct Win {
    pick: Pick,
    gains: Vec<Gain>,
}

impl Turn<'_> {
    /// For each role and move, where it is found to win at once. A role that has no such moves
    /// here has an empty list.
    pub(super) fn wins(&mut self, picks: &[Pick]) -> Vec<Vec<Wire>> {
        let settled = self.settled();
        let wanted: HashSet<Pick> = picks.iter().copied().collect();
        let mut wins = Vec::with_capacity(self.circuit.roles());
        for role in 0..self.circuit.roles() {
            let found = match picks.iter().any(|pick| pick.role == role) {
                true => self.search(role, &settled, |pick| wanted.contains(&pick)),
                false => Vec::new(),
            };
            wins.push(self.by_move(role, &found));
        }
        wins
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

    /// The ways to win at once among those that are wanted.
    fn search(
        &mut self,
        role: usize,
        settled: &Settled,
        wanted: impl Fn(Pick) -> bool,
    ) -> Vec<Win> {
        let (Some(moves), Some(aim)) = (self.alone(role), Aim::new(self, role)) else {
            return Vec::new();
        };
        self.copy_state(aim.wires());
        let mut ahead = Ahead::new(self, (&aim, &moves), settled);
        let mut wins = Vec::new();
        let mut copied = 0;
        for &number in &moves.own {
            let picks = (0..aim.causes.len()).map(|cause| Pick {
                role,
                number,
                cause,
            });
            let picks: Vec<Pick> = picks.filter(|&pick| wanted(pick)).collect();
            if picks.is_empty() {
                continue;
            }
            copied += ahead.play(&mut self.net, moves.first + number);
            if copied > MOST_COPIED {
                return Vec::new();
            }
            wins.extend(ahead.wins(self, &aim, &picks));
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

    /// Where each move of a role wins. What several causes need of a move is asked for once.
    fn by_move(&mut self, role: usize, wins: &[Win]) -> Vec<Wire> {
        if wins.is_empty() {
            return Vec::new();
        }
        let mut given: BTreeMap<(usize, Wire), Vec<Wire>> = BTreeMap::new();
        for (win, gain) in wins
            .iter()
            .flat_map(|it| it.gains.iter().map(move |gain| (it, gain)))
        {
            let place = given.entry((win.pick.number, gain.by)).or_default();
            place.push(gain.given);
        }
        let legal = &self.circuit.outputs.legal[role];
        let mut by_move = vec![Vec::new(); legal.len()];
        for ((number, by), given) in given {
            let given = self.net.any(given);
            by_move[number].push(self.net.and(by, given));
        }
        let wins = by_move.into_iter().zip(legal).map(|(wins, &legal)| {
            let any = self.net.any(wins);
            self.net.and(any, self.copies.of(legal))
        });
        wins.collect()
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
    /// What the role's highest goal is a conjunction of.
    goal: Vec<Wire>,
}

/// What ends the match.
struct Cause {
    wire: Wire,
    /// What it leaves open of the goal.
    open: Vec<usize>,
}

impl Aim {
    fn new(turn: &Turn<'_>, role: usize) -> Option<Aim> {
        let net = &turn.circuit.net;
        let goals = turn.circuit.outputs.goals[role].iter();
        let most = goals.filter(|&&(value, wire)| value > 0 && wire != Wire::FALSE);
        let &(_, goal) = most.max_by_key(|&&(value, _)| value)?;
        let goal = disjuncts(net, goal.negated(), |_| ());
        let goal: Vec<Wire> = goal.into_iter().map(Wire::negated).collect();
        let mut ends = disjuncts(net, turn.circuit.terminal(), |_| ());
        let parts = goal.iter().map(|&part| disjuncts(net, part, |_| ()));
        let parts: Vec<HashSet<Wire>> = parts.map(|it| it.into_iter().collect()).collect();
        // Where all ways to meet a part of the goal are ends, others lead nowhere.
        for part in &parts {
            let met: Vec<Wire> = ends
                .iter()
                .copied()
                .filter(|it| part.contains(it))
                .collect();
            if met.len() == part.len() {
                ends = met;
            }
        }
        let causes = ends.into_iter().map(|wire| Cause {
            wire,
            open: (0..goal.len())
                .filter(|&it| !parts[it].contains(&wire))
                .collect(),
        });
        let small = goal.iter().map(|&it| is_within(net, it, LARGEST_GOAL));
        let small: Vec<bool> = small.collect();
        let causes: Vec<Cause> = causes
            .filter(|cause| is_within(net, cause.wire, LARGEST_CAUSE))
            .filter(|cause| cause.open.iter().all(|&it| small[it]))
            .collect();
        (!causes.is_empty()).then_some(Aim { causes, goal })
    }

    fn wires(&self) -> impl Iterator<Item = Wire> {
        let open = self.causes.iter().flat_map(|it| &it.open);
        let open = open.map(|&part| self.goal[part]);
        self.causes.iter().map(|cause| cause.wire).chain(open)
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
