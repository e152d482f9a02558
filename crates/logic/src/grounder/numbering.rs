//! The final numbers of nodes: fluents, moves, then derived nodes of the state and of the turn.
//!
//! Moves are numbered role by role, and within a role guard by guard (`guards.rs`). Every engine
//! keeps this order.

use super::atoms::AtomId;
use super::guards::{AtomGroup, grouped_moves};
use super::program::{GroundProgram, Literal, MoveGroup, Output};
use super::simplify::Simplified;
use crate::ids::{BitsBuf, FluentId};
use crate::loading::{Exceeded, Loading};
use crate::terms::TermId;
use gdl::Keyword;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The keywords whose atoms are outputs.
pub(super) const OUTPUTS: [Keyword; 5] = [
    Keyword::Next,
    Keyword::Legal,
    Keyword::Terminal,
    Keyword::Goal,
    Keyword::Sees,
];

/// Gives every node its final number.
pub(super) fn number(
    simple: &Simplified<'_>,
    loading: &Loading<'_>,
) -> Result<GroundProgram, Exceeded> {
    loading.check(simple.bytes())?;
    let needed = needed(simple);
    let fluents = simple.atoms_of(Keyword::True);
    let moves = grouped_moves(simple, &needed);
    let mut numbering = Numbering::new(simple, loading);
    let move_atoms = moves.iter().flatten().flat_map(|group| &group.moves);
    for &atom in fluents.iter().chain(move_atoms) {
        numbering.add(atom)?;
    }
    numbering.derive(&needed)?;
    Ok(numbering.program(&fluents, &moves))
}

/// Marks the atoms that outputs depend on.
fn needed(simple: &Simplified<'_>) -> Vec<bool> {
    let mut needed = vec![false; simple.on_moves.len()];
    let mut open: Vec<AtomId> = Vec::new();
    let mut need = |literal: u32, open: &mut Vec<AtomId>| {
        if let Ok(literal) = simple.resolve(literal)
            && !std::mem::replace(&mut needed[(literal >> 1) as usize], true)
        {
            open.push(literal >> 1);
        }
    };
    for atom in OUTPUTS.iter().flat_map(|&it| simple.atoms_of(it)) {
        need(atom << 1, &mut open);
    }
    while let Some(atom) = open.pop() {
        for &literal in simple.bodies.get(&atom).into_iter().flatten().flatten() {
            need(literal, &mut open);
        }
    }
    needed
}

/// A ground program being numbered.
struct Numbering<'b, 'r> {
    simple: &'b Simplified<'r>,
    loading: &'b Loading<'b>,
    /// Characters of all names.
    characters: usize,
    numbers: HashMap<AtomId, usize>,
    names: Vec<String>,
    nodes: Vec<u32>,
    rules: Vec<u32>,
    bodies: Vec<Literal>,
    of_state: usize,
    components: Vec<Range<usize>>,
}

impl<'b, 'r> Numbering<'b, 'r> {
    fn new(simple: &'b Simplified<'r>, loading: &'b Loading<'b>) -> Numbering<'b, 'r> {
        Numbering {
            simple,
            loading,
            characters: 0,
            numbers: HashMap::new(),
            names: Vec::new(),
            nodes: vec![0],
            rules: vec![0],
            bodies: Vec::new(),
            of_state: 0,
            components: Vec::new(),
        }
    }

    /// Gives an atom the next number.
    fn add(&mut self, atom: AtomId) -> Result<(), Exceeded> {
        self.numbers.insert(atom, self.names.len());
        let name = self.simple.name(atom);
        self.characters += name.len();
        let nodes = 64 * self.names.len() + self.characters;
        self.loading
            .spend(8 + name.len(), || self.simple.bytes() + nodes)?;
        self.names.push(name);
        Ok(())
    }

    /// Numbers the needed derived atoms, dependencies first.
    fn derive(&mut self, needed: &[bool]) -> Result<(), Exceeded> {
        let simple = self.simple;
        let inputs = self.names.len();
        for on_moves in [false, true] {
            for members in &simple.order {
                let members: Vec<AtomId> = members
                    .iter()
                    .copied()
                    .filter(|&atom| needed[atom as usize] && simple.bodies.contains_key(&atom))
                    .filter(|&atom| simple.on_moves[atom as usize] == on_moves)
                    .collect();
                let start = self.names.len();
                for &atom in &members {
                    self.add(atom)?;
                }
                for &atom in &members {
                    self.rules_of(atom);
                }
                if members.len() > 1 {
                    self.components.push(start..self.names.len());
                }
            }
            if !on_moves {
                self.of_state = self.names.len() - inputs;
            }
        }
        Ok(())
    }

