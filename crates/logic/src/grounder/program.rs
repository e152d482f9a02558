//! The ground program: inputs, rules in order, outputs.
//!
//! Invariants: nodes are fluents, then moves role by role, then derived nodes, those of the state
//! before those that depend on moves; the groups of a role's moves cover them in order; a rule
//! uses only nodes before its own, except inside a component, whose nodes depend on each other
//! without negation; no rule has an empty body, and no literal in a body is constant.

use super::join::Reached;
use super::simplify::Simplified;
use super::{NotGround, numbering};
use crate::ids::{Bits, BitsBuf, MoveId, RoleId};
use crate::interpreter::Interpreter;
use crate::loading::Loading;
use crate::terms::{TermId, Terms};
use std::ops::Range;

/// A node, its negation, or a constant.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Literal(u32);

impl Literal {
    /// Always holds.
    pub const TRUE: Literal = Literal(u32::MAX - 1);
    /// Never holds.
    pub const FALSE: Literal = Literal(u32::MAX);

    /// A node, or its negation.
    pub fn new(node: usize, positive: bool) -> Literal {
        Literal((node as u32) << 1 | u32::from(!positive))
    }

    /// The node, and whether it is not negated; none for a constant.
    pub fn node(self) -> Option<(usize, bool)> {
        (self < Literal::TRUE).then_some(((self.0 >> 1) as usize, self.0 & 1 == 0))
    }

    /// The negation.
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
    pub(super) chance: Option<RoleId>,
    pub(super) fluents: Vec<TermId>,
    /// For each role its moves.
    pub(super) moves: Vec<Vec<TermId>>,
    /// The node of each role's first move, and the first node after all moves.
    pub(super) first_moves: Vec<usize>,
    pub(super) move_groups: Vec<Vec<MoveGroup>>,
    pub(super) initial: BitsBuf,
    pub(super) names: Vec<String>,
    /// Where the rules of each derived node start in `rules`.
    pub(super) nodes: Vec<u32>,
    /// Where the body of each rule starts in `bodies`.
    pub(super) rules: Vec<u32>,
    pub(super) bodies: Vec<Literal>,
    /// How many derived nodes depend on the state alone; they come first.
    pub(super) of_state: usize,
    pub(super) components: Vec<Range<usize>>,
    pub(super) next: Vec<Literal>,
    pub(super) legal: Vec<Vec<Literal>>,
    pub(super) terminal: Literal,
    pub(super) goals: Vec<Vec<Output>>,
    pub(super) percepts: Vec<Vec<Output>>,
    pub(super) idle: Vec<u32>,
}

/// A goal or percept of a role, and the literal that decides it.
pub type Output = (TermId, Literal);

/// Moves of one role that share a guard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveGroup {
    /// Holds whenever one of the moves is legal; [`Literal::TRUE`] for moves without a guard.
    pub guard: Literal,
    /// The places of the moves among those of the role.
    pub moves: Range<usize>,
}

impl GroundProgram {
    /// The clauses that never apply, by their place in the program: no state that may be reached,
    /// negation ignored, fits their conditions. Those that do not depend on the state are not
    /// looked at.
    pub fn idle_clauses(&self) -> &[u32] {
        &self.idle
    }

    /// The terms of the game.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The roles, in the order of their facts.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The ids of the roles, in order.
    pub fn role_ids(&self) -> impl DoubleEndedIterator<Item = RoleId> + ExactSizeIterator + Clone {
        RoleId::all(self.roles.len())
    }

    /// The role that moves at random.
    pub fn chance(&self) -> Option<RoleId> {
        self.chance
    }

    /// The fluents: nodes from 0.
    pub fn fluents(&self) -> &[TermId] {
        &self.fluents
    }

    /// The moves of a role: a [`MoveId`] is a place here.
    pub fn moves(&self, role: RoleId) -> &[TermId] {
        &self.moves[role.index()]
    }

    /// The moves of a role in groups with a common guard, in order.
    pub fn move_groups(&self, role: RoleId) -> &[MoveGroup] {
        &self.move_groups[role.index()]
    }

    /// The node of a role's first move; the others follow it.
    pub fn first_move(&self, role: RoleId) -> usize {
        self.first_moves[role.index()]
    }

