//! G4: whether the clauses together are a game.

use super::Context;
use super::graph::{Edge, Graph};
use crate::catalogue::{Lint, game};
use crate::diagnostic::Label;
use crate::program::{Atom, Clause, Formula, Leaf, Relation, Term, roles};
use crate::source::Span;
use crate::symbols::{Keyword, Symbol};
use std::collections::HashSet;

/// Reports forbidden dependencies, and keywords in forbidden places.
pub(super) fn check(context: &mut Context<'_>, graph: &Graph) {
    use Keyword::{Base, Does, Goal, Init, Input, Legal, Next, Terminal, True};
    dependencies(
        context,
        graph,
        &[Init, Base, Input],
        &[True, Does],
        &game::STATE_IN_INIT,
    );
    dependencies(
        context,
        graph,
        &[Legal, Goal, Terminal],
        &[Does],
        &game::DEPENDS_ON_DOES,
    );
    for edge in &graph.edges {
        match keyword(graph, edge.condition) {
            Some(word @ (Init | Next | Base | Input)) => output(context, graph, edge, word),
            Some(Keyword::Sees) => sees_in_body(context, edge),
            _ => {}
        }
    }
    for number in 0..context.sound.len() {
        let clause = context.clause(number);
        match clause.head().keyword() {
            Some(Goal) => goal_value(context, clause),
            Some(Keyword::Role) => compound_role(context, clause),
            _ => {}
        }
    }
}

fn keyword(graph: &Graph, predicate: u32) -> Option<Keyword> {
    match graph.predicates[predicate as usize].relation {
        Relation::Keyword(keyword) => Some(keyword),
        Relation::Named(_) => None,
    }
}

/// Reports every condition through which one of `heads` depends on one of `targets`.
fn dependencies(
    context: &mut Context<'_>,
    graph: &Graph,
    heads: &[Keyword],
    targets: &[Keyword],
    lint: &'static Lint,
) {
    let steps = graph.steps_to(targets);
    let is = |predicate: u32, words: &[Keyword]| {
        keyword(graph, predicate).is_some_and(|word| words.contains(&word))
    };
    for edge in graph.edges.iter().filter(|edge| is(edge.head, heads)) {
        let direct = is(edge.condition, targets);
        // A condition that is reported itself need not be reported twice.
        let reported = is(edge.condition, heads) || is(edge.condition, &[Keyword::Next]);
        if !direct && (reported || !steps.contains_key(&edge.condition)) {
            continue;
        }
        let last = graph.path(&steps, edge).last().unwrap_or(edge);
        let head = context.predicate(graph.predicates[edge.head as usize]);
        let target = context.predicate(graph.predicates[last.condition as usize]);
        let condition = context.predicate(graph.predicates[edge.condition as usize]);
        let through = match direct {
            true => String::new(),
            false => format!(" through `{condition}`"),
        };
        let label = Label {
            span: last.span,
            text: format!("`{target}` is asked for here"),
        };
        let labels = if direct { Vec::new() } else { vec![label] };
        context.findings.add_with(lint, edge.span, labels, || {
            let help = match lint.code == game::DEPENDS_ON_DOES.code {
                true => "let `next` keep what was done in a fluent, and ask for that",
                false => "use only facts and rules that hold in every state",
            };
            (
                format!("`{head}` depends on `{target}`{through}"),
                help.into(),
            )
        });
    }
}

fn output(context: &mut Context<'_>, graph: &Graph, edge: &Edge, word: Keyword) {
    let percept = keyword(graph, edge.head) == Some(Keyword::Sees) && word == Keyword::Next;
    let lint = match percept {
        true => &game::NEXT_IN_PERCEPT,
        false => &game::OUTPUT_IN_BODY,
    };
    context.findings.add(lint, edge.span, || {
        (
            format!("`{}` stands in a condition", word.text()),
            "name what it depends on in a relation of its own, and use that in both places".into(),
        )
    });
}

fn sees_in_body(context: &mut Context<'_>, edge: &Edge) {
    context.findings.add(&game::SEES_IN_BODY, edge.span, || {
        (
            "`sees` stands in a condition".into(),
            "name what it depends on in a relation of its own, and use that in both places".into(),
        )
    });
}

fn goal_value(context: &mut Context<'_>, clause: Clause<'_>) {
    let Some(value) = clause
        .head()
        .arguments()
        .nth(1)
        .filter(|value| !value.is_variable())
    else {
        return;
    };
    let number = value
        .constant()
        .and_then(|name| context.tree.text(name).parse::<u32>().ok());
    if number.is_none_or(|number| number > 100) {
        let excerpt = context.tree.source().excerpt(value.span());
        context.findings.add(&game::GOAL_VALUE, value.span(), || {
            (
                format!("the goal `{excerpt}` is not a whole number from 0 to 100"),
                "goals range from 0 to 100".into(),
            )
        });
    }
}

