//! The final numbers of nodes: inputs, then what depends on the state, then on moves.

use super::atoms::AtomId;
use super::program::{GroundProgram, Literal};
use super::simplify::Simplified;
use crate::terms::TermId;
use gdl::Keyword;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// Gives every node its final number.
pub(super) fn number(simple: &Simplified<'_>) -> GroundProgram {
    let fluents = simple.atoms_of(Keyword::True);
    let role_of = |atom: AtomId| {
        let role = simple.reached.atoms.arguments(atom)[0];
        simple.rules.roles().iter().position(|&it| it == role)
    };
    let moves: Vec<(usize, AtomId)> = (simple.atoms_of(Keyword::Does).into_iter())
        .filter_map(|atom| Some((role_of(atom)?, atom)))
        .collect();
    let mut numbering = Numbering::new(simple);
    for &atom in fluents.iter().chain(moves.iter().map(|(_, atom)| atom)) {
        numbering.input(atom);
    }
    let outputs = [
        Keyword::Next,
        Keyword::Legal,
        Keyword::Terminal,
        Keyword::Goal,
        Keyword::Sees,
    ];
    numbering.derive(outputs.iter().flat_map(|&it| simple.atoms_of(it)));
    numbering.program(&fluents, &moves)
}

/// Gives the atoms that matter their final numbers.
struct Numbering<'b, 'r> {
    simple: &'b Simplified<'r>,
    numbers: HashMap<AtomId, usize>,
    names: Vec<String>,
    nodes: Vec<u32>,
    rules: Vec<u32>,
    bodies: Vec<Literal>,
    of_state: usize,
    components: Vec<Range<usize>>,
}

impl<'b, 'r> Numbering<'b, 'r> {
    fn new(simple: &'b Simplified<'r>) -> Numbering<'b, 'r> {
        Numbering {
            simple,
            numbers: HashMap::new(),
            names: Vec::new(),
            nodes: vec![0],
            rules: vec![0],
            bodies: Vec::new(),
            of_state: 0,
            components: Vec::new(),
        }
    }

    fn input(&mut self, atom: AtomId) {
        self.numbers.insert(atom, self.names.len());
        self.names.push(self.simple.name(atom));
    }

    /// Numbers all derived atoms that the outputs need, in order.
    fn derive(&mut self, outputs: impl Iterator<Item = AtomId>) {
        let simple = self.simple;
        let mut needed = vec![false; simple.on_moves.len()];
        let mut open: Vec<AtomId> = Vec::new();
        let need = |literal: u32, open: &mut Vec<AtomId>, needed: &mut Vec<bool>| {
            if let Ok(literal) = simple.resolve(literal)
                && !std::mem::replace(&mut needed[(literal >> 1) as usize], true)
            {
                open.push(literal >> 1);
            }
        };
        for atom in outputs {
            need(atom << 1, &mut open, &mut needed);
        }
        while let Some(atom) = open.pop() {
            for &literal in simple.bodies.get(&atom).into_iter().flatten().flatten() {
                need(literal, &mut open, &mut needed);
            }
        }
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
                    self.numbers.insert(atom, self.names.len());
                    self.names.push(simple.name(atom));
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

    /// What decides an output, if any rule gives it.
    fn output(&self, keyword: Keyword, arguments: &[TermId]) -> Literal {
        let predicate = self.simple.rules.keyword(keyword);
        match self.simple.reached.atoms.find(predicate, arguments) {
            Some(atom) => self.number(atom << 1),
            None => Literal::FALSE,
        }
    }

    fn by_role(&self, keyword: Keyword) -> Vec<Vec<(TermId, Literal)>> {
        let roles = self.simple.rules.roles();
        let mut outputs = vec![Vec::new(); roles.len()];
        for atom in self.simple.atoms_of(keyword) {
            let arguments = self.simple.reached.atoms.arguments(atom);
            if let Some(role) = roles.iter().position(|&it| it == arguments[0]) {
                outputs[role].push((arguments[1], self.number(atom << 1)));
            }
        }
        outputs
    }

    fn program(self, fluents: &[AtomId], moves: &[(usize, AtomId)]) -> GroundProgram {
        let atoms = &self.simple.reached.atoms;
        let term = |atom: AtomId| *atoms.arguments(atom).last().expect("it has an argument");
        let fluent_terms: Vec<TermId> = fluents.iter().map(|&atom| term(atom)).collect();
        let init: HashSet<AtomId> = self.simple.reached.init.iter().copied().collect();
        let next = fluent_terms
            .iter()
            .map(|&it| self.output(Keyword::Next, &[it]));
        let legal = moves
            .iter()
            .map(|&(_, atom)| self.output(Keyword::Legal, atoms.arguments(atom)));
        GroundProgram {
            roles: self.simple.rules.roles().to_vec(),
            initial: fluents.iter().map(|atom| init.contains(atom)).collect(),
            moves: moves
                .iter()
                .map(|&(role, atom)| (role, term(atom)))
                .collect(),
            next: next.collect(),
            legal: legal.collect(),
            terminal: self.output(Keyword::Terminal, &[]),
            goals: self.by_role(Keyword::Goal),
            percepts: self.by_role(Keyword::Sees),
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
}
