//! A round as a stochastic constraint problem with the end, chance and goals (P1, §3.2): for
//! printing. [`Encoding`](crate::Encoding) is the part that is searched.
//!
//! Chance is uniform over its legal moves, by a flag for each. A player's goal is a variable: one
//! of its goals if the match is over, else `none`, of utility 0.

use crate::definitions::Truth;
use crate::groups::Grouping;
use crate::stage::{Draft, Part, Scope};
use crate::{EncodingLimits, NotEncoded};
use constraint::{Chance, Scsp, Soft, Variable};
use logic::{GroundProgram, RoleId, TermId};

/// The round of a game whose fluents are grouped in this way.
pub fn scsp(
    program: &GroundProgram,
    grouping: &Grouping,
    limits: &EncodingLimits,
) -> Result<Scsp, NotEncoded> {
    let terms = program.terms();
    let chance = program.chance();
    let part = Part::Whole { chance };
    let mut draft = Draft::new(program, grouping, Scope { part, limits })?;
    draft.add_next(grouping)?;
    let over = draft.truth(program.terminal());
    let mut goals = Vec::new();
    for (role, &name) in program.role_ids().zip(program.roles()) {
        if chance != Some(role) {
            goals.push((terms.text(name), draft.add_goal(role, over, limits)?));
        }
    }
    let flags = std::mem::take(&mut draft.flags);
    let actions = draft.actions.clone();
    let names: Vec<&str> = goals.iter().map(|(name, _)| name.as_str()).collect();
    let mut scsp = Scsp::new(draft.definitions.model, &names);
    if let Some(chance) = chance {
        scsp.set_chance(actions[chance.index()], Chance::Among(flags))?;
    }
    for (player, (_, (variable, values))) in goals.iter().enumerate() {
        let utility = |value: f64| {
            let mut all = vec![0.0; goals.len()];
            all[player] = value;
            all
        };
        let rows = (0..).zip(values);
        let rows = rows.map(|(place, &value)| (vec![place], utility(value)));
        scsp.add_soft(Soft {
            scope: vec![*variable],
            rows: rows.collect(),
        })?;
    }
    Ok(scsp)
}

impl Draft<'_> {
    /// Adds the goal variable of a role; returns it with the utility of each goal, from 0 to 1.
    fn add_goal(
        &mut self,
        role: RoleId,
        over: Truth,
        limits: &EncodingLimits,
    ) -> Result<(Variable, Vec<f64>), NotEncoded> {
        let (program, terms) = (self.program, self.program.terms());
        let goals = program.goals(role);
        let mut reached = Vec::new();
        for &(_, literal) in goals {
            let parts = vec![over, self.truth(literal)];
            reached.push(self.definitions.all(parts, limits)?);
        }
        let labels = goals.iter().map(|&(term, _)| terms.text(term));
        let labels: Vec<String> = labels.chain(["none".to_string()]).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let name = format!("goal {}", terms.text(program.roles()[role.index()]));
        let goal = self.definitions.model.labelled(name, &labels);
        for (place, truth) in (0..).zip(reached) {
            self.equal(goal.is(place), truth)?;
        }
        let value = |&(term, _): &(TermId, _)| terms.name(term).parse().unwrap_or(0.0) / 100.0;
        let values = goals.iter().map(value);
        Ok((goal, values.map(|it: f64| it.clamp(0.0, 1.0)).collect()))
    }
}
