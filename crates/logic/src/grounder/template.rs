//! Rules prepared for grounding: no `or`, no variable that is only under negation, narrow joins.
//!
//! A rule is *split* where a variable that is not in its head occurs in only some conditions:
//! these become a rule of their own, for a relation over the variables they share with the rest.
//! Joins stay narrow, and a product of instances becomes a sum.

use super::NotGround;
use super::unify::{shift, shift_condition, unify};
use crate::loading::{Exceeded, Loading};
use crate::rules::{Clause, Condition, ConditionKind, Pattern, PredicateId, Rules, Volatility};
use gdl::Keyword;
use std::collections::{BTreeSet, HashMap, HashSet};

/// A sentence with variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sentence {
    pub(super) predicate: PredicateId,
    pub(super) patterns: Vec<Pattern>,
}

/// A condition that does not depend on the state and is decided while joining.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    Holds(Sentence),
    Fails(Sentence),
    Distinct(Pattern, Pattern),
    Same(Pattern, Pattern),
}

/// A rule without `or`.
#[derive(Clone, Debug)]
pub(super) struct Template {
    /// The clause it was made of; none for the parts that were split off.
    pub(super) origin: Option<u32>,
    pub(super) head: Sentence,
    pub(super) positive: Vec<Sentence>,
    pub(super) negative: Vec<Sentence>,
    pub(super) fixed: Vec<Fixed>,
    pub(super) variables: usize,
}

/// All templates of a game, and the added relations.
#[derive(Debug)]
pub(super) struct Templates {
    pub(super) all: Vec<Template>,
    /// Names of the added predicates, numbered after those of the rules.
    pub(super) added: Vec<String>,
    /// The clauses that templates were made of.
    pub(super) origins: Vec<u32>,
}

/// Why rules cannot be prepared for grounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// Expanding `or` yields too many rules.
    TooManyAlternatives { predicate: String },
    /// A relation needs bound arguments where it is used without.
    NeedsCallers { predicate: String },
}

const MAX_ALTERNATIVES: usize = 4096;

pub(super) fn templates(rules: &Rules, loading: &Loading<'_>) -> Result<Templates, NotGround> {
    let mut builder = Builder {
        rules,
        loading,
        callers: needing_callers(rules),
        templates: Templates {
            all: Vec::new(),
            added: Vec::new(),
            origins: Vec::new(),
        },
    };
    for (number, definition) in (0..).zip(&rules.predicates) {
        let is_helper = builder.callers.contains(&PredicateId(number));
        if definition.volatility == Volatility::Game && !is_output(definition.keyword) || is_helper
        {
            continue;
        }
        for clause in &definition.clauses {
            builder.clause(PredicateId(number), clause)?;
        }
    }
    Ok(builder.templates)
}

/// Whether a keyword is an output even if it does not depend on the state.
pub(super) fn is_output(keyword: Option<Keyword>) -> bool {
    use Keyword::{Goal, Legal, Next, Sees, Terminal};
    matches!(keyword, Some(Goal | Legal | Next | Sees | Terminal))
}

/// State-dependent relations with a rule whose body does not bind a variable of its head: their
/// callers must bind it.
pub(super) fn needing_callers(rules: &Rules) -> HashSet<PredicateId> {
    let mut found = HashSet::new();
    for (number, definition) in (0..).zip(&rules.predicates) {
        let unsafe_clause = definition.clauses.iter().any(|clause| {
            let mut bound = HashSet::new();
            bind(&clause.conditions, &mut bound);
            let mut head = BTreeSet::new();
            clause
                .head
                .iter()
                .for_each(|pattern| variables(pattern, &mut head));
            !head.iter().all(|variable| bound.contains(variable))
        });
        if unsafe_clause && definition.keyword.is_none() {
            found.insert(PredicateId(number));
        }
    }
    found
}

/// The variables that conditions bind.
fn bind(conditions: &[Condition], bound: &mut HashSet<usize>) {
    for condition in conditions {
        match &condition.kind {
            ConditionKind::Holds(_, patterns) => {
                let mut found = BTreeSet::new();
                patterns
                    .iter()
                    .for_each(|pattern| variables(pattern, &mut found));
                bound.extend(found);
            }
            ConditionKind::Any(branches) => {
                let each = branches.iter().map(|branch| {
                    let mut bound = HashSet::new();
                    bind(branch, &mut bound);
                    bound
                });
                let common = each.reduce(|a, b| a.intersection(&b).copied().collect());
                bound.extend(common.unwrap_or_default());
            }
            _ => {}
        }
    }
}

