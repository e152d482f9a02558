//! G2: names that are odd or contradict each other.

use super::Context;
use crate::catalogue::names;
use crate::diagnostic::Label;
use crate::program::{Atom, Leaf, Predicate, Relation, variables};
use crate::source::Span;
use crate::symbols::{Keyword, Symbol, Word};
use crate::tree::Node;
use std::collections::{HashMap, HashSet};

pub(super) fn check(context: &mut Context<'_>) {
    let places = first_places(context);
    characters(context, &places);
    capitals(context, &places);
    variables_in_capitals(context);
    uses(context);
}

/// The first place of each symbol.
fn first_places(context: &Context<'_>) -> Vec<Option<Span>> {
    let mut places = vec![None; context.tree.symbols.len()];
    for form in context.tree.forms() {
        for node in form.descendants() {
            if let Some(symbol) = node.symbol() {
                places[symbol.index()].get_or_insert(node.span());
            }
        }
    }
    places
}

fn characters(context: &mut Context<'_>, places: &[Option<Span>]) {
    // Control characters, and blanks and parentheses in infix quotes, are reported by the reader.
    let reported = |c: char| c.is_control() || c.is_whitespace() || "();".contains(c);
    let usual = |c: char| c.is_ascii_alphanumeric() || "!$%&*+-./<=>?@_~".contains(c);
    for (index, place) in places.iter().enumerate() {
        let symbol = Symbol::from_index(index);
        let odd = context.tree.text(symbol).chars().find(|&c| !usual(c));
        if let (Some(odd), Some(span)) = (odd.filter(|&c| !reported(c)), *place) {
            let name = context.name(symbol);
            context.findings.add(&names::UNUSUAL_CHARACTER, span, || {
                (
                    format!("`{name}` holds the unusual character `{odd}`"),
                    "keep to letters, digits and `_`; other tools may not read it".into(),
                )
            });
        }
    }
}

/// Names that differ in case alone. Only names with capitals can differ from others, and
/// there are few.
fn capitals(context: &mut Context<'_>, places: &[Option<Span>]) {
    let mut spellings: HashMap<String, Symbol> = HashMap::new();
    for (index, place) in places.iter().enumerate() {
        let symbol = Symbol::from_index(index);
        let text = context.tree.text(symbol);
        let has_capitals = text.bytes().any(|byte| byte.is_ascii_uppercase());
        let (Some(span), true) = (*place, has_capitals) else {
            continue;
        };
        if context.tree.word(symbol) == Word::Variable {
            continue;
        }
        let lower = text.to_ascii_lowercase();
        let plain = context.tree.symbols.find(&lower);
        let plain = plain.and_then(|other| Some((other, places[other.index()]?)));
        if let Some((other, first)) = plain {
            let (earlier, later) = match first < span {
                true => (other, (symbol, span)),
                false => (symbol, (other, first)),
            };
            case_differs(context, later, earlier);
        } else if let Some(&first) = spellings.get(&lower) {
            case_differs(context, (symbol, span), first);
        } else {
            spellings.insert(lower, symbol);
        }
    }
}

/// Variables of one clause that differ in case alone.
fn variables_in_capitals(context: &mut Context<'_>) {
    let mut spellings: HashMap<String, Symbol> = HashMap::new();
    let mut reported: HashSet<Symbol> = HashSet::new();
    for at in 0..context.rules.len() {
        let clause = context.clause(context.rules[at] as usize);
        spellings.clear();
        reported.clear();
        for (symbol, span) in variables(clause.node()) {
            let lower = context.tree.text(symbol).to_ascii_lowercase();
            let first = *spellings.entry(lower).or_insert(symbol);
            if first != symbol && reported.insert(symbol) {
                case_differs(context, (symbol, span), first);
            }
        }
    }
}

fn case_differs(context: &mut Context<'_>, (symbol, span): (Symbol, Span), first: Symbol) {
    let (name, other) = (context.name(symbol), context.name(first));
    context.findings.add(&names::INCONSISTENT_CASE, span, || {
        (
            format!("`{name}` and `{other}` differ in case alone"),
            "write it in one way, or choose another name".into(),
        )
    });
}

/// How one name is used, by its first uses.
#[derive(Clone, Default)]
struct Uses {
    relation: Option<Use>,
    function: Option<Use>,
    reported: bool,
}

