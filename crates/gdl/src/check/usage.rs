//! G206, G207: what is asked for but never given, and given but never asked for.

use super::{Context, predicate_name};
use crate::catalogue::names;
use crate::program::{Atom, Predicate, Relation, Term};
use crate::source::Span;
use crate::symbols::Keyword;
use crate::tree::Tree;
use std::collections::HashMap;

/// What a condition can ask for: a relation, or a fluent or move by its outermost name.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
struct Thing {
    kind: Kind,
    predicate: Predicate,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Kind {
    Relation,
    Fluent,
    Move,
}

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Kind::Relation => "relation",
            Kind::Fluent => "fluent",
            Kind::Move => "move",
        }
    }

    fn giver(self) -> &'static str {
        match self {
            Kind::Relation => "no fact or rule",
            Kind::Fluent => "no `init` or `next`",
            Kind::Move => "no `legal`",
        }
    }
}

#[derive(Default)]
struct Uses {
    given: HashMap<Thing, Span, foldhash::fast::RandomState>,
    asked: HashMap<Thing, Span, foldhash::fast::RandomState>,
    /// Kinds of which a rule gives something that only a variable names.
    open: Vec<Kind>,
}

pub(super) fn check(context: &mut Context<'_>) {
    let mut uses = Uses::default();
    for number in 0..context.sound.len() {
        let clause = context.clause(number);
        uses.give(clause.head());
        for (_, atom) in clause.conditions() {
            if let Some(thing) = asked(atom) {
                uses.asked.entry(thing).or_insert(atom.span());
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
                (Kind::Fluent, head.arguments().next())
            }
            Relation::Keyword(Keyword::Legal) => (Kind::Move, head.arguments().nth(1)),
            Relation::Keyword(_) => return,
            Relation::Named(_) => {
                let thing = relation(head.predicate());
                self.given.entry(thing).or_insert(head.span());
                return;
            }
        };
        match term.and_then(|term| outermost(kind, term)) {
            Some(thing) => {
                self.given.entry(thing).or_insert(head.span());
            }
            None => self.open.push(kind),
        }
    }
}

/// What a condition asks for; nothing if only a variable names it.
fn asked(atom: Atom<'_>) -> Option<Thing> {
    match atom.relation() {
        Relation::Keyword(Keyword::True) => outermost(Kind::Fluent, atom.arguments().next()?),
        Relation::Keyword(Keyword::Does) => outermost(Kind::Move, atom.arguments().nth(1)?),
        Relation::Keyword(_) => None,
        Relation::Named(_) => Some(relation(atom.predicate())),
    }
}

fn relation(predicate: Predicate) -> Thing {
    let kind = Kind::Relation;
    Thing { kind, predicate }
}

fn outermost(kind: Kind, term: Term<'_>) -> Option<Thing> {
    let relation = Relation::Named(term.name());
    let arity = term.arity() as u32;
    let predicate = Predicate { relation, arity };
    (!term.is_variable()).then_some(Thing { kind, predicate })
}

fn never_produced(context: &mut Context<'_>, uses: &Uses) {
    for (thing, span) in missing(&uses.asked, &uses.given) {
        if uses.open.contains(&thing.kind) {
            continue;
        }
        let tree = context.tree;
        let (kind, giver) = (thing.kind.text(), thing.kind.giver());
        context.findings.add(&names::NEVER_PRODUCED, span, || {
            let name = predicate_name(tree, thing.predicate);
            let help = match similar(tree, uses, thing, &name) {
                Some(other) => format!("did you mean `{other}`?"),
                None => "this condition never holds; is the name misspelt?".into(),
            };
            (format!("{giver} gives the {kind} `{name}`"), help)
        });
    }
}

/// Something that is given and has nearly the same name.
fn similar(tree: &Tree, uses: &Uses, thing: Thing, name: &str) -> Option<String> {
    const ENOUGH: f64 = 0.85;
    const MANY: usize = 10_000;
    if uses.given.len() > MANY {
        return None;
    }
    let alike = uses.given.keys().filter(|other| other.kind == thing.kind);
    let names = alike.map(|other| predicate_name(tree, other.predicate));
    let scored = names.map(|other| (strsim::jaro_winkler(name, &other), other));
    let best = scored.max_by(|a, b| (a.0.total_cmp(&b.0)).then_with(|| a.1.cmp(&b.1)));
    best.filter(|(score, other)| *score > ENOUGH && other != name)
        .map(|(_, other)| other)
}

fn never_used(context: &mut Context<'_>, uses: &Uses) {
    for (thing, span) in missing(&uses.given, &uses.asked) {
        if thing.kind != Kind::Relation {
            continue;
        }
        let tree = context.tree;
        context.findings.add(&names::NEVER_USED, span, || {
            let name = predicate_name(tree, thing.predicate);
            (
                format!("no condition asks for `{name}`"),
                "remove it, or use it".into(),
            )
        });
    }
}

type Map = HashMap<Thing, Span, foldhash::fast::RandomState>;

/// What is in one map and not in the other, in the order of the text.
fn missing(of: &Map, from: &Map) -> Vec<(Thing, Span)> {
    let missing = of.iter().filter(|(thing, _)| !from.contains_key(thing));
    let mut missing: Vec<_> = missing.map(|(&thing, &span)| (thing, span)).collect();
    missing.sort_by_key(|&(thing, span)| (span, thing.kind));
    missing
}
