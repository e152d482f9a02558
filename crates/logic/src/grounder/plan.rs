//! The order in which a template's conditions are joined.

use super::template::{Fixed, Sentence, Template};
use crate::rules::{Pattern, PredicateId};
use crate::terms::Name;
use std::collections::{BTreeSet, HashSet};

/// A way through the conditions of a template.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) template: usize,
    /// The condition that a new atom is matched with first; none for a template that is
    /// joined once.
    pub(super) trigger: Option<usize>,
    pub(super) steps: Vec<Step>,
}

#[derive(Debug)]
pub(super) enum Step {
    /// Atoms derived so far, found by an index. `before` if the trigger itself is left to
    /// another plan.
    Derived {
        condition: usize,
        access: Access,
        before: bool,
    },
    /// A condition of the template that never depends on the state.
    Fixed(usize),
}

/// Which parts of a sentence are known when it is looked up.
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

/// The plans of a template: one for each condition that a new atom can meet.
pub(super) fn plans(
    number: usize,
    template: &Template,
    callers: &HashSet<PredicateId>,
) -> Vec<Plan> {
    if template.positive.is_empty() {
        return vec![plan(number, template, None, callers)];
    }
    let triggers = 0..template.positive.len();
    triggers
        .map(|trigger| plan(number, template, Some(trigger), callers))
        .collect()
}

fn plan(
    number: usize,
    template: &Template,
    trigger: Option<usize>,
    callers: &HashSet<PredicateId>,
) -> Plan {
    let mut bound = match trigger {
        Some(trigger) => template.positive[trigger].variables(),
        None => BTreeSet::new(),
    };
    let mut derived: Vec<usize> = (0..template.positive.len()).collect();
    derived.retain(|&condition| Some(condition) != trigger);
    let mut fixed: Vec<usize> = (0..template.fixed.len()).collect();
    let mut steps = Vec::new();
    while !derived.is_empty() || !fixed.is_empty() {
        let decided = fixed
            .iter()
            .position(|&it| template.fixed[it].variables().is_subset(&bound));
        if let Some(place) = decided {
            steps.push(Step::Fixed(fixed.remove(place)));
            continue;
        }
        let next_derived = derived.iter().enumerate().map(|(place, &it)| {
            let sentence = &template.positive[it];
            (score(sentence, &bound, 1), place, true)
        });
        let next_fixed =
            fixed
                .iter()
                .enumerate()
                .filter_map(|(place, &it)| match &template.fixed[it] {
                    Fixed::Holds(sentence) if !callers.contains(&sentence.predicate) => {
                        Some((score(sentence, &bound, 0), place, false))
                    }
                    _ => None,
                });
        let Some((_, place, is_derived)) = next_derived.chain(next_fixed).min() else {
            // What is left needs values that nothing gives: it is decided as it stands.
            steps.push(Step::Fixed(fixed.remove(0)));
            continue;
        };
        if is_derived {
            let condition = derived.remove(place);
            let sentence = &template.positive[condition];
            steps.push(Step::Derived {
                condition,
                access: access(sentence, &bound),
                before: trigger.is_some_and(|trigger| condition < trigger),
            });
            bound.extend(sentence.variables());
        } else {
            let condition = fixed.remove(place);
            bound.extend(template.fixed[condition].variables());
            steps.push(Step::Fixed(condition));
        }
    }
    Plan {
        template: number,
        trigger,
        steps,
    }
}

/// Smaller is joined earlier: what is tied to the values known, then what adds few.
fn score(sentence: &Sentence, bound: &BTreeSet<usize>, kind: usize) -> (bool, usize, usize) {
    let variables = sentence.variables();
    let new = variables.difference(bound).count();
    let tied = new < variables.len() || sentence.patterns.iter().any(|it| !is_variable(it));
    (!tied, new, kind)
}

fn is_variable(pattern: &Pattern) -> bool {
    matches!(pattern, Pattern::Variable(_))
}

/// The index that finds the atoms of a sentence, given the variables that have a value.
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
