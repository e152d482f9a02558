//! The dependency graph of predicates.

use super::Context;
use crate::program::{Predicate, Relation};
use crate::source::Span;
use crate::symbols::Keyword;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::{HashMap, HashSet};

/// The dependencies between predicates, and their cycles.
pub(super) struct Graph {
    /// The predicates in rules; those in facts alone depend on nothing.
    numbers: HashMap<Predicate, u32, foldhash::fast::RandomState>,
    pub(super) predicates: Vec<Predicate>,
    pub(super) edges: Vec<Edge>,
    /// The strongly connected component of each predicate.
    components: Vec<u32>,
}

/// A head depends on a condition in its body.
#[derive(Copy, Clone)]
pub(super) struct Edge {
    pub(super) head: u32,
    pub(super) condition: u32,
    pub(super) positive: bool,
    /// The clause, by its number among the sound ones.
    pub(super) clause: u32,
    /// Where the condition stands.
    pub(super) span: Span,
}

impl Graph {
    pub(super) fn new(context: &Context<'_>) -> Graph {
        let mut graph = Graph {
            numbers: HashMap::default(),
            predicates: Vec::new(),
            edges: Vec::with_capacity(context.rules.len()),
            components: Vec::new(),
        };
        for &clause in &context.rules {
            let rule = context.clause(clause as usize);
            let head = graph.number(rule.head().predicate());
            for (positive, atom) in rule.conditions() {
                let condition = graph.number(atom.predicate());
                graph.edges.push(Edge {
                    head,
                    condition,
                    positive,
                    clause,
                    span: atom.span(),
                });
            }
        }
        graph.components = graph.find_components();
        graph
    }

    fn number(&mut self, predicate: Predicate) -> u32 {
        let next = self.predicates.len() as u32;
        let number = *self.numbers.entry(predicate).or_insert(next);
        if number == next {
            self.predicates.push(predicate);
        }
        number
    }

    fn find_components(&self) -> Vec<u32> {
        // Inserted one by one: collecting would reserve room for every edge, duplicates included.
        let mut links: HashSet<(u32, u32), foldhash::fast::FixedState> = HashSet::default();
        for edge in &self.edges {
            links.insert((edge.head, edge.condition));
        }
        let mut links: Vec<(u32, u32)> = links.into_iter().collect();
        links.sort_unstable();
        let graph: DiGraph<(), ()> = DiGraph::from_edges(links);
        // Predicates without an edge, numbered last, are components of their own.
        let mut components: Vec<u32> = (0..self.predicates.len() as u32).collect();
        for component in kosaraju_scc(&graph) {
            let name = component[0].index() as u32;
            for member in component {
                components[NodeIndex::index(member)] = name;
            }
        }
        components
    }

    /// The number of a predicate that stands in some clause.
    pub(super) fn find(&self, predicate: Predicate) -> Option<u32> {
        self.numbers.get(&predicate).copied()
    }

    /// The strongly connected component of a predicate.
    pub(super) fn component(&self, predicate: u32) -> u32 {
        self.components[predicate as usize]
    }

    /// Whether two predicates depend on each other, or are the same.
    pub(super) fn same_component(&self, a: u32, b: u32) -> bool {
        self.component(a) == self.component(b)
    }

    /// Whether an edge lies on a cycle.
    pub(super) fn is_cyclic(&self, edge: &Edge) -> bool {
        self.same_component(edge.head, edge.condition)
    }

    /// For each predicate that depends on one of the `targets`, the first edge of a path there.
    pub(super) fn steps_to(&self, targets: &[Keyword]) -> HashMap<u32, usize> {
        let mut into: Vec<u32> = (0..self.edges.len() as u32).collect();
        let condition = |edge: u32| self.edges[edge as usize].condition;
        into.sort_unstable_by_key(|&edge| (condition(edge), edge));
        let edges_to = |predicate: u32| {
            let from = into.partition_point(|&edge| condition(edge) < predicate);
            let to = into.partition_point(|&edge| condition(edge) <= predicate);
            &into[from..to]
        };
        let is_target = |predicate: &Predicate| matches!(predicate.relation, Relation::Keyword(keyword) if targets.contains(&keyword));
        let numbered = self.predicates.iter().zip(0u32..);
        let mut queue: Vec<u32> = numbered
            .filter(|(predicate, _)| is_target(predicate))
            .map(|(_, number)| number)
            .collect();
        let mut steps: HashMap<u32, usize> = HashMap::new();
        let mut at = 0;
        while at < queue.len() {
            for &edge in edges_to(queue[at]) {
                let head = self.edges[edge as usize].head;
                if !is_target(&self.predicates[head as usize]) && !steps.contains_key(&head) {
                    steps.insert(head, edge as usize);
                    queue.push(head);
                }
            }
            at += 1;
        }
        steps
    }

    /// The edges from an edge's condition to the target of `steps`.
    pub(super) fn path<'g>(
        &'g self,
        steps: &'g HashMap<u32, usize>,
        edge: &'g Edge,
    ) -> impl Iterator<Item = &'g Edge> {
        std::iter::successors(Some(edge), |edge| {
            steps.get(&edge.condition).map(|&next| &self.edges[next])
        })
    }
}