/// One use of a name.
#[derive(Copy, Clone)]
struct Use {
    arity: u32,
    span: Span,
}

/// One name with several arities, or for a relation and a function; keywords as objects.
fn uses(context: &mut Context<'_>) {
    let mut uses = vec![Uses::default(); context.tree.symbols.len()];
    for number in 0..context.sound.len() {
        let clause = context.clause(number);
        sentence(context, &mut uses, clause.head());
        let body = clause.is_rule().then(|| clause.body().leaves());
        for leaf in body.into_iter().flatten() {
            match leaf {
                Leaf::Atom { atom, .. } => sentence(context, &mut uses, atom),
                Leaf::Distinct { left, right, .. } => {
                    terms(context, &mut uses, left.node());
                    terms(context, &mut uses, right.node());
                }
            }
        }
    }
}

fn sentence(context: &mut Context<'_>, uses: &mut [Uses], atom: Atom<'_>) {
    let Predicate { relation, arity } = atom.predicate();
    if let Relation::Named(name) = relation {
        let span = atom.span();
        let found = uses[name.index()].record(Use { arity, span }, true);
        report(context, name, found);
    }
    for argument in atom.arguments() {
        terms(context, uses, argument.node());
    }
}

fn terms(context: &mut Context<'_>, uses: &mut [Uses], term: Node<'_>) {
    for part in term.subterms() {
        let name = part.head().expect("a sound term has a name");
        if part.is_list() {
            let (arity, span) = (part.arguments().count() as u32, part.span());
            let found = uses[name.index()].record(Use { arity, span }, false);
            report(context, name, found);
        } else if matches!(context.tree.word(name), Word::Keyword(it) if it != Keyword::And) {
            keyword_as_object(context, name, part.span());
        }
    }
}

/// Two uses of a name that do not agree.
#[derive(Copy, Clone)]
enum Clash {
    Arity { here: Use, earlier: Use },
    RelationAndFunction { here: Span, earlier: Span },
}

impl Uses {
    /// Records a use. Gives the first clash of a name, once.
    fn record(&mut self, here: Use, is_relation: bool) -> Option<Clash> {
        if self.reported {
            return None;
        }
        let (same, other) = match is_relation {
            true => (&mut self.relation, self.function),
            false => (&mut self.function, self.relation),
        };
        let before = *same;
        same.get_or_insert(here);
        let clash = match (before, other) {
            (Some(earlier), _) if earlier.arity != here.arity => Clash::Arity { here, earlier },
            (None, Some(other)) => Clash::RelationAndFunction {
                here: here.span,
                earlier: other.span,
            },
            _ => return None,
        };
        self.reported = true;
        Some(clash)
    }
}

fn report(context: &mut Context<'_>, name: Symbol, found: Option<Clash>) {
    match found {
        Some(Clash::Arity { here, earlier }) => varying_arity(context, name, [here, earlier]),
        Some(Clash::RelationAndFunction { here, earlier }) => {
            sentence_and_function(context, name, [here, earlier]);
        }
        None => {}
    }
}

fn varying_arity(context: &mut Context<'_>, name: Symbol, [here, earlier]: [Use; 2]) {
    let name = context.name(name);
    let Use { arity, span } = here;
    let other = earlier.arity;
    let label = Label {
        span: earlier.span,
        text: format!("here it has {other}"),
    };
    context
        .findings
        .add_with(&names::VARYING_ARITY, span, vec![label], || {
            (
                format!("`{name}` has {arity} arguments here and {other} elsewhere"),
                "they are two different things; if that is meant, give them two names".into(),
            )
        });
}

fn sentence_and_function(context: &mut Context<'_>, name: Symbol, [span, first]: [Span; 2]) {
    let name = context.name(name);
    let label = Label {
        span: first,
        text: "used the other way here".into(),
    };
    context
        .findings
        .add_with(&names::SENTENCE_AND_FUNCTION, span, vec![label], || {
            (
                format!("`{name}` names a relation and a function"),
                "give one of them another name; or is `true` or `does` missing around it?".into(),
            )
        });
}

fn keyword_as_object(context: &mut Context<'_>, name: Symbol, span: Span) {
    let name = context.name(name);
    context.findings.add(&names::KEYWORD_AS_OBJECT, span, || {
        (
            format!("`{name}` is a word of the language and names a thing here"),
            "choose another name".into(),
        )
    });
}
