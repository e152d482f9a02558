//! Ground program → gates and recursions, with the literals that decide the outputs.

use super::choices::MoveNodes;
use super::gates::Gates;
use super::turns;
use logic::{
    BitsBuf, Exceeded, GroundProgram, Literal, Loading, MoveGroup, Output, RoleId, TermId,
};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A fluent is a guard if more than one in so many moves need it.
const GUARDED: usize = 16;

/// A rule inside a recursion.
#[derive(Debug)]
pub(crate) struct Rule {
    /// The derived node, by its place in the recursion.
    pub(crate) head: usize,
    /// The condition outside the recursion.
    pub(crate) outside: Literal,
    /// The conditions inside, by their places.
    pub(crate) inside: Vec<usize>,
}

/// Nodes that depend on each other.
#[derive(Debug)]
pub(crate) struct Recursion {
    /// The nodes, one after the other.
    pub(crate) nodes: Range<usize>,
    pub(crate) rules: Vec<Rule>,
}

/// For each role its goals or percepts.
pub(crate) type Outputs = Vec<Vec<Output>>;

/// Gates, and the literals of the outputs.
pub(crate) struct Built {
    pub(crate) gates: Gates,
    pub(crate) recursions: Vec<Recursion>,
    pub(crate) fluents: Vec<TermId>,
    pub(crate) initial: BitsBuf,
    /// The moves of each role.
    pub(crate) moves: Vec<Vec<TermId>>,
    /// For each role the literal that makes each move legal.
    pub(crate) legal: Vec<Vec<Literal>>,
    /// For each role its moves grouped by guard.
    pub(crate) move_groups: Vec<Vec<MoveGroup>>,
    pub(crate) terminal: Literal,
    pub(crate) next: Vec<Literal>,
    pub(crate) goals: Outputs,
    pub(crate) percepts: Outputs,
}

impl Built {
    pub(crate) fn new(program: &GroundProgram, loading: &Loading<'_>) -> Result<Built, Exceeded> {
        Builder::new(program, loading).finish()
    }
}

struct Builder<'p> {
    program: &'p GroundProgram,
    loading: &'p Loading<'p>,
    gates: Gates,
    recursions: Vec<Recursion>,
    /// The literal of each node of the program built so far.
    literals: Vec<Literal>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p GroundProgram, loading: &'p Loading<'p>) -> Builder<'p> {
        let inputs = (0..program.inputs()).map(|it| Literal::new(it, true));
        let mut literals: Vec<Literal> = inputs.collect();
        literals.resize(program.len(), Literal::FALSE);
        Builder {
            program,
            loading,
            gates: Gates::new(roles(program), guards(program)),
            recursions: Vec::new(),
            literals,
        }
    }

    fn finish(mut self) -> Result<Built, Exceeded> {
        let program = self.program;
        let mut node = program.inputs();
        let mut components = program.components().iter().peekable();
        while node < program.len() {
            match components.next_if(|component| component.start == node) {
                Some(component) => {
                    self.recursion(component)?;
                    node = component.end;
                }
                None => {
                    let bodies = program.bodies(node).map(|body| self.mapped(body));
                    let bodies = bodies.collect();
                    self.literals[node] = self.gates.any_of_all(bodies, self.loading)?;
                    node += 1;
                }
            }
        }
        let roles = program.role_ids();
        Ok(Built {
            fluents: program.fluents().to_vec(),
            initial: program.initial().to_owned(),
            moves: (roles.clone().map(|it| program.moves(it).to_vec())).collect(),
            legal: (roles.clone().map(|it| self.mapped(program.legal(it)))).collect(),
            move_groups: roles.map(|it| self.move_groups(it)).collect(),
            terminal: self.literal(program.terminal()),
            next: self.mapped(program.next()),
            goals: self.outputs(GroundProgram::goals),
            percepts: self.outputs(GroundProgram::percepts),
            gates: self.gates,
            recursions: self.recursions,
        })
    }

    /// Builds a component as a recursion.
    fn recursion(&mut self, component: &Range<usize>) -> Result<(), Exceeded> {
        let number = self.recursions.len();
        // Conditions outside the component come before its nodes.
        let mut rules = Vec::new();
        for node in component.clone() {
            for body in self.program.bodies(node) {
                self.loading.spend(8 + body.len(), || self.gates.bytes())?;
                let is_inside =
                    |it: &&Literal| it.node().is_some_and(|it| component.contains(&it.0));
                let (inside, outside): (Vec<&Literal>, Vec<&Literal>) =
                    body.iter().partition(is_inside);
                let outside = outside.into_iter().map(|&it| self.literal(it)).collect();
                let inside = inside.into_iter().filter_map(|it| it.node());
                let mut inside: Vec<usize> = inside.map(|it| it.0 - component.start).collect();
                inside.sort_unstable();
                inside.dedup();
                rules.push(Rule {
                    head: node - component.start,
                    outside: self.gates.all(outside),
                    inside,
                });
            }
        }
        rules.retain(|rule| rule.outside != Literal::FALSE);
        let first = self.gates.len();
        for node in component.clone() {
            self.literals[node] = self.gates.derived(number);
        }
        let nodes = first..self.gates.len();
        self.recursions.push(Recursion { nodes, rules });
        Ok(())
    }

    fn outputs(&self, of_role: impl Fn(&'p GroundProgram, RoleId) -> &'p [Output]) -> Outputs {
        let outputs = |role| {
            let outputs = of_role(self.program, role).iter();
            outputs
                .map(|&(term, it)| (term, self.literal(it)))
                .collect()
        };
        self.program.role_ids().map(outputs).collect()
    }

    fn move_groups(&self, role: RoleId) -> Vec<MoveGroup> {
        let groups = self.program.move_groups(role).iter();
        let groups = groups.map(|group| MoveGroup {
            guard: self.literal(group.guard),
            moves: group.moves.clone(),
        });
        groups.collect()
    }

    fn mapped(&self, literals: &[Literal]) -> Vec<Literal> {
        literals.iter().map(|&it| self.literal(it)).collect()
    }

    fn literal(&self, literal: Literal) -> Literal {
        match literal.node() {
            Some((node, true)) => self.literals[node],
            Some((node, false)) => self.literals[node].negated(),
            None => literal,
        }
    }
}

/// The nodes of each role's moves, and which of them are idle.
fn roles(program: &GroundProgram) -> MoveNodes {
    let counts = program.role_ids().map(|role| program.moves(role).len());
    let mut roles = MoveNodes::new(program.fluents().len(), counts);
    roles.idle = turns::idle_moves(program).map(|idle| {
        let nodes = program.role_ids().zip(idle);
        let nodes = nodes.map(|(role, idle)| program.move_node(role, idle) as u32);
        nodes.collect()
    });
    roles
}

/// The fluents that many moves need to be legal, those that guard groups of moves first.
fn guards(program: &GroundProgram) -> Vec<Literal> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for &literal in program.role_ids().flat_map(|role| program.legal(role)) {
        for fluent in turns::needs(program, literal) {
            *counts.entry(fluent).or_default() += 1;
        }
    }
    let moves = program.inputs() - program.fluents().len();
    counts.retain(|_, count| GUARDED * *count > moves);
    let groups = program
        .role_ids()
        .flat_map(|role| program.move_groups(role));
    let first: BTreeSet<Literal> = groups.map(|group| group.guard).collect();
    let fluents = counts.into_keys().map(|it| Literal::new(it, true));
    let mut guards: Vec<Literal> = fluents.collect();
    guards.sort_by_key(|it| !first.contains(it));
    guards
}
