//! A checked program, numbered: predicates, clauses, patterns.
//!
//! Invariants: the conditions of a clause are in the order of the text; each lists the variables
//! that must be bound before it can be decided; a predicate is at least as volatile as those in
//! its clauses.

use crate::ids::RoleId;
use crate::terms::{Name, TermId, Terms};
use gdl::{Formula, Keyword, Leaf, Predicate, Program, Relation, Symbol, Term};
use std::collections::{HashMap, HashSet};

/// The number of a predicate.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PredicateId(pub(crate) u32);

impl PredicateId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The rules of a game, numbered.
#[derive(Debug)]
pub struct Rules {
    pub(crate) terms: Terms,
    pub(crate) roles: Vec<TermId>,
    chance: Option<RoleId>,
    pub(crate) predicates: Vec<Definition>,
    keywords: HashMap<Keyword, PredicateId>,
}

/// What defines a predicate.
#[derive(Debug)]
pub(crate) struct Definition {
    pub(crate) name: String,
    pub(crate) arity: usize,
    pub(crate) keyword: Option<Keyword>,
    /// The arguments of its facts, one after the other.
    pub(crate) facts: Vec<TermId>,
    pub(crate) clauses: Vec<Clause>,
    pub(crate) volatility: Volatility,
}

/// How long the answers of a predicate stay true.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Volatility {
    /// In every state.
    Game,
    /// In one state.
    State,
    /// For one joint move.
    Turn,
}

/// A rule with conditions.
#[derive(Debug)]
pub(crate) struct Clause {
    /// Its place among the clauses of the program.
    pub(crate) number: u32,
    pub(crate) head: Vec<Pattern>,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) variables: usize,
}

/// A term with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Variable(usize),
    Ground(TermId),
    Function(Name, Vec<Pattern>),
}

#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) kind: ConditionKind,
    /// The variables that must be bound before it can be decided.
    pub(crate) needs: Vec<usize>,
}

#[derive(Debug)]
pub(crate) enum ConditionKind {
    Holds(PredicateId, Vec<Pattern>),
    Fails(PredicateId, Vec<Pattern>),
    Distinct(Pattern, Pattern),
    Same(Pattern, Pattern),
    Any(Vec<Vec<Condition>>),
}

impl Rules {
    /// Numbers a program.
    pub fn new(program: &Program) -> Rules {
        let mut builder = Builder {
            program,
            rules: Rules {
                terms: Terms::default(),
                roles: Vec::new(),
                chance: None,
                predicates: Vec::new(),
                keywords: HashMap::new(),
            },
            numbers: HashMap::new(),
            names: HashMap::new(),
        };
        builder.keywords();
        builder.clauses();
        let mut rules = builder.rules;
        rules.find_volatility();
        let is_chance = |&role: &TermId| rules.terms.name(role).eq_ignore_ascii_case("random");
        rules.chance = rules.roles.iter().position(is_chance).map(RoleId::new);
        debug_assert!(rules.is_valid());
        rules
    }

    /// The roles, in the order of their facts.
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The role that moves at random: the one named `random`, in any case.
    pub fn chance(&self) -> Option<RoleId> {
        self.chance
    }

    /// The terms of the rules.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Whether the rules have percepts.
    pub fn has_percepts(&self) -> bool {
        let sees = self.definition(self.keyword(Keyword::Sees));
        !(sees.facts.is_empty() && sees.clauses.is_empty())
    }

    /// The functor under which every role sees every move, as `did` in
    /// `(<= (sees ?p (did ?q ?m)) (role ?p) (does ?q ?m))`. Then nothing is hidden.
    pub fn seen_moves(&self) -> Option<&str> {
        let sees = self.definition(self.keyword(Keyword::Sees));
        let name = sees.clauses.iter().find_map(|it| self.shows_moves(it))?;
        Some(self.terms.name_text(name))
    }

    /// The functor of a clause that shows every move to every role.
    fn shows_moves(&self, clause: &Clause) -> Option<Name> {
        let [viewer @ Pattern::Variable(_), Pattern::Function(name, seen)] = &clause.head[..]
        else {
            return None;
        };
        let [Pattern::Variable(role), Pattern::Variable(action)] = seen[..] else {
            return None;
        };
        let wanted = [
            (Keyword::Role, std::slice::from_ref(viewer)),
            (Keyword::Does, &seen[..]),
        ];
        let asks = |(keyword, patterns): &(Keyword, &[Pattern])| {
            let mut conditions = clause.conditions.iter();
            conditions.any(|it| match &it.kind {
                ConditionKind::Holds(asked, of) => {
                    *asked == self.keyword(*keyword) && of == patterns
                }
                _ => false,
            })
        };
        let is_general = role != action
            && clause.variables == 3
            && clause.conditions.len() == wanted.len()
            && wanted.iter().all(asks);
        is_general.then_some(*name)
    }

