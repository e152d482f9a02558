//! Ground program → gates and recursions, with the literals that decide the outputs.

use super::choices::Roles;
use super::gates::Gates;
use super::turns;
use logic::{GroundProgram, Literal, TermId};
use std::collections::BTreeMap;
use std::ops::Range;

/// A guard is what at least one of so many moves needs.
const GUARDED: usize = 16;

/// A rule inside a recursion.
#[derive(Debug)]
pub(crate) struct Rule {
    /// What it derives: a node's number within the recursion.
    pub(crate) head: usize,
    /// What has to hold outside the recursion.
    pub(crate) outside: Literal,
    /// What has to be derived inside.
    pub(crate) inside: Vec<usize>,
}

/// Nodes that depend on each other.
#[derive(Debug)]
pub(crate) struct Recursion {
    /// The nodes, one after the other.
    pub(crate) nodes: Range<usize>,
    pub(crate) rules: Vec<Rule>,
}

/// What a role may get or see, and the literal that decides it.
pub(crate) type Outputs = Vec<Vec<(TermId, Literal)>>;

/// Gates, and the literals over them that are asked for.
pub(crate) struct Built {
    pub(crate) gates: Gates,
    pub(crate) recursions: Vec<Recursion>,
    pub(crate) fluents: Vec<TermId>,
    pub(crate) initial: Vec<bool>,
    /// The moves of each role.
    pub(crate) moves: Vec<Vec<TermId>>,
    /// For each role what makes each move legal.
    pub(crate) legal: Vec<Vec<Literal>>,
    pub(crate) terminal: Literal,
    pub(crate) next: Vec<Literal>,
    pub(crate) goals: Outputs,
    pub(crate) percepts: Outputs,
}

impl Built {
    pub(crate) fn new(program: &GroundProgram) -> Built {
        let moves = program.moves_by_role();
        let builder = Builder::new(program, &moves);
        builder.finish(&moves)
    }
}

struct Builder<'p> {
    program: &'p GroundProgram,
    gates: Gates,
    recursions: Vec<Recursion>,
    /// The literal of each node of the program, as far as it is known.
    literals: Vec<Literal>,
}

impl<'p> Builder<'p> {
    fn new(program: &'p GroundProgram, moves: &[Vec<usize>]) -> Builder<'p> {
        let fluents = program.fluents().len();
        let mut literals: Vec<Literal> = (0..fluents).map(|it| Literal::new(it, true)).collect();
        literals.resize(program.len(), Literal::FALSE);
        for (place, &number) in moves.iter().flatten().enumerate() {
            literals[fluents + number] = Literal::new(fluents + place, true);
        }
        Builder {
            program,
            gates: Gates::new(roles(program, moves), guards(program)),
            recursions: Vec::new(),
            literals,
        }
    }

    fn finish(mut self, moves: &[Vec<usize>]) -> Built {
        let program = self.program;
        let mut node = program.inputs();
        let mut components = program.components().iter().peekable();
        while node < program.len() {
            match components.next_if(|component| component.start == node) {
                Some(component) => {
                    self.recursion(component);
                    node = component.end;
                }
                None => {
                    let bodies = program.bodies(node).map(|body| self.mapped(body));
                    let bodies = bodies.collect();
                    self.literals[node] = self.gates.any_of_all(bodies);
                    node += 1;
                }
            }
        }
        let legal = self.mapped(program.legal());
        let by_role = |of_role: &Vec<usize>| of_role.iter().map(|&it| legal[it]).collect();
        let terms =
            |of_role: &Vec<usize>| of_role.iter().map(|&it| program.moves()[it].1).collect();
        Built {
            fluents: program.fluents().to_vec(),
            initial: program.initial().to_vec(),
            moves: moves.iter().map(terms).collect(),
            legal: moves.iter().map(by_role).collect(),
            terminal: self.literal(program.terminal()),
            next: self.mapped(program.next()),
            goals: self.outputs(program.goals()),
            percepts: self.outputs(program.percepts()),
            gates: self.gates,
            recursions: self.recursions,
        }
    }

    /// Takes up a component: its nodes first, as its rules ask for them.
    fn recursion(&mut self, component: &Range<usize>) {
        let number = self.recursions.len();
        // What rules need from outside comes before the nodes.
        let mut rules = Vec::new();
        for node in component.clone() {
            for body in self.program.bodies(node) {
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
    }

    fn outputs(&self, outputs: &[Vec<(TermId, Literal)>]) -> Outputs {
        let of_role = |outputs: &Vec<(TermId, Literal)>| {
            let outputs = outputs.iter();
            outputs
                .map(|&(term, it)| (term, self.literal(it)))
                .collect()
        };
        outputs.iter().map(of_role).collect()
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

/// Which nodes are whose moves, and which of them are idle.
fn roles(program: &GroundProgram, moves: &[Vec<usize>]) -> Roles {
    let mut roles = Roles::new(program.fluents().len(), moves.iter().map(Vec::len));
    roles.idle = turns::idle_moves(program).map(|idle| {
        let node = |(role, number): (usize, &usize)| {
            let place = moves[role].binary_search(number);
            let place = place.expect("a role's idle move is one of its moves, which are in order");
            roles.moves(role).start + place as u32
        };
        idle.iter().enumerate().map(node).collect()
    });
    roles
}

/// The fluents that many moves need to be legal.
fn guards(program: &GroundProgram) -> Vec<Literal> {
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for &literal in program.legal() {
        for fluent in turns::needs(program, literal) {
            *counts.entry(fluent).or_default() += 1;
        }
    }
    counts.retain(|_, count| GUARDED * *count > program.moves().len());
    counts
        .into_keys()
        .map(|it| Literal::new(it, true))
        .collect()
}
