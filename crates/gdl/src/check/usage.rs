//! G206, G207: names that are used but never produced, and produced but never used.

use super::{Context, predicate_name};
use crate::catalogue::names;
use crate::program::{Atom, Predicate, Relation, Term};
use crate::source::Span;
use crate::symbols::Keyword;
use crate::tree::Tree;
use std::collections::HashMap;

/// A name that a condition can use: a relation, or a fluent or move by its outermost name.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct UsedName {
    kind: NameKind,
    predicate: Predicate,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum NameKind {
    Relation,
    Fluent,
    Move,
}

impl NameKind {
    fn text(self) -> &'static str {
        match self {
            NameKind::Relation => "relation",
            NameKind::Fluent => "fluent",
            NameKind::Move => "move",
        }
    }

    fn giver(self) -> &'static str {
        match self {
            NameKind::Relation => "no fact or rule",
            NameKind::Fluent => "no `init` or `next`",
            NameKind::Move => "no `legal`",
        }
    }
}

#[derive(Default)]
struct Uses {
    given: HashMap<UsedName, Span, foldhash::fast::RandomState>,
    asked: HashMap<UsedName, Span, foldhash::fast::RandomState>,
    /// Kinds of which a rule produces one whose name is a variable.
    open: Vec<NameKind>,
}

pub(super) fn check(context: &mut Context<'_>) {
    let mut uses = Uses::default();
    for number in 0..context.sound.len() {
        let clause = context.clause(number);
        uses.give(clause.head());
        for (_, atom) in clause.conditions() {
            if let Some(used) = asked(atom) {
                uses.asked.entry(used).or_insert(atom.span());
            }
        }
    }
    never_produced(context, &uses);
    never_used(context, &uses);
}

impl Uses {
    fn give(&mut self, head: Atom<'_>) {
        let (kind, term) = match head.relation() {
            Relation::Keyword(Keyword::Init | Keyword::Next) => {
                (NameKind::Fluent, head.arguments().next())
            }
            Relation::Keyword(Keyword::Legal) => (NameKind::Move, head.arguments().nth(1)),
            Relation::Keyword(_) => return,
            Relation::Named(_) => {
                let used = relation(head.predicate());
                self.given.entry(used).or_insert(head.span());
                return;
            }
        };
        match term.and_then(|term| outermost(kind, term)) {
            Some(used) => {
                self.given.entry(used).or_insert(head.span());
            }
            None => self.open.push(kind),
        }
    }
}

/// The name that a condition uses; `None` if it is a variable.
fn asked(atom: Atom<'_>) -> Option<UsedName> {
    match atom.relation() {
        Relation::Keyword(Keyword::True) => outermost(NameKind::Fluent, atom.arguments().next()?),
        Relation::Keyword(Keyword::Does) => outermost(NameKind::Move, atom.arguments().nth(1)?),
        Relation::Keyword(_) => None,
        Relation::Named(_) => Some(relation(atom.predicate())),
    }
}

fn relation(predicate: Predicate) -> UsedName {
    let kind = NameKind::Relation;
    UsedName { kind, predicate }
}

fn outermost(kind: NameKind, term: Term<'_>) -> Option<UsedName> {
    let relation = Relation::Named(term.name());
    let arity = term.arity() as u32;
    let predicate = Predicate { relation, arity };
    (!term.is_variable()).then_some(UsedName { kind, predicate })
}

fn never_produced(context: &mut Context<'_>, uses: &Uses) {
    for (used, span) in missing(&uses.asked, &uses.given) {
        if uses.open.contains(&used.kind) {
            continue;
        }
        let tree = context.tree;
        let (kind, giver) = (used.kind.text(), used.kind.giver());
        context.findings.add(&names::NEVER_PRODUCED, span, || {
            let name = predicate_name(tree, used.predicate);
            let help = match similar(tree, uses, used, &name) {
                Some(other) => format!("did you mean `{other}`?"),
                None => "this condition never holds; is the name misspelt?".into(),
            };
            (format!("{giver} gives the {kind} `{name}`"), help)
        });
    }
}

/// A name of the same kind that is produced and nearly the same.
fn similar(tree: &Tree, uses: &Uses, used: UsedName, name: &str) -> Option<String> {
    const ENOUGH: f64 = 0.85;
    const MANY: usize = 10_000;
    if uses.given.len() > MANY {
        return None;
    }
    let alike = uses.given.keys().filter(|other| other.kind == used.kind);
    let names = alike.map(|other| predicate_name(tree, other.predicate));
    let scored = names.map(|other| (strsim::jaro_winkler(name, &other), other));
    let best = scored.max_by(|a, b| (a.0.total_cmp(&b.0)).then_with(|| a.1.cmp(&b.1)));
    best.filter(|(score, other)| *score > ENOUGH && other != name)
        .map(|(_, other)| other)
}

fn never_used(context: &mut Context<'_>, uses: &Uses) {
    for (used, span) in missing(&uses.given, &uses.asked) {
        if used.kind != NameKind::Relation {
            continue;
        }
        let tree = context.tree;
        context.findings.add(&names::NEVER_USED, span, || {
            let name = predicate_name(tree, used.predicate);
            (
                format!("no condition asks for `{name}`"),
                "remove it, or use it".into(),
            )
        });
    }
}

type Map = HashMap<UsedName, Span, foldhash::fast::RandomState>;

/// The names in one map that are not in the other, in the order of the text.
fn missing(of: &Map, from: &Map) -> Vec<(UsedName, Span)> {
    let missing = of.iter().filter(|(used, _)| !from.contains_key(used));
    let mut missing: Vec<_> = missing.map(|(&used, &span)| (used, span)).collect();
    missing.sort_by_key(|&(used, span)| (span, used.kind));
    missing
}
