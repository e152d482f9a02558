//! Ground program → circuit: factoring, sharing, unrolling.
//!
//! A node is an OR of ANDs. The literal that most of its bodies share is taken out first,
//! and again from what is left, so that it is tested once. Equal gates are one. Exactly one
//! move of each role is done in a turn, so an OR over most of a role's moves is the negation
//! of the OR over the others. Recursion is unrolled, round by round.

use crate::circuit::{Circuit, Gate, TooManyGates, Wire};
use logic::{GroundProgram, Literal};
use std::collections::HashMap;

pub(crate) struct Builder<'p> {
    program: &'p GroundProgram,
    limit: usize,
    /// The wire of each node of the program, as far as it is known.
    wires: Vec<Wire>,
    gates: Vec<Gate>,
    known: HashMap<Gate, Wire, foldhash::fast::FixedState>,
    first_gate: usize,
    /// For each role its moves, by their numbers in the program.
    moves: Vec<Vec<usize>>,
}

impl<'p> Builder<'p> {
    pub(crate) fn new(program: &'p GroundProgram, limit: usize) -> Builder<'p> {
        let fluents = program.fluents().len();
        let mut moves = vec![Vec::new(); program.roles().len()];
        for (number, &(role, _)) in program.moves().iter().enumerate() {
            moves[role].push(number);
        }
        let mut wires = vec![Wire::FALSE; program.len()];
        for (node, wire) in wires.iter_mut().enumerate().take(fluents) {
            *wire = Wire::new(1 + node);
        }
        for (place, &number) in moves.iter().flatten().enumerate() {
            wires[fluents + number] = Wire::new(1 + fluents + place);
        }
        Builder {
            program,
            limit,
            wires,
            gates: Vec::new(),
            known: HashMap::default(),
            first_gate: 1 + program.inputs(),
            moves,
        }
    }

    pub(crate) fn finish(mut self) -> Result<Circuit, TooManyGates> {
        let mut node = self.program.inputs();
        let mut components = self.program.components().iter().peekable();
        while node < self.program.len() {
            match components.next_if(|component| component.start == node) {
                Some(component) => {
                    self.unroll(component.start, component.end)?;
                    node = component.end;
                }
                None => {
                    self.wires[node] = self.derive(node)?;
                    node += 1;
                }
            }
        }
        Ok(self.arrange())
    }

    /// Derives the nodes of a component round by round. What holds at all is derived in as
    /// many rounds as there are nodes.
    fn unroll(&mut self, start: usize, end: usize) -> Result<(), TooManyGates> {
        for _ in start..end {
            let mut round = Vec::with_capacity(end - start);
            for node in start..end {
                round.push(self.derive(node)?);
            }
            if self.wires[start..end] == round {
                return Ok(());
            }
            self.wires[start..end].copy_from_slice(&round);
        }
        Ok(())
    }

    fn derive(&mut self, node: usize) -> Result<Wire, TooManyGates> {
        let program = self.program;
        let bodies = program.bodies(node).filter_map(|body| self.body(body));
        let mut bodies: Vec<Vec<Wire>> = bodies.collect();
        bodies.sort_unstable();
        bodies.dedup();
        let wire = self.sum(bodies);
        match self.gates.len() > self.limit {
            true => Err(TooManyGates { limit: self.limit }),
            false => Ok(wire),
        }
    }

    /// The wires of a body; none if it never holds.
    fn body(&self, body: &[Literal]) -> Option<Vec<Wire>> {
        let mut wires: Vec<Wire> = body.iter().map(|&literal| self.wire(literal)).collect();
        wires.retain(|&wire| wire != Wire::TRUE);
        wires.sort_unstable();
        wires.dedup();
        let never = wires.first() == Some(&Wire::FALSE)
            || wires.windows(2).any(|pair| pair[0].negated() == pair[1]);
        (!never).then_some(wires)
    }

    fn wire(&self, literal: Literal) -> Wire {
        match literal.node() {
            Some((node, true)) => self.wires[node],
            Some((node, false)) => self.wires[node].negated(),
            None if literal == Literal::TRUE => Wire::TRUE,
            None => Wire::FALSE,
        }
    }

    /// The OR of the ANDs of some bodies.
    fn sum(&mut self, mut bodies: Vec<Vec<Wire>>) -> Wire {
        let mut alternatives = Vec::new();
        loop {
            if bodies.iter().any(Vec::is_empty) {
                return Wire::TRUE;
            }
            let Some(common) = most_common(&bodies) else {
                break;
            };
            let (mut with, without): (Vec<_>, Vec<_>) =
                bodies.into_iter().partition(|body| body.contains(&common));
            for body in &mut with {
                body.retain(|&wire| wire != common);
            }
            let inner = self.sum(with);
            alternatives.push(self.and(common, inner));
            bodies = without;
        }
        for body in bodies {
            alternatives.push(self.all(body));
        }
        self.any(alternatives)
    }

    fn all(&mut self, wires: Vec<Wire>) -> Wire {
        self.balanced(wires)
    }

    fn any(&mut self, wires: Vec<Wire>) -> Wire {
        let wires = self.most_moves(wires);
        let negated = wires.into_iter().map(Wire::negated).collect();
        self.balanced(negated).negated()
    }

    /// Replaces an OR over most moves of a role by the negation of that over the others.
    fn most_moves(&mut self, mut wires: Vec<Wire>) -> Vec<Wire> {
        let mut first = 1 + self.program.fluents().len();
        for role in 0..self.moves.len() {
            let nodes = first..first + self.moves[role].len();
            first = nodes.end;
            let is_move = |wire: &Wire| !wire.is_negated() && nodes.contains(&wire.node());
            if 2 * wires.iter().filter(|wire| is_move(wire)).count() <= nodes.len() {
                continue;
            }
            let mut others = vec![true; nodes.len()];
            for wire in wires.extract_if(.., |wire| is_move(wire)) {
                others[wire.node() - nodes.start] = false;
            }
            let others = nodes.clone().filter(|node| others[node - nodes.start]);
            let others = others.map(|node| Wire::new(node).negated()).collect();
            wires.push(self.balanced(others));
        }
        wires
    }

    /// The AND of some wires, as a tree of little depth.
    fn balanced(&mut self, mut wires: Vec<Wire>) -> Wire {
        wires.sort_unstable();
        wires.dedup();
        while wires.len() > 1 {
            let pairs = wires.chunks(2).map(<[Wire]>::to_vec).collect::<Vec<_>>();
            wires.clear();
            for pair in pairs {
                wires.push(match pair[..] {
                    [left, right] => self.and(left, right),
                    _ => pair[0],
                });
            }
        }
        wires.pop().unwrap_or(Wire::TRUE)
    }

    fn and(&mut self, left: Wire, right: Wire) -> Wire {
        let (left, right) = (left.min(right), left.max(right));
        if left == Wire::FALSE || left.negated() == right {
            return Wire::FALSE;
        }
        if left == Wire::TRUE || left == right {
            return right;
        }
        let gate = Gate(left, right);
        let next = Wire::new(self.first_gate + self.gates.len());
        let wire = *self.known.entry(gate).or_insert(next);
        if wire == next {
            self.gates.push(gate);
        }
        wire
    }

    /// Puts the gates that are needed in the order of the phases.
    fn arrange(self) -> Circuit {
        let program = self.program;
        let wires = |literals: &[Literal]| -> Vec<Wire> {
            literals.iter().map(|&literal| self.wire(literal)).collect()
        };
        let legal = wires(program.legal());
        let next = wires(program.next());
        let terminal = self.wire(program.terminal());
        let value = |term| program.terms().name(term).parse().unwrap_or(0);
        let goals: Vec<Vec<(u32, Wire)>> = (program.goals().iter())
            .map(|goals| {
                goals
                    .iter()
                    .map(|&(term, it)| (value(term), self.wire(it)))
                    .collect()
            })
            .collect();
        let percepts: Vec<Vec<_>> = (program.percepts().iter())
            .map(|seen| {
                seen.iter()
                    .map(|&(term, it)| (term, self.wire(it)))
                    .collect()
            })
            .collect();
        let goal_wires: Vec<Wire> = goals.iter().flatten().map(|&(_, wire)| wire).collect();
        let percept_wires: Vec<Wire> = percepts.iter().flatten().map(|&(_, wire)| wire).collect();

        let mut state = self.cone(legal.iter().copied().chain([terminal]));
        let of_goals = self.cone(goal_wires.iter().copied());
        let of_turn = self.cone(next.iter().chain(&percept_wires).copied());
        for gate in 0..self.gates.len() {
            state[gate] |= of_goals[gate] && of_turn[gate];
        }
        let of_next = self.cone(next.iter().copied());
        let of_percepts = self.cone(percept_wires.iter().copied());
        let phase = |gate: usize| {
            let phases = [
                state[gate],
                of_goals[gate],
                of_next[gate],
                of_percepts[gate],
            ];
            phases.iter().position(|&it| it)
        };
        let mut order: Vec<(usize, usize)> = (0..self.gates.len())
            .filter_map(|gate| Some((phase(gate)?, gate)))
            .collect();
        order.sort_unstable();
        let mut numbers = vec![u32::MAX; self.gates.len()];
        for (number, &(_, gate)) in order.iter().enumerate() {
            numbers[gate] = number as u32;
        }
        let renumber = |wire: Wire| match wire.node().checked_sub(self.first_gate) {
            Some(gate) => {
                let node = self.first_gate + numbers[gate] as usize;
                Wire((node as u32) << 1 | u32::from(wire.is_negated()))
            }
            None => wire,
        };
        let all = |wires: Vec<Wire>| wires.into_iter().map(renumber).collect::<Vec<_>>();
        let end = |last: usize| order.partition_point(|&(phase, _)| phase <= last);
        let gates = order.iter().map(|&(_, gate)| {
            let Gate(left, right) = self.gates[gate];
            let (left, right) = (renumber(left), renumber(right));
            Gate(left.min(right), left.max(right))
        });
        let legal = all(legal);
        let names = |moves: &Vec<usize>| moves.iter().map(|&it| program.moves()[it].1).collect();
        let wires_of = |moves: &Vec<usize>| moves.iter().map(|&it| legal[it]).collect();
        Circuit {
            fluents: program.fluents().to_vec(),
            moves: self.moves.iter().map(names).collect(),
            legal: self.moves.iter().map(wires_of).collect(),
            gates: gates.collect(),
            ends: [end(0), end(1), end(2), end(3)],
            initial: program.initial().to_vec(),
            next: all(next),
            terminal: renumber(terminal),
            goals: (goals.into_iter())
                .map(|goals| {
                    goals
                        .into_iter()
                        .map(|(value, it)| (value, renumber(it)))
                        .collect()
                })
                .collect(),
            percepts: (percepts.into_iter())
                .map(|seen| {
                    seen.into_iter()
                        .map(|(term, it)| (term, renumber(it)))
                        .collect()
                })
                .collect(),
        }
    }

    /// The gates that some wires need.
    fn cone(&self, wires: impl Iterator<Item = Wire>) -> Vec<bool> {
        let mut needed = vec![false; self.gates.len()];
        let mut open: Vec<Wire> = wires.collect();
        while let Some(wire) = open.pop() {
            if let Some(gate) = wire.node().checked_sub(self.first_gate)
                && !std::mem::replace(&mut needed[gate], true)
            {
                open.extend([self.gates[gate].0, self.gates[gate].1]);
            }
        }
        needed
    }
}

/// The wire that most bodies share, if at least two do.
fn most_common(bodies: &[Vec<Wire>]) -> Option<Wire> {
    if bodies.len() < 2 {
        return None;
    }
    let mut counts: HashMap<Wire, usize, foldhash::fast::FixedState> = HashMap::default();
    for &wire in bodies.iter().flatten() {
        *counts.entry(wire).or_default() += 1;
    }
    let best = counts
        .into_iter()
        .max_by_key(|&(wire, count)| (count, std::cmp::Reverse(wire)));
    best.filter(|&(_, count)| count > 1).map(|(wire, _)| wire)
}
