//! What is called what in two sheets: a file of facts in the prefix syntax.
//!
//! ```text
//! (role x xplayer)                    ; our role and theirs; if not given, in their order
//! (word north n)                      ; our word and theirs
//! (word file 1 a)                     ; the same, in a table that is asked for by name
//! (move (place ?x ?y) (put (file ?x) ?y))            ; our move and theirs
//! (move (move ?from ?to) (move ?piece ?from ?to))    ; ?piece may be anything
//! (move (take 1) leave (role first) (true (heap 2))) ; our role; what holds in their state
//! (until (step 201))                  ; where this holds in either game, the match is cut
//! (goals differ)                      ; they end together, and score otherwise
//! ```
//!
//! All rules whose left side fits a move tell what its partner may look like; the words of a move
//! without a rule are looked up one by one, and stay if they are in no `word`.

use super::pattern::{Bindings, Pattern, Table, Values};
use game::{State, TermId};
use gdl::{Node, ReadLimits, Source, Syntax};
use logic::Terms;
use std::collections::HashMap;

/// A map of the names of one sheet to those of another.
#[derive(Debug, Default)]
pub struct Map {
    roles: Vec<(String, String)>,
    words: Table,
    tables: HashMap<String, Table>,
    moves: Vec<Rule>,
    /// Fluents from which on the games are not the same.
    until: Vec<Pattern>,
    /// Whether the sheets are known to give different goals.
    pub(super) goals_differ: bool,
}

/// Why a text is no map.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadMap {
    /// It cannot be read to the end.
    #[error("{title} is not in the prefix syntax")]
    Syntax {
        /// What its file is called.
        title: String,
    },
    /// A form is not one of a map.
    #[error("{title}:{line}:{column}: no fact of a map")]
    Fact {
        /// What its file is called.
        title: String,
        /// Where the form begins.
        line: usize,
        /// Where the form begins.
        column: usize,
    },
}

/// Why the roles of two games have no partners.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRoles {
    /// There are more in one game.
    #[error("there are {here} roles and {there}")]
    Count {
        /// How many the first game has.
        here: usize,
        /// How many the second game has.
        there: usize,
    },
    /// The map names a role that is none.
    #[error("there is no role {0}")]
    Unknown(String),
    /// A role is the partner of two.
    #[error("a role has two partners")]
    Shared,
}

impl Map {
    /// Reads the text of a map; `title` is what its file is called.
    pub fn read(title: &str, text: Vec<u8>) -> Result<Map, BadMap> {
        let source = Source::from_bytes(text);
        let tree = gdl::read(source, Some(Syntax::Prefix), &ReadLimits::default());
        let title = || title.to_string();
        if !tree.is_whole() {
            return Err(BadMap::Syntax { title: title() });
        }
        let mut map = Map::default();
        for form in tree.forms() {
            if map.add(form).is_none() {
                let at = tree.source().position(form.span().start);
                return Err(BadMap::Fact {
                    title: title(),
                    line: at.line,
                    column: at.column,
                });
            }
        }
        Ok(map)
    }

    /// Takes up a fact; none if it is not one of a map.
    fn add(&mut self, fact: Node<'_>) -> Option<()> {
        let forms: Vec<Node<'_>> = fact.children().collect();
        let name = forms.first()?.text()?;
        let text = |form: &Node<'_>| form.text().map(str::to_string);
        match (name, &forms[1..]) {
            ("role", [ours, theirs]) => self.roles.push((text(ours)?, text(theirs)?)),
            ("word", [ours, theirs]) => _ = self.words.insert(text(ours)?, text(theirs)?),
            ("word", [table, ours, theirs]) => {
                let table = self.tables.entry(text(table)?).or_default();
                table.insert(text(ours)?, text(theirs)?);
            }
            ("move", &[ours, theirs, ref conditions @ ..]) => {
                self.moves.push(Rule::new(ours, theirs, conditions)?);
            }
            ("until", &[fluent]) => self.until.push(Pattern::new(fluent)?),
            ("goals", [differ]) if differ.text() == Some("differ") => self.goals_differ = true,
            _ => return None,
        }
        Some(())
    }

