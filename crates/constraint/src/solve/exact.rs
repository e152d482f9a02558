//! The exact solution of T stages: depth first along the order of the variables.
//!
//! A decision needs one value with a policy, chance a policy for every value. Hard constraints
//! are propagated with forward checking or arc consistency as if chance were a decision, which
//! loses no policy; a branch is cut when a value that chance can draw was removed. The utility of
//! the rest is bounded from above, so that branches that cannot reach the threshold are cut
//! (Walsh, ECAI 2002; Balafoutis and Stergiou, CP 2006).
//!
//! Takes a problem and a threshold, gives a policy that reaches it. For several players a Pareto
//! front of utilities is kept, see `front.rs`. Thresholds are raised as in P1 §4.4.

use super::front::{Front, reaches};
use super::tree::Tree;
use crate::domain::Value;
use crate::model::{Invalid, Variable};
use crate::network::Network;
use crate::policy::Policy;
use crate::propagate::Strength;
use crate::scsp::{Chance, Scsp, TOLERANCE};
use crate::solver::Solver;
use std::rc::Rc;

/// How to solve, and when to stop.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// The consistency that is maintained.
    pub strength: Strength,
    /// How many values may be tried.
    pub nodes: u64,
    /// How many variables there may be: the depth of the search.
    pub depth: usize,
    /// How many utilities of a node may be kept, for several players.
    pub front: usize,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            strength: Strength::Arc,
            nodes: 100_000_000,
            depth: 10_000,
            front: 10_000,
        }
    }
}

/// Why a problem was not solved.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Stop {
    /// More values would have to be tried than the limit.
    #[error("more than {0} nodes")]
    Nodes(u64),
    /// There are more variables than the limit.
    #[error("more than {0} variables")]
    Depth(usize),
    /// More utilities would have to be kept than the limit.
    #[error("more than {0} utilities to choose from")]
    Front(usize),
    /// The model cannot be compiled.
    #[error(transparent)]
    Invalid(#[from] Invalid),
}

/// The result of solving a problem.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// A policy that reaches the threshold, with its expected utility, if there is one.
    pub best: Option<(Vec<f64>, Policy)>,
    /// How many values were tried.
    pub nodes: u64,
}

/// Finds a policy that reaches the problem's threshold.
pub fn solve(scsp: &Scsp, effort: &Effort) -> Result<Outcome, Stop> {
    reach(scsp, effort, scsp.threshold())
}

/// Finds the policy whose least expected utility is greatest, by solving again with the
/// threshold raised to the least utility of the policy found, until there is none. Gives the
/// policies found, in order.
pub fn raise(scsp: &Scsp, effort: &Effort) -> Result<Vec<Outcome>, Stop> {
    let mut found: Vec<Outcome> = Vec::new();
    let mut threshold = scsp.threshold().to_vec();
    let mut left = *effort;
    loop {
        let outcome = reach(scsp, &left, &threshold)?;
        left.nodes = left.nodes.saturating_sub(outcome.nodes);
        let Some((value, _)) = &outcome.best else {
            return Ok(found);
        };
        let least = value.iter().copied().fold(f64::INFINITY, f64::min);
        let is_top =
            value.is_empty() || least >= scsp.bound().into_iter().fold(f64::INFINITY, f64::min);
        threshold = scsp
            .threshold()
            .iter()
            .map(|it| it.max(least + 3.0 * TOLERANCE))
            .collect();
        found.push(outcome);
        if is_top {
            return Ok(found);
        }
    }
}

fn reach(scsp: &Scsp, effort: &Effort, threshold: &[f64]) -> Result<Outcome, Stop> {
    if scsp.model().len() > effort.depth {
        return Err(Stop::Depth(effort.depth));
    }
    let network = Network::new(scsp.model())?;
    let solver = Solver::with_strength(&network, effort.strength);
    let is_alive = solver.is_alive().is_ok();
    let bound = scsp.bound();
    let mut search = Exact {
        scsp,
        solver,
        effort,
        bound,
        whole: whole(scsp),
        nodes: 0,
    };
    let mut best = None;
    if is_alive && search.is_whole(0) {
        let need = Need {
            least: threshold,
            any: true,
        };
        let front = search.node(0, need)?;
        best = front.entries.into_iter().next();
    }
    let best = best.map(|(value, tree)| (value, tree.policy()));
    Ok(Outcome {
        best,
        nodes: search.nodes,
    })
}

/// The stochastic variables that depend on no other, and the values they can take.
pub(super) fn whole(scsp: &Scsp) -> Vec<(Variable, Vec<Value>)> {
    let free = scsp
        .model()
        .variables()
        .filter(|&it| match scsp.chance(it) {
            Some(Chance::Uniform) => true,
            Some(Chance::Given { scope, .. }) => scope.is_empty(),
            _ => false,
        });
    let values = |it| {
        scsp.odds(it, |_| 0)
            .into_iter()
            .map(|(value, _)| value)
            .collect()
    };
    free.map(|it| (it, values(it))).collect()
}

/// Whether no value that chance can take has been removed.
pub(super) fn is_whole(solver: &Solver<'_>, whole: &[(Variable, Vec<Value>)]) -> bool {
    let allows = |(variable, values): &(Variable, Vec<Value>)| {
        values.iter().all(|&value| solver.allows(*variable, value))
    };
    whole.iter().all(allows)
}

/// An exact search.
struct Exact<'s, 'n> {
    scsp: &'s Scsp,
    solver: Solver<'n>,
    effort: &'s Effort,
    bound: Vec<f64>,
    whole: Vec<(Variable, Vec<Value>)>,
    nodes: u64,
}

