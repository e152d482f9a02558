//! Terms with variables, as the moves of a map are: what fits them, and what they become.

use game::TermId;
use gdl::Node;
use logic::Terms;
use std::collections::HashMap;

/// Words of one sheet, with those of the other.
pub(super) type Table = HashMap<String, String>;

/// What variables stand for.
pub(super) type Bindings<'p> = Vec<(&'p str, TermId)>;

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Variable(String),
    Term(String, Vec<Pattern>),
}

impl Pattern {
    /// The pattern that a form is; none if a list has no name.
    pub(super) fn new(form: Node<'_>) -> Option<Pattern> {
        if form.is_variable() {
            return Some(Pattern::Variable(form.text()?.to_string()));
        }
        let name = match form.text() {
            Some(name) => name,
            None => form.children().next()?.text()?,
        };
        let arguments: Option<Vec<Pattern>> = form.arguments().map(Pattern::new).collect();
        let arguments = if form.is_list() { arguments? } else { vec![] };
        Some(Pattern::Term(name.to_string(), arguments))
    }

    /// A term, its words changed by a table as far as they are in it.
    pub(super) fn translated(terms: &Terms, term: TermId, words: &Table) -> Pattern {
        let name = terms.name(term);
        let name = words.get(name).map_or(name, |word| word.as_str());
        let arguments = terms.arguments(term).iter();
        let arguments = arguments.map(|&it| Pattern::translated(terms, it, words));
        Pattern::Term(name.to_string(), arguments.collect())
    }

    /// What its variables stand for, if the term is of this pattern.
    pub(super) fn fits(&self, terms: &Terms, term: TermId) -> Option<Bindings<'_>> {
        let mut bindings = Vec::new();
        self.bind(terms, term, &mut bindings).then_some(bindings)
    }

    /// Whether the term is of this pattern too, where variables stand for what is known already.
    pub(super) fn bind<'p>(
        &'p self,
        terms: &Terms,
        term: TermId,
        bindings: &mut Bindings<'p>,
    ) -> bool {
        match self {
            Pattern::Variable(name) => match bindings.iter().find(|(known, _)| known == name) {
                Some((_, bound)) => *bound == term,
                None => {
                    bindings.push((name, term));
                    true
                }
            },
            Pattern::Term(name, patterns) => {
                let arguments = terms.arguments(term);
                let same = name == terms.name(term) && patterns.len() == arguments.len();
                let mut pairs = patterns.iter().zip(arguments);
                same && pairs.all(|(pattern, &it)| pattern.bind(terms, it, bindings))
            }
        }
    }

    /// The pattern with words of the other sheet in the place of variables that have a value; none
    /// if a table lacks the word that it is asked for.
    pub(super) fn filled(&self, values: &Values<'_>) -> Option<Pattern> {
        match self {
            Pattern::Variable(_) => Some(match values.term(self) {
                Some(term) => Pattern::translated(values.terms, term, values.words),
                None => self.clone(),
            }),
            Pattern::Term(name, _) if values.tables.contains_key(name) => {
                if !values.know(self) {
                    return Some(self.clone());
                }
                let word = values.word(self)?;
                Some(Pattern::Term(word.to_string(), vec![]))
            }
            Pattern::Term(name, arguments) => {
                let arguments = arguments.iter().map(|it| it.filled(values));
                let arguments: Option<Vec<Pattern>> = arguments.collect();
                Some(Pattern::Term(name.clone(), arguments?))
            }
        }
    }
}

/// What a pattern is filled with.
pub(super) struct Values<'a> {
    /// The terms of the sheet that the bindings are of.
    pub(super) terms: &'a Terms,
    pub(super) bindings: Bindings<'a>,
    /// What becomes of words, and tables that are asked for by name.
    pub(super) words: &'a Table,
    pub(super) tables: &'a HashMap<String, Table>,
}

impl Values<'_> {
    fn term(&self, pattern: &Pattern) -> Option<TermId> {
        let Pattern::Variable(name) = pattern else {
            return None;
        };
        let mut bindings = self.bindings.iter();
        Some(bindings.find(|(known, _)| known == name)?.1)
    }

    /// Whether all variables have a value.
    fn know(&self, pattern: &Pattern) -> bool {
        match pattern {
            Pattern::Variable(_) => self.term(pattern).is_some(),
            Pattern::Term(_, arguments) => arguments.iter().all(|it| self.know(it)),
        }
    }

    /// The word that a variable stands for, or that a table has for another word.
    fn word<'w>(&'w self, pattern: &'w Pattern) -> Option<&'w str> {
        match pattern {
            Pattern::Variable(_) => Some(self.terms.name(self.term(pattern)?)),
            Pattern::Term(name, arguments) => match (self.tables.get(name), &arguments[..]) {
                (Some(table), [argument]) => Some(table.get(self.word(argument)?)?),
                _ => Some(name),
            },
        }
    }
}
