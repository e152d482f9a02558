//! Inlining: variables are renamed apart, then unified.

use super::template::{Fixed, Sentence, Template, variables};
use crate::rules::{Condition, ConditionKind, Pattern};
use std::collections::{BTreeSet, HashMap};

/// A pattern with its variables moved up by an offset.
pub(super) fn shift(pattern: &Pattern, offset: usize) -> Pattern {
    match pattern {
        Pattern::Variable(variable) => Pattern::Variable(variable + offset),
        Pattern::Ground(term) => Pattern::Ground(*term),
        Pattern::Function(name, arguments) => {
            let arguments = arguments.iter().map(|it| shift(it, offset)).collect();
            Pattern::Function(*name, arguments)
        }
    }
}

/// A condition with its variables moved up by an offset.
pub(super) fn shift_condition(condition: &Condition, offset: usize) -> Condition {
    let all = |patterns: &[Pattern]| patterns.iter().map(|it| shift(it, offset)).collect();
    let kind = match &condition.kind {
        ConditionKind::Holds(predicate, patterns) => {
            ConditionKind::Holds(*predicate, all(patterns))
        }
        ConditionKind::Fails(predicate, patterns) => {
            ConditionKind::Fails(*predicate, all(patterns))
        }
        ConditionKind::Distinct(left, right) => {
            ConditionKind::Distinct(shift(left, offset), shift(right, offset))
        }
        ConditionKind::Same(left, right) => {
            ConditionKind::Same(shift(left, offset), shift(right, offset))
        }
        ConditionKind::Any(branches) => ConditionKind::Any(
            (branches.iter())
                .map(|branch| {
                    branch
                        .iter()
                        .map(|it| shift_condition(it, offset))
                        .collect()
                })
                .collect(),
        ),
    };
    let needs = condition
        .needs
        .iter()
        .map(|variable| variable + offset)
        .collect();
    Condition { kind, needs }
}

/// Solves the equations left by inlining, as far as they bind variables; none if they cannot hold.
pub(super) fn unify(mut template: Template) -> Option<Template> {
    loop {
        let equation = template
            .fixed
            .iter()
            .position(|it| matches!(it, Fixed::Same(..)));
        let Some(place) = equation else {
            return Some(template);
        };
        let Fixed::Same(left, right) = template.fixed.remove(place) else {
            unreachable!("it was found to be an equation");
        };
        match (left, right) {
            (left, right) if left == right => {}
            (Pattern::Variable(variable), value) | (value, Pattern::Variable(variable)) => {
                let mut inside = BTreeSet::new();
                variables(&value, &mut inside);
                if inside.contains(&variable) {
                    return None;
                }
                template = substitute(template, &HashMap::from([(variable, value)]));
            }
            (Pattern::Function(name, a), Pattern::Function(other, b)) => {
                if name != other || a.len() != b.len() {
                    return None;
                }
                let equations = a.into_iter().zip(b).map(|(a, b)| Fixed::Same(a, b));
                template.fixed.extend(equations);
            }
            // A ground term and a function with variables: decided while joining.
            (left, right) => {
                if matches!((&left, &right), (Pattern::Ground(_), Pattern::Ground(_))) {
                    return None;
                }
                template.fixed.push(Fixed::Same(left, right));
                if template.fixed.iter().all(|it| !is_simple_equation(it)) {
                    return Some(template);
                }
                template.fixed.rotate_right(1);
            }
        }
    }
}

fn is_simple_equation(fixed: &Fixed) -> bool {
    let variable = |pattern: &Pattern| matches!(pattern, Pattern::Variable(_));
    let function = |pattern: &Pattern| matches!(pattern, Pattern::Function(..));
    match fixed {
        Fixed::Same(left, right) => {
            variable(left) || variable(right) || (function(left) && function(right))
        }
        _ => false,
    }
}

fn substitute(template: Template, values: &HashMap<usize, Pattern>) -> Template {
    let all = |sentence: Sentence| Sentence {
        patterns: sentence
            .patterns
            .iter()
            .map(|it| replace(it, values))
            .collect(),
        ..sentence
    };
    Template {
        origin: template.origin,
        head: all(template.head),
        positive: template.positive.into_iter().map(all).collect(),
        negative: template.negative.into_iter().map(all).collect(),
        fixed: (template.fixed.into_iter())
            .map(|fixed| match fixed {
                Fixed::Holds(sentence) => Fixed::Holds(all(sentence)),
                Fixed::Fails(sentence) => Fixed::Fails(all(sentence)),
                Fixed::Distinct(a, b) => Fixed::Distinct(replace(&a, values), replace(&b, values)),
                Fixed::Same(a, b) => Fixed::Same(replace(&a, values), replace(&b, values)),
            })
            .collect(),
        variables: template.variables,
    }
}

fn replace(pattern: &Pattern, values: &HashMap<usize, Pattern>) -> Pattern {
    match pattern {
        Pattern::Variable(variable) => values.get(variable).cloned().unwrap_or(pattern.clone()),
        Pattern::Ground(_) => pattern.clone(),
        Pattern::Function(name, arguments) => {
            let arguments = arguments.iter().map(|it| replace(it, values)).collect();
            Pattern::Function(*name, arguments)
        }
    }
}