    pub(crate) fn keyword(&self, keyword: Keyword) -> PredicateId {
        self.keywords[&keyword]
    }

    pub(crate) fn definition(&self, predicate: PredicateId) -> &Definition {
        &self.predicates[predicate.index()]
    }

    /// Raises every predicate to the volatility of the predicates it depends on.
    fn find_volatility(&mut self) {
        let mut askers: Vec<Vec<u32>> = vec![Vec::new(); self.predicates.len()];
        for (asker, definition) in (0..).zip(&self.predicates) {
            let mut asked = Vec::new();
            for clause in &definition.clauses {
                collect(&clause.conditions, &mut asked);
            }
            for predicate in asked {
                askers[predicate.index()].push(asker);
            }
        }
        for (source, volatility) in [
            (Keyword::True, Volatility::State),
            (Keyword::Does, Volatility::Turn),
        ] {
            let mut open = vec![self.keyword(source).0];
            while let Some(predicate) = open.pop() {
                for &asker in &askers[predicate as usize] {
                    let own = &mut self.predicates[asker as usize].volatility;
                    if *own < volatility {
                        *own = volatility;
                        open.push(asker);
                    }
                }
            }
        }
    }

    fn is_valid(&self) -> bool {
        let fits = |definition: &Definition| {
            let arity = definition.arity;
            let facts = arity == 0 || definition.facts.len().is_multiple_of(arity);
            facts
                && definition
                    .clauses
                    .iter()
                    .all(|clause| clause.head.len() == arity)
        };
        self.predicates.iter().all(fits)
    }
}

fn collect(conditions: &[Condition], predicates: &mut Vec<PredicateId>) {
    for condition in conditions {
        match &condition.kind {
            ConditionKind::Holds(predicate, _) | ConditionKind::Fails(predicate, _) => {
                predicates.push(*predicate);
            }
            ConditionKind::Any(branches) => {
                for branch in branches {
                    collect(branch, predicates);
                }
            }
            ConditionKind::Distinct(..) | ConditionKind::Same(..) => {}
        }
    }
}

struct Builder<'p> {
    program: &'p Program,
    rules: Rules,
    numbers: HashMap<Predicate, PredicateId>,
    names: HashMap<Symbol, Name>,
}

/// The variables of one clause, numbered as they occur.
#[derive(Default)]
struct Variables(HashMap<Symbol, usize>);

impl Variables {
    fn number(&mut self, symbol: Symbol) -> usize {
        let next = self.0.len();
        *self.0.entry(symbol).or_insert(next)
    }
}

impl<'p> Builder<'p> {
    /// Adds a predicate for every keyword, whether it occurs or not.
    fn keywords(&mut self) {
        for &keyword in Keyword::ALL.iter().filter(|it| !it.is_connective()) {
            let relation = Relation::Keyword(keyword);
            let arity = keyword.arity().expect("relations have fixed arities") as u32;
            let id = self.predicate(Predicate { relation, arity });
            self.rules.keywords.insert(keyword, id);
        }
    }

    fn clauses(&mut self) {
        for (number, clause) in (0..).zip(self.program.clauses()) {
            let head = self.predicate(clause.head().predicate());
            let mut variables = Variables::default();
            let arguments = self.patterns(clause.head().arguments(), &mut variables);
            let conditions = self.conditions(&clause.body(), &mut variables);
            let definition = &mut self.rules.predicates[head.index()];
            let facts = arguments.iter().map(|pattern| match pattern {
                Pattern::Ground(term) => Some(*term),
                _ => None,
            });
            match facts.collect::<Option<Vec<TermId>>>() {
                Some(fact) if conditions.is_empty() && definition.arity > 0 => {
                    definition.facts.extend(fact);
                }
                _ => definition.clauses.push(Clause {
                    number,
                    head: arguments,
                    conditions,
                    variables: variables.0.len(),
                }),
            }
        }
        for &role in self.program.roles() {
            let name = self.name(role);
            let role = self.rules.terms.intern(name, &[]);
            self.rules.roles.push(role);
        }
    }

