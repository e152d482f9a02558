//! Games in which roles take turns: shown from the rules, not by looking at play.
//!
//! Every role has a fluent that all its moves need but one, the *idle* move. Exactly one of
//! these fluents holds first, and each holds next if another of them holds now, one each: so
//! exactly one always holds. The idle move needs the fluent of another role. So in every turn
//! exactly one role does a move that is not idle.

use logic::{GroundProgram, Literal};
use std::collections::{BTreeMap, BTreeSet};

/// The number of each role's idle move; nothing if roles do not take turns for certain.
pub(crate) fn idle_moves(program: &GroundProgram) -> Option<Vec<usize>> {
    let roles = 0..program.roles().len();
    let candidates: Option<Vec<_>> = roles.map(|role| candidate(program, role)).collect();
    let (controls, idle): (Vec<usize>, Vec<usize>) = candidates?.into_iter().unzip();
    let others_only = |(role, &number): (usize, &usize)| {
        let other = |it: &Literal| {
            let place = controls
                .iter()
                .position(|&fluent| *it == Literal::new(fluent, true));
            place.is_some_and(|place| place != role)
        };
        let legal = program.legal()[number];
        match derived(program, legal) {
            Some(node) => program.bodies(node).all(|body| body.iter().any(other)),
            None => other(&legal),
        }
    };
    let cycle = follows_each_other(program, &controls);
    (cycle && idle.iter().enumerate().all(others_only)).then_some(idle)
}

/// The fluent that all moves of a role need but one, and that one.
fn candidate(program: &GroundProgram, role: usize) -> Option<(usize, usize)> {
    let numbers = || (0..program.moves().len()).filter(|&it| program.moves()[it].0 == role);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for number in numbers() {
        for fluent in needs(program, program.legal()[number]) {
            *counts.entry(fluent).or_default() += 1;
        }
    }
    let all_but_one = numbers().count().checked_sub(1).filter(|&it| it > 0)?;
    let mut controls = counts.iter().filter(|it| *it.1 == all_but_one);
    let control = *controls.find(|it| successor(program, *it.0).is_some())?.0;
    let idle = numbers().find(|&it| !needs(program, program.legal()[it]).contains(&control));
    Some((control, idle?))
}

/// Whether exactly one of some fluents always holds.
fn follows_each_other(program: &GroundProgram, controls: &[usize]) -> bool {
    let next: Option<BTreeSet<usize>> = controls.iter().map(|&it| successor(program, it)).collect();
    let first = controls.iter().filter(|&&it| program.initial()[it]).count();
    first == 1 && next == Some(controls.iter().copied().collect())
}

/// The fluent that has to hold now for another to hold next, if that is all.
fn successor(program: &GroundProgram, fluent: usize) -> Option<usize> {
    let (node, positive) = program.next()[fluent].node()?;
    (positive && node < program.fluents().len()).then_some(node)
}

/// The fluents that have to hold for a literal to hold: those that stand in its rules.
pub(crate) fn needs(program: &GroundProgram, literal: Literal) -> Vec<usize> {
    let fluent = |it: &Literal| {
        let (node, positive) = it.node()?;
        (positive && node < program.fluents().len()).then_some(node)
    };
    let Some(node) = derived(program, literal) else {
        return fluent(&literal).into_iter().collect();
    };
    let mut bodies = program.bodies(node);
    let first = bodies.next().unwrap_or_default().iter();
    let first = first.filter_map(fluent).collect();
    bodies.fold(first, |mut common: Vec<usize>, body| {
        common.retain(|&it| body.contains(&Literal::new(it, true)));
        common
    })
}

/// The node of a literal that rules derive, not negated.
fn derived(program: &GroundProgram, literal: Literal) -> Option<usize> {
    let (node, positive) = literal.node()?;
    (positive && node >= program.inputs()).then_some(node)
}
