//! Proofs that at most one fluent of a set holds in any state that can be reached, by
//! induction over turns.
//!
//! The state before satisfies all sets that are still believed in; a joint move is legal, and
//! the match is not over. If no two fluents of a set can then hold next, and that is so of
//! every set, all of them are proven, as they hold at the start. A set that fails is given up,
//! and with it what was proven with its help: the others are tried again. In the same way a
//! set is proven to be exact, one of its fluents always holding.
//!
//! A proof is a search for a counterexample, and a search that is too long is no proof.

use crate::definitions::Truth;
use crate::groups::{Group, Grouping, candidates, disjoint};
use crate::seen::never_two;
use crate::stage::{Draft, Part};
use crate::{Limits, NotEncoded};
use constraint::{Conflict, Ending, Literal, Network, Query, Solver};
use logic::Evaluator;

/// The groups of fluents that are proven.
pub(crate) fn proven(evaluator: &Evaluator, limits: &Limits) -> Result<Grouping, NotEncoded> {
    let program = evaluator.program();
    let count = program.fluents().len();
    let all = candidates(program);
    let mut candidates = never_two(evaluator, all.clone());
    let mut left = limits.proofs;
    loop {
        let exact = |set: &[usize]| set.iter().any(|&fluent| program.initial()[fluent]);
        let sets = disjoint(&all, &candidates, count).into_iter();
        let groups: Vec<Group> = sets
            .map(|fluents| Group {
                exact: exact(&fluents),
                fluents,
            })
            .collect();
        let wanted = groups.len();
        let (groups, failed) = settled(evaluator, groups, (limits, &mut left))?;
        // What failed makes room for others, as long as there is something to gain.
        candidates.retain(|set| !failed.contains(&set.fluents));
        if failed.is_empty() || left == 0 || groups.len() * 10 >= wanted * 9 {
            return Ok(Grouping::new(count, groups));
        }
    }
}

/// Gives up groups until those that are left prove each other. Returns also what was given up.
fn settled(
    evaluator: &Evaluator,
    mut groups: Vec<Group>,
    (limits, left): (&Limits, &mut u64),
) -> Result<(Vec<Group>, Vec<Vec<usize>>), NotEncoded> {
    let count = evaluator.program().fluents().len();
    let mut failed = Vec::new();
    loop {
        let grouping = Grouping::new(count, groups.clone());
        let kept = confirmed(evaluator, &grouping, groups.clone(), (limits, left))?;
        if kept == groups {
            return Ok((groups, failed));
        }
        let is_kept = |group: &Group| kept.iter().any(|it| it.fluents == group.fluents);
        failed.extend(
            groups
                .iter()
                .filter(|it| !is_kept(it))
                .map(|it| it.fluents.clone()),
        );
        groups = kept;
    }
}

/// What is left of groups when all of them are believed of the state before.
fn confirmed(
    evaluator: &Evaluator,
    grouping: &Grouping,
    groups: Vec<Group>,
    (limits, left): (&Limits, &mut u64),
) -> Result<Vec<Group>, NotEncoded> {
    let mut draft = Draft::new(evaluator.program(), grouping, (limits, Part::Turn))?;
    draft.assume_open()?;
    let next = draft.next();
    let network = Network::new(&draft.definitions.model)?;
    let mut prover = Prover {
        solver: Solver::new(&network),
        nodes: limits.nodes,
        left,
    };
    let mut kept = Vec::new();
    for group in groups {
        let truths: Vec<Truth> = group.fluents.iter().map(|&it| next[it]).collect();
        if prover.never_two(&truths) {
            let exact = group.exact && prover.never_none(&truths);
            kept.push(Group { exact, ..group });
        }
    }
    Ok(kept)
}

struct Prover<'n, 'l> {
    solver: Solver<'n>,
    nodes: u64,
    left: &'l mut u64,
}

impl Prover<'_, '_> {
    /// Whether no two of some truths can hold at once.
    fn never_two(&mut self, truths: &[Truth]) -> bool {
        (0..truths.len()).all(|first| {
            let level = self.solver.level();
            let alone = match self.assume(truths[first]) {
                Err(Conflict) => true,
                Ok(()) => (truths[first + 1..].iter()).all(|&other| self.excludes(other)),
            };
            self.solver.pop_to(level);
            alone
        })
    }

    /// Whether a truth cannot hold under what is assumed.
    fn excludes(&mut self, truth: Truth) -> bool {
        let level = self.solver.level();
        let excluded = match self.assume(truth) {
            Err(Conflict) => true,
            Ok(()) => self.has_no_solution(),
        };
        self.solver.pop_to(level);
        excluded
    }

    /// Whether at least one of some truths holds always.
    fn never_none(&mut self, truths: &[Truth]) -> bool {
        let level = self.solver.level();
        let all = truths
            .iter()
            .try_for_each(|truth| self.assume(truth.negated()));
        let never = match all {
            Err(Conflict) => true,
            Ok(()) => self.has_no_solution(),
        };
        self.solver.pop_to(level);
        never
    }

    fn assume(&mut self, truth: Truth) -> Result<(), Conflict> {
        match truth {
            Truth::Constant(true) => Ok(()),
            Truth::Constant(false) => Err(Conflict),
            Truth::Literal(literal) => assume(&mut self.solver, literal),
        }
    }

    fn has_no_solution(&mut self) -> bool {
        let mut query = Query::default();
        query.limits.nodes = Some(self.nodes.min(*self.left));
        let (found, report) = self.solver.first(&query);
        *self.left = self.left.saturating_sub(report.nodes);
        found.is_none() && report.ending == Ending::Complete
    }
}

fn assume(solver: &mut Solver<'_>, literal: Literal) -> Result<(), Conflict> {
    match literal.equal {
        true => solver.assume(literal.variable, literal.value),
        false => solver.exclude(literal.variable, literal.value),
    }
}
