//! Proves from the rules that roles take turns.
//!
//! Every role has a control fluent that all its moves but one require; that one is the *idle*
//! move, and it requires the control fluent of another role. Exactly one control fluent holds
//! initially, and they follow each other in a permutation, so exactly one always holds. Hence in
//! every turn exactly one role makes a move that is not idle.

use logic::{FluentId, GroundProgram, Literal, MoveId, RoleId};
use std::collections::{BTreeMap, BTreeSet};

/// Each role's idle move; none unless the rules prove that roles take turns.
pub(crate) fn idle_moves(program: &GroundProgram) -> Option<Vec<MoveId>> {
    let roles = program.role_ids();
    let candidates: Option<Vec<_>> = (roles.clone())
        .map(|role| candidate(program, role))
        .collect();
    let (controls, idle): (Vec<usize>, Vec<MoveId>) = candidates?.into_iter().unzip();
    let others_only = |(role, action): (RoleId, &MoveId)| {
        let other = |it: &Literal| {
            let place = controls
                .iter()
                .position(|&fluent| *it == Literal::new(fluent, true));
            place.is_some_and(|place| place != role.index())
        };
        let legal = program.legal(role)[action.index()];
        match derived(program, legal) {
            Some(node) => program.bodies(node).all(|body| body.iter().any(other)),
            None => other(&legal),
        }
    };
    let cycle = follows_each_other(program, &controls);
    (cycle && roles.zip(&idle).all(others_only)).then_some(idle)
}

/// The fluent that all moves of a role but one require, and that move.
fn candidate(program: &GroundProgram, role: RoleId) -> Option<(usize, MoveId)> {
    let legal = program.legal(role);
    let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
    for &literal in legal {
        for fluent in needs(program, literal) {
            *counts.entry(fluent).or_default() += 1;
        }
    }
    let all_but_one = legal.len().checked_sub(1).filter(|&it| it > 0)?;
    let mut controls = counts.iter().filter(|it| *it.1 == all_but_one);
    let control = *controls.find(|it| successor(program, *it.0).is_some())?.0;
    let is_idle = |&literal: &Literal| !needs(program, literal).contains(&control);
    Some((control, MoveId::new(legal.iter().position(is_idle)?)))
}

/// Whether exactly one of some fluents always holds.
fn follows_each_other(program: &GroundProgram, controls: &[usize]) -> bool {
    let next: Option<BTreeSet<usize>> = controls.iter().map(|&it| successor(program, it)).collect();
    let holds = |&&fluent: &&usize| program.initial().holds(FluentId::new(fluent));
    let first = controls.iter().filter(holds).count();
    first == 1 && next == Some(controls.iter().copied().collect())
}

/// The fluent that alone decides whether another holds next.
fn successor(program: &GroundProgram, fluent: usize) -> Option<usize> {
    let (node, positive) = program.next()[fluent].node()?;
    (positive && node < program.fluents().len()).then_some(node)
}

/// The fluents that all rules of a literal require.
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

/// The node of a derived literal that is not negated.
fn derived(program: &GroundProgram, literal: Literal) -> Option<usize> {
    let (node, positive) = literal.node()?;
    (positive && node >= program.inputs()).then_some(node)
}
