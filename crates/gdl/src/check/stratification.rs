//! G306, G307: no relation depends on its own negation.
//!
//! The specification requires this of relations. Sheets that satisfy it only for ground
//! instances still have a meaning; grounding decides which of them do. Here an error is
//! reported where the cycle is certain: a rule whose head, for all values of its variables,
//! is needed to decide a condition it negates. It is found by resolving the negated condition
//! against the rules, with the variables of the first rule held fixed.

use super::Context;
use super::graph::{Edge, Graph};
use crate::catalogue::rules;
use crate::diagnostic::Label;
use crate::program::{Atom, Term};
use crate::symbols::Symbol;
use std::collections::{HashMap, HashSet, VecDeque};

pub(super) fn check(context: &mut Context<'_>, graph: &Graph) {
    let negative = |edge: &&Edge| !edge.positive && graph.is_cyclic(edge);
    let edges: Vec<&Edge> = graph.edges.iter().filter(negative).collect();
    if edges.is_empty() {
        return;
    }
    let mut search = Search::new(context, graph);
    let certain: Vec<bool> = edges.iter().map(|edge| search.is_certain(edge)).collect();
    for (edge, certain) in edges.into_iter().zip(certain) {
        report(context, graph, edge, certain);
    }
}

fn report(context: &mut Context<'_>, graph: &Graph, edge: &Edge, certain: bool) {
    let head = context.predicate(graph.predicates[edge.head as usize]);
    let condition = context.predicate(graph.predicates[edge.condition as usize]);
    let label = Label {
        span: context.clause(edge.clause as usize).head().span(),
        text: "which this depends on".into(),
    };
    let lint = match certain {
        true => &rules::UNSTRATIFIED,
        false => &rules::STRATIFIED_AFTER_GROUNDING,
    };
    context.findings.add_with(lint, edge.span, vec![label], || {
        if certain {
            let message = format!("`{head}` needs `not {condition}`, which needs `{head}` in turn");
            (message, "break the circle: what decides one of them first?".into())
        } else {
            let message = format!(
                "`{head}` needs `not {condition}`, which may need `{head}` in turn for other arguments"
            );
            let help = "name the condition in a relation of its own and negate that";
            (message, help.into())
        }
    });
}

/// An atom whose variables are held fixed: names and arities, in preorder.
type Fixed = Vec<(Name, u32)>;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Name {
    /// A constant, function or relation.
    Symbol(Symbol),
    /// A variable of the rule where the search began.
    Variable(Symbol),
    /// A variable of another rule: its value is unknown, so it equals nothing.
    Unknown,
}

/// How many resolutions all searches of a program may make together.
const BUDGET: usize = 10_000;

/// Atoms with more names than this are not followed.
const LONG: usize = 100;

struct Search<'c, 't> {
    context: &'c Context<'t>,
    graph: &'c Graph,
    /// The clauses for each predicate.
    clauses: HashMap<u32, Vec<u32>>,
    budget: usize,
}

impl<'c, 't> Search<'c, 't> {
    fn new(context: &'c Context<'t>, graph: &'c Graph) -> Search<'c, 't> {
        let mut clauses: HashMap<u32, Vec<u32>> = HashMap::new();
        for (number, clause) in context.clauses().enumerate() {
            if let Some(head) = graph.find(clause.head().predicate()) {
                clauses.entry(head).or_default().push(number as u32);
            }
        }
        Search {
            context,
            graph,
            clauses,
            budget: BUDGET,
        }
    }

    /// Whether the negated condition of an edge surely depends on its head.
    fn is_certain(&mut self, edge: &Edge) -> bool {
        let clause = self.context.clause(edge.clause as usize);
        let target = fix(clause.head(), &|variable| {
            vec![(Name::Variable(variable), 0)]
        });
        let mut conditions = clause.conditions().into_iter();
        let start = conditions.find(|(_, atom)| atom.span() == edge.span);
        let (_, start) = start.expect("the edge was made for a condition of the clause");
        let start = fix(start, &|variable| vec![(Name::Variable(variable), 0)]);
        let mut seen: HashSet<(u32, Fixed)> = HashSet::new();
        let mut queue = VecDeque::from([(edge.condition, start)]);
        while let Some((predicate, atom)) = queue.pop_front() {
            if predicate == edge.head && atom == target {
                return true;
            }
            if self.budget == 0 || !seen.insert((predicate, atom.clone())) {
                continue;
            }
            self.resolve(predicate, &atom, &mut queue);
        }
        false
    }

    /// Adds the conditions that a fixed atom depends on.
    fn resolve(&mut self, predicate: u32, atom: &Fixed, queue: &mut VecDeque<(u32, Fixed)>) {
        for &number in self.clauses.get(&predicate).into_iter().flatten() {
            self.budget = self.budget.saturating_sub(1);
            let clause = self.context.clause(number as usize);
            let mut values = HashMap::new();
            let mut rest = &atom[1..];
            let matches = |term| match_term(term, &mut rest, &mut values);
            if !clause.head().arguments().all(matches) {
                continue;
            }
            let value = |variable: Symbol| match values.get(&variable) {
                Some(&value) => value.to_vec(),
                None => vec![(Name::Unknown, 0)],
            };
            for (_, condition) in clause.conditions() {
                let next = self.graph.find(condition.predicate());
                let next = next.expect("it stands in a clause");
                if self.graph.same_component(predicate, next) {
                    queue.push_back((next, fix(condition, &value)));
                }
            }
        }
    }
}

/// An atom with its variables replaced. One that is too long is cut: it equals nothing.
fn fix(atom: Atom<'_>, value: &impl Fn(Symbol) -> Fixed) -> Fixed {
    let mut fixed = vec![(Name::Unknown, 0)];
    for argument in atom.arguments() {
        for part in argument.node().subterms() {
            let name = part.head().expect("a sound term has a name");
            if part.is_variable() {
                fixed.extend(value(name));
            } else {
                fixed.push((Name::Symbol(name), part.arguments().count() as u32));
            }
            if fixed.len() > LONG {
                fixed.truncate(1);
                return fixed;
            }
        }
    }
    fixed
}

/// Matches a pattern against the front of `rest`, and moves `rest` behind it.
fn match_term<'a>(
    pattern: Term<'_>,
    rest: &mut &'a [(Name, u32)],
    values: &mut HashMap<Symbol, &'a [(Name, u32)]>,
) -> bool {
    let Some(&(name, arity)) = rest.first() else {
        return false;
    };
    if pattern.is_variable() {
        let (value, after) = rest.split_at(term_length(rest));
        *rest = after;
        // An unknown value equals nothing, not even itself.
        let earlier = values.insert(pattern.name(), value);
        let known = value.iter().all(|(name, _)| *name != Name::Unknown);
        return earlier.is_none_or(|earlier| known && earlier == value);
    }
    *rest = &rest[1..];
    name == Name::Symbol(pattern.name())
        && arity as usize == pattern.arity()
        && pattern
            .arguments()
            .all(|part| match_term(part, rest, values))
}

fn term_length(terms: &[(Name, u32)]) -> usize {
    let mut open = 1;
    for (at, (_, arity)) in terms.iter().enumerate() {
        open += *arity as usize;
        open -= 1;
        if open == 0 {
            return at + 1;
        }
    }
    terms.len()
}
