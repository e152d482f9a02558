//! AND gates of any number of literals, each built once; an OR is the negation of the AND of the
//! negations.
//!
//! Invariants: nodes are fluents, then moves role by role, then gates and nodes of recursions, each
//! after its inputs; a gate has at least two literals, sorted, none constant and no two over the
//! same node.

use super::choices::{Choices, MoveNodes};
use crate::common::most_common;
use logic::{Exceeded, Literal, Loading};
use std::collections::HashMap;

/// A node beyond the inputs.
#[derive(Debug)]
pub(crate) enum Gate {
    /// The AND of these.
    All(Box<[Literal]>),
    /// Derived by the recursion of this number.
    Derived(usize),
}

/// The gates so far.
pub(crate) struct Gates {
    roles: MoveNodes,
    /// Literals of many gates, factored out so that they are tested once.
    guards: Vec<Literal>,
    gates: Vec<Gate>,
    /// Literals of all gates together.
    literals: usize,
    known: HashMap<Box<[Literal]>, Literal, foldhash::fast::FixedState>,
    /// The choices of gates over moves alone.
    choices: HashMap<usize, Choices, foldhash::fast::FixedState>,
}

impl Gates {
    pub(crate) fn new(roles: MoveNodes, guards: Vec<Literal>) -> Gates {
        Gates {
            roles,
            guards,
            gates: Vec::new(),
            literals: 0,
            known: HashMap::default(),
            choices: HashMap::default(),
        }
    }

    /// How many nodes there are, with the inputs.
    pub(crate) fn len(&self) -> usize {
        self.roles.inputs() + self.gates.len()
    }

    /// How many bytes they take, about.
    pub(crate) fn bytes(&self) -> usize {
        const GATE: usize = 96;
        GATE * self.gates.len() + 8 * self.literals
    }

    /// How many nodes are fluents or moves.
    pub(crate) fn inputs(&self) -> usize {
        self.roles.inputs()
    }

    /// The gate of a node; none for an input.
    pub(crate) fn gate(&self, node: usize) -> Option<&Gate> {
        node.checked_sub(self.inputs())
            .map(|gate| &self.gates[gate])
    }

    /// A node that a recursion derives.
    pub(crate) fn derived(&mut self, recursion: usize) -> Literal {
        self.push(Gate::Derived(recursion))
    }

    /// The OR of the ANDs of some bodies. The most common literal is factored out, repeatedly.
    pub(crate) fn any_of_all(
        &mut self,
        mut bodies: Vec<Vec<Literal>>,
        loading: &Loading<'_>,
    ) -> Result<Literal, Exceeded> {
        let mut alternatives = Vec::new();
        loop {
            loading.spend(16 + 4 * bodies.len(), || self.bytes())?;
            let Some(common) = most_common(&bodies) else {
                break;
            };
            let (mut with, without): (Vec<_>, Vec<_>) =
                bodies.into_iter().partition(|body| body.contains(&common));
            for body in &mut with {
                body.retain(|&literal| literal != common);
            }
            let rest = self.any_of_all(with, loading)?;
            alternatives.push(self.all(vec![common, rest]));
            bodies = without;
        }
        for body in bodies {
            alternatives.push(self.all(body));
        }
        Ok(self.any(alternatives))
    }

    /// The OR of some literals.
    pub(crate) fn any(&mut self, mut literals: Vec<Literal>) -> Literal {
        for number in 0..self.guards.len() {
            self.take_out(self.guards[number], &mut literals);
        }
        let negated = literals.into_iter().map(Literal::negated).collect();
        self.all(negated).negated()
    }

    /// Factors a guard out of the alternatives that have it, if there are several.
    fn take_out(&mut self, guard: Literal, alternatives: &mut Vec<Literal>) {
        let rests = alternatives
            .iter()
            .filter_map(|&it| self.without(guard, it));
        let rests: Vec<Literal> = rests.collect();
        if rests.len() > 1 {
            alternatives.retain(|&it| self.without(guard, it).is_none());
            let rest = self.any(rests);
            alternatives.push(self.all(vec![guard, rest]));
        }
    }

    /// The other literal of a gate of two, one of which is a guard.
    pub(crate) fn without(&self, guard: Literal, literal: Literal) -> Option<Literal> {
        let (node, true) = literal.node()? else {
            return None;
        };
        match self.gate(node)? {
            Gate::All(literals) => match literals[..] {
                [first, second] if first == guard => Some(second),
                [first, second] if second == guard => Some(first),
                _ => None,
            },
            Gate::Derived(_) => None,
        }
    }

