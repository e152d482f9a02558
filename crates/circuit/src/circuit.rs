//! The circuit: the rules of a game as gates of two inputs.
//!
//! Invariants: inputs are the fluents, then the moves, role by role; every gate is needed by
//! an output.

use crate::build::Builder;
use crate::net::{Net, Node, Wire};
use logic::{Exceeded, GroundProgram, Loading, TermId};
use std::fmt::Write;

/// The circuit would have too many gates.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the circuit has more than {limit} gates")]
pub struct TooManyGates {
    /// The limit.
    pub limit: usize,
}

/// The rules of a game as gates.
#[derive(Debug)]
pub struct Circuit {
    pub(crate) fluents: Vec<TermId>,
    /// For each role its moves.
    pub(crate) moves: Vec<Vec<TermId>>,
    pub(crate) initial: Vec<bool>,
    pub(crate) net: Net,
    pub(crate) outputs: Outputs,
}

/// What decides the answers.
#[derive(Debug, Default)]
pub(crate) struct Outputs {
    /// For each role its moves.
    pub(crate) legal: Vec<Vec<Wire>>,
    pub(crate) next: Vec<Wire>,
    pub(crate) terminal: Option<Wire>,
    pub(crate) goals: Vec<Vec<(u32, Wire)>>,
    pub(crate) percepts: Vec<Vec<(TermId, Wire)>>,
}

impl Outputs {
    pub(crate) fn wires(&self) -> impl Iterator<Item = Wire> {
        let goals = self.goals.iter().flatten().map(|&(_, wire)| wire);
        let percepts = self.percepts.iter().flatten().map(|&(_, wire)| wire);
        let legal = self.legal.iter().flatten().copied();
        let next = self.next.iter().copied();
        legal
            .chain(next)
            .chain(self.terminal)
            .chain(goals)
            .chain(percepts)
    }

    /// The same outputs, of other wires.
    pub(crate) fn map(&self, to: impl Fn(Wire) -> Wire) -> Outputs {
        let pairs = |outputs: &Vec<(u32, Wire)>| {
            outputs.iter().map(|&(value, it)| (value, to(it))).collect()
        };
        let seen = |outputs: &Vec<(TermId, Wire)>| {
            outputs.iter().map(|&(term, it)| (term, to(it))).collect()
        };
        let all = |wires: &Vec<Wire>| wires.iter().map(|&wire| to(wire)).collect();
        Outputs {
            legal: self.legal.iter().map(all).collect(),
            next: all(&self.next),
            terminal: self.terminal.map(&to),
            goals: self.goals.iter().map(pairs).collect(),
            percepts: self.percepts.iter().map(seen).collect(),
        }
    }
}

/// Why there is no circuit.
#[derive(Copy, Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotBuilt {
    /// It would be too large.
    #[error(transparent)]
    TooManyGates(#[from] TooManyGates),
    /// Loading exceeds a limit.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
}

impl Circuit {
    /// Builds the circuit of a ground program, with at most `limit` gates.
    pub fn new(program: &GroundProgram, limit: usize) -> Result<Circuit, NotBuilt> {
        Circuit::within(program, limit, &Loading::unlimited())
    }

    /// Builds it as a stage of loading.
    pub fn within(
        program: &GroundProgram,
        limit: usize,
        loading: &Loading<'_>,
    ) -> Result<Circuit, NotBuilt> {
        let circuit = Builder::new(program, limit, loading).finish()?;
        debug_assert!(circuit.is_valid());
        Ok(circuit)
    }

    /// How many gates there are.
    pub fn len(&self) -> usize {
        let nodes = (0..self.net.len()).map(|node| self.net.node(node));
        nodes
            .filter(|node| matches!(node, Node::And(..) | Node::Xor(..)))
            .count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many roles there are.
    pub fn roles(&self) -> usize {
        self.moves.len()
    }

    /// The fluents, as the program numbers them.
    pub fn fluents(&self) -> &[TermId] {
        &self.fluents
    }

    /// Which fluents hold first.
    pub fn initial(&self) -> &[bool] {
        &self.initial
    }

    /// The moves of each role.
    pub fn moves(&self) -> &[Vec<TermId>] {
        &self.moves
    }

    pub(crate) fn terminal(&self) -> Wire {
        self.outputs.terminal.expect("a circuit decides the end")
    }

    /// The circuit as text: what `ludex show circuit` prints. Gates are `%n`, inputs go by
    /// their names.
    pub fn text(&self, terms: &logic::Terms, roles: &[TermId]) -> String {
        let does = self.moves.iter().zip(roles).flat_map(|(moves, &role)| {
            let name = move |&it: &TermId| format!("does({} {})", terms.text(role), terms.text(it));
            moves.iter().map(name)
        });
        let fluents = self
            .fluents
            .iter()
            .map(|&it| format!("true({})", terms.text(it)));
        let inputs: Vec<String> = fluents.chain(does).collect();
        let wire = |wire: Wire| {
            let name = match self.net.node(wire.node()) {
                Node::False => return if wire == Wire::TRUE { "1" } else { "0" }.to_string(),
                Node::Input(number) => inputs[number as usize].clone(),
                Node::And(..) | Node::Xor(..) => format!("%{}", wire.node()),
            };
            let sign = if wire.is_negated() { "~" } else { "" };
            format!("{sign}{name}")
        };
        let mut text = String::new();
        let mut line = |head: String, body: String| {
            writeln!(text, "{head} = {body}").expect("writing to a string");
        };
        for node in 0..self.net.len() {
            match self.net.node(node) {
                Node::And(a, b) => line(format!("%{node}"), format!("{} & {}", wire(a), wire(b))),
                Node::Xor(a, b) => line(format!("%{node}"), format!("{} ^ {}", wire(a), wire(b))),
                Node::False | Node::Input(_) => {}
            }
        }
        let outputs = &self.outputs;
        for ((moves, legal), &role) in self.moves.iter().zip(&outputs.legal).zip(roles) {
            for (&it, &legal) in moves.iter().zip(legal) {
                let head = format!("legal({} {})", terms.text(role), terms.text(it));
                line(head, wire(legal));
            }
        }
        line("terminal".to_string(), wire(self.terminal()));
        for (goals, &role) in outputs.goals.iter().zip(roles) {
            for &(value, goal) in goals {
                line(format!("goal({} {value})", terms.text(role)), wire(goal));
            }
        }
        for (&fluent, &next) in self.fluents.iter().zip(&outputs.next) {
            line(format!("next({})", terms.text(fluent)), wire(next));
        }
        for (seen, &role) in outputs.percepts.iter().zip(roles) {
            for &(term, it) in seen {
                let head = format!("sees({} {})", terms.text(role), terms.text(term));
                line(head, wire(it));
            }
        }
        text
    }

    fn is_valid(&self) -> bool {
        let needed = self.net.cone(self.outputs.wires());
        (0..self.net.len()).all(|number| match self.net.node(number) {
            Node::And(a, b) | Node::Xor(a, b) => {
                needed[number] && a > Wire::TRUE && a.node() < b.node() && b.node() < number
            }
            Node::False | Node::Input(_) => true,
        })
    }
}