/// The branches of a stochastic variable, so far: value, probability, subtree.
type Branches = Vec<(Value, f64, Rc<Tree>)>;

/// What a subtree is searched for.
#[derive(Clone, Copy)]
struct Need<'a> {
    /// The least expected utility of each player.
    least: &'a [f64],
    /// Whether to stop at the first policy that reaches it.
    any: bool,
}

impl Exact<'_, '_> {
    /// Whether no value that chance can take was removed, from a variable on.
    fn is_whole(&self, from: usize) -> bool {
        let later = self
            .whole
            .partition_point(|(variable, _)| variable.index() < from);
        is_whole(&self.solver, &self.whole[later..])
    }

    /// The policies from a variable on, given the values before it.
    fn node(&mut self, place: usize, need: Need<'_>) -> Result<Front<Tree>, Stop> {
        let variable = Variable(place as u32);
        if place == self.scsp.model().len() {
            return Ok(self.leaf(need));
        }
        stacker::maybe_grow(32 << 10, 1 << 20, || {
            match self.scsp.is_stochastic(variable) {
                true => self.chance(variable, need),
                false => self.decision(variable, need),
            }
        })
    }

    fn value(&self, variable: Variable) -> Value {
        self.solver
            .value(variable)
            .expect("variables before this one have a value")
    }

    fn leaf(&self, need: Need<'_>) -> Front<Tree> {
        let utility = self.scsp.reward(|variable| self.value(variable));
        let mut front = Front::new();
        if reaches(&utility, need.least) {
            front.add(utility.clone(), Rc::new(Tree::Leaf(utility)));
        }
        front
    }

    /// The policies after assigning a value, which is undone before returning.
    fn with(
        &mut self,
        variable: Variable,
        value: Value,
        need: Need<'_>,
    ) -> Result<Front<Tree>, Stop> {
        let level = self.solver.level();
        self.nodes += 1;
        if self.nodes > self.effort.nodes {
            return Err(Stop::Nodes(self.effort.nodes));
        }
        let front = match self.solver.assume(variable, value) {
            Ok(()) if self.is_whole(variable.index() + 1) => {
                self.node(variable.index() + 1, need)?
            }
            _ => Front::new(),
        };
        self.solver.pop_to(level);
        Ok(front)
    }

    fn decision(&mut self, variable: Variable, need: Need<'_>) -> Result<Front<Tree>, Stop> {
        let values: Vec<Value> = self.solver.values(variable).collect();
        let mut front = Front::new();
        for value in values {
            // With one player, only policies better than the best so far matter.
            let raised: Vec<f64> = match (&front.entries[..], need.least.len()) {
                ([(best, _)], 1) => vec![best[0] + 2.0 * TOLERANCE],
                _ => need.least.to_vec(),
            };
            let raised = Need {
                least: &raised,
                any: need.any,
            };
            let below = self.with(variable, value, raised)?;
            for (utility, tree) in below.entries {
                front.add(utility, Rc::new(Tree::Decision(variable, value, tree)));
            }
            if need.any && !front.is_empty() {
                break;
            }
            self.check(front.entries.len())?;
        }
        Ok(front)
    }

    fn check(&self, entries: usize) -> Result<(), Stop> {
        match entries <= self.effort.front {
            true => Ok(()),
            false => Err(Stop::Front(self.effort.front)),
        }
    }

    fn chance(&mut self, variable: Variable, need: Need<'_>) -> Result<Front<Tree>, Stop> {
        let need = need.least;
        let odds = self.scsp.odds(variable, |it| self.value(it));
        if odds.is_empty()
            || odds
                .iter()
                .any(|&(value, _)| !self.solver.allows(variable, value))
        {
            return Ok(Front::new());
        }
        let mut sums: Front<Branches> = Front::new();
        sums.entries
            .push((vec![0.0; need.len()], Rc::new(Vec::new())));
        let mut rest = 1.0;
        for (value, odd) in odds {
            rest -= odd;
            let so_far = sums.best();
            // The least utility of this branch if all later ones reach their upper bounds.
            let missing =
                |player: usize| need[player] - so_far[player] - rest.max(0.0) * self.bound[player];
            let least: Vec<f64> = (0..need.len())
                .map(|it| missing(it) / odd - TOLERANCE)
                .collect();
            let missing = Need {
                least: &least,
                any: false,
            };
            let below = self.with(variable, value, missing)?;
            sums = self.join(&sums, (value, odd), &below)?;
            if sums.is_empty() {
                break;
            }
        }
        let mut front = Front::new();
        for (utility, branches) in sums.entries {
            if reaches(&utility, need) {
                front.add(utility, Rc::new(Tree::Chance(variable, branches.to_vec())));
            }
        }
        Ok(front)
    }

    /// Combines every sum of branches so far with every policy of one more branch.
    fn join(
        &self,
        sums: &Front<Branches>,
        (value, odd): (Value, f64),
        below: &Front<Tree>,
    ) -> Result<Front<Branches>, Stop> {
        let mut joined = Front::new();
        for (sum, branches) in &sums.entries {
            for (utility, tree) in &below.entries {
                let sum = sum
                    .iter()
                    .zip(utility)
                    .map(|(sum, it)| sum + odd * it)
                    .collect();
                let mut branches = branches.to_vec();
                branches.push((value, odd, tree.clone()));
                joined.add(sum, Rc::new(branches));
                self.check(joined.entries.len())?;
            }
        }
        Ok(joined)
    }
}
