//! All feasible policies of one stage, by forward checking adapted to chance.
//!
//! The decisions before chance are enumerated; for each, every value that chance can take needs
//! an assignment of the decisions after it. Values are removed as in the deterministic case, and
//! a decision is refuted as soon as a value that chance can take was removed. Balafoutis and
//! Stergiou (CP 2006) compute the best satisfaction; here all feasible policies are returned (P1
//! §4.2, footnote 2).
//!
//! Decisions after chance get the first assignment that is consistent with each value of chance:
//! there is one policy for each assignment of the decisions before.

use super::exact::{Effort, Stop, is_whole, whole};
use super::tree::Tree;
use crate::domain::Value;
use crate::model::Variable;
use crate::network::Network;
use crate::policy::Policy;
use crate::scsp::Scsp;
use crate::solver::Solver;
use std::rc::Rc;

/// The feasible policies of a stage.
#[derive(Clone, Debug)]
pub struct Policies {
    /// The policies, by their decisions in order.
    pub all: Vec<Policy>,
    /// How many values were tried.
    pub nodes: u64,
}

/// All feasible policies, one for each assignment of the decisions before chance.
pub fn feasible(scsp: &Scsp, effort: &Effort) -> Result<Policies, Stop> {
    let first = scsp.model().variables().find(|&it| scsp.is_stochastic(it));
    let is_early = |it: &Variable| first.is_none_or(|first| *it < first);
    let (early, late) = scsp.model().variables().partition(is_early);
    let found = StageProblem { scsp, early, late }.solve(effort)?;
    let policies = found.trees.iter().map(Tree::policy);
    Ok(Policies {
        all: policies.collect(),
        nodes: found.nodes,
    })
}

/// A stage: the decisions before chance, and chance with the variables after it, in order.
pub(super) struct StageProblem<'s> {
    pub(super) scsp: &'s Scsp,
    pub(super) early: Vec<Variable>,
    pub(super) late: Vec<Variable>,
}

/// The solutions of a stage.
pub(super) struct Found {
    /// For each feasible policy, the values of the early variables.
    pub(super) tuples: Vec<Vec<Value>>,
    trees: Vec<Rc<Tree>>,
    nodes: u64,
}

impl StageProblem<'_> {
    pub(super) fn solve(&self, effort: &Effort) -> Result<Found, Stop> {
        if self.scsp.model().len() > effort.depth {
            return Err(Stop::Depth(effort.depth));
        }
        let network = Network::new(self.scsp.model())?;
        let solver = Solver::with_strength(&network, effort.strength);
        let mut whole = whole(self.scsp);
        whole.retain(|(variable, _)| self.late.contains(variable));
        let found = Found {
            tuples: Vec::new(),
            trees: Vec::new(),
            nodes: 0,
        };
        let is_alive = solver.is_alive().is_ok() && is_whole(&solver, &whole);
        let mut search = Search {
            stage: self,
            solver,
            effort,
            whole,
            found,
        };
        if is_alive {
            search.early(&mut Vec::new())?;
        }
        Ok(search.found)
    }
}

struct Search<'s, 'n> {
    stage: &'s StageProblem<'s>,
    solver: Solver<'n>,
    effort: &'s Effort,
    whole: Vec<(Variable, Vec<Value>)>,
    found: Found,
}

impl Search<'_, '_> {
    fn count(&mut self) -> Result<(), Stop> {
        self.found.nodes += 1;
        match self.found.nodes <= self.effort.nodes {
            true => Ok(()),
            false => Err(Stop::Nodes(self.effort.nodes)),
        }
    }

    /// Tries every value of the next early variable.
    fn early(&mut self, tuple: &mut Vec<Value>) -> Result<(), Stop> {
        let Some(&variable) = self.stage.early.get(tuple.len()) else {
            if let Some(tree) = self.late(0)? {
                self.keep(tuple, tree);
            }
            return Ok(());
        };
        let values: Vec<Value> = self.solver.values(variable).collect();
        let level = self.solver.level();
        for value in values {
            self.count()?;
            let outcome = self.solver.assume(variable, value);
            if outcome.is_ok() && is_whole(&self.solver, &self.whole) {
                tuple.push(value);
                stacker::maybe_grow(32 << 10, 1 << 20, || self.early(tuple))?;
                tuple.pop();
            }
            self.solver.pop_to(level);
        }
        Ok(())
    }

    fn keep(&mut self, tuple: &[Value], mut tree: Rc<Tree>) {
        for (&variable, &value) in self.stage.early.iter().zip(tuple).rev() {
            tree = Rc::new(Tree::Decision(variable, value, tree));
        }
        self.found.tuples.push(tuple.to_vec());
        self.found.trees.push(tree);
    }

    /// A policy from a late variable on, if there is one for every value of chance.
    fn late(&mut self, place: usize) -> Result<Option<Rc<Tree>>, Stop> {
        let Some(&variable) = self.stage.late.get(place) else {
            let value = |it| self.solver.next(it, 0).unwrap_or(0);
            let utility = self.stage.scsp.reward(value);
            return Ok(Some(Rc::new(Tree::Leaf(utility))));
        };
        stacker::maybe_grow(32 << 10, 1 << 20, || {
            match self.stage.scsp.is_stochastic(variable) {
                true => self.chance(variable, place),
                false => self.decision(variable, place),
            }
        })
    }

    fn with(
        &mut self,
        variable: Variable,
        value: Value,
        place: usize,
    ) -> Result<Option<Rc<Tree>>, Stop> {
        self.count()?;
        let level = self.solver.level();
        let tree = match self.solver.assume(variable, value) {
            Ok(()) => self.late(place + 1)?,
            Err(_) => None,
        };
        self.solver.pop_to(level);
        Ok(tree)
    }

    fn decision(&mut self, variable: Variable, place: usize) -> Result<Option<Rc<Tree>>, Stop> {
        let values: Vec<Value> = self.solver.values(variable).collect();
        for value in values {
            if let Some(tree) = self.with(variable, value, place)? {
                return Ok(Some(Rc::new(Tree::Decision(variable, value, tree))));
            }
        }
        Ok(None)
    }

    fn chance(&mut self, variable: Variable, place: usize) -> Result<Option<Rc<Tree>>, Stop> {
        let solver = &self.solver;
        let value = |it| {
            solver
                .value(it)
                .expect("what chance depends on has a value")
        };
        let odds = self.stage.scsp.odds(variable, value);
        let mut branches = Vec::with_capacity(odds.len());
        for (value, odd) in odds {
            match self.with(variable, value, place)? {
                Some(tree) => branches.push((value, odd, tree)),
                None => return Ok(None),
            }
        }
        Ok((!branches.is_empty()).then(|| Rc::new(Tree::Chance(variable, branches))))
    }
}
