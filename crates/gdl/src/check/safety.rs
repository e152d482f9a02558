//! G301–G304: every variable gets a value from a condition that is not negated.

use super::Context;
use crate::catalogue::{Lint, rules};
use crate::program::{Atom, Clause, Formula, Leaf, Relation, Term, variables};
use crate::source::Span;
use crate::symbols::{Keyword, Symbol};
use std::collections::{HashMap, HashSet};

pub(super) fn check(context: &mut Context<'_>) {
    for at in 0..context.rules.len() {
        rule(context, context.clause(context.rules[at] as usize));
    }
}

fn rule(context: &mut Context<'_>, clause: Clause<'_>) {
    let in_head: HashSet<Symbol> = clause.head().variables().map(|(name, _)| name).collect();
    let mut unsafe_leaves = Vec::new();
    let mut reported = HashSet::new();
    let values = visit(&clause.body(), &|_| true, &mut |leaf, values| {
        let (lint, terms): (_, Vec<Term<'_>>) = match leaf {
            Leaf::Atom { positive: true, .. } => return,
            Leaf::Atom { atom, .. } => (&rules::UNSAFE_NEGATION, atom.arguments().collect()),
            Leaf::Distinct { left, right, .. } => (&rules::UNSAFE_DISTINCT, vec![left, right]),
        };
        for (variable, span) in terms.iter().flat_map(|term| term.variables()) {
            // A variable of the head is reported at the head, with better advice.
            let known = values.has(variable) || in_head.contains(&variable);
            if !known && reported.insert(variable) {
                unsafe_leaves.push((lint, variable, span));
            }
        }
    });
    for (lint, variable, span) in unsafe_leaves {
        inner(context, lint, (variable, span));
    }
    for (place, argument) in clause.head().arguments().enumerate() {
        for (variable, span) in variables(argument.node()) {
            if !values.has(variable) && reported.insert(variable) {
                head(context, clause.head(), place, (variable, span));
            }
        }
    }
}

fn head(context: &mut Context<'_>, head: Atom<'_>, place: usize, at: (Symbol, Span)) {
    use Keyword::{Base, Goal, Init, Input, Legal, Next, Sees};
    let lint = match head.relation() {
        Relation::Keyword(Legal | Goal | Sees | Input) if place == 0 => &rules::UNSAFE_HEAD,
        Relation::Keyword(Legal | Goal | Sees | Input | Next | Init | Base) => {
            &rules::UNBOUND_OUTPUT
        }
        _ => &rules::UNSAFE_HEAD,
    };
    let name = context.name(at.0);
    context.findings.add(lint, at.1, || {
        (
            format!("no condition gives `{name}` in the head a value"),
            "add a condition with it that is not negated; inside `or`, to every branch".into(),
        )
    });
}

fn inner(context: &mut Context<'_>, lint: &'static Lint, (variable, span): (Symbol, Span)) {
    let name = context.name(variable);
    context.findings.add(lint, span, || {
        (
            format!("no condition gives `{name}` a value here"),
            "add a condition with it that is not negated".into(),
        )
    });
}

/// How many of the enclosing formulas give each variable a value.
#[derive(Default)]
pub(super) struct Values(HashMap<Symbol, usize>);

impl Values {
    pub(super) fn has(&self, variable: Symbol) -> bool {
        self.0.get(&variable).is_some_and(|&count| count > 0)
    }

    fn add(&mut self, variables: &[Symbol]) {
        for &variable in variables {
            *self.0.entry(variable).or_default() += 1;
        }
    }

    fn remove(&mut self, variables: &[Symbol]) {
        for variable in variables {
            *self.0.get_mut(variable).expect("it was added") -= 1;
        }
    }
}

/// The variables that each branch of each `or` gives a value whenever it holds.
type Branches<'p> = HashMap<*const Formula<'p>, Vec<Symbol>>;

/// The variables that a formula gives a value whenever it holds, each once, counting only
/// the positive atoms that `binds` accepts.
fn bound<'p>(
    formula: &Formula<'p>,
    binds: &impl Fn(Atom<'p>) -> bool,
    branches: &mut Branches<'p>,
) -> Vec<Symbol> {
    match formula {
        Formula::Leaf(Leaf::Atom {
            positive: true,
            atom,
        }) if binds(*atom) => distinct(atom.variables().map(|(variable, _)| variable)),
        Formula::Leaf(_) => Vec::new(),
        Formula::All(parts) => distinct(parts.iter().flat_map(|part| bound(part, binds, branches))),
        Formula::Any(parts) => {
            let mut counts: HashMap<Symbol, usize> = HashMap::new();
            for part in parts {
                let own = bound(part, binds, branches);
                for &variable in &own {
                    *counts.entry(variable).or_default() += 1;
                }
                branches.insert(std::ptr::from_ref(part), own);
            }
            let everywhere = counts
                .into_iter()
                .filter(|&(_, count)| count == parts.len());
            everywhere.map(|(variable, _)| variable).collect()
        }
    }
}

fn distinct(variables: impl Iterator<Item = Symbol>) -> Vec<Symbol> {
    let mut seen = HashSet::new();
    variables
        .filter(|&variable| seen.insert(variable))
        .collect()
}

/// Visits every leaf with the variables that its sibling and enclosing conditions give a
/// value. Returns the variables that the whole formula gives a value.
pub(super) fn visit<'p>(
    formula: &Formula<'p>,
    binds: &impl Fn(Atom<'p>) -> bool,
    look: &mut impl FnMut(Leaf<'p>, &Values),
) -> Values {
    let mut branches = Branches::new();
    let mut values = Values::default();
    values.add(&bound(formula, binds, &mut branches));
    visit_inside(formula, &branches, &mut values, look);
    values
}

fn visit_inside<'p>(
    formula: &Formula<'p>,
    branches: &Branches<'p>,
    values: &mut Values,
    look: &mut impl FnMut(Leaf<'p>, &Values),
) {
    match formula {
        Formula::Leaf(leaf) => look(*leaf, values),
        Formula::All(parts) => {
            for part in parts {
                visit_inside(part, branches, values, look);
            }
        }
        Formula::Any(parts) => {
            for part in parts {
                let own = &branches[&std::ptr::from_ref(part)];
                values.add(own);
                visit_inside(part, branches, values, look);
                values.remove(own);
            }
        }
    }
}