    fn rules_of(&mut self, atom: AtomId) {
        for body in &self.simple.bodies[&atom] {
            for &literal in body {
                let literal = self.number(literal);
                self.bodies.push(literal);
            }
            self.rules.push(self.bodies.len() as u32);
        }
        self.nodes.push(self.rules.len() as u32 - 1);
    }

    fn number(&self, literal: u32) -> Literal {
        match self.simple.resolve(literal) {
            Ok(literal) => {
                let node = self.numbers[&(literal >> 1)];
                Literal::new(node, literal & 1 == 0)
            }
            Err(true) => Literal::TRUE,
            Err(false) => Literal::FALSE,
        }
    }

    /// The literal of an output; false if no rule derives it.
    fn output(&self, keyword: Keyword, arguments: &[TermId]) -> Literal {
        let predicate = self.simple.rules.keyword(keyword);
        match self.simple.reached.atoms.find(predicate, arguments) {
            Some(atom) => self.number(atom << 1),
            None => Literal::FALSE,
        }
    }

    fn outputs(&self, keyword: Keyword) -> Vec<Vec<Output>> {
        let atoms = &self.simple.reached.atoms;
        let output = |&atom: &AtomId| (atoms.arguments(atom)[1], self.number(atom << 1));
        let by_role = self.simple.by_role(keyword).into_iter();
        by_role
            .map(|outputs| outputs.iter().map(output).collect())
            .collect()
    }

    /// The groups of a role's moves, by their places.
    fn move_groups(&self, groups: &[AtomGroup]) -> Vec<MoveGroup> {
        let mut first = 0;
        let group = |group: &AtomGroup| {
            let start = first;
            first += group.moves.len();
            MoveGroup {
                guard: group.guard.map_or(Literal::TRUE, |it| self.number(it)),
                moves: start..first,
            }
        };
        groups.iter().map(group).collect()
    }

    fn program(self, fluents: &[AtomId], moves: &[Vec<AtomGroup>]) -> GroundProgram {
        let atoms = &self.simple.reached.atoms;
        let term = |&atom: &AtomId| *atoms.arguments(atom).last().expect("it has an argument");
        let fluent_terms: Vec<TermId> = fluents.iter().map(term).collect();
        let next = fluent_terms
            .iter()
            .map(|&it| self.output(Keyword::Next, &[it]));
        let by_role = |groups: &Vec<AtomGroup>| -> Vec<AtomId> {
            groups
                .iter()
                .flat_map(|group| &group.moves)
                .copied()
                .collect()
        };
        let move_atoms: Vec<Vec<AtomId>> = moves.iter().map(by_role).collect();
        let legal = |atom: &AtomId| self.output(Keyword::Legal, atoms.arguments(*atom));
        GroundProgram {
            idle: self.simple.reached.idle.clone(),
            roles: self.simple.rules.roles().to_vec(),
            chance: self.simple.rules.chance(),
            initial: self.initial(fluents),
            moves: move_atoms
                .iter()
                .map(|it| it.iter().map(term).collect())
                .collect(),
            first_moves: first_moves(fluents.len(), &move_atoms),
            move_groups: moves.iter().map(|it| self.move_groups(it)).collect(),
            next: next.collect(),
            legal: move_atoms
                .iter()
                .map(|it| it.iter().map(legal).collect())
                .collect(),
            terminal: self.output(Keyword::Terminal, &[]),
            goals: self.outputs(Keyword::Goal),
            percepts: self.outputs(Keyword::Sees),
            fluents: fluent_terms,
            terms: self.simple.terms.clone(),
            names: self.names,
            nodes: self.nodes,
            rules: self.rules,
            bodies: self.bodies,
            of_state: self.of_state,
            components: self.components,
        }
    }

    fn initial(&self, fluents: &[AtomId]) -> BitsBuf {
        let init: HashSet<AtomId> = self.simple.reached.init.iter().copied().collect();
        let mut initial = BitsBuf::empty(fluents.len());
        for (fluent, atom) in FluentId::all(fluents.len()).zip(fluents) {
            if init.contains(atom) {
                initial.insert(fluent);
            }
        }
        initial
    }
}

/// The node of each role's first move, and the first node after all moves.
fn first_moves(fluents: usize, moves: &[Vec<AtomId>]) -> Vec<usize> {
    let mut first = fluents;
    let mut firsts = vec![first];
    for moves in moves {
        first += moves.len();
        firsts.push(first);
    }
    firsts
}
