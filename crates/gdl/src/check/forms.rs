//! G1: whether every clause has the form of a clause.

use super::Context;
use crate::catalogue::{Lint, forms};
use crate::diagnostic::Findings;
use crate::program::Clause;
use crate::source::{Span, shorten};
use crate::symbols::{Keyword, Word};
use crate::tree::{Node, Tree};

/// Checks the form of every clause and collects the sound ones; true if all are.
pub(super) fn check(context: &mut Context<'_>) -> bool {
    let mut forms = Forms {
        tree: context.tree,
        findings: &mut context.findings,
        sound: true,
    };
    let mut all = true;
    for form in context.tree.forms() {
        forms.sound = true;
        forms.clause(form);
        if forms.sound {
            if Clause::new(form).is_rule() {
                context.rules.push(context.sound.len() as u32);
            }
            context.sound.push(form.index());
        } else {
            all = false;
        }
    }
    all
}

struct Forms<'t, 'f> {
    tree: &'t Tree,
    findings: &'f mut Findings,
    /// Whether the current clause is sound so far.
    sound: bool,
}

/// Where a sentence stands.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Place {
    Fact,
    Head,
    Body,
}

impl<'t> Forms<'t, '_> {
    fn clause(&mut self, form: Node<'t>) {
        if form.keyword() != Some(Keyword::Arrow) {
            return self.sentence(form, Place::Fact);
        }
        let mut parts = form.arguments();
        let Some(head) = parts.next() else {
            return self.report(&forms::INCOMPLETE_RULE, form.span(), || {
                text("this rule has no head", "write what it says after `<=`")
            });
        };
        self.sentence(head, Place::Head);
        if parts.clone().next().is_none() {
            self.report(&forms::EMPTY_BODY, form.span(), || {
                text(
                    "this rule has no conditions",
                    "write it as a fact, without `<=`",
                )
            });
        }
        for part in parts {
            self.condition(part, None);
        }
    }

    /// A condition of a rule; `outer` is the connective directly around it.
    fn condition(&mut self, form: Node<'t>, outer: Option<Keyword>) {
        let connective = form.keyword().filter(|keyword| keyword.is_connective());
        if connective.is_some() && outer == Some(Keyword::Not) {
            self.report(&forms::COMPOUND_NEGATION, form.span(), || {
                text(
                    "`not` stands around more than one sentence",
                    "put `not` before each sentence inside",
                )
            });
        }
        match connective {
            Some(Keyword::Arrow) => self.not_a_sentence(form),
            Some(Keyword::Not) => {
                self.arity(form, Keyword::Not);
                form.arguments()
                    .for_each(|part| self.condition(part, Some(Keyword::Not)));
            }
            Some(Keyword::Distinct) => {
                self.arity(form, Keyword::Distinct);
                form.arguments().for_each(|part| self.term(part));
            }
            Some(connective) => self.junction(form, connective, outer),
            None => self.sentence(form, Place::Body),
        }
    }

    /// `or` and `and`.
    fn junction(&mut self, form: Node<'t>, connective: Keyword, outer: Option<Keyword>) {
        let empty = form.arguments().next().is_none();
        if connective == Keyword::And {
            self.report(&forms::AND_CONNECTIVE, form.span(), || {
                text(
                    "`and` is not a word of GDL",
                    "conditions side by side all have to hold; inside `or`, name them in a relation",
                )
            });
        } else if empty {
            self.report(&forms::EMPTY_DISJUNCTION, form.span(), || {
                text(
                    "this `or` has no alternatives, so it never holds",
                    "write at least two, or remove the rule",
                )
            });
        } else if outer == Some(Keyword::Or) {
            self.report(&forms::NESTED_DISJUNCTION, form.span(), || {
                text(
                    "this `or` stands directly inside another",
                    "one `or` takes any number of alternatives",
                )
            });
        }
        form.arguments()
            .for_each(|part| self.condition(part, Some(connective)));
    }

    fn sentence(&mut self, form: Node<'t>, place: Place) {
        if form.is_variable() {
            return self.not_a_sentence(form);
        }
        if !self.has_name(form) {
            return;
        }
        if let Some(keyword) = form.keyword() {
            self.arity(form, keyword);
            self.reserved(form, keyword, place);
        }
        for part in form.arguments() {
            self.term(part);
            if place == Place::Fact {
                self.ground(part);
            }
        }
    }

    fn not_a_sentence(&mut self, form: Node<'t>) {
        self.report(&forms::NOT_A_SENTENCE, form.span(), || {
            let excerpt = self.tree.source().excerpt(form.span());
            text(
                &format!("`{excerpt}` stands where a sentence must be"),
                "write a relation, such as `(true …)`",
            )
        });
    }

    fn reserved(&mut self, form: Node<'t>, keyword: Keyword, place: Place) {
        let reserved = match place {
            Place::Fact => matches!(keyword, Keyword::True | Keyword::Does),
            Place::Head => matches!(keyword, Keyword::Role | Keyword::True | Keyword::Does),
            Place::Body => false,
        };
        if !reserved && !keyword.is_connective() {
            return;
        }
        let word = keyword.text();
        let (lint, verb) = match place {
            Place::Fact => (&forms::RESERVED_FACT, "state"),
            _ => (&forms::RESERVED_HEAD, "define"),
        };
        self.report(lint, form.span(), || {
            let help = match keyword {
                Keyword::Role => "write each role as a fact: `(role white)`",
                Keyword::True => "use `init` for the first state, `next` for what follows",
                Keyword::Does => {
                    "what a role does comes from its player; `legal` says what it may do"
                }
                _ => "connectives stand between conditions",
            };
            text(&format!("rules cannot {verb} `{word}`"), help)
        });
    }

    fn ground(&mut self, term: Node<'t>) {
        if let Some(variable) = term.subterms().find(|node| node.is_variable()) {
            self.report(&forms::VARIABLE_IN_FACT, variable.span(), || {
                let name = shorten(variable.text().unwrap_or_default());
                text(
                    &format!("the variable `{name}` stands in a fact"),
                    "make it a rule that says where the values come from",
                )
            });
        }
    }

    fn term(&mut self, form: Node<'t>) {
        for part in form.subterms() {
            if part.is_list() {
                self.function(part);
            } else {
                self.constant(part);
            }
        }
    }

    /// Reports a function without a name or named by a keyword; not its arguments.
    fn function(&mut self, form: Node<'t>) {
        if !self.has_name(form) {
            return;
        }
        match form.keyword() {
            Some(Keyword::And) | None => {}
            Some(keyword) if keyword.is_connective() => {
                self.report(&forms::CONNECTIVE_AS_FUNCTION, form.span(), || {
                    text(
                        &format!("`{}` stands inside a term", keyword.text()),
                        "connectives stand around whole conditions",
                    )
                });
            }
            Some(keyword) => self.report(&forms::KEYWORD_AS_FUNCTION, form.span(), || {
                let word = keyword.text();
                text(
                    &format!("`{word}` is a word of the language and names a function here"),
                    "choose another name",
                )
            }),
        }
    }

    /// Reports a connective used as a constant.
    fn constant(&mut self, form: Node<'t>) {
        let Some(Word::Keyword(keyword)) = form.symbol().map(|symbol| self.tree.word(symbol))
        else {
            return;
        };
        if keyword.is_connective() && keyword != Keyword::And {
            self.report(&forms::KEYWORD_AS_CONSTANT, form.span(), || {
                text(
                    &format!("`{}` stands where a constant must be", keyword.text()),
                    "choose another name, or check the parentheses before it",
                )
            });
        }
    }

    fn has_name(&mut self, form: Node<'t>) -> bool {
        if !form.is_list() {
            return true;
        }
        let Some(first) = form.children().next() else {
            self.report(&forms::EMPTY_FORM, form.span(), || {
                text(
                    "these parentheses are empty",
                    "write a name in them, or remove them",
                )
            });
            return false;
        };
        if first.is_list() || first.is_variable() {
            self.report(&forms::NAMELESS_FORM, first.span(), || {
                text(
                    "a form starts with a name, but this is none",
                    "put the name of a relation or function first",
                )
            });
            return false;
        }
        true
    }

    fn arity(&mut self, form: Node<'t>, keyword: Keyword) {
        let found = form.arguments().count();
        let Some(expected) = keyword.arity().filter(|&expected| expected != found) else {
            return;
        };
        self.report(&forms::KEYWORD_ARITY, form.span(), || {
            let word = keyword.text();
            text(
                &format!("`{word}` takes {}, not {found}", count(expected)),
                "add or remove arguments, or check the parentheses",
            )
        });
    }

    fn report(&mut self, lint: &'static Lint, span: Span, text: impl FnOnce() -> (String, String)) {
        self.sound &= !lint.is_fatal();
        self.findings.add(lint, span, text);
    }
}

fn text(message: &str, help: &str) -> (String, String) {
    (message.to_string(), help.to_string())
}

fn count(arguments: usize) -> String {
    match arguments {
        0 => "no arguments".to_string(),
        1 => "1 argument".to_string(),
        n => format!("{n} arguments"),
    }
}
