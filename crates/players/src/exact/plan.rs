//! A plan: what is done in a state, what may come of it, and so on, as far as it was wanted.
//!
//! Steps lie in one vector, the first is the beginning; a branch names the step it leads to.

use game::TermId;

/// What is done in each state that may come up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The steps; branches lead to later ones only.
    pub steps: Vec<PlanStep>,
}

/// One state.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlanStep {
    /// What each role gets from here.
    pub values: Vec<f64>,
    /// Whether the match is over.
    pub over: bool,
    /// What may come: one, or several where chance or a mixed strategy decides. None if the
    /// match is over, or if no more was wanted.
    pub branches: Vec<Branch>,
}

/// What may come.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// The move of each role.
    pub joint: Vec<TermId>,
    /// Which roles had a choice.
    pub choosing: Vec<bool>,
    /// How likely it is.
    pub probability: f64,
    /// The step that follows.
    pub next: usize,
}

impl Plan {
    /// Adds a step; returns its place.
    pub(super) fn add(&mut self, step: PlanStep) -> usize {
        self.steps.push(step);
        self.steps.len() - 1
    }
}