    fn predicate(&mut self, predicate: Predicate) -> PredicateId {
        if let Some(&id) = self.numbers.get(&predicate) {
            return id;
        }
        let id = PredicateId(self.rules.predicates.len() as u32);
        let (name, keyword) = match predicate.relation {
            Relation::Keyword(keyword) => (keyword.text(), Some(keyword)),
            Relation::Named(symbol) => (self.program.text(symbol), None),
        };
        let volatility = match keyword {
            Some(Keyword::True) => Volatility::State,
            Some(Keyword::Does) => Volatility::Turn,
            _ => Volatility::Game,
        };
        self.rules.predicates.push(Definition {
            name: name.to_string(),
            arity: predicate.arity as usize,
            keyword,
            facts: Vec::new(),
            clauses: Vec::new(),
            volatility,
        });
        self.numbers.insert(predicate, id);
        id
    }

    fn name(&mut self, symbol: Symbol) -> Name {
        let text = self.program.text(symbol);
        let terms = &mut self.rules.terms;
        *(self.names.entry(symbol)).or_insert_with(|| terms.intern_name(text))
    }

    fn patterns(
        &mut self,
        terms: impl Iterator<Item = Term<'p>>,
        variables: &mut Variables,
    ) -> Vec<Pattern> {
        terms.map(|term| self.pattern(term, variables)).collect()
    }

    fn pattern(&mut self, term: Term<'p>, variables: &mut Variables) -> Pattern {
        if term.is_variable() {
            return Pattern::Variable(variables.number(term.name()));
        }
        let name = self.name(term.name());
        let arguments = self.patterns(term.arguments(), variables);
        let ground = arguments.iter().map(|argument| match argument {
            Pattern::Ground(term) => Some(*term),
            _ => None,
        });
        match ground.collect::<Option<Vec<TermId>>>() {
            Some(arguments) => Pattern::Ground(self.rules.terms.intern(name, &arguments)),
            None => Pattern::Function(name, arguments),
        }
    }

    fn conditions(&mut self, body: &Formula<'p>, variables: &mut Variables) -> Vec<Condition> {
        match body {
            Formula::All(parts) => {
                let conditions = parts.iter().map(|part| self.condition(part, variables));
                conditions.collect()
            }
            single => vec![self.condition(single, variables)],
        }
    }

    fn condition(&mut self, formula: &Formula<'p>, variables: &mut Variables) -> Condition {
        let kind = match formula {
            Formula::Leaf(Leaf::Atom { positive, atom }) => {
                let predicate = self.predicate(atom.predicate());
                let arguments = self.patterns(atom.arguments(), variables);
                match positive {
                    true => ConditionKind::Holds(predicate, arguments),
                    false => ConditionKind::Fails(predicate, arguments),
                }
            }
            Formula::Leaf(Leaf::Distinct {
                positive,
                left,
                right,
            }) => {
                let (left, right) = (
                    self.pattern(*left, variables),
                    self.pattern(*right, variables),
                );
                match positive {
                    true => ConditionKind::Distinct(left, right),
                    false => ConditionKind::Same(left, right),
                }
            }
            Formula::Any(branches) => {
                let branches = branches
                    .iter()
                    .map(|branch| self.conditions(branch, variables));
                ConditionKind::Any(branches.collect())
            }
            Formula::All(_) => ConditionKind::Any(vec![self.conditions(formula, variables)]),
        };
        let needs = needs(&kind);
        Condition { kind, needs }
    }
}

/// The variables that must be bound before a condition can be decided.
fn needs(kind: &ConditionKind) -> Vec<usize> {
    let mut needs = Vec::new();
    match kind {
        ConditionKind::Holds(..) => {}
        ConditionKind::Fails(_, patterns) => variables(patterns, &mut needs),
        ConditionKind::Distinct(left, right) | ConditionKind::Same(left, right) => {
            variables(std::slice::from_ref(left), &mut needs);
            variables(std::slice::from_ref(right), &mut needs);
        }
        ConditionKind::Any(branches) => {
            for branch in branches {
                let mut bound = Vec::new();
                let mut inner = Vec::new();
                for condition in branch {
                    if let ConditionKind::Holds(_, patterns) = &condition.kind {
                        variables(patterns, &mut bound);
                    }
                    inner.extend(&condition.needs);
                }
                let bound: HashSet<usize> = bound.into_iter().collect();
                needs.extend(
                    inner
                        .into_iter()
                        .filter(|variable| !bound.contains(variable)),
                );
            }
        }
    }
    needs.sort_unstable();
    needs.dedup();
    needs
}

fn variables(patterns: &[Pattern], into: &mut Vec<usize>) {
    for pattern in patterns {
        match pattern {
            Pattern::Variable(variable) => into.push(*variable),
            Pattern::Ground(_) => {}
            Pattern::Function(_, arguments) => variables(arguments, into),
        }
    }
}
