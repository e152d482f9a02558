//! `Scsp`: a stochastic CSP: a model, chance, utilities of players, thresholds (P1 §3.1).
//!
//! V is the model's variables in their order. A stochastic variable has a distribution that may
//! depend on variables before it: a table, or an equal share for each value whose flag is 1.
//! Hard constraints are the model's; a soft one gives each player a utility in [0, 1].
//!
//! Probabilities and utilities are `f64`, compared with [`TOLERANCE`].
//!
//! Invariants: the scope of a distribution lies before its variable; each of its rows adds up to
//! 1; there is a threshold for each player.

use crate::domain::{Domain, Value};
use crate::model::{Invalid, Model, Variable};
use crate::table::{each_tuple, matches};

/// The tolerance of comparisons of probabilities and utilities.
pub const TOLERANCE: f64 = 1e-9;

/// How many tuples the scope of an explicit distribution may have.
const ROWS: usize = 1 << 20;

/// A row of a distribution or of a soft constraint: values, where [`ANY`](crate::ANY) matches all,
/// and their probabilities or utilities. The first row that matches counts.
pub type Row = (Vec<Value>, Vec<f64>);

/// The distribution of a stochastic variable.
#[derive(Clone, Debug, PartialEq)]
pub enum Chance {
    /// All values of the domain are equally likely.
    Uniform,
    /// A table over variables before it; unconditional if the scope is empty.
    Given {
        /// The variables.
        scope: Vec<Variable>,
        /// For values of the scope, the probability of each value.
        rows: Vec<Row>,
    },
    /// Uniform over the values whose flag, a Boolean variable before it, is 1; uniform over all
    /// values if no flag is.
    Among(Vec<Variable>),
}

/// A soft constraint: utilities of all players, zero where no row matches.
#[derive(Clone, Debug, PartialEq)]
pub struct Soft {
    /// The variables.
    pub scope: Vec<Variable>,
    /// For values of the scope, the utility of each player.
    pub rows: Vec<Row>,
}

/// Decisions, and the stochastic variables after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// X, in order.
    pub decisions: Vec<Variable>,
    /// Y, in order.
    pub chances: Vec<Variable>,
}

/// A stochastic constraint satisfaction problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Scsp {
    model: Model,
    players: Vec<String>,
    chances: Vec<Option<Chance>>,
    soft: Vec<Soft>,
    threshold: Vec<f64>,
}

impl Scsp {
    /// A model whose variables are all decisions, for some players; thresholds are zero.
    pub fn new(model: Model, players: &[&str]) -> Scsp {
        Scsp {
            chances: vec![None; model.len()],
            players: players.iter().map(|&name| name.to_string()).collect(),
            threshold: vec![0.0; players.len()],
            soft: Vec::new(),
            model,
        }
    }

    /// Makes a variable stochastic.
    pub fn set_chance(&mut self, variable: Variable, chance: Chance) -> Result<(), Invalid> {
        self.check_chance(variable, &chance)?;
        self.chances[variable.index()] = Some(chance);
        Ok(())
    }

    /// Adds a soft constraint.
    pub fn add_soft(&mut self, soft: Soft) -> Result<(), Invalid> {
        self.check_rows(&soft.scope, &soft.rows, self.players.len())?;
        let utilities = soft.rows.iter().flat_map(|(_, utilities)| utilities);
        match utilities.clone().find(|it| !(0.0..=1.0).contains(*it)) {
            Some(&utility) => return Err(Invalid::Utility(utility.to_string())),
            None => self.soft.push(soft),
        }
        Ok(())
    }

    /// Sets the threshold of each player.
    pub fn set_threshold(&mut self, threshold: &[f64]) -> Result<(), Invalid> {
        if threshold.len() != self.players.len() {
            let (columns, variables) = (threshold.len(), self.players.len());
            return Err(Invalid::Arity { columns, variables });
        }
        self.threshold = threshold.to_vec();
        Ok(())
    }

    /// The same problem with another model of the same variables.
    pub fn with_model(&self, model: Model) -> Scsp {
        assert_eq!(model.len(), self.model.len(), "the variables stay");
        Scsp {
            model,
            ..self.clone()
        }
    }

    /// Variables, domains and hard constraints.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The players' names.
    pub fn players(&self) -> &[String] {
        &self.players
    }

    /// The threshold of each player: its least expected utility.
    pub fn threshold(&self) -> &[f64] {
        &self.threshold
    }

    /// The soft constraints.
    pub fn soft(&self) -> &[Soft] {
        &self.soft
    }

    /// The distribution of a variable, if it is stochastic.
    pub fn chance(&self, variable: Variable) -> Option<&Chance> {
        self.chances[variable.index()].as_ref()
    }

    /// Whether a variable is stochastic.
    pub fn is_stochastic(&self, variable: Variable) -> bool {
        self.chance(variable).is_some()
    }

    /// The stages, in order; the last may have no stochastic variable.
    pub fn stages(&self) -> Vec<Stage> {
        let mut stages: Vec<Stage> = Vec::new();
        for variable in self.model.variables() {
            let is_stochastic = self.is_stochastic(variable);
            let is_over = stages
                .last()
                .is_none_or(|it| !is_stochastic && !it.chances.is_empty());
            if is_over {
                stages.push(Stage::default());
            }
            if let Some(stage) = stages.last_mut() {
                let part = if is_stochastic {
                    &mut stage.chances
                } else {
                    &mut stage.decisions
                };
                part.push(variable);
            }
        }
        stages
    }

