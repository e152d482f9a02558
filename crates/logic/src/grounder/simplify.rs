//! Simplifies ground rules: constants and aliases are removed, the rest is ordered.

use super::NotGround;
use super::atoms::AtomId;
use super::join::Reached;
use crate::loading::{Exceeded, Loading};
use crate::rules::{PredicateId, Rules};
use crate::terms::Terms;
use gdl::Keyword;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::HashMap;

/// The status of an atom during simplification.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum AtomStatus {
    True,
    False,
    /// Equivalent to another literal of atoms.
    Alias(u32),
    /// Decided by its own rules, or an input.
    Open,
}

/// The reached atoms and rules, simplified.
pub(super) struct Simplified<'r> {
    pub(super) rules: &'r Rules,
    pub(super) terms: Terms,
    pub(super) reached: Reached,
    /// The rules of each atom: where they start in `by_head`.
    offsets: Vec<u32>,
    by_head: Vec<u32>,
    status: Vec<AtomStatus>,
    /// Simplified bodies of open atoms, in literals of atoms.
    pub(super) bodies: HashMap<AtomId, Vec<Vec<u32>>>,
    /// The components in order, dependencies first.
    pub(super) order: Vec<Vec<AtomId>>,
    pub(super) on_moves: Vec<bool>,
}

impl<'r> Simplified<'r> {
    pub(super) fn new(
        rules: &'r Rules,
        terms: Terms,
        (reached, loading): (Reached, &Loading<'_>),
    ) -> Result<Simplified<'r>, NotGround> {
        let count = reached.atoms.len();
        let mut offsets = vec![0u32; count + 1];
        for &head in &reached.heads {
            offsets[head as usize + 1] += 1;
        }
        for atom in 0..count {
            offsets[atom + 1] += offsets[atom];
        }
        let mut fill = offsets.clone();
        let mut by_head = vec![0u32; reached.heads.len()];
        for (rule, &head) in reached.heads.iter().enumerate() {
            by_head[fill[head as usize] as usize] = rule as u32;
            fill[head as usize] += 1;
        }
        let mut simple = Simplified {
            rules,
            terms,
            reached,
            offsets,
            by_head,
            status: vec![AtomStatus::Open; count],
            bodies: HashMap::new(),
            order: Vec::new(),
            on_moves: vec![false; count],
        };
        let bytes = simple.bytes();
        loading.check(bytes)?;
        simple.order = simple.components()?;
        for component in 0..simple.order.len() {
            simple.simplify(component, (loading, bytes))?;
        }
        Ok(simple)
    }

    /// How many bytes it takes, about.
    pub(super) fn bytes(&self) -> usize {
        // Rules twice: as they were reached, and in vectors of their own.
        let rules = 24 * self.reached.bodies.len() + 48 * self.reached.heads.len();
        self.reached.atoms.bytes() + self.terms.bytes() + rules
    }

    fn body(&self, rule: u32) -> &[u32] {
        let start = self.reached.starts[rule as usize] as usize;
        let end = self.reached.starts.get(rule as usize + 1);
        &self.reached.bodies[start..end.map_or(self.reached.bodies.len(), |&end| end as usize)]
    }

    fn rules_of(&self, atom: AtomId) -> &[u32] {
        let (start, end) = (self.offsets[atom as usize], self.offsets[atom as usize + 1]);
        &self.by_head[start as usize..end as usize]
    }

    fn is_input(&self, atom: AtomId) -> bool {
        let predicate = self.reached.atoms.predicate(atom);
        predicate == self.rules.keyword(Keyword::True)
            || predicate == self.rules.keyword(Keyword::Does)
    }

