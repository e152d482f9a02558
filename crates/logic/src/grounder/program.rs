//! The ground program: inputs, rules in order, outputs.
//!
//! Invariants: nodes are numbered fluents first, then moves, then what rules derive, those
//! that depend on the state alone before those that depend on moves; a rule asks only for
//! nodes before its own, except inside a component, whose nodes depend on each other without
//! negation; no rule has an empty body, and no literal in a body is constant.

use super::join::Reached;
use super::simplify::Simplified;
use super::{NotGround, numbering};
use crate::interpreter::Interpreter;
use crate::terms::{TermId, Terms};
use std::fmt::Write;
use std::ops::Range;

/// A node that has to hold or must not, or a constant.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// Always holds.
    pub const TRUE: Literal = Literal(u32::MAX - 1);
    /// Never holds.
    pub const FALSE: Literal = Literal(u32::MAX);

    /// A node that has to hold, or must not.
    pub fn new(node: usize, positive: bool) -> Literal {
        Literal((node as u32) << 1 | u32::from(!positive))
    }

    /// The node and whether it has to hold; none for a constant.
    pub fn node(self) -> Option<(usize, bool)> {
        (self < Literal::TRUE).then_some(((self.0 >> 1) as usize, self.0 & 1 == 0))
    }

    /// The opposite.
    #[must_use]
    pub fn negated(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// The rules of a game without variables.
#[derive(Debug)]
pub struct GroundProgram {
    pub(super) terms: Terms,
    pub(super) roles: Vec<TermId>,
    pub(super) fluents: Vec<TermId>,
    pub(super) moves: Vec<(usize, TermId)>,
    pub(super) initial: Vec<bool>,
    pub(super) names: Vec<String>,
    /// Where the rules of each derived node start in `rules`.
    pub(super) nodes: Vec<u32>,
    /// Where the body of each rule starts in `bodies`.
    pub(super) rules: Vec<u32>,
    pub(super) bodies: Vec<Literal>,
    /// How many of the derived nodes depend on the state alone: they come first.
    pub(super) of_state: usize,
    pub(super) components: Vec<Range<usize>>,
    pub(super) next: Vec<Literal>,
    pub(super) legal: Vec<Literal>,
    pub(super) terminal: Literal,
    pub(super) goals: Vec<Vec<(TermId, Literal)>>,
    pub(super) percepts: Vec<Vec<(TermId, Literal)>>,
}

/// Something a role may get or see, and the literal that decides it.
pub type Output = (TermId, Literal);

impl GroundProgram {
    /// The terms of the game.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The roles, in the order of their facts.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The fluents: nodes from 0.
    pub fn fluents(&self) -> &[TermId] {
        &self.fluents
    }

    /// The moves, each with its role's number: nodes after the fluents.
    pub fn moves(&self) -> &[(usize, TermId)] {
        &self.moves
    }

    /// For each role the numbers of its moves.
    pub fn moves_by_role(&self) -> Vec<Vec<usize>> {
        let mut by_role = vec![Vec::new(); self.roles.len()];
        for (number, &(role, _)) in self.moves.iter().enumerate() {
            by_role[role].push(number);
        }
        by_role
    }

    /// Which fluents hold first.
    pub fn initial(&self) -> &[bool] {
        &self.initial
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.inputs() + self.nodes.len() - 1
    }

    /// Whether there is nothing to decide at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many nodes are fluents or moves.
    pub fn inputs(&self) -> usize {
        self.fluents.len() + self.moves.len()
    }

    /// The derived nodes that depend on the state alone.
    pub fn state_nodes(&self) -> Range<usize> {
        self.inputs()..self.inputs() + self.of_state
    }

    /// The derived nodes that depend on moves.
    pub fn turn_nodes(&self) -> Range<usize> {
        self.inputs() + self.of_state..self.len()
    }

    /// The nodes that depend on each other, range by range, in order.
    pub fn components(&self) -> &[Range<usize>] {
        &self.components
    }

    /// The bodies of the rules for a derived node: it holds if all literals of one do.
    pub fn bodies(&self, node: usize) -> impl Iterator<Item = &[Literal]> {
        let node = node - self.inputs();
        let rules = self.nodes[node] as usize..self.nodes[node + 1] as usize;
        rules.map(|rule| &self.bodies[self.rules[rule] as usize..self.rules[rule + 1] as usize])
    }

    /// What decides whether each fluent holds in the next state.
    pub fn next(&self) -> &[Literal] {
        &self.next
    }

    /// What decides whether each move is legal.
    pub fn legal(&self) -> &[Literal] {
        &self.legal
    }

    /// What decides whether a match is over.
    pub fn terminal(&self) -> Literal {
        self.terminal
    }

    /// What decides each role's goals.
    pub fn goals(&self) -> &[Vec<Output>] {
        &self.goals
    }

    /// What decides each role's percepts.
    pub fn percepts(&self) -> &[Vec<Output>] {
        &self.percepts
    }

    /// How many rules there are, and how many literals in them.
    pub fn size(&self) -> (usize, usize) {
        (self.rules.len() - 1, self.bodies.len())
    }

    /// The sentence of a node.
    pub fn name(&self, node: usize) -> &str {
        &self.names[node]
    }

    /// The whole program as text: what `ludex show ground` prints.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let (rules, literals) = self.size();
        let out = &mut text;
        write!(
            out,
            "; {} fluents, {} moves, ",
            self.fluents.len(),
            self.moves.len()
        )
        .and_then(|()| {
            writeln!(
                out,
                "{} derived nodes, {rules} rules, {literals} literals",
                self.len() - self.inputs()
            )
        })
        .expect("writing to a string");
        for node in self.inputs()..self.len() {
            for body in self.bodies(node) {
                let body: Vec<String> = body.iter().map(|&it| self.literal(it)).collect();
                text += &format!("(<= {}\n    {})\n", self.names[node], body.join("\n    "));
            }
        }
        for (node, &next) in self.next.iter().enumerate() {
            text += &self.output("next", &self.terms.text(self.fluents[node]), next);
        }
        for (&(role, action), &legal) in self.moves.iter().zip(&self.legal) {
            let role = self.terms.text(self.roles[role]);
            let what = format!("{role} {}", self.terms.text(action));
            text += &self.output("legal", &what, legal);
        }
        text += &format!("(<= terminal {})\n", self.literal(self.terminal));
        for (name, outputs) in [("goal", &self.goals), ("sees", &self.percepts)] {
            for (role, outputs) in self.roles.iter().zip(outputs) {
                for &(term, literal) in outputs {
                    let what = format!("{} {}", self.terms.text(*role), self.terms.text(term));
                    text += &self.output(name, &what, literal);
                }
            }
        }
        text
    }

    fn output(&self, name: &str, what: &str, literal: Literal) -> String {
        format!("(<= ({name} {what}) {})\n", self.literal(literal))
    }

    fn literal(&self, literal: Literal) -> String {
        match literal.node() {
            Some((node, true)) => self.names[node].clone(),
            Some((node, false)) => format!("(not {})", self.names[node]),
            None if literal == Literal::TRUE => "(or (and))".to_string(),
            None => "(or)".to_string(),
        }
    }

    pub(super) fn new(
        interpreter: &Interpreter,
        terms: Terms,
        reached: Reached,
    ) -> Result<GroundProgram, NotGround> {
        let simple = Simplified::new(interpreter.rules(), terms, reached)?;
        let program = numbering::number(&simple);
        debug_assert!(program.is_valid());
        Ok(program)
    }

    fn is_valid(&self) -> bool {
        let inside = |node: usize| self.components.iter().find(|range| range.contains(&node));
        (self.inputs()..self.len()).all(|node| {
            self.bodies(node).all(|body| {
                !body.is_empty()
                    && body.iter().all(|literal| match literal.node() {
                        Some((other, _)) if other < node => true,
                        Some((other, true)) => inside(node).is_some_and(|it| it.contains(&other)),
                        _ => false,
                    })
            })
        })
    }
}
