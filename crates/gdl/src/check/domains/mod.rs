//! G208, G209: values that a condition can never meet, and values that nobody asks for.
//!
//! `places.rs` knows the places of arguments and what can stand there, `clause.rs` finds the
//! variables of a clause. Two fixpoints are computed: what can be given at each place, from heads
//! and the conditions of their variables; then what is asked for at each place, from conditions and
//! what becomes of their variables. Both are over-estimates, so what is reported is certain.

mod clause;
mod places;

use super::{Context, name};
use crate::catalogue::names;
use crate::program::{Clause, roles};
use crate::source::Span;
use crate::symbols::{Keyword, Symbol};
use crate::tree::{Node, Tree};
use clause::{ClausePlaces, Constant, Variable};
use places::{Functor, PlaceId, Places, functor};

/// Sheets with more names and parentheses than this are not looked at, as others wrote programs
/// that wrote them.
const MOST_NODES: usize = 200_000;
/// Values compared before it is given up: then nothing is reported.
const MOST_WORK: usize = 20_000_000;

pub(super) fn check(context: &mut Context<'_>) {
    if context.tree.forms().map(Node::size).sum::<usize>() > MOST_NODES {
        return;
    }
    let Some(domains) = Domains::new(context) else {
        return;
    };
    never_met(context, &domains);
    never_asked(context, &domains);
}

/// The clauses of a sheet with all places.
struct Domains<'t> {
    places: Places,
    clauses: Vec<Sheet<'t>>,
}

/// A clause and its places.
struct Sheet<'t> {
    clause: Clause<'t>,
    found: ClausePlaces<'t>,
}