    /// The components of atoms that depend on each other, dependencies first.
    fn components(&self) -> Result<Vec<Vec<AtomId>>, NotGround> {
        let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(self.status.len(), 0);
        for _ in 0..self.status.len() {
            graph.add_node(());
        }
        for (rule, &head) in self.reached.heads.iter().enumerate() {
            for &literal in self.body(rule as u32) {
                graph.add_edge(head.into(), (literal >> 1).into(), ());
            }
        }
        let mut order = Vec::new();
        let mut component_of = vec![0u32; self.status.len()];
        for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
            let members: Vec<AtomId> = component.iter().map(|it| it.index() as AtomId).collect();
            for &member in &members {
                component_of[member as usize] = number as u32;
            }
            order.push(members);
        }
        for (rule, &head) in self.reached.heads.iter().enumerate() {
            for &literal in self.body(rule as u32) {
                let same = component_of[head as usize] == component_of[(literal >> 1) as usize];
                if literal & 1 == 1 && same {
                    let atom = self.name(head);
                    return Err(NotGround::Unstratified { atom });
                }
            }
        }
        Ok(order)
    }

    /// Decides which atoms of a component are constants or aliases; keeps the rules of the others.
    fn simplify(
        &mut self,
        component: usize,
        (loading, bytes): (&Loading<'_>, usize),
    ) -> Result<(), Exceeded> {
        let members = self.order[component].clone();
        let is_recursive = members.len() > 1;
        let users = match is_recursive {
            true => self.users(&members),
            false => HashMap::new(),
        };
        // Whenever an atom becomes constant, those that depend on it are looked at again.
        let mut due: Vec<AtomId> = members.iter().rev().copied().collect();
        while let Some(atom) = due.pop() {
            loading.spend(8 + self.rules_of(atom).len(), || bytes)?;
            if self.status[atom as usize] != AtomStatus::Open {
                continue;
            }
            self.decide(atom, is_recursive);
            if self.status[atom as usize] != AtomStatus::Open {
                due.extend(users.get(&atom).into_iter().flatten());
            }
        }
        let on_moves = members.iter().any(|&atom| {
            self.on_moves[atom as usize]
                || (self.bodies.get(&atom).into_iter().flatten().flatten())
                    .any(|&literal| self.on_moves[(literal >> 1) as usize])
        });
        for &atom in &members {
            self.on_moves[atom as usize] |= on_moves;
            if self.status[atom as usize] != AtomStatus::Open {
                self.bodies.remove(&atom);
            }
        }
        Ok(())
    }

    /// Decides whether an atom is a constant or an alias, as far as that is known.
    fn decide(&mut self, atom: AtomId, is_recursive: bool) {
        if self.is_input(atom) {
            self.on_moves[atom as usize] =
                self.reached.atoms.predicate(atom) == self.rules.keyword(Keyword::Does);
            if !self.reached.atoms.derived[atom as usize] {
                self.status[atom as usize] = AtomStatus::False;
            }
            return;
        }
        let bodies = self.simple_bodies(atom);
        self.status[atom as usize] = match &bodies[..] {
            [] => AtomStatus::False,
            [body, ..] if body.is_empty() => AtomStatus::True,
            [body] if body.len() == 1 && !is_recursive => AtomStatus::Alias(body[0]),
            _ => AtomStatus::Open,
        };
        self.bodies.insert(atom, bodies);
    }

    /// For each atom of a component those of the component that depend on it.
    fn users(&self, members: &[AtomId]) -> HashMap<AtomId, Vec<AtomId>> {
        let mut users: HashMap<AtomId, Vec<AtomId>> =
            members.iter().map(|&atom| (atom, Vec::new())).collect();
        for &atom in members {
            for &literal in self.rules_of(atom).iter().flat_map(|&it| self.body(it)) {
                if let Some(users) = users.get_mut(&(literal >> 1)) {
                    users.push(atom);
                }
            }
        }
        users
    }

    /// The bodies of an atom without constants and repetitions; one empty body if it always
    /// holds.
    fn simple_bodies(&self, atom: AtomId) -> Vec<Vec<u32>> {
        let mut bodies = Vec::new();
        for &rule in self.rules_of(atom) {
            let Some(mut body) = self.simple_body(self.body(rule)) else {
                continue;
            };
            body.sort_unstable();
            body.dedup();
            let contradicts = body.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
            // A rule with its own head in the body adds nothing.
            let circular = body.contains(&(atom << 1));
            if !contradicts && !circular {
                bodies.push(body);
            }
        }
        bodies.sort_unstable();
        bodies.dedup();
        if bodies.first().is_some_and(Vec::is_empty) {
            bodies.truncate(1);
        }
        bodies
    }

    /// A body without constants; none if it never holds.
    fn simple_body(&self, body: &[u32]) -> Option<Vec<u32>> {
        let mut simple = Vec::with_capacity(body.len());
        for &literal in body {
            match (self.resolve(literal), literal & 1) {
                (Ok(literal), _) => simple.push(literal),
                (Err(true), _) => {}
                (Err(false), _) => return None,
            }
        }
        Some(simple)
    }

    /// The literal or constant that an alias stands for.
    pub(super) fn resolve(&self, literal: u32) -> Result<u32, bool> {
        let positive = literal & 1 == 0;
        match self.status[(literal >> 1) as usize] {
            AtomStatus::True => Err(positive),
            AtomStatus::False => Err(!positive),
            AtomStatus::Alias(other) => self.resolve(other ^ (literal & 1)),
            AtomStatus::Open => Ok(literal),
        }
    }

    pub(super) fn name(&self, atom: AtomId) -> String {
        let predicate = self.reached.atoms.predicate(atom).index();
        let name = match self.rules.predicates.get(predicate) {
            Some(definition) => definition.name.as_str(),
            None => &self.reached.added[predicate - self.rules.predicates.len()],
        };
        let arguments = self.reached.atoms.arguments(atom);
        if arguments.is_empty() {
            return name.to_string();
        }
        let arguments: Vec<String> = arguments.iter().map(|&it| self.terms.text(it)).collect();
        format!("({name} {})", arguments.join(" "))
    }

    /// The atoms of a keyword, in the order they were reached.
    pub(super) fn atoms_of(&self, keyword: Keyword) -> Vec<AtomId> {
        let predicate: PredicateId = self.rules.keyword(keyword);
        let atoms = 0..self.reached.atoms.len() as AtomId;
        let wanted = |&atom: &AtomId| {
            self.reached.atoms.predicate(atom) == predicate
                && self.reached.atoms.derived[atom as usize]
        };
        atoms.filter(wanted).collect()
    }

    /// The atoms of a keyword whose first argument is a role, role by role.
    pub(super) fn by_role(&self, keyword: Keyword) -> Vec<Vec<AtomId>> {
        let roles = self.rules.roles();
        let mut atoms = vec![Vec::new(); roles.len()];
        for atom in self.atoms_of(keyword) {
            let role = self.reached.atoms.arguments(atom)[0];
            if let Some(role) = roles.iter().position(|&it| it == role) {
                atoms[role].push(atom);
            }
        }
        atoms
    }
}
