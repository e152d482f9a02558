//! The checked program: roles and clauses, seen through typed views of the tree.
//!
//! A view is a pointer and an index; nothing is copied. Conditions come out in negation
//! normal form: [`Clause::body`] pushes every `not` down to the leaves, so that later stages
//! never see `not (or …)` or `not (distinct …)`.
//!
//! Invariants of a [`Program`]: the tree is whole, every form in it is a sound clause (no
//! check at level deny found anything), and the roles are in the order of their facts.

use crate::source::Span;
use crate::symbols::{Keyword, Symbol, Word};
use crate::tree::{Node, Tree};

/// Rules that passed every check.
#[derive(Debug)]
pub struct Program {
    tree: Tree,
    roles: Vec<Symbol>,
}

impl Program {
    pub(crate) fn new(tree: Tree) -> Program {
        let roles = roles(tree.forms().map(Clause::new));
        let program = Program { tree, roles };
        debug_assert!(program.is_valid());
        program
    }

    /// The tree it was made of.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The roles, in the order of their facts.
    pub fn roles(&self) -> &[Symbol] {
        &self.roles
    }

    /// The clauses, in the order of the text.
    pub fn clauses(&self) -> impl Iterator<Item = Clause<'_>> {
        self.tree.forms().map(Clause::new)
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.tree.text(symbol)
    }

    /// Whether it uses what GDL-II adds: `sees`, or a role called `random`.
    pub fn is_gdl2(&self) -> bool {
        let sees =
            |clause: Clause<'_>| clause.head().relation() == Relation::Keyword(Keyword::Sees);
        let random = |&role: &Symbol| self.text(role).eq_ignore_ascii_case("random");
        self.roles.iter().any(random) || self.clauses().any(sees)
    }

    fn is_valid(&self) -> bool {
        self.tree.is_whole() && !self.roles.is_empty()
    }
}

/// The roles that facts declare, in order, each once.
pub(crate) fn roles<'t>(clauses: impl Iterator<Item = Clause<'t>>) -> Vec<Symbol> {
    let mut roles = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for clause in clauses {
        let head = clause.head();
        if head.relation() == Relation::Keyword(Keyword::Role)
            && let Some(role) = head.arguments().next().and_then(Term::constant)
            && seen.insert(role)
        {
            roles.push(role);
        }
    }
    roles
}

/// A fact or a rule.
#[derive(Copy, Clone)]
pub struct Clause<'p>(Node<'p>);

impl<'p> Clause<'p> {
    pub(crate) fn new(node: Node<'p>) -> Clause<'p> {
        Clause(node)
    }

    /// Whether it is written as a rule, with or without conditions.
    pub fn is_rule(self) -> bool {
        self.0.is_list() && self.0.keyword() == Some(Keyword::Arrow)
    }

    /// The head: the sentence that follows.
    pub fn head(self) -> Atom<'p> {
        let node = match self.is_rule() {
            true => self.0.arguments().next().expect("a sound rule has a head"),
            false => self.0,
        };
        Atom(node)
    }

    /// The conditions; none for a fact.
    pub fn body(self) -> Formula<'p> {
        let conditions = self.0.arguments().skip(1);
        match self.is_rule() {
            true => Formula::all(conditions.map(|node| Formula::new(node, true))),
            false => Formula::All(Vec::new()),
        }
    }

    /// Every sentence in its conditions, and whether it is positive, in the order of the text.
    pub fn conditions(self) -> Vec<(bool, Atom<'p>)> {
        match self.is_rule() {
            true => self
                .body()
                .leaves()
                .into_iter()
                .filter_map(Leaf::atom)
                .collect(),
            false => Vec::new(),
        }
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        self.0.span()
    }

    pub(crate) fn node(self) -> Node<'p> {
        self.0
    }
}