impl<'t> Domains<'t> {
    /// Both fixpoints; none if they take too long.
    fn new(context: &Context<'t>) -> Option<Domains<'t>> {
        let mut places = Places::default();
        let clauses = context.clauses().map(|clause| Sheet {
            clause,
            found: ClausePlaces::new(clause, &mut places),
        });
        let clauses = clauses.collect();
        let mut domains = Domains { places, clauses };
        domains.constants(&roles(context.clauses()));
        while domains.give()? {}
        while domains.ask()? {}
        Some(domains)
    }

    fn has_time(&self) -> Option<()> {
        (self.places.work < MOST_WORK).then_some(())
    }

    /// What is given and asked for by name.
    fn constants(&mut self, roles: &[Symbol]) {
        self.roles(roles);
        for sheet in &self.clauses {
            for Constant { term, place, .. } in &sheet.found.given {
                self.places.give(*place, functor(*term), Some(term.span()));
            }
            for Constant { term, place, .. } in &sheet.found.asked {
                self.places.ask(*place, functor(*term));
            }
            let head = sheet.clause.head();
            let ids = self.places.arguments(head);
            match head.keyword() {
                Some(Keyword::Legal | Keyword::Goal | Keyword::Sees | Keyword::Input) => {
                    ids[1..].iter().for_each(|&it| _ = self.places.ask_all(it));
                }
                Some(Keyword::Role) => ids.iter().for_each(|&it| _ = self.places.ask_all(it)),
                _ => {}
            }
        }
    }

    /// At the places of roles in heads, the roles are asked for and nothing else.
    fn roles(&mut self, roles: &[Symbol]) {
        for sheet in &self.clauses {
            let head = sheet.clause.head();
            if let Some(Keyword::Legal | Keyword::Goal | Keyword::Sees) = head.keyword() {
                let place = self.places.arguments(head)[0];
                for &role in roles {
                    self.places.ask(place, (role, 0));
                }
                self.places.settle(place);
            }
        }
    }

    /// Takes what variables of heads can be into account; whether something is new.
    fn give(&mut self) -> Option<bool> {
        let mut new = false;
        for sheet in &self.clauses {
            for variable in sheet.found.variables.values() {
                for &to in &variable.head {
                    new |= give(&mut self.places, variable, to);
                }
            }
            self.has_time()?;
        }
        Some(new)
    }

    /// Takes what variables of conditions are used for into account; whether something is new.
    fn ask(&mut self) -> Option<bool> {
        let mut new = false;
        for sheet in &self.clauses {
            // What is only declared is not asked for.
            if matches!(
                sheet.clause.head().keyword(),
                Some(Keyword::Base | Keyword::Input)
            ) {
                continue;
            }
            for variable in sheet.found.variables.values() {
                new |= ask(&mut self.places, variable);
            }
            self.has_time()?;
        }
        Some(new)
    }
}

/// What a variable can be flows to its place in the head.
fn give(places: &mut Places, variable: &Variable, to: PlaceId) -> bool {
    match (&variable.sure[..], &variable.choice[..]) {
        ([], []) => places.open(to),
        ([], choice) => {
            let flows = choice.iter().map(|&from| places.flow(&[from], to));
            flows.fold(false, |new, it| new | it)
        }
        (sure, _) => places.flow(sure, to),
    }
}

/// What is asked for at the places of a variable: the values that its other places allow, if the
/// head is asked for with them.
fn ask(places: &mut Places, variable: &Variable) -> bool {
    let conditions = [&variable.sure, &variable.choice, &variable.negated];
    let mut new = false;
    for &place in conditions.into_iter().flatten() {
        if places.place(place).all_asked {
            continue;
        }
        let others = variable.sure.iter().copied().filter(|&it| it != place);
        let others: Vec<PlaceId> = others.collect();
        let limits = places.common(&others);
        let asked = places.place(place).given.keys().copied();
        let asked: Vec<Functor> = match limits {
            Some(values) => values,
            None => asked.collect(),
        };
        if variable.head.is_empty() && others.is_empty() {
            new |= places.ask_all(place);
            continue;
        }
        for functor in asked {
            let wanted = |&head: &PlaceId| places.place(head).asks(functor);
            let wanted = variable.head.is_empty() || variable.head.iter().any(wanted);
            // Functions are not followed into their parts: all of them are asked for.
            if wanted && functor.1 > 0 {
                let parts = places.parts(place, functor);
                parts.into_iter().for_each(|it| new |= places.ask_all(it));
            }
            new |= wanted && places.ask(place, functor);
        }
    }
    new
}

/// Reports constants in conditions that nothing gives, and variables that no value fits.
fn never_met(context: &mut Context<'_>, domains: &Domains<'_>) {
    for sheet in &domains.clauses {
        for constant in sheet.found.asked.iter().filter(|it| !it.outermost) {
            let place = domains.places.place(constant.place);
            let tree = context.tree;
            // Where nothing is given at all, the relation itself is reported; and other checks know
            // of names in two cases.
            let asked = tree.text(constant.term.name());
            let mut given = place.given.keys().map(|it| tree.text(it.0));
            if place.given.is_empty()
                || place.gives(functor(constant.term))
                || given.any(|it| it.eq_ignore_ascii_case(asked))
            {
                continue;
            }
            context
                .findings
                .add(&names::NEVER_MET, constant.term.span(), || {
                    let asked = name(tree, constant.term.name());
                    let given = place.given.keys().map(|it| name(tree, it.0));
                    (
                        match constant.negated {
                            true => {
                                format!("nothing gives `{asked}` here: this condition always holds")
                            }
                            false => {
                                format!("nothing gives `{asked}` here: this condition never holds")
                            }
                        },
                        instead(&asked, given.collect()),
                    )
                });
        }
    }
}

/// What could be meant: the nearest name, or what there is.
fn instead(asked: &str, mut given: Vec<String>) -> String {
    const FEW: usize = 8;
    given.sort_unstable();
    given.dedup();
    if let Some(other) = given.iter().find(|it| is_slip(asked, it)) {
        return format!("did you mean `{other}`?");
    }
    let more = given.len().saturating_sub(FEW);
    given.truncate(FEW);
    let list: Vec<String> = given.iter().map(|it| format!("`{it}`")).collect();
    match more {
        0 => format!("what can stand here: {}", list.join(", ")),
        _ => format!("what can stand here: {} and {more} more", list.join(", ")),
    }
}

/// Reports names in heads that nobody asks for, where a similar one is asked for.
fn never_asked(context: &mut Context<'_>, domains: &Domains<'_>) {
    let tree = context.tree;
    for id in domains.places.ids() {
        let place = domains.places.place(id);
        let unasked = place.given.iter().filter(|(it, _)| !place.asks(**it));
        let mut unasked: Vec<(Span, Symbol)> = unasked
            .filter_map(|(it, span)| Some(((*span)?, it.0)))
            .collect();
        unasked.sort_unstable_by_key(|it| it.0);
        for (span, given) in unasked {
            if let Some(meant) = meant(tree, given, place.asked.keys()) {
                context.findings.add(&names::NEVER_ASKED, span, || {
                    let given = name(tree, given);
                    (
                        format!("no condition asks for `{given}` here"),
                        format!("did you mean `{meant}`?"),
                    )
                });
            }
        }
    }
}

/// The name that is asked for and nearly the same.
fn meant<'a>(
    tree: &Tree,
    given: Symbol,
    asked: impl Iterator<Item = &'a Functor>,
) -> Option<String> {
    let given = name(tree, given);
    let asked = asked.map(|it| name(tree, it.0));
    asked.filter(|it| is_slip(&given, it)).min()
}

/// Whether one name is likely the other one misspelt: few letters differ, and no digits.
fn is_slip(one: &str, other: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|it| !it.is_ascii_digit()).count();
    let digits = |text: &str| {
        text.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    let length = letters(one).min(letters(other));
    let allowed = match length {
        0..=3 => 0,
        4..=7 => 1,
        _ => 2,
    };
    !one.eq_ignore_ascii_case(other)
        && digits(one) == digits(other)
        && strsim::osa_distance(one, other) <= allowed
}
