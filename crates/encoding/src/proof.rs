//! Proofs that at most one fluent of a set holds in any reachable state, by induction over turns.
//!
//! Induction hypothesis: the state before satisfies all candidate sets, the match is not over and
//! the joint move is legal. If then no two fluents of any set can hold next, all sets are proven,
//! as they hold initially. A set that fails is dropped and the others are proven again without it.
//! In the same way a set is proven exact: one of its fluents always holds.
//!
//! A proof is a complete search for a counterexample; an interrupted search proves nothing.

use crate::definitions::Truth;
use crate::draft::Draft;
use crate::groups::{Group, Grouping, candidates, disjoint};
use crate::seen::never_two;
use crate::{EncodingLimits, NotEncoded};
use constraint::{Conflict, Ending, Literal, Network, Query, Solver};
use logic::{Evaluator, FluentId};

/// The limits of proofs, and what they may still do.
struct Effort<'l> {
    limits: &'l EncodingLimits,
    /// Values to try.
    left: u64,
    /// Literals to assume.
    assumptions: u64,
}

/// The proven groups of fluents.
pub(crate) fn proven(
    evaluator: &Evaluator,
    limits: &EncodingLimits,
) -> Result<Grouping, NotEncoded> {
    let program = evaluator.program();
    let count = program.fluents().len();
    let all = candidates(program);
    let mut candidates = never_two(evaluator, all.clone());
    let mut effort = Effort {
        limits,
        left: limits.proofs,
        assumptions: limits.assumptions,
    };
    loop {
        let exact = |set: &[FluentId]| set.iter().any(|&it| program.initial().holds(it));
        let sets = disjoint(&all, &candidates, count).into_iter();
        let groups: Vec<Group> = sets
            .map(|fluents| Group {
                exact: exact(&fluents),
                fluents,
            })
            .collect();
        let wanted = groups.len();
        let (groups, failed) = settled(evaluator, groups, &mut effort)?;
        // Failed sets make room for others, as long as enough is to be gained.
        candidates.retain(|set| !failed.contains(&set.fluents));
        if failed.is_empty() || effort.left == 0 || groups.len() * 10 >= wanted * 9 {
            return Ok(Grouping::new(count, groups));
        }
    }
}

/// Drops groups until the rest prove each other; returns them and the dropped ones.
fn settled(
    evaluator: &Evaluator,
    mut groups: Vec<Group>,
    effort: &mut Effort<'_>,
) -> Result<(Vec<Group>, Vec<Vec<FluentId>>), NotEncoded> {
    let count = evaluator.program().fluents().len();
    let mut failed = Vec::new();
    loop {
        let grouping = Grouping::new(count, groups.clone());
        let kept = confirmed(evaluator, &grouping, effort)?;
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

/// The groups that hold next if all of them hold before.
fn confirmed(
    evaluator: &Evaluator,
    grouping: &Grouping,
    effort: &mut Effort<'_>,
) -> Result<Vec<Group>, NotEncoded> {
    let mut draft = Draft::new(evaluator.program(), grouping, effort.limits)?;
    draft.assume_open()?;
    let next = draft.next();
    let network = Network::new(&draft.definitions.model)?;
    let mut prover = Prover {
        solver: Solver::new(&network),
        nodes: effort.limits.nodes,
        left: &mut effort.left,
        assumptions: &mut effort.assumptions,
    };
    let mut kept = Vec::new();
    for group in grouping.groups.iter().filter(|it| it.fluents.len() > 1) {
        let truths: Vec<Truth> = group.fluents.iter().map(|it| next[it.index()]).collect();
        if prover.never_two(&truths) {
            let exact = group.exact && prover.never_none(&truths);
            let fluents = group.fluents.clone();
            kept.push(Group { fluents, exact });
        }
    }
    Ok(kept)
}

struct Prover<'n, 'l> {
    solver: Solver<'n>,
    nodes: u64,
    left: &'l mut u64,
    assumptions: &'l mut u64,
}

impl Prover<'_, '_> {
    /// Whether no two of some truths can hold at once.
    fn never_two(&mut self, truths: &[Truth]) -> bool {
        (0..truths.len()).all(|first| {
            let level = self.solver.level();
            let alone = match self.assume(truths[first]) {
                _ if *self.assumptions == 0 => false,
                Err(Conflict) => true,
                Ok(()) => (truths[first + 1..].iter()).all(|&other| self.excludes(other)),
            };
            self.solver.pop_to(level);
            alone
        })
    }

    /// Whether a truth cannot hold under the current assumptions.
    fn excludes(&mut self, truth: Truth) -> bool {
        let level = self.solver.level();
        let excluded = match self.assume(truth) {
            _ if *self.assumptions == 0 => false,
            Err(Conflict) => true,
            Ok(()) => self.has_no_solution(),
        };
        self.solver.pop_to(level);
        excluded
    }

    /// Whether at least one of some truths always holds.
    fn never_none(&mut self, truths: &[Truth]) -> bool {
        let level = self.solver.level();
        let all = truths
            .iter()
            .try_for_each(|truth| self.assume(truth.negated()));
        let never = match all {
            _ if *self.assumptions == 0 => false,
            Err(Conflict) => true,
            Ok(()) => self.has_no_solution(),
        };
        self.solver.pop_to(level);
        never
    }

    /// Assumes a truth. When there are no assumptions left, nothing follows from a conflict.
    fn assume(&mut self, truth: Truth) -> Result<(), Conflict> {
        *self.assumptions = self.assumptions.saturating_sub(1);
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