/// The conditions of a rule, negations at the leaves.
#[derive(Clone)]
pub enum Formula<'p> {
    /// All of them hold.
    All(Vec<Formula<'p>>),
    /// One of them holds.
    Any(Vec<Formula<'p>>),
    /// A single condition.
    Leaf(Leaf<'p>),
}

/// A single condition: a sentence or `distinct`, perhaps negated.
#[derive(Copy, Clone)]
pub enum Leaf<'p> {
    /// A sentence holds, or does not.
    Atom {
        /// Whether it has to hold.
        positive: bool,
        /// The sentence.
        atom: Atom<'p>,
    },
    /// Two terms differ, or are the same.
    Distinct {
        /// Whether they have to differ.
        positive: bool,
        /// One term.
        left: Term<'p>,
        /// The other.
        right: Term<'p>,
    },
}

impl<'p> Formula<'p> {
    fn new(node: Node<'p>, positive: bool) -> Formula<'p> {
        let keyword = node.keyword();
        let mut parts = node.arguments();
        match keyword {
            Some(Keyword::Not) => {
                let inner = parts.next().expect("a sound `not` has one argument");
                Formula::new(inner, !positive)
            }
            Some(Keyword::And | Keyword::Or) => {
                let parts = parts.map(|part| Formula::new(part, positive));
                match (keyword == Some(Keyword::And)) == positive {
                    true => Formula::all(parts),
                    false => Formula::any(parts),
                }
            }
            Some(Keyword::Distinct) => {
                let mut term = || Term(parts.next().expect("a sound `distinct` has two arguments"));
                let (left, right) = (term(), term());
                Formula::Leaf(Leaf::Distinct {
                    positive,
                    left,
                    right,
                })
            }
            _ => Formula::Leaf(Leaf::Atom {
                positive,
                atom: Atom(node),
            }),
        }
    }

    fn all(parts: impl Iterator<Item = Formula<'p>>) -> Formula<'p> {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::All(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.pop().expect("there is one"),
            _ => Formula::All(flat),
        }
    }

    fn any(parts: impl Iterator<Item = Formula<'p>>) -> Formula<'p> {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Any(inner) => flat.extend(inner),
                other => flat.push(other),
            }
        }
        match flat.len() {
            1 => flat.pop().expect("there is one"),
            _ => Formula::Any(flat),
        }
    }

    /// Every leaf, in the order of the text.
    pub fn leaves(&self) -> Vec<Leaf<'p>> {
        let mut leaves = Vec::new();
        let mut open = vec![self];
        while let Some(formula) = open.pop() {
            match formula {
                Formula::All(parts) | Formula::Any(parts) => open.extend(parts.iter().rev()),
                Formula::Leaf(leaf) => leaves.push(*leaf),
            }
        }
        leaves
    }
}

impl<'p> Leaf<'p> {
    /// The sentence, and whether it is positive; `None` for `distinct`.
    pub fn atom(self) -> Option<(bool, Atom<'p>)> {
        match self {
            Leaf::Atom { positive, atom } => Some((positive, atom)),
            Leaf::Distinct { .. } => None,
        }
    }
}

/// A relation: one of the language's, or one of the author's.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Relation {
    /// A word of the language, in any case.
    Keyword(Keyword),
    /// A name the author chose.
    Named(Symbol),
}

/// A relation with its number of arguments.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Predicate {
    /// The relation.
    pub relation: Relation,
    /// How many arguments it has.
    pub arity: u32,
}

/// A sentence: a relation and its arguments.
#[derive(Copy, Clone)]
pub struct Atom<'p>(Node<'p>);

impl<'p> Atom<'p> {
    /// The relation.
    pub fn relation(self) -> Relation {
        let name = self.name();
        match self.0.tree().word(name) {
            Word::Keyword(keyword) => Relation::Keyword(keyword),
            _ => Relation::Named(name),
        }
    }

    /// The relation's name as it is written.
    pub fn name(self) -> Symbol {
        self.0.head().expect("a sound sentence has a name")
    }

    /// The keyword that is its relation, if it is one.
    pub fn keyword(self) -> Option<Keyword> {
        self.0.keyword()
    }

    /// The arguments.
    pub fn arguments(self) -> impl Iterator<Item = Term<'p>> + Clone {
        self.0.arguments().map(Term)
    }

    /// The relation with its number of arguments.
    pub fn predicate(self) -> Predicate {
        Predicate {
            relation: self.relation(),
            arity: self.0.arguments().count() as u32,
        }
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// Every variable in it, with its place, as often as it occurs.
    pub fn variables(self) -> impl Iterator<Item = (Symbol, Span)> {
        variables(self.0)
    }
}

/// A term: a variable, a constant, or a function of terms. `(f)` is the constant `f`.
#[derive(Copy, Clone)]
pub struct Term<'p>(Node<'p>);

impl<'p> Term<'p> {
    /// Its name: the variable, the constant or the function.
    pub fn name(self) -> Symbol {
        self.0.head().expect("a sound term has a name")
    }

    /// Whether it is a variable.
    pub fn is_variable(self) -> bool {
        self.0.is_variable()
    }

    /// The name, if it is a constant.
    pub fn constant(self) -> Option<Symbol> {
        (!self.is_variable() && self.arity() == 0).then(|| self.name())
    }

    /// How many arguments it has.
    pub fn arity(self) -> usize {
        self.0.arguments().count()
    }

    /// The arguments.
    pub fn arguments(self) -> impl Iterator<Item = Term<'p>> + Clone {
        self.0.arguments().map(Term)
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        self.0.span()
    }

    /// Every variable in it, with its place, as often as it occurs.
    pub fn variables(self) -> impl Iterator<Item = (Symbol, Span)> {
        variables(self.0)
    }

    pub(crate) fn node(self) -> Node<'p> {
        self.0
    }
}

/// Every variable below a node, with its place, as often as it occurs.
pub(crate) fn variables(node: Node<'_>) -> impl Iterator<Item = (Symbol, Span)> {
    let variables = node.descendants().filter(|node| node.is_variable());
    variables.map(|node| (node.symbol().expect("a variable is a name"), node.span()))
}
