//! G305, G308: the recursion restriction, which keeps the grounding finite.

use super::graph::Graph;
use super::safety::visit;
use super::{Context, graph::Edge};
use crate::catalogue::rules;
use crate::program::{Atom, Clause, Leaf, Term};
use crate::symbols::Symbol;
use crate::tree::Node;
use std::collections::HashSet;

pub(super) fn check(context: &mut Context<'_>, graph: &Graph) {
    let cyclic = |edge: &&Edge| edge.positive && graph.is_cyclic(edge);
    let mut clauses: Vec<u32> = graph
        .edges
        .iter()
        .filter(cyclic)
        .map(|edge| edge.clause)
        .collect();
    clauses.dedup();
    let growing = growing_components(context, graph, &clauses);
    for number in clauses {
        let clause = context.clause(number as usize);
        rule(context, graph, clause, &growing);
    }
}

/// The components in which a rule builds a term with a variable in it.
fn growing_components(context: &Context<'_>, graph: &Graph, clauses: &[u32]) -> HashSet<u32> {
    let mut growing = HashSet::new();
    for &number in clauses {
        let head = context.clause(number as usize).head();
        let builds = |term: Term<'_>| !term.is_variable() && term.variables().next().is_some();
        if head.arguments().any(builds) {
            growing.extend(graph.find(head.predicate()).map(|it| graph.component(it)));
        }
    }
    growing
}

fn rule(context: &mut Context<'_>, graph: &Graph, clause: Clause<'_>, growing: &HashSet<u32>) {
    let number = |atom: Atom<'_>| graph.find(atom.predicate()).expect("it stands in a clause");
    let head = number(clause.head());
    let is_cyclic = |atom: Atom<'_>| graph.same_component(head, number(atom));
    let binds = |atom: Atom<'_>| !is_cyclic(atom);
    let of_head: HashSet<_> = clause.head().arguments().map(shape).collect();
    let mut findings = Vec::new();
    visit(&clause.body(), &binds, &mut |leaf, values| {
        let Leaf::Atom {
            positive: true,
            atom,
        } = leaf
        else {
            return;
        };
        if !is_cyclic(atom) {
            return;
        }
        let finite = |term: Term<'_>| {
            let bounded = term.variables().all(|(variable, _)| values.has(variable));
            bounded || of_head.contains(&shape(term))
        };
        findings.extend(atom.arguments().find(|&term| !finite(term)));
    });
    let lint = match growing.contains(&graph.component(head)) {
        true => &rules::ENDLESS_RECURSION,
        false => &rules::RECURSION_RESTRICTION,
    };
    for term in findings {
        let name = context.predicate(clause.head().predicate());
        let excerpt = context.tree.source().excerpt(term.span());
        context.findings.add(lint, term.span(), || {
            (
                format!("`{name}` depends on itself, and nothing bounds `{excerpt}` here"),
                "make it an argument of the head, or give its variables values by a \
                     condition outside the recursion"
                    .into(),
            )
        });
    }
}

/// The identity of a term: names and numbers of arguments, in preorder.
fn shape(term: Term<'_>) -> Vec<(Symbol, usize)> {
    let parts = term.node().subterms();
    let name = |part: Node<'_>| part.head().expect("a sound term has a name");
    parts
        .map(|part| (name(part), part.arguments().count()))
        .collect()
}