    /// For each of our roles the number of theirs.
    pub(super) fn roles(&self, ours: &[String], theirs: &[String]) -> Result<Vec<usize>, BadRoles> {
        let (here, there) = (ours.len(), theirs.len());
        if here != there {
            return Err(BadRoles::Count { here, there });
        }
        for (role, partner) in &self.roles {
            for (role, roles) in [(role, ours), (partner, theirs)] {
                if !roles.contains(role) {
                    return Err(BadRoles::Unknown(role.clone()));
                }
            }
        }
        let places = ours.iter().enumerate().map(|(number, role)| {
            let partner = self.roles.iter().find(|(ours, _)| ours == role);
            let place = |name: &String| theirs.iter().position(|it| it == name);
            partner.map_or(Some(number), |(_, name)| place(name))
        });
        let places: Option<Vec<usize>> = places.collect();
        let places = places.expect("all roles of the map were found");
        let mut sorted = places.clone();
        sorted.sort_unstable();
        match sorted.into_iter().eq(0..there) {
            true => Ok(places),
            false => Err(BadRoles::Shared),
        }
    }

    /// Whether the games are no longer the same in this state.
    pub(super) fn cuts(&self, terms: &Terms, state: &State) -> bool {
        let fits = |fluent: &TermId| {
            self.until
                .iter()
                .any(|it| it.fits(terms, *fluent).is_some())
        };
        state.fluents().iter().any(fits)
    }

    /// What the partner of a move may look like: our role and move, their state.
    pub(super) fn partners(
        &self,
        (terms, role, action): (&Terms, TermId, TermId),
        there: (&Terms, &State),
    ) -> Vec<Pattern> {
        let mut rules = 0;
        let mut partners = Vec::new();
        for rule in &self.moves {
            let Some(mut bindings) = rule.ours.fits(terms, action) else {
                continue;
            };
            let asked = rule.role.as_ref();
            if asked.is_none_or(|it| it.bind(terms, role, &mut bindings)) {
                rules += 1;
                let values = self.values(terms, bindings, &self.words);
                partners.extend(self.filled(rule, &values, there));
            }
        }
        if rules == 0 {
            partners.push(Pattern::translated(terms, action, &self.words));
        }
        partners
    }

    /// Their side of a rule, once for each fluent of theirs that the rule asks for.
    fn filled(
        &self,
        rule: &Rule,
        values: &Values<'_>,
        (terms, state): (&Terms, &State),
    ) -> Vec<Pattern> {
        let Some(theirs) = rule.theirs.filled(values) else {
            return vec![];
        };
        let Some(fluent) = &rule.fluent else {
            return vec![theirs];
        };
        let Some(fluent) = fluent.filled(values) else {
            return vec![];
        };
        // What their fluents stand for is in their words already.
        let as_it_is = Table::new();
        let fill = |bindings| theirs.filled(&self.values(terms, bindings, &as_it_is));
        let fluents = state.fluents().iter();
        let found = fluents.filter_map(|&it| fluent.fits(terms, it));
        found.filter_map(fill).collect()
    }

    fn values<'a>(
        &'a self,
        terms: &'a Terms,
        bindings: Bindings<'a>,
        words: &'a Table,
    ) -> Values<'a> {
        Values {
            terms,
            bindings,
            words,
            tables: &self.tables,
        }
    }
}

/// Which move is which.
#[derive(Debug)]
struct Rule {
    ours: Pattern,
    theirs: Pattern,
    /// Our role, if it is only for some.
    role: Option<Pattern>,
    /// What holds in their state.
    fluent: Option<Pattern>,
}

impl Rule {
    fn new(ours: Node<'_>, theirs: Node<'_>, conditions: &[Node<'_>]) -> Option<Rule> {
        let mut rule = Rule {
            ours: Pattern::new(ours)?,
            theirs: Pattern::new(theirs)?,
            role: None,
            fluent: None,
        };
        for condition in conditions {
            let forms: Vec<Node<'_>> = condition.children().collect();
            match (forms.first()?.text()?, &forms[1..]) {
                ("role", &[role]) if rule.role.is_none() => rule.role = Some(Pattern::new(role)?),
                ("true", &[fluent]) if rule.fluent.is_none() => {
                    rule.fluent = Some(Pattern::new(fluent)?);
                }
                _ => return None,
            }
        }
        Some(rule)
    }
}