fn compound_role(context: &mut Context<'_>, clause: Clause<'_>) {
    let role = clause.head().arguments().next();
    if let Some(role) = role.filter(|role| role.constant().is_none()) {
        let excerpt = context.tree.source().excerpt(role.span());
        context.findings.add(&game::COMPOUND_ROLE, role.span(), || {
            (
                format!("the role `{excerpt}` is not a plain name"),
                "name the role with one word".into(),
            )
        });
    }
}

/// Reports the first rule for percepts that does not treat all roles alike.
fn percepts(context: &mut Context<'_>) {
    let sees = |clause: &Clause<'_>| clause.head().keyword() == Some(Keyword::Sees);
    let differs = |clause: &Clause<'_>| !treats_roles_alike(context, *clause);
    let found = context.clauses().filter(sees).find(differs);
    if let Some(clause) = found {
        let span = clause.head().span();
        context.findings.add(&game::PERCEPTS_DIFFER, span, || {
            (
                "this percept may reach some roles and not others".into(),
                "if all roles should see it: `(sees ?r …)` with `(role ?r)`".into(),
            )
        });
    }
}

/// Whether the role is a variable whose only conditions are `role` and being distinct from
/// `random`.
fn treats_roles_alike(context: &Context<'_>, clause: Clause<'_>) -> bool {
    let mut arguments = clause.head().arguments();
    let Some((role, percept)) = arguments.next().zip(arguments.next()) else {
        return false;
    };
    let is_role = |variable: Symbol| variable == role.name();
    let speaks_of_role = |term: Term<'_>| term.variables().any(|(name, _)| is_role(name));
    if !role.is_variable() || speaks_of_role(percept) {
        return false;
    }
    let is_random = |term: Term<'_>| {
        let name = term.constant().map(|name| context.tree.text(name));
        name.is_some_and(is_random)
    };
    let harmless = |leaf: Leaf<'_>| match leaf {
        Leaf::Atom { positive, atom } => {
            let role_fact = positive && atom.keyword() == Some(Keyword::Role);
            role_fact || !atom.arguments().any(speaks_of_role)
        }
        Leaf::Distinct { left, right, .. } => {
            let random = is_random(left) || is_random(right);
            random || !(speaks_of_role(left) || speaks_of_role(right))
        }
    };
    let body: Formula<'_> = clause.body();
    body.leaves().into_iter().all(harmless)
}

/// Checks that need the complete rules.
pub(super) fn check_complete(context: &mut Context<'_>) {
    let mut missing = vec![
        Keyword::Role,
        Keyword::Legal,
        Keyword::Terminal,
        Keyword::Goal,
    ];
    for keyword in context
        .clauses()
        .filter_map(|clause| clause.head().keyword())
    {
        missing.retain(|&it| it != keyword);
    }
    for keyword in missing {
        let word = keyword.text();
        context
            .findings
            .add(&game::MISSING_RELATION, Span::new(0, 0), || {
                let help = match keyword {
                    Keyword::Role => "declare each role: `(role white)`",
                    Keyword::Legal => "say which moves a role may make: `(legal white noop)`",
                    Keyword::Terminal => "say when a match is over: `(<= terminal …)`",
                    _ => "say what each role gets: `(goal white 100)`",
                };
                (format!("the rules say nothing about `{word}`"), help.into())
            });
    }
    let roles: HashSet<Symbol> = roles(context.clauses()).into_iter().collect();
    if !roles.is_empty() {
        unknown_roles(context, &roles);
    }
    let is_random = |&&role: &&Symbol| is_random(context.tree.text(role));
    let players = roles.len() - roles.iter().filter(is_random).count();
    if players > 1 {
        percepts(context);
    }
}

fn is_random(name: &str) -> bool {
    name.eq_ignore_ascii_case("random")
}

fn unknown_roles(context: &mut Context<'_>, roles: &HashSet<Symbol>) {
    for number in 0..context.sound.len() {
        let clause = context.clause(number);
        let atoms = clause.conditions().into_iter().map(|(_, atom)| atom);
        for atom in std::iter::once(clause.head()).chain(atoms) {
            unknown_role(context, roles, atom);
        }
    }
}

fn unknown_role(context: &mut Context<'_>, roles: &HashSet<Symbol>, atom: Atom<'_>) {
    use Keyword::{Does, Goal, Input, Legal, Sees};
    if !matches!(atom.keyword(), Some(Does | Goal | Input | Legal | Sees)) {
        return;
    }
    let Some(role) = atom.arguments().next().filter(|role| !role.is_variable()) else {
        return;
    };
    if role.constant().is_none_or(|name| !roles.contains(&name)) {
        let excerpt = context.tree.source().excerpt(role.span());
        context.findings.add(&game::UNKNOWN_ROLE, role.span(), || {
            (
                format!("`{excerpt}` is not a role of this game"),
                "declare it with `(role …)`, or is it misspelt?".into(),
            )
        });
    }
}
