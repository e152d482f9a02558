//! The stochastic constraint problem of a game (P1, §3.2 and §3.3): so many stages, then the end.
//!
//! A stage has `g_t` (`over@t`), the fluents `{f_t}`, a flag for each move of chance, an action for
//! each role, that of chance last, and `{f_{t+1}}`; what rules derive is defined between them.
//! Chance is uniform over its legal moves, by their flags.
//!
//! **After the end nothing happens.** A match that is over stays in its state: every action is
//! `none`, chance's with certainty, and `{f_{t+1}} = {f_t}`. So the last state is the first
//! terminal one, if the match ended at all, and its goals are the soft constraints: one of a
//! player's goals if the match is over, else `none`, of utility 0. An action is `none` then only.
//!
//! [`Encoding`](crate::Encoding) is the part of a stage that is searched state by state.

use crate::definitions::Truth;
use crate::draft::Draft;
use crate::groups::Grouping;
use crate::{EncodingLimits, NotEncoded};
use constraint::{Chance, Literal, Scsp, Soft, Variable};
use logic::{Bits, GroundProgram, RoleId, TermId};

/// Which part of a game a problem is about.
#[derive(Copy, Clone, Debug)]
pub struct Horizon<'s> {
    /// How many stages it has.
    pub stages: usize,
    /// The state before the first; any state if there is none.
    pub from: Option<&'s Bits>,
}

/// The problem of a game whose fluents are grouped in this way.
pub fn scsp(
    program: &GroundProgram,
    (grouping, horizon): (&Grouping, Horizon<'_>),
    limits: &EncodingLimits,
) -> Result<Scsp, NotEncoded> {
    let mut whole = Whole {
        draft: Draft::empty(program, limits),
        grouping,
        stage: 0,
        chances: Vec::new(),
    };
    whole.begin(horizon.from)?;
    for stage in 0..horizon.stages {
        whole.stage = stage;
        whole.add_stage()?;
    }
    whole.stage = horizon.stages;
    whole.end()
}

/// A problem being made.
struct Whole<'p> {
    draft: Draft<'p>,
    grouping: &'p Grouping,
    /// The number of the stage.
    stage: usize,
    /// In each stage the action of chance and the flag of each of its values.
    chances: Vec<(Variable, Vec<Variable>)>,
}