pub(super) fn variables(pattern: &Pattern, into: &mut BTreeSet<usize>) {
    match pattern {
        Pattern::Variable(variable) => {
            into.insert(*variable);
        }
        Pattern::Ground(_) => {}
        Pattern::Function(_, arguments) => {
            arguments
                .iter()
                .for_each(|argument| variables(argument, into));
        }
    }
}

fn sentence_variables(sentence: &Sentence) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    sentence
        .patterns
        .iter()
        .for_each(|pattern| variables(pattern, &mut found));
    found
}

impl Fixed {
    pub(super) fn variables(&self) -> BTreeSet<usize> {
        match self {
            Fixed::Holds(sentence) | Fixed::Fails(sentence) => sentence_variables(sentence),
            Fixed::Distinct(left, right) | Fixed::Same(left, right) => {
                let mut found = BTreeSet::new();
                variables(left, &mut found);
                variables(right, &mut found);
                found
            }
        }
    }
}

impl Sentence {
    pub(super) fn variables(&self) -> BTreeSet<usize> {
        sentence_variables(self)
    }
}

struct Builder<'r> {
    rules: &'r Rules,
    loading: &'r Loading<'r>,
    callers: HashSet<PredicateId>,
    templates: Templates,
}

impl Builder<'_> {
    fn clause(&mut self, predicate: PredicateId, clause: &Clause) -> Result<(), NotGround> {
        let empty = Template {
            origin: Some(clause.number),
            head: Sentence {
                predicate,
                patterns: clause.head.clone(),
            },
            positive: Vec::new(),
            negative: Vec::new(),
            fixed: Vec::new(),
            variables: clause.variables,
        };
        self.templates.origins.push(clause.number);
        let mut alternatives = vec![empty];
        self.add_conditions(&mut alternatives, &clause.conditions, 0)?;
        for template in alternatives.into_iter().filter_map(unify) {
            let template = self.supply_role(template);
            let template = self.project_negations(template)?;
            self.split(template)?;
        }
        Ok(())
    }

    /// Adds conditions to every alternative, one alternative for each branch of `or`.
    fn add_conditions(
        &self,
        alternatives: &mut Vec<Template>,
        conditions: &[Condition],
        depth: usize,
    ) -> Result<(), Unfit> {
        for condition in conditions {
            match &condition.kind {
                ConditionKind::Any(branches) => {
                    let before = std::mem::take(alternatives);
                    for branch in branches {
                        let mut copies = before.clone();
                        self.add_conditions(&mut copies, branch, depth)?;
                        alternatives.extend(copies);
                        self.check_count(alternatives)?;
                    }
                }
                ConditionKind::Holds(predicate, patterns) if self.is_called(*predicate) => {
                    *alternatives = self.inline(alternatives, *predicate, patterns, depth)?;
                }
                ConditionKind::Holds(predicate, patterns)
                    if depth == 0 && self.is_wide_join(*predicate) =>
                {
                    *alternatives = self.inline(alternatives, *predicate, patterns, depth)?;
                }
                ConditionKind::Fails(predicate, _) if self.is_called(*predicate) => {
                    return Err(self.needs_callers(*predicate));
                }
                kind => alternatives
                    .iter_mut()
                    .for_each(|template| self.add(template, kind)),
            }
            self.check_count(alternatives)?;
        }
        Ok(())
    }

    /// Checks that the alternatives of a rule are not too many.
    fn check_count(&self, alternatives: &[Template]) -> Result<(), Unfit> {
        if alternatives.len() <= MAX_ALTERNATIVES {
            return Ok(());
        }
        let predicate = alternatives[0].head.predicate;
        let predicate = self.rules.definition(predicate).name.clone();
        Err(Unfit::TooManyAlternatives { predicate })
    }

    /// Whether a relation depends on the state and needs bound arguments.
    fn is_called(&self, predicate: PredicateId) -> bool {
        let definition = self.rules.definition(predicate);
        self.callers.contains(&predicate) && definition.volatility > Volatility::Game
    }

    /// Whether a fixed relation is one join over more variables than it has arguments. Inlined, the
    /// join can be split with the rest of the rule: "four pieces with a property in common"
    /// becomes, for each property, four conditions.
    fn is_wide_join(&self, predicate: PredicateId) -> bool {
        const WIDE: usize = 3;
        let definition = self.rules.definition(predicate);
        let ([clause], []) = (&definition.clauses[..], &definition.facts[..]) else {
            return false;
        };
        definition.volatility == Volatility::Game
            && definition.keyword.is_none()
            && clause.head.len() >= WIDE
            && clause.variables > clause.head.len()
            && clause.conditions.len() > clause.head.len()
    }

    fn needs_callers(&self, predicate: PredicateId) -> Unfit {
        let predicate = self.rules.definition(predicate).name.clone();
        Unfit::NeedsCallers { predicate }
    }

    /// Inlines a relation: replaces a condition by the facts and rules of its relation.
    fn inline(
        &self,
        alternatives: &[Template],
        predicate: PredicateId,
        patterns: &[Pattern],
        depth: usize,
    ) -> Result<Vec<Template>, Unfit> {
        const MAX_DEPTH: usize = 8;
        if depth > MAX_DEPTH {
            return Err(self.needs_callers(predicate));
        }
        let definition = self.rules.definition(predicate);
        let mut inlined = Vec::new();
        for fact in definition.facts.chunks_exact(definition.arity.max(1)) {
            let mut copies = alternatives.to_vec();
            for copy in &mut copies {
                let pairs = fact.iter().zip(patterns);
                let same =
                    pairs.map(|(&it, asked)| Fixed::Same(Pattern::Ground(it), asked.clone()));
                copy.fixed.extend(same);
            }
            inlined.extend(copies);
            self.check_count(&inlined)?;
        }
        for clause in &definition.clauses {
            let mut copies = alternatives.to_vec();
            for copy in &mut copies {
                let offset = copy.variables;
                copy.variables += clause.variables;
                for (own, asked) in clause.head.iter().zip(patterns) {
                    let own = shift(own, offset);
                    copy.fixed.push(Fixed::Same(own, asked.clone()));
                }
                let mut one = vec![copy.clone()];
                let shifted = clause
                    .conditions
                    .iter()
                    .map(|it| shift_condition(it, offset));
                let shifted: Vec<Condition> = shifted.collect();
                self.add_conditions(&mut one, &shifted, depth + 1)?;
                inlined.extend(one);
            }
        }
        Ok(inlined)
    }

    fn add(&self, template: &mut Template, kind: &ConditionKind) {
        let sentence = |predicate: &PredicateId, patterns: &[Pattern]| Sentence {
            predicate: *predicate,
            patterns: patterns.to_vec(),
        };
        let is_fixed = |predicate: &PredicateId| {
            self.rules.definition(*predicate).volatility == Volatility::Game
                && !is_output(self.rules.definition(*predicate).keyword)
        };
        match kind {
            ConditionKind::Holds(predicate, patterns) => match is_fixed(predicate) {
                true => template
                    .fixed
                    .push(Fixed::Holds(sentence(predicate, patterns))),
                false => template.positive.push(sentence(predicate, patterns)),
            },
            ConditionKind::Fails(predicate, patterns) => match is_fixed(predicate) {
                true => template
                    .fixed
                    .push(Fixed::Fails(sentence(predicate, patterns))),
                false => template.negative.push(sentence(predicate, patterns)),
            },
            ConditionKind::Distinct(left, right) => {
                template
                    .fixed
                    .push(Fixed::Distinct(left.clone(), right.clone()));
            }
            ConditionKind::Same(left, right) => {
                template
                    .fixed
                    .push(Fixed::Same(left.clone(), right.clone()));
            }
            ConditionKind::Any(_) => unreachable!("branches were added one by one"),
        }
    }

    /// Binds an unbound role of a head to each role.
    fn supply_role(&self, mut template: Template) -> Template {
        let keyword = self.rules.definition(template.head.predicate).keyword;
        if matches!(
            keyword,
            Some(Keyword::Legal | Keyword::Goal | Keyword::Sees)
        ) && let Pattern::Variable(role) = template.head.patterns[0]
            && !bound_by(&template).contains(&role)
        {
            template.fixed.push(Fixed::Holds(Sentence {
                predicate: self.rules.keyword(Keyword::Role),
                patterns: vec![Pattern::Variable(role)],
            }));
        }
        template
    }

    /// Replaces a negation with unbound variables by the negation of "some value exists".
    fn project_negations(&mut self, mut template: Template) -> Result<Template, Exceeded> {
        let bound = bound_by(&template);
        for place in 0..template.negative.len() {
            let all = template.negative[place].variables();
            if all.is_subset(&bound) {
                continue;
            }
            let shared: Vec<usize> = all.intersection(&bound).copied().collect();
            let inner = template.negative[place].clone();
            let head = self.added(&template.head, &shared);
            self.split(Template {
                origin: None,
                head: head.clone(),
                positive: vec![inner],
                negative: Vec::new(),
                fixed: Vec::new(),
                variables: template.variables,
            })?;
            template.negative[place] = head;
        }
        Ok(template)
    }

    /// A new relation over these variables.
    fn added(&mut self, of: &Sentence, shared: &[usize]) -> Sentence {
        let known = self.rules.predicates.len();
        let number = known + self.templates.added.len();
        let name = match self.rules.predicates.get(of.predicate.index()) {
            Some(definition) => definition.name.clone(),
            None => self.templates.added[of.predicate.index() - known].clone(),
        };
        let base = name.split('#').next().unwrap_or_default().to_string();
        self.templates
            .added
            .push(format!("{base}#{}", number - known));
        Sentence {
            predicate: PredicateId(number as u32),
            patterns: shared.iter().map(|&it| Pattern::Variable(it)).collect(),
        }
    }

    /// Splits off conditions while that makes the rest narrower.
    fn split(&mut self, mut template: Template) -> Result<(), Exceeded> {
        while let Some(bucket) = narrowest(&template) {
            let parts = template.positive.len() + template.negative.len() + template.fixed.len();
            self.loading.spend(16 * parts, || 0)?;
            let shared: Vec<usize> = bucket.shared.iter().copied().collect();
            let head = self.added(&template.head, &shared);
            let part = Template {
                origin: None,
                head: head.clone(),
                positive: take(&mut template.positive, |it| {
                    it.variables().contains(&bucket.variable)
                }),
                negative: take(&mut template.negative, |it| {
                    it.variables().contains(&bucket.variable)
                }),
                fixed: take(&mut template.fixed, |it| {
                    it.variables().contains(&bucket.variable)
                }),
                variables: template.variables,
            };
            template.positive.push(head);
            self.split(part)?;
        }
        self.templates.all.push(template);
        Ok(())
    }
}

