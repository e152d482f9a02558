//! The ground program: inputs, rules in order, outputs.
//!
//! Invariants: nodes are numbered fluents first, then moves, then what rules derive, those
//! that depend on the state alone before those that depend on moves; a rule asks only for
//! nodes before its own, except inside a component, whose nodes depend on each other without
//! negation; no rule has an empty body, and no literal in a body is constant.

use super::NotGround;
use super::atoms::AtomId;
use super::join::Reached;
use crate::interpreter::Interpreter;
use crate::rules::{PredicateId, Rules};
use crate::terms::{TermId, Terms};
use gdl::Keyword;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;
use std::collections::HashMap;
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
    terms: Terms,
    roles: Vec<TermId>,
    fluents: Vec<TermId>,
    moves: Vec<(usize, TermId)>,
    initial: Vec<bool>,
    names: Vec<String>,
    /// Where the rules of each derived node start in `rules`.
    nodes: Vec<u32>,
    /// Where the body of each rule starts in `bodies`.
    rules: Vec<u32>,
    bodies: Vec<Literal>,
    /// How many of the derived nodes depend on the state alone: they come first.
    of_state: usize,
    components: Vec<Range<usize>>,
    next: Vec<Literal>,
    legal: Vec<Literal>,
    terminal: Literal,
    goals: Vec<Vec<(TermId, Literal)>>,
    percepts: Vec<Vec<(TermId, Literal)>>,
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
        let builder = Builder::new(interpreter.rules(), terms, reached)?;
        let program = builder.finish();
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

/// What is known of an atom while simplifying.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Status {
    True,
    False,
    /// The same as another literal of atoms.
    Alias(u32),
    /// Decided by its own rules, or an input.
    Open,
}

struct Builder<'r> {
    rules: &'r Rules,
    terms: Terms,
    reached: Reached,
    /// The rules of each atom: where they start in `by_head`.
    offsets: Vec<u32>,
    by_head: Vec<u32>,
    status: Vec<Status>,
    /// Simplified bodies of open atoms, in literals of atoms.
    bodies: HashMap<AtomId, Vec<Vec<u32>>>,
    /// The components in order, dependencies first.
    order: Vec<Vec<AtomId>>,
    on_moves: Vec<bool>,
}

