//! The split of a stage (P1 §4.2): N′ has the constraints of decisions, N″ those of chance.
//!
//! N″ is solved first; its feasible policies become one table over its decisions, the feasibility
//! constraint c_s. N′ with c_s is an ordinary CSP, enumerated with MAC; its solutions are the
//! feasible policies of the stage.
//!
//! The paper puts a constraint into N″ if it touches the stochastic variable. But its networks
//! have variables after chance that depend on it, which cannot be part of c_s, as their values
//! differ with chance. So here N″ has every constraint that touches chance or a later variable
//! connected with chance by constraints.

use super::exact::{Effort, Stop};
use super::stage::StageProblem;
use crate::domain::Value;
use crate::model::{Constraint, Model, Variable};
use crate::network::Network;
use crate::propagate::Strength;
use crate::scsp::{Chance, Scsp};
use crate::search::{Order, Query};
use crate::solver::Solver;
use crate::table::{Polarity, Table};
use std::ops::ControlFlow;

/// The two parts of a stage. Both keep all variables.
#[derive(Clone, Debug)]
pub struct Parts {
    /// N′: the decision constraints.
    pub decision: Model,
    /// N″: the others, with chance.
    pub stochastic: Scsp,
    /// The decisions of N″ that are taken before chance: the scope of c_s.
    pub scope: Vec<Variable>,
    /// Chance, and the variables that depend on it, in order.
    pub late: Vec<Variable>,
}

/// Splits a stage into N′ and N″.
pub fn split(scsp: &Scsp) -> Parts {
    let model = scsp.model();
    let late = late(scsp);
    let touches = |it: &Constraint| it.scope().iter().any(|variable| late[variable.index()]);
    let (stochastic, decision): (Vec<Constraint>, Vec<Constraint>) =
        model.constraints().iter().cloned().partition(touches);
    let mut is_needed = vec![false; model.len()];
    let scopes = stochastic.iter().flat_map(Constraint::scope);
    let given = model
        .variables()
        .filter_map(|it| scsp.chance(it))
        .flat_map(scope_of);
    for variable in scopes.chain(given) {
        is_needed[variable.index()] = !late[variable.index()];
    }
    let of = |constraints| {
        model
            .with(constraints)
            .expect("a part of a valid model is valid")
    };
    Parts {
        decision: of(decision),
        stochastic: scsp.with_model(of(stochastic)),
        scope: model
            .variables()
            .filter(|it| is_needed[it.index()])
            .collect(),
        late: model.variables().filter(|it| late[it.index()]).collect(),
    }
}

fn scope_of(chance: &Chance) -> Vec<Variable> {
    match chance {
        Chance::Uniform => Vec::new(),
        Chance::Given { scope, .. } | Chance::Among(scope) => scope.clone(),
    }
}

/// For each variable, whether it is chance, or after chance and connected with it.
fn late(scsp: &Scsp) -> Vec<bool> {
    let model = scsp.model();
    let mut late: Vec<bool> = model.variables().map(|it| scsp.is_stochastic(it)).collect();
    let Some(first) = late.iter().position(|&it| it) else {
        return late;
    };
    let scopes: Vec<Vec<Variable>> = model.constraints().iter().map(Constraint::scope).collect();
    let mut changed = true;
    while changed {
        changed = false;
        for scope in &scopes {
            let touches = scope.iter().any(|it| late[it.index()]);
            for it in scope.iter().filter(|it| touches && it.index() > first) {
                changed |= !std::mem::replace(&mut late[it.index()], true);
            }
        }
    }
    late
}

impl Parts {
    /// The feasibility constraint: the assignments of the scope that are part of a feasible
    /// policy of N″. None if N″ has no decisions and is feasible.
    pub fn feasibility(&self, effort: &Effort) -> Result<Option<Constraint>, Stop> {
        let (scope, late) = (self.scope.clone(), self.late.clone());
        let stage = StageProblem {
            scsp: &self.stochastic,
            early: scope.clone(),
            late,
        };
        let tuples = stage.solve(effort)?.tuples;
        if scope.is_empty() {
            return Ok(tuples.is_empty().then(|| Constraint::Clause(Vec::new())));
        }
        let table = Table::new(Polarity::Allowed, scope.len(), tuples);
        Ok(Some(Constraint::Table { scope, table }))
    }

    /// N′ with a feasibility constraint.
    pub fn with(&self, feasibility: Option<Constraint>) -> Model {
        let mut model = self.decision.clone();
        if let Some(constraint) = feasibility {
            model
                .add(constraint)
                .expect("its scope and values are the model's");
        }
        model
    }
}

/// The decisions before chance of every feasible policy of a stage, by the split: forward
/// checking on N″, MAC on N′ with the feasibility constraint. Variables are in order, without
/// those that depend on chance.
pub fn decisions(scsp: &Scsp, effort: &Effort) -> Result<Vec<Vec<(Variable, Value)>>, Stop> {
    let parts = split(scsp);
    let forward = Effort {
        strength: Strength::Forward,
        ..*effort
    };
    let model = parts.with(parts.feasibility(&forward)?);
    let network = Network::new(&model)?;
    let mut solver = Solver::new(&network);
    let wanted: Vec<Variable> = model
        .variables()
        .filter(|it| !parts.late.contains(it))
        .collect();
    let mut all = Vec::new();
    let query = Query {
        projection: Some(&wanted),
        order: Order::Fixed,
        ..Query::default()
    };
    solver.each(&query, |solution| {
        all.push(wanted.iter().map(|&it| (it, solution.value(it))).collect());
        ControlFlow::Continue(())
    });
    all.sort();
    Ok(all)
}
