//! Search: all solutions by depth first, with propagation at every node.
//!
//! Takes a solver with its assumptions, gives solutions one by one to a visitor, or counts
//! them. With arc consistency this is MAC. The values of a variable are tried in order; a value
//! whose subtree had no solution is removed and the removal propagated; if the variable had no
//! value with a solution so far, the next variable is chosen anew. If one variable is open and
//! all propagators are complete, each of its values is a solution.
//!
//! A projected search gives, once each, the assignments of some variables that can be extended
//! to a solution.
//!
//! A search leaves the solver at the level at which it started.

mod order;
mod report;
mod run;

pub use order::Order;
pub use report::{Ending, Report, SearchLimits};
pub use run::Solution;

pub(crate) use order::Candidates;

use crate::domain::Value;
use crate::model::Variable;
use crate::solver::Solver;
use run::{Run, Task};
use std::ops::ControlFlow;

/// Buffers of a search, kept for the next one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    candidates: Candidates,
    frames: Vec<run::Frame>,
}

/// What to search for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query<'q> {
    /// The variables whose assignments are wanted, each once; `None`: all variables.
    pub projection: Option<&'q [Variable]>,
    /// Which variable is next.
    pub order: Order,
    /// When to stop.
    pub limits: SearchLimits<'q>,
}

impl Solver<'_> {
    /// Visits every solution.
    pub fn each(
        &mut self,
        query: &Query<'_>,
        mut visit: impl FnMut(&Solution<'_>) -> ControlFlow<()>,
    ) -> Report {
        Run::new(self, query, Task::Visit(&mut visit)).run()
    }

    /// Counts the solutions.
    pub fn count(&mut self, query: &Query<'_>) -> Report {
        Run::new(self, query, Task::Count).run()
    }

    /// The first solution, as the value of every variable.
    pub fn first(&mut self, query: &Query<'_>) -> (Option<Vec<Value>>, Report) {
        let mut first = None;
        let report = self.each(query, |solution| {
            first = Some(solution.values());
            ControlFlow::Break(())
        });
        (first, report)
    }
}
