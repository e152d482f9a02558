//! Ground program → circuit: factoring, sharing, unrolling.
//!
//! A node is an OR of ANDs. The literal that most of its bodies share is taken out first,
//! and again from what is left, so that it is tested once. Equal gates are one. Exactly one
//! move of each role is done in a turn, so an OR over most of a role's moves is the negation
//! of the OR over the others. Recursion is unrolled, round by round.

use crate::circuit::{Circuit, NotBuilt, Outputs, TooManyGates};
use crate::common::most_common;
use crate::net::{Net, Wire};
use crate::share::share;
use logic::{Exceeded, FluentId, GroundProgram, Literal, Loading};
use std::collections::HashMap;

pub(crate) struct Builder<'p> {
    program: &'p GroundProgram,
    limit: usize,
    loading: &'p Loading<'p>,
    /// The wire of each node of the program, as far as it is known.
    wires: Vec<Wire>,
    net: Net,
}

impl<'p> Builder<'p> {
    pub(crate) fn new(
        program: &'p GroundProgram,
        limit: usize,
        loading: &'p Loading<'p>,
    ) -> Builder<'p> {
        let mut net = Net::default();
        let mut wires: Vec<Wire> = (0..program.inputs()).map(|it| net.input(it)).collect();
        wires.resize(program.len(), Wire::FALSE);
        Builder {
            program,
            limit,
            loading,
            wires,
            net,
        }
    }

    pub(crate) fn finish(mut self) -> Result<Circuit, NotBuilt> {
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
        Ok(self.arrange()?)
    }

    /// Derives the nodes of a component round by round, in each those that depend on nodes which
    /// the round before changed. What holds at all is derived in as many rounds as there are nodes.
    fn unroll(&mut self, start: usize, end: usize) -> Result<(), NotBuilt> {
        let users = self.program.users(start..end);
        let mut due: Vec<usize> = (start..end).collect();
        for _ in start..end {
            let mut changed = Vec::new();
            for &node in &due {
                let wire = self.derive(node)?;
                if wire != self.wires[node] {
                    changed.push((node, wire));
                }
            }
            due.clear();
            for (node, wire) in changed {
                self.wires[node] = wire;
                due.extend(&users[node - start]);
            }
            due.sort_unstable();
            due.dedup();
            if due.is_empty() {
                break;
            }
        }
        Ok(())
    }

    fn derive(&mut self, node: usize) -> Result<Wire, NotBuilt> {
        let program = self.program;
        let bodies = program.bodies(node).filter_map(|body| self.body(body));
        let mut bodies: Vec<Vec<Wire>> = bodies.collect();
        bodies.sort_unstable();
        bodies.dedup();
        let wire = self.sum(bodies)?;
        match self.net.len() > self.limit + self.program.inputs() {
            true => Err(TooManyGates { limit: self.limit }.into()),
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
    fn sum(&mut self, mut bodies: Vec<Vec<Wire>>) -> Result<Wire, Exceeded> {
        let mut alternatives = Vec::new();
        loop {
            let work = 16 + 4 * bodies.len();
            self.loading.spend(work, || self.net.bytes())?;
            if bodies.iter().any(Vec::is_empty) {
                return Ok(Wire::TRUE);
            }
            let Some(common) = most_common(&bodies) else {
                break;
            };
            let (mut with, without): (Vec<_>, Vec<_>) =
                bodies.into_iter().partition(|body| body.contains(&common));
            for body in &mut with {
                body.retain(|&wire| wire != common);
            }
            let inner = self.sum(with)?;
            alternatives.push(self.net.and(common, inner));
            bodies = without;
        }
        for body in bodies {
            alternatives.push(self.net.all(body));
        }
        Ok(self.any(alternatives))
    }

    fn any(&mut self, wires: Vec<Wire>) -> Wire {
        let wires = self.most_moves(wires);
        self.net.any(wires)
    }

    /// Replaces an OR over most moves of a role by the negation of that over the others.
    fn most_moves(&mut self, mut wires: Vec<Wire>) -> Vec<Wire> {
        for role in self.program.role_ids() {
            // The constant comes before the inputs.
            let first = 1 + self.program.first_move(role);
            let nodes = first..first + self.program.moves(role).len();
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
            wires.push(self.net.all(others));
        }
        wires
    }

    /// Keeps the gates that an output needs.
    fn arrange(self) -> Result<Circuit, Exceeded> {
        let program = self.program;
        let outputs = self.outputs();
        let wires: Vec<Wire> = outputs.wires().collect();
        let (mut net, shared) = share(&self.net, &wires, (program.inputs(), self.loading))?;
        net.finish();
        let became: HashMap<Wire, Wire> = wires.into_iter().zip(shared).collect();
        let initial = FluentId::all(program.fluents().len()).map(|it| program.initial().holds(it));
        Ok(Circuit {
            fluents: program.fluents().to_vec(),
            moves: (program.role_ids().map(|it| program.moves(it).to_vec())).collect(),
            initial: initial.collect(),
            net,
            outputs: outputs.map(|wire| became[&wire]),
        })
    }

    fn outputs(&self) -> Outputs {
        let program = self.program;
        let value = |term| program.terms().name(term).parse().unwrap_or(0);
        let goals = program.role_ids().map(|role| {
            let goals = program.goals(role).iter();
            goals
                .map(|&(term, it)| (value(term), self.wire(it)))
                .collect()
        });
        let percepts = program.role_ids().map(|role| {
            let seen = program.percepts(role).iter();
            seen.map(|&(term, it)| (term, self.wire(it))).collect()
        });
        let legal = program.role_ids().map(|role| {
            let legal = program.legal(role).iter();
            legal.map(|&it| self.wire(it)).collect()
        });
        Outputs {
            legal: legal.collect(),
            next: program.next().iter().map(|&it| self.wire(it)).collect(),
            terminal: Some(self.wire(program.terminal())),
            goals: goals.collect(),
            percepts: percepts.collect(),
        }
    }
}
