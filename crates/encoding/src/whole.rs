//! A round as a stochastic constraint problem, with all that the paper has: who may end, chance,
//! and what the players get (P1, §3.2). It is what is shown; [`Encoding`](crate::Encoding) is
//! what is searched.
//!
//! Chance is uniform over the moves that are legal, through a flag for each. A player's goal is
//! a variable of its own: its goals if the match is over, and `none` before that, which is worth
//! nothing.

use crate::definitions::Truth;
use crate::groups::Grouping;
use crate::stage::{Draft, Part};
use crate::{Limits, NotEncoded};
use constraint::{Chance, Scsp, Soft, Variable};
use logic::{GroundProgram, TermId};

/// The round of a game whose fluents are grouped in this way.
pub fn scsp(
    program: &GroundProgram,
    grouping: &Grouping,
    limits: &Limits,
) -> Result<Scsp, NotEncoded> {
    let terms = program.terms();
    let is_chance = |&role: &TermId| terms.name(role).eq_ignore_ascii_case("random");
    let chance = program.roles().iter().position(is_chance);
    let mut draft = Draft::new(program, grouping, (limits, Part::Whole { chance }))?;
    draft.add_next(grouping)?;
    let over = draft.truth(program.terminal());
    let mut goals = Vec::new();
    for (role, &name) in program.roles().iter().enumerate() {
        if chance != Some(role) {
            goals.push((terms.text(name), draft.add_goal(role, over, limits)?));
        }
    }
    let flags = std::mem::take(&mut draft.flags);
    let actions = draft.actions.clone();
    let names: Vec<&str> = goals.iter().map(|(name, _)| name.as_str()).collect();
    let mut scsp = Scsp::new(draft.definitions.model, &names);
    if let Some(chance) = chance {
        scsp.set_chance(actions[chance], Chance::Among(flags))?;
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
    /// A variable for what a role gets, and the value of each of its goals, from 0 to 1.
    fn add_goal(
        &mut self,
        role: usize,
        over: Truth,
        limits: &Limits,
    ) -> Result<(Variable, Vec<f64>), NotEncoded> {
        let (program, terms) = (self.program, self.program.terms());
        let goals = &program.goals()[role];
        let mut reached = Vec::new();
        for &(_, literal) in goals {
            let parts = vec![over, self.truth(literal)];
            reached.push(self.definitions.all(parts, limits)?);
        }
        let labels = goals.iter().map(|&(term, _)| terms.text(term));
        let labels: Vec<String> = labels.chain(["none".to_string()]).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        let name = format!("goal {}", terms.text(program.roles()[role]));
        let goal = self.definitions.model.labelled(name, &labels);
        for (place, truth) in (0..).zip(reached) {
            self.equal(goal.is(place), truth)?;
        }
        let value = |&(term, _): &(TermId, _)| terms.name(term).parse().unwrap_or(0.0) / 100.0;
        let values = goals.iter().map(value);
        Ok((goal, values.map(|it: f64| it.clamp(0.0, 1.0)).collect()))
    }
}