    /// The values of a stochastic variable with a probability above zero, and that probability,
    /// given the values of the variables before it.
    pub fn odds(&self, variable: Variable, value: impl Fn(Variable) -> Value) -> Vec<(Value, f64)> {
        let domain = self.model.domain(variable);
        match self.chance(variable) {
            Some(Chance::Given { scope, rows }) => {
                let values: Vec<Value> = scope.iter().map(|&it| value(it)).collect();
                let row = rows.iter().find(|(tuple, _)| matches(tuple, &values));
                let odds = row.map_or(&[][..], |(_, odds)| odds).iter().enumerate();
                odds.filter(|&(_, &odd)| odd > 0.0)
                    .map(|(it, &odd)| (it as Value, odd))
                    .collect()
            }
            Some(Chance::Among(flags)) => {
                let flagged = flags
                    .iter()
                    .enumerate()
                    .filter(|&(_, &flag)| value(flag) == 1);
                let values: Vec<Value> = flagged.map(|(place, _)| place as Value).collect();
                if values.is_empty() {
                    alike(domain.values())
                } else {
                    alike(values)
                }
            }
            Some(Chance::Uniform) | None => alike(domain.values()),
        }
    }

    /// val(I): the utility of each player; minus infinity if a hard constraint is violated.
    pub fn utility(&self, values: &[Value]) -> Vec<f64> {
        match self.model.accepts(values) {
            true => self.reward(|variable| values[variable.index()]),
            false => vec![f64::NEG_INFINITY; self.players.len()],
        }
    }

    /// The utility of each player by the soft constraints alone.
    pub fn reward(&self, value: impl Fn(Variable) -> Value) -> Vec<f64> {
        let mut sum = vec![0.0; self.players.len()];
        for soft in &self.soft {
            let values: Vec<Value> = soft.scope.iter().map(|&it| value(it)).collect();
            if let Some((_, row)) = soft.rows.iter().find(|(tuple, _)| matches(tuple, &values)) {
                sum.iter_mut()
                    .zip(row)
                    .for_each(|(sum, utility)| *sum += utility);
            }
        }
        sum
    }

    /// An upper bound of the utility of each player, by the soft constraints alone.
    pub fn bound(&self) -> Vec<f64> {
        let best = |soft: &Soft, player: usize| {
            soft.rows
                .iter()
                .map(|(_, row)| row[player])
                .fold(0.0, f64::max)
        };
        let of = |player| self.soft.iter().map(|soft| best(soft, player)).sum();
        (0..self.players.len()).map(of).collect()
    }

    fn check_chance(&self, variable: Variable, chance: &Chance) -> Result<(), Invalid> {
        let count = self.model.domain(variable).capacity() as usize;
        let is_late = |it: &&Variable| **it >= variable;
        let (Chance::Given { scope, .. } | Chance::Among(scope)) = chance else {
            return Ok(());
        };
        if let Some(late) = scope.iter().find(is_late) {
            return Err(Invalid::NotBefore(self.model.name(*late).to_string()));
        }
        let Chance::Given { scope, rows } = chance else {
            let (columns, variables) = (scope.len(), count);
            return match columns == variables {
                true => Ok(()),
                false => Err(Invalid::Arity { columns, variables }),
            };
        };
        self.check_rows(scope, rows, count)?;
        for (_, odds) in rows {
            let is_whole = (odds.iter().sum::<f64>() - 1.0).abs() <= TOLERANCE;
            if !is_whole || odds.iter().any(|&odd| odd < 0.0) {
                return Err(Invalid::NotADistribution(
                    self.model.name(variable).to_string(),
                ));
            }
        }
        self.check_cover(variable, scope, rows)
    }

    /// Checks that every tuple of a distribution's scope has a row.
    fn check_cover(
        &self,
        variable: Variable,
        scope: &[Variable],
        rows: &[Row],
    ) -> Result<(), Invalid> {
        let domains: Vec<&Domain> = scope.iter().map(|&it| self.model.domain(it)).collect();
        let sizes = domains.iter().map(|domain| domain.len());
        if sizes.fold(1usize, usize::saturating_mul) > ROWS {
            return Err(Invalid::TooLarge);
        }
        let mut is_covered = true;
        each_tuple(&domains, |tuple| {
            is_covered &= rows.iter().any(|(row, _)| matches(row, tuple));
        });
        match is_covered {
            true => Ok(()),
            false => Err(Invalid::NotADistribution(
                self.model.name(variable).to_string(),
            )),
        }
    }

    fn check_rows(&self, scope: &[Variable], rows: &[Row], width: usize) -> Result<(), Invalid> {
        for variable in scope {
            if variable.index() >= self.model.len() {
                return Err(Invalid::NoVariable(variable.0));
            }
        }
        for (tuple, numbers) in rows {
            for (columns, variables) in [(tuple.len(), scope.len()), (numbers.len(), width)] {
                if columns != variables {
                    return Err(Invalid::Arity { columns, variables });
                }
            }
        }
        Ok(())
    }
}

/// The uniform distribution over some values.
fn alike(values: impl IntoIterator<Item = Value>) -> Vec<(Value, f64)> {
    let values: Vec<Value> = values.into_iter().collect();
    let odd = 1.0 / values.len() as f64;
    values.into_iter().map(|value| (value, odd)).collect()
}
