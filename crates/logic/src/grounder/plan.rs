//! The order in which a template's conditions are joined.

use super::template::{Fixed, Sentence, Template};
use crate::loading::{Exceeded, Loading};
use crate::rules::{Pattern, PredicateId};
use crate::terms::Name;
use std::collections::{BTreeSet, HashSet};

/// An order in which the conditions of a template are joined.
#[derive(Debug)]
pub(super) struct JoinPlan {
    pub(super) template: usize,
    /// The condition that the new atom is matched with; none for a template that is joined once.
    pub(super) trigger: Option<usize>,
    pub(super) steps: Vec<JoinStep>,
}

#[derive(Debug)]
pub(super) enum JoinStep {
    /// Joins the derived atoms of an index; with `before` only those older than the new atom, which
    /// another plan matches.
    Derived {
        condition: usize,
        access: Access,
        before: bool,
    },
    /// Decides a condition that does not depend on the state.
    Fixed(usize),
}

/// The parts of a sentence that are bound when it is looked up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Access {
    pub(super) predicate: PredicateId,
    pub(super) keys: Vec<Key>,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A whole argument.
    Whole(u32),
    /// The name and number of arguments of an argument.
    Functor(u32, Name, u32),
    /// An argument of an argument.
    Part(u32, u32),
}

/// The plans of a template, one for each positive condition.
pub(super) fn plans(
    number: usize,
    template: &Template,
    (callers, loading): (&HashSet<PredicateId>, &Loading<'_>),
) -> Result<Vec<JoinPlan>, Exceeded> {
    if template.positive.is_empty() {
        return Ok(vec![Planner::new(number, template, callers).plan(None)]);
    }
    // Finding a plan compares all conditions for each.
    const STEP: usize = 128;
    let steps = template.positive.len() + template.fixed.len();
    let planner = Planner::new(number, template, callers);
    let mut plans = Vec::new();
    for trigger in 0..template.positive.len() {
        loading.spend(steps * steps, || plans.len() * steps * STEP)?;
        plans.push(planner.plan(Some(trigger)));
    }
    Ok(plans)
}

/// Finds the plans of a template.
struct Planner<'t> {
    number: usize,
    template: &'t Template,
    callers: &'t HashSet<PredicateId>,
    /// The variables of the conditions.
    positive: Vec<BTreeSet<usize>>,
    fixed: Vec<BTreeSet<usize>>,
}

impl<'t> Planner<'t> {
    fn new(
        number: usize,
        template: &'t Template,
        callers: &'t HashSet<PredicateId>,
    ) -> Planner<'t> {
        Planner {
            number,
            template,
            callers,
            positive: template.positive.iter().map(Sentence::variables).collect(),
            fixed: template.fixed.iter().map(Fixed::variables).collect(),
        }
    }

    fn plan(&self, trigger: Option<usize>) -> JoinPlan {
        let template = self.template;
        let mut bound = trigger.map_or(BTreeSet::new(), |it| self.positive[it].clone());
        let mut derived: Vec<usize> = (0..template.positive.len()).collect();
        derived.retain(|&condition| Some(condition) != trigger);
        let mut fixed: Vec<usize> = (0..template.fixed.len()).collect();
        let mut steps = Vec::new();
        while !derived.is_empty() || !fixed.is_empty() {
            let decided = fixed
                .iter()
                .position(|&it| self.fixed[it].is_subset(&bound));
            if let Some(place) = decided {
                steps.push(JoinStep::Fixed(fixed.remove(place)));
                continue;
            }
            let Some((place, is_derived)) = self.next((&derived, &fixed), &bound) else {
                // The remaining conditions have variables that nothing binds.
                steps.push(JoinStep::Fixed(fixed.remove(0)));
                continue;
            };
            if is_derived {
                let condition = derived.remove(place);
                steps.push(JoinStep::Derived {
                    condition,
                    access: access(&template.positive[condition], &bound),
                    before: trigger.is_some_and(|trigger| condition < trigger),
                });
                bound.extend(&self.positive[condition]);
            } else {
                let condition = fixed.remove(place);
                bound.extend(&self.fixed[condition]);
                steps.push(JoinStep::Fixed(condition));
            }
        }
        JoinPlan {
            template: self.number,
            trigger,
            steps,
        }
    }

    /// The place of the condition to join next among those left, and whether it is a derived one.
    fn next(
        &self,
        (derived, fixed): (&[usize], &[usize]),
        bound: &BTreeSet<usize>,
    ) -> Option<(usize, bool)> {
        let next_derived = derived.iter().enumerate().map(|(place, &it)| {
            let sentence = &self.template.positive[it];
            (score((sentence, &self.positive[it]), bound, 1), place, true)
        });
        let next_fixed = fixed.iter().enumerate();
        let next_fixed = next_fixed.filter_map(|(place, &it)| match &self.template.fixed[it] {
            Fixed::Holds(sentence) if !self.callers.contains(&sentence.predicate) => {
                let score = score((sentence, &self.fixed[it]), bound, 0);
                Some((score, place, false))
            }
            _ => None,
        });
        let best = next_derived.chain(next_fixed).min();
        best.map(|(_, place, is_derived)| (place, is_derived))
    }
}

/// Smaller is joined earlier: sentences with bound parts, then those that bind few variables.
fn score(
    (sentence, variables): (&Sentence, &BTreeSet<usize>),
    bound: &BTreeSet<usize>,
    kind: usize,
) -> (bool, usize, usize) {
    let new = variables.iter().filter(|it| !bound.contains(it)).count();
    let tied = new < variables.len() || sentence.patterns.iter().any(|it| !is_variable(it));
    (!tied, new, kind)
}

fn is_variable(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Variable(_))
}

/// The index that finds the atoms of a sentence, given the bound variables.
fn access(sentence: &Sentence, bound: &BTreeSet<usize>) -> Access {
    let mut keys = Vec::new();
    for (column, pattern) in (0..).zip(&sentence.patterns) {
        if is_known(pattern, bound) {
            keys.push(Key::Whole(column));
        } else if let Pattern::Function(name, arguments) = pattern {
            keys.push(Key::Functor(column, *name, arguments.len() as u32));
            for (part, argument) in (0..).zip(arguments) {
                if is_known(argument, bound) {
                    keys.push(Key::Part(column, part));
                }
            }
        }
    }
    Access {
        predicate: sentence.predicate,
        keys,
    }
}

fn is_known(pattern: &Pattern, bound: &BTreeSet<usize>) -> bool {
    match pattern {
        Pattern::Variable(variable) => bound.contains(variable),
        Pattern::Ground(_) => true,
        Pattern::Function(_, arguments) => arguments.iter().all(|it| is_known(it, bound)),
    }
}