    /// The AND of some literals.
    pub(crate) fn all(&mut self, mut literals: Vec<Literal>) -> Literal {
        literals.retain(|&literal| literal != Literal::TRUE);
        literals.sort_unstable();
        literals.dedup();
        let never = literals.last() == Some(&Literal::FALSE)
            || literals.windows(2).any(|it| it[0].negated() == it[1]);
        if never {
            return Literal::FALSE;
        }
        if literals.len() < 2 {
            return literals.pop().unwrap_or(Literal::TRUE);
        }
        let guard = (literals.len() > 2)
            .then(|| self.guards.iter().find(|it| literals.contains(it)).copied())
            .flatten();
        if let Some(guard) = guard {
            literals.retain(|&it| it != guard);
            let rest = self.all(literals);
            return self.all(vec![guard, rest]);
        }
        self.by_choices(literals)
    }

    /// The AND of some literals, those over moves merged where that makes them fewer.
    fn by_choices(&mut self, literals: Vec<Literal>) -> Literal {
        let (mut rest, mut about_moves) = (Vec::new(), Vec::new());
        let mut choices = Choices::default();
        for &literal in &literals {
            match self.choices_of(literal) {
                Some(more) => {
                    choices.restrict(&more);
                    about_moves.push(literal);
                }
                None => rest.push(literal),
            }
        }
        if about_moves.is_empty() {
            return self.gate_of(literals);
        }
        choices.settle(&self.roles);
        if choices.is_impossible() {
            return Literal::FALSE;
        }
        let pure = rest.is_empty();
        let opposite = choices.complement(&self.roles);
        let opposite = opposite.filter(|it| it.size() < choices.size());
        let size = opposite.as_ref().unwrap_or(&choices).size();
        let mut merged = literals;
        if size < 2 * about_moves.len() {
            merged = rest;
            match opposite {
                Some(opposite) => merged.push(self.chosen(opposite).negated()),
                None => merged.extend(self.said(&choices)),
            }
        }
        let literal = self.gate_of(merged);
        if pure {
            self.learn(literal, choices);
        }
        literal
    }

    /// The literal of some choices.
    fn chosen(&mut self, choices: Choices) -> Literal {
        let said = self.said(&choices);
        let literal = self.gate_of(said);
        self.learn(literal, choices);
        literal
    }

    /// Literals whose AND expresses some choices.
    fn said(&mut self, choices: &Choices) -> Vec<Literal> {
        let mut said = Vec::new();
        for (role, set) in choices.sets() {
            let (moves, allowed) = set.moves();
            let negated = moves.iter().map(|&it| Literal::new(it as usize, false));
            match (allowed, moves) {
                (true, &[only]) => said.push(Literal::new(only as usize, true)),
                (true, _) => {
                    let none = self.gate_of(negated.collect());
                    self.learn(none, Choices::of(role, set.complement()));
                    said.push(none.negated());
                }
                (false, _) => said.extend(negated),
            }
        }
        said
    }

    fn choices_of(&self, literal: Literal) -> Option<Choices> {
        let (node, positive) = literal.node()?;
        if let Some(role) = self.roles.of(node) {
            return Some(Choices::one(role, node as u32, positive));
        }
        let choices = self.choices.get(&node)?;
        match positive {
            true => Some(choices.clone()),
            false => choices.complement(&self.roles),
        }
    }

    fn learn(&mut self, literal: Literal, choices: Choices) {
        if let Some((node, true)) = literal.node() {
            self.choices.entry(node).or_insert(choices);
        }
    }

    /// The gate of simplified literals.
    fn gate_of(&mut self, mut literals: Vec<Literal>) -> Literal {
        if literals.len() < 2 {
            return literals.pop().unwrap_or(Literal::TRUE);
        }
        if literals.contains(&Literal::FALSE) {
            return Literal::FALSE;
        }
        literals.sort_unstable();
        let literals = literals.into_boxed_slice();
        self.literals += literals.len();
        if let Some(&known) = self.known.get(&literals) {
            return known;
        }
        let literal = self.push(Gate::All(literals.clone()));
        self.known.insert(literals, literal);
        literal
    }

    fn push(&mut self, gate: Gate) -> Literal {
        self.gates.push(gate);
        Literal::new(self.len() - 1, true)
    }
}