impl<'r> Builder<'r> {
    fn new(rules: &'r Rules, terms: Terms, reached: Reached) -> Result<Builder<'r>, NotGround> {
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
        let mut builder = Builder {
            rules,
            terms,
            reached,
            offsets,
            by_head,
            status: vec![Status::Open; count],
            bodies: HashMap::new(),
            order: Vec::new(),
            on_moves: vec![false; count],
        };
        builder.order = builder.components()?;
        for component in 0..builder.order.len() {
            builder.simplify(component);
        }
        Ok(builder)
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

    /// Decides what is constant or the same as something else, and keeps the rest's rules.
    fn simplify(&mut self, component: usize) {
        let members = self.order[component].clone();
        let recursive = members.len() > 1;
        loop {
            let mut changed = false;
            for &atom in &members {
                if self.status[atom as usize] != Status::Open {
                    continue;
                }
                if self.is_input(atom) {
                    self.on_moves[atom as usize] =
                        self.reached.atoms.predicate(atom) == self.rules.keyword(Keyword::Does);
                    if !self.reached.atoms.derived[atom as usize] {
                        self.status[atom as usize] = Status::False;
                    }
                    continue;
                }
                let bodies = self.simple_bodies(atom);
                let status = match &bodies[..] {
                    [] => Status::False,
                    [body, ..] if body.is_empty() => Status::True,
                    [body] if body.len() == 1 && !recursive => Status::Alias(body[0]),
                    _ => Status::Open,
                };
                changed |= status != Status::Open;
                self.status[atom as usize] = status;
                self.bodies.insert(atom, bodies);
            }
            if !changed || !recursive {
                break;
            }
        }
        let on_moves = members.iter().any(|&atom| {
            self.on_moves[atom as usize]
                || (self.bodies.get(&atom).into_iter().flatten().flatten())
                    .any(|&literal| self.on_moves[(literal >> 1) as usize])
        });
        for &atom in &members {
            self.on_moves[atom as usize] |= on_moves;
            if self.status[atom as usize] != Status::Open {
                self.bodies.remove(&atom);
            }
        }
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
            // A rule that asks for its own head adds nothing.
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

    /// The literal that a literal stands for, or the constant it is.
    fn resolve(&self, literal: u32) -> Result<u32, bool> {
        let positive = literal & 1 == 0;
        match self.status[(literal >> 1) as usize] {
            Status::True => Err(positive),
            Status::False => Err(!positive),
            Status::Alias(other) => self.resolve(other ^ (literal & 1)),
            Status::Open => Ok(literal),
        }
    }

    fn name(&self, atom: AtomId) -> String {
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

    /// The atoms of a predicate, in the order of their arguments' text.
    fn atoms_of(&self, keyword: Keyword) -> Vec<AtomId> {
        let predicate: PredicateId = self.rules.keyword(keyword);
        let atoms = 0..self.reached.atoms.len() as AtomId;
        let wanted = |&atom: &AtomId| {
            self.reached.atoms.predicate(atom) == predicate
                && self.reached.atoms.derived[atom as usize]
        };
        atoms.filter(wanted).collect()
    }

    fn finish(self) -> GroundProgram {
        let fluents = self.atoms_of(Keyword::True);
        let role_of = |atom: AtomId| {
            let role = self.reached.atoms.arguments(atom)[0];
            self.rules.roles().iter().position(|&it| it == role)
        };
        let moves: Vec<(usize, AtomId)> = (self.atoms_of(Keyword::Does).into_iter())
            .filter_map(|atom| Some((role_of(atom)?, atom)))
            .collect();
        let mut numbering = Numbering::new(&self);
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
        numbering.derive(outputs.iter().flat_map(|&it| self.atoms_of(it)));
        numbering.program(&fluents, &moves)
    }
}

/// Gives the atoms that matter their final numbers.
struct Numbering<'b, 'r> {
    builder: &'b Builder<'r>,
    numbers: HashMap<AtomId, usize>,
    names: Vec<String>,
    nodes: Vec<u32>,
    rules: Vec<u32>,
    bodies: Vec<Literal>,
    of_state: usize,
    components: Vec<Range<usize>>,
}

impl<'b, 'r> Numbering<'b, 'r> {
    fn new(builder: &'b Builder<'r>) -> Numbering<'b, 'r> {
        Numbering {
            builder,
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
        self.names.push(self.builder.name(atom));
    }

    /// Numbers all derived atoms that the outputs need, in order.
    fn derive(&mut self, outputs: impl Iterator<Item = AtomId>) {
        let builder = self.builder;
        let mut needed = vec![false; builder.status.len()];
        let mut open: Vec<AtomId> = Vec::new();
        let need = |literal: u32, open: &mut Vec<AtomId>, needed: &mut Vec<bool>| {
            if let Ok(literal) = builder.resolve(literal)
                && !std::mem::replace(&mut needed[(literal >> 1) as usize], true)
            {
                open.push(literal >> 1);
            }
        };
        for atom in outputs {
            need(atom << 1, &mut open, &mut needed);
        }
        while let Some(atom) = open.pop() {
            for &literal in builder.bodies.get(&atom).into_iter().flatten().flatten() {
                need(literal, &mut open, &mut needed);
            }
        }
        let inputs = self.names.len();
        for on_moves in [false, true] {
            for members in &builder.order {
                let members: Vec<AtomId> = members
                    .iter()
                    .copied()
                    .filter(|&atom| needed[atom as usize] && builder.bodies.contains_key(&atom))
                    .filter(|&atom| builder.on_moves[atom as usize] == on_moves)
                    .collect();
                let start = self.names.len();
                for &atom in &members {
                    self.numbers.insert(atom, self.names.len());
                    self.names.push(builder.name(atom));
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
        for body in &self.builder.bodies[&atom] {
            for &literal in body {
                let literal = self.number(literal);
                self.bodies.push(literal);
            }
            self.rules.push(self.bodies.len() as u32);
        }
        self.nodes.push(self.rules.len() as u32 - 1);
    }

    fn number(&self, literal: u32) -> Literal {
        match self.builder.resolve(literal) {
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
        let predicate = self.builder.rules.keyword(keyword);
        match self.builder.reached.atoms.find(predicate, arguments) {
            Some(atom) => self.number(atom << 1),
            None => Literal::FALSE,
        }
    }

    fn by_role(&self, keyword: Keyword) -> Vec<Vec<(TermId, Literal)>> {
        let roles = self.builder.rules.roles();
        let mut outputs = vec![Vec::new(); roles.len()];
        for atom in self.builder.atoms_of(keyword) {
            let arguments = self.builder.reached.atoms.arguments(atom);
            if let Some(role) = roles.iter().position(|&it| it == arguments[0]) {
                outputs[role].push((arguments[1], self.number(atom << 1)));
            }
        }
        outputs
    }

    fn program(self, fluents: &[AtomId], moves: &[(usize, AtomId)]) -> GroundProgram {
        let atoms = &self.builder.reached.atoms;
        let term = |atom: AtomId| *atoms.arguments(atom).last().expect("it has an argument");
        let fluent_terms: Vec<TermId> = fluents.iter().map(|&atom| term(atom)).collect();
        let init: std::collections::HashSet<AtomId> =
            self.builder.reached.init.iter().copied().collect();
        let next = fluent_terms
            .iter()
            .map(|&it| self.output(Keyword::Next, &[it]));
        let legal = moves
            .iter()
            .map(|&(_, atom)| self.output(Keyword::Legal, atoms.arguments(atom)));
        GroundProgram {
            roles: self.builder.rules.roles().to_vec(),
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
            terms: self.builder.terms.clone(),
            names: self.names,
            nodes: self.nodes,
            rules: self.rules,
            bodies: self.bodies,
            of_state: self.of_state,
            components: self.components,
        }
    }
}