fn take<T>(from: &mut Vec<T>, wanted: impl Fn(&T) -> bool) -> Vec<T> {
    let (taken, left) = std::mem::take(from).into_iter().partition(wanted);
    *from = left;
    taken
}

/// Conditions connected by a variable that the rest of the rule does not use.
struct Bucket {
    variable: usize,
    shared: BTreeSet<usize>,
}

fn narrowest(template: &Template) -> Option<Bucket> {
    let parts: Vec<(BTreeSet<usize>, bool, bool)> = (template.positive.iter())
        .map(|it| (it.variables(), true, true))
        .chain(
            template
                .negative
                .iter()
                .map(|it| (it.variables(), false, false)),
        )
        .chain(template.fixed.iter().map(|it| {
            let binds = matches!(it, Fixed::Holds(_));
            (it.variables(), binds, false)
        }))
        .collect();
    let all: BTreeSet<usize> = parts
        .iter()
        .flat_map(|(variables, ..)| variables)
        .copied()
        .collect();
    let in_head = template.head.variables();
    let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
    for (place, (variables, ..)) in parts.iter().enumerate() {
        for &variable in variables {
            places.entry(variable).or_default().push(place);
        }
    }
    let mut best: Option<Bucket> = None;
    for &variable in all.difference(&in_head) {
        if best.as_ref().is_some_and(|best| best.shared.is_empty()) {
            break;
        }
        let bucket = || places[&variable].iter().map(|&place| &parts[place]);
        let mut shared: BTreeSet<usize> = bucket().flat_map(|(it, ..)| it).copied().collect();
        let bound: BTreeSet<usize> = bucket()
            .filter(|(_, binds, _)| *binds)
            .flat_map(|(it, ..)| it)
            .copied()
            .collect();
        let safe = shared.is_subset(&bound);
        let dynamic = bucket().any(|(.., dynamic)| *dynamic);
        shared.remove(&variable);
        // The rest must have other variables, or nothing is gained.
        let narrower = shared.len() + 1 < all.len() && bucket().count() < parts.len();
        let better = best
            .as_ref()
            .is_none_or(|best| shared.len() < best.shared.len());
        if safe && dynamic && narrower && better {
            best = Some(Bucket { variable, shared });
        }
    }
    best
}

/// The variables that positive conditions bind.
fn bound_by(template: &Template) -> BTreeSet<usize> {
    let positive = template.positive.iter().flat_map(Sentence::variables);
    let fixed = template
        .fixed
        .iter()
        .filter(|it| matches!(it, Fixed::Holds(_)));
    positive.chain(fixed.flat_map(Fixed::variables)).collect()
}