    /// The node of a move.
    pub fn move_node(&self, role: RoleId, action: MoveId) -> usize {
        self.first_move(role) + action.index()
    }

    /// The initial state.
    pub fn initial(&self) -> &Bits {
        &self.initial
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.inputs() + self.nodes.len() - 1
    }

    /// Whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many nodes are fluents or moves.
    pub fn inputs(&self) -> usize {
        self.first_moves[self.roles.len()]
    }

    /// The derived nodes that depend on the state alone.
    pub fn state_nodes(&self) -> Range<usize> {
        self.inputs()..self.inputs() + self.of_state
    }

    /// The derived nodes that depend on moves.
    pub fn turn_nodes(&self) -> Range<usize> {
        self.inputs() + self.of_state..self.len()
    }

    /// The ranges of nodes that depend on each other, in order.
    pub fn components(&self) -> &[Range<usize>] {
        &self.components
    }

    /// The bodies of the rules for a derived node: it holds if all literals of one do.
    pub fn bodies(&self, node: usize) -> impl Iterator<Item = &[Literal]> {
        let node = node - self.inputs();
        let rules = self.nodes[node] as usize..self.nodes[node + 1] as usize;
        rules.map(|rule| &self.bodies[self.rules[rule] as usize..self.rules[rule + 1] as usize])
    }

    /// For each node of a component the nodes of the component that depend on it, in order.
    pub fn users(&self, component: Range<usize>) -> Vec<Vec<usize>> {
        let mut users = vec![Vec::new(); component.len()];
        for node in component.clone() {
            let nodes = self.bodies(node).flatten().filter_map(|it| it.node());
            for (other, _) in nodes.filter(|(it, _)| component.contains(it)) {
                users[other - component.start].push(node);
            }
        }
        users.iter_mut().for_each(Vec::dedup);
        users
    }

    /// For each fluent the literal that makes it hold in the next state.
    pub fn next(&self) -> &[Literal] {
        &self.next
    }

    /// For each move of a role the literal that makes it legal.
    pub fn legal(&self, role: RoleId) -> &[Literal] {
        &self.legal[role.index()]
    }

    /// The literal that ends the match.
    pub fn terminal(&self) -> Literal {
        self.terminal
    }

    /// The goals of a role.
    pub fn goals(&self, role: RoleId) -> &[Output] {
        &self.goals[role.index()]
    }

    /// The percepts of a role: a [`PerceptId`](crate::PerceptId) is a place here.
    pub fn percepts(&self, role: RoleId) -> &[Output] {
        &self.percepts[role.index()]
    }

    /// How many rules there are, and how many literals in them.
    pub fn size(&self) -> (usize, usize) {
        (self.rules.len() - 1, self.bodies.len())
    }

    /// How many bytes it takes, about.
    pub fn bytes(&self) -> usize {
        let names: usize = self.names.iter().map(|it| 24 + it.len()).sum();
        let rules = self.bodies.len() + self.rules.len() + self.nodes.len();
        names + 4 * rules + self.terms.bytes()
    }

    /// The atom of a node, as text.
    pub fn name(&self, node: usize) -> &str {
        &self.names[node]
    }

    pub(super) fn new(
        interpreter: &Interpreter,
        terms: Terms,
        (reached, loading): (Reached, &Loading<'_>),
    ) -> Result<GroundProgram, NotGround> {
        let simple = Simplified::new(interpreter.rules(), terms, (reached, loading))?;
        let program = numbering::number(&simple, loading)?;
        debug_assert!(program.is_valid());
        Ok(program)
    }

    fn is_valid(&self) -> bool {
        let covered = self
            .move_groups
            .iter()
            .zip(&self.moves)
            .all(|(groups, moves)| {
                let end = groups.iter().try_fold(0, |end, group| {
                    (group.moves.start == end).then_some(group.moves.end)
                });
                end == Some(moves.len())
            });
        covered && self.rules_are_valid()
    }

    fn rules_are_valid(&self) -> bool {
        let inside = |node: usize| {
            let before = self.components.partition_point(|range| range.end <= node);
            let component = self.components.get(before);
            component.filter(|range| range.contains(&node))
        };
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