impl Whole<'_> {
    /// Adds the fluents of the first state; what follows needs moves, the next state and the end.
    fn begin(&mut self, from: Option<&Bits>) -> Result<(), NotEncoded> {
        let (program, draft) = (self.draft.program, &mut self.draft);
        draft.now = draft.fluent_variables(self.grouping, "@0")?;
        let legal = program.role_ids().flat_map(|role| program.legal(role));
        let wanted = program.next().iter().chain(legal);
        draft.need(wanted.chain([&program.terminal()]));
        for (&variable, group) in draft.now.iter().zip(&self.grouping.groups) {
            if let Some(state) = from {
                let value = group.value(state).ok_or(NotEncoded::NoState)?;
                let domain = draft.definitions.model.domain_mut(variable);
                domain.retain(|it| it == value);
            }
        }
        Ok(())
    }

    fn add_stage(&mut self) -> Result<(), NotEncoded> {
        let program = self.draft.program;
        self.draft.enter(self.grouping)?;
        let over = self.add_over()?;
        let chance = program.chance();
        let flags = match chance {
            Some(chance) => self.add_flags(chance, over)?,
            None => Vec::new(),
        };
        // Players decide before chance, whatever the order of the roles.
        let players = program.role_ids().filter(|&role| chance != Some(role));
        for role in players {
            self.add_action(role, over)?;
        }
        if let Some(chance) = chance {
            let action = self.add_action(chance, over)?;
            self.chances.push((action, flags));
        }
        self.draft.derive(program.turn_nodes())?;
        self.add_next(over)
    }

    fn name(&self, what: &str) -> String {
        format!("{what}@{}", self.stage)
    }

    /// Adds `g_t`: whether the match is over.
    fn add_over(&mut self) -> Result<Literal, NotEncoded> {
        let name = self.name("over");
        let over = self.draft.definitions.flag(name)?.is(1);
        let truth = self.draft.truth(self.draft.program.terminal());
        self.draft.equal(over, truth)?;
        Ok(over)
    }

    /// Adds a flag for each value of the action of chance: whether it is legal, and for `none`
    /// whether the match is over.
    fn add_flags(&mut self, chance: RoleId, over: Literal) -> Result<Vec<Variable>, NotEncoded> {
        let program = self.draft.program;
        let mut flags = Vec::new();
        for (&action, &legal) in program.moves(chance).iter().zip(program.legal(chance)) {
            let parts = vec![Truth::Literal(!over), self.draft.truth(legal)];
            let open = self.draft.definitions.all(parts)?;
            let name = self.name(&format!("legal {}", program.terms().text(action)));
            let flag = self.draft.definitions.flag(name)?;
            self.draft.equal(flag.is(1), open)?;
            flags.push(flag);
        }
        flags.push(over.variable);
        Ok(flags)
    }

    /// Adds the action of a role: a legal move, or `none` if the match is over.
    fn add_action(&mut self, role: RoleId, over: Literal) -> Result<Variable, NotEncoded> {
        let (program, terms) = (self.draft.program, self.draft.program.terms());
        let moves = program.moves(role);
        let labels = moves.iter().map(|&it| terms.text(it));
        let labels: Vec<String> = labels.chain(["none".to_string()]).collect();
        let name = self.name(&terms.text(program.roles()[role.index()]));
        let action = self.draft.definitions.labelled(name, &labels)?;
        for (place, &legal) in (0..).zip(program.legal(role)) {
            let legal = self.draft.truth(legal);
            self.draft.imply(action.is(place), legal)?;
        }
        let none = action.is(moves.len() as u32);
        self.draft.definitions.same(none, over)?;
        self.draft.set_action(role, action);
        Ok(action)
    }

    /// Adds the fluents of the next state: this one if the match is over.
    fn add_next(&mut self, over: Literal) -> Result<(), NotEncoded> {
        let name = format!("@{}", self.stage + 1);
        let mut truths = Vec::new();
        for (place, next) in self.grouping.places.iter().zip(self.draft.next()) {
            let same = self.draft.now[place.group].is(place.value);
            let definitions = &mut self.draft.definitions;
            let stays = definitions.all(vec![Truth::Literal(over), Truth::Literal(same)])?;
            let comes = definitions.all(vec![Truth::Literal(!over), next])?;
            truths.push(definitions.any(vec![stays, comes])?);
        }
        let state = self.draft.fluent_variables(self.grouping, &name)?;
        for (place, truth) in self.grouping.places.iter().zip(truths) {
            self.draft
                .equal(state[place.group].is(place.value), truth)?;
        }
        self.draft.now = state;
        Ok(())
    }

    /// Adds the end and the goals of the last state, and says what is chance and what is wanted.
    fn end(mut self) -> Result<Scsp, NotEncoded> {
        let program = self.draft.program;
        let state = self.draft.now.clone();
        self.draft.enter_end(self.grouping, &state)?;
        let over = self.add_over()?;
        let mut goals = Vec::new();
        for (role, &name) in program.role_ids().zip(program.roles()) {
            if program.chance() != Some(role) {
                goals.push((program.terms().text(name), self.add_goal(role, over)?));
            }
        }
        let names: Vec<&str> = goals.iter().map(|(name, _)| name.as_str()).collect();
        let mut scsp = Scsp::new(self.draft.definitions.model, &names);
        for (action, flags) in self.chances {
            scsp.set_chance(action, Chance::Among(flags))?;
        }
        for (player, (_, goal)) in goals.iter().enumerate() {
            scsp.add_soft(goal.soft((player, goals.len())))?;
        }
        Ok(scsp)
    }

    /// Adds the goal of a role.
    fn add_goal(&mut self, role: RoleId, over: Literal) -> Result<Goal, NotEncoded> {
        let (program, terms) = (self.draft.program, self.draft.program.terms());
        let goals = program.goals(role);
        let mut reached = Vec::new();
        for &(_, literal) in goals {
            let parts = vec![Truth::Literal(over), self.draft.truth(literal)];
            reached.push(self.draft.definitions.all(parts)?);
        }
        let labels = goals.iter().map(|&(term, _)| terms.text(term));
        let labels: Vec<String> = labels.chain(["none".to_string()]).collect();
        let name = format!("goal {}", terms.text(program.roles()[role.index()]));
        let variable = self.draft.definitions.labelled(name, &labels)?;
        for (place, truth) in (0..).zip(reached) {
            self.draft.equal(variable.is(place), truth)?;
        }
        let value = |&(term, _): &(TermId, _)| terms.name(term).parse().unwrap_or(0.0) / 100.0;
        let values = goals.iter().map(value);
        Ok(Goal {
            variable,
            utilities: values.map(|it: f64| it.clamp(0.0, 1.0)).collect(),
        })
    }
}

/// What a player wants: a variable, and the utility of each of its values but the last.
struct Goal {
    variable: Variable,
    utilities: Vec<f64>,
}

impl Goal {
    /// The soft constraint of one of so many players.
    fn soft(&self, (player, players): (usize, usize)) -> Soft {
        let of_all = |utility: f64| {
            let mut all = vec![0.0; players];
            all[player] = utility;
            all
        };
        let rows = (0..).zip(&self.utilities);
        let rows = rows.map(|(place, &utility)| (vec![place], of_all(utility)));
        Soft {
            scope: vec![self.variable],
            rows: rows.collect(),
        }
    }
}
