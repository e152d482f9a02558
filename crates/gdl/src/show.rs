//! The stages as text: what `ludex show` prints.

use crate::print::spell;
use crate::program::{Atom, Clause, Formula, Leaf, Predicate, Program, Relation, Term};
use crate::read::Syntax;
use crate::tree::Tree;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A tree as text: one node a line, its place first, indented by depth.
pub fn tree(tree: &Tree) -> String {
    let places: Vec<(String, usize, &str)> = outline(tree);
    let width = places
        .iter()
        .map(|(place, ..)| place.len())
        .max()
        .unwrap_or(0);
    let mut text = String::new();
    for (place, depth, name) in &places {
        let indent = 2 * depth;
        writeln!(text, "{place:width$} {:indent$}{name}", "").expect("writing to a string");
    }
    text
}

fn outline(tree: &Tree) -> Vec<(String, usize, &str)> {
    let mut lines = Vec::new();
    let mut ends: Vec<usize> = Vec::new();
    for index in 0..tree.cells.len() {
        while ends.last().is_some_and(|&end| end <= index) {
            ends.pop();
        }
        let node = tree.node(index as u32);
        let place = tree.source().position(node.span().start);
        let place = format!("{}:{}", place.line, place.column);
        lines.push((place, ends.len(), node.text().unwrap_or("(")));
        if node.is_list() {
            ends.push(index + node.size());
        }
    }
    lines
}

/// A program as text: roles, relations and clauses in the infix syntax, conditions in
/// negation normal form.
pub fn program(program: &Program) -> String {
    let mut out = String::new();
    let language = if program.is_gdl2() { "GDL-II" } else { "GDL" };
    let roles: Vec<_> = program
        .roles()
        .iter()
        .map(|&role| program.text(role))
        .collect();
    out += &format!("% {language}; roles: {}\n", roles.join(", "));
    out += "% relation/arity: facts, rules, conditions that ask for it\n";
    for (predicate, uses) in relations(program) {
        let name = match predicate.relation {
            Relation::Keyword(keyword) => keyword.text(),
            Relation::Named(symbol) => program.text(symbol),
        };
        let Uses {
            facts,
            rules,
            asked,
        } = uses;
        let arity = predicate.arity;
        out += &format!("%   {name}/{arity}: {facts}, {rules}, {asked}\n");
    }
    out.push('\n');
    for clause in program.clauses() {
        out += &clause_text(program, clause);
    }
    out
}

#[derive(Default)]
struct Uses {
    facts: usize,
    rules: usize,
    asked: usize,
}

fn relations(program: &Program) -> BTreeMap<Predicate, Uses> {
    let mut relations: BTreeMap<Predicate, Uses> = BTreeMap::new();
    for clause in program.clauses() {
        let uses = relations.entry(clause.head().predicate()).or_default();
        if clause.is_rule() {
            uses.rules += 1;
        } else {
            uses.facts += 1;
        }
        for (_, atom) in clause.conditions() {
            relations.entry(atom.predicate()).or_default().asked += 1;
        }
    }
    relations
}

fn clause_text(program: &Program, clause: Clause<'_>) -> String {
    let head = atom_text(program, clause.head());
    match clause.body() {
        Formula::All(parts) if parts.is_empty() => format!("{head}.\n"),
        Formula::All(parts) => {
            let parts: Vec<_> = parts
                .iter()
                .map(|part| formula_text(program, part))
                .collect();
            format!("{head} :-\n    {}.\n", parts.join(",\n    "))
        }
        other => format!("{head} :-\n    {}.\n", formula_text(program, &other)),
    }
}

fn formula_text(program: &Program, formula: &Formula<'_>) -> String {
    let join = |parts: &[Formula<'_>], name: &str| {
        let parts: Vec<_> = parts
            .iter()
            .map(|part| formula_text(program, part))
            .collect();
        format!("{name}({})", parts.join(", "))
    };
    let mark = |positive: bool| if positive { "" } else { "~" };
    match formula {
        Formula::All(parts) => join(parts, "and"),
        Formula::Any(parts) => join(parts, "or"),
        Formula::Leaf(Leaf::Atom { positive, atom }) => {
            format!("{}{}", mark(*positive), atom_text(program, *atom))
        }
        Formula::Leaf(Leaf::Distinct {
            positive,
            left,
            right,
        }) => {
            let (left, right) = (term_text(program, *left), term_text(program, *right));
            format!("{}distinct({left}, {right})", mark(*positive))
        }
    }
}

fn atom_text(program: &Program, atom: Atom<'_>) -> String {
    let name = match atom.relation() {
        Relation::Keyword(keyword) => keyword.text().to_string(),
        Relation::Named(symbol) => spell(program.text(symbol), Syntax::Infix).into_owned(),
    };
    applied(program, name, atom.arguments())
}

fn term_text(program: &Program, term: Term<'_>) -> String {
    let name = spell(program.text(term.name()), Syntax::Infix).into_owned();
    applied(program, name, term.arguments())
}

fn applied<'p>(
    program: &'p Program,
    name: String,
    arguments: impl Iterator<Item = Term<'p>>,
) -> String {
    let arguments: Vec<_> = arguments.map(|term| term_text(program, term)).collect();
    if arguments.is_empty() {
        name
    } else {
        format!("{name}({})", arguments.join(", "))
    }
}
