//! A reasoner against recorded matches.

mod rounds;

pub use rounds::BadNetwork;

use encoding::Encoding;
use game::{Game, Scratch, State, TermId, Unanswered};
use record::BadRecord;
use rounds::Rounds;
use serde::Deserialize;
use std::collections::BTreeSet;

/// Of how many terms a difference speaks.
const NAMED: usize = 5;

/// A recorded match.
#[derive(Clone, Debug, Deserialize)]
pub struct Trace {
    /// Its number in the file.
    #[serde(rename = "match")]
    pub number: u64,
    roles: Vec<String>,
    steps: Vec<Step>,
}

/// What was recorded of one state.
#[derive(Clone, Debug, Deserialize)]
struct Step {
    #[serde(rename = "true")]
    fluents: Vec<String>,
    terminal: bool,
    legal: Option<Vec<Vec<String>>>,
    does: Option<Vec<String>>,
    sees: Option<Vec<Vec<String>>>,
    goals: Option<Vec<Option<i64>>>,
}

impl Step {
    /// Checks that each list has an entry for each role.
    fn check(&self, roles: usize) -> Result<(), BadRecord> {
        for (what, found) in [
            ("legal", self.legal.as_ref().map(Vec::len)),
            ("does", self.does.as_ref().map(Vec::len)),
            ("sees", self.sees.as_ref().map(Vec::len)),
            ("goals", self.goals.as_ref().map(Vec::len)),
        ] {
            BadRecord::check(what, found.unwrap_or(roles), roles)?;
        }
        Ok(())
    }
}

/// Where a reasoner and a recorded match differ.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Difference {
    /// The game has other roles.
    #[error("the roles differ: {0}")]
    Roles(String),
    /// Something of a state differs.
    #[error("state {number}: {apart}")]
    State {
        /// The number of the state, from 0.
        number: usize,
        /// What differs.
        apart: Apart,
    },
    /// A text is no list of terms.
    #[error(transparent)]
    BadRecord(#[from] BadRecord),
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// What differs in a state.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Apart {
    /// One says that the match is over, the other does not.
    #[error("terminal is {found}, recorded {recorded}")]
    Terminal {
        /// What the reasoner says.
        found: bool,
        /// What was recorded.
        recorded: bool,
    },
    /// What is true, legal or seen.
    #[error("{what} differs:\n  found, not recorded: {extra}\n  recorded, not found: {missing}")]
    Terms {
        /// The relation, and the role.
        what: String,
        /// What only the reasoner says.
        extra: String,
        /// What was only recorded.
        missing: String,
    },
    /// The goal of a role.
    #[error("goal {role} is {found:?}, recorded {recorded:?}")]
    Goal {
        /// The role.
        role: String,
        /// The goals that the reasoner says.
        found: Vec<String>,
        /// What was recorded: none where there was none, or more than one.
        recorded: Option<i64>,
    },
    /// The constraint network of the state.
    #[error(transparent)]
    Network(#[from] BadNetwork),
    /// A text is no list of terms.
    #[error(transparent)]
    BadRecord(#[from] BadRecord),
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// Holds a game against recorded matches.
#[derive(Debug)]
pub struct Verifier<'g> {
    game: &'g Game,
    scratch: Scratch,
    /// The network of each state, if that is what is verified.
    rounds: Option<Rounds<'g>>,
    /// How many states were compared.
    pub states: usize,
}

impl<'g> Verifier<'g> {
    /// Verifies a game, and the networks of its states if their encoding is given.
    pub fn new(game: &'g Game, encoding: Option<&'g Encoding>) -> Verifier<'g> {
        Verifier {
            scratch: game.scratch(),
            rounds: encoding.map(Rounds::new),
            game,
            states: 0,
        }
    }

    /// Compares a match up to the first difference.
    pub fn compare_match(&mut self, trace: &Trace) -> Result<(), Difference> {
        let roles = self.terms(&trace.roles)?;
        if roles != self.game.roles() {
            return Err(Difference::Roles(trace.roles.join(", ")));
        }
        let mut state = self.game.initial(&mut self.scratch)?;
        for (number, step) in trace.steps.iter().enumerate() {
            let next = self.step(&state, step);
            let next = next.map_err(|apart| Difference::State { number, apart })?;
            self.states += 1;
            state = next.unwrap_or(state);
        }
        Ok(())
    }

    /// Compares one state; gives the state after the recorded joint move, if there is one.
    fn step(&mut self, state: &State, step: &Step) -> Result<Option<State>, Apart> {
        self.compare("true", state.fluents(), &step.fluents)?;
        let view = self.game.view(&mut self.scratch, state)?;
        if view.terminal != step.terminal {
            return Err(Apart::Terminal {
                found: view.terminal,
                recorded: step.terminal,
            });
        }
        let roles = self.game.roles().to_vec();
        step.check(roles.len())?;
        let recorded = step.legal.iter().flatten();
        for ((role, legal), recorded) in roles.iter().zip(&view.legal).zip(recorded) {
            let role = self.scratch.terms().text(*role);
            self.compare(&format!("legal {role}"), legal, recorded)?;
        }
        let recorded = step.goals.iter().flatten();
        for ((role, goals), recorded) in roles.iter().zip(&view.goals).zip(recorded) {
            self.goal(*role, goals, *recorded)?;
        }
        if let Some(rounds) = self.rounds.as_mut().filter(|_| !view.terminal) {
            rounds.compare(self.game, &mut self.scratch, (state, &view))?;
        }
        let Some(does) = &step.does else {
            return Ok(None);
        };
        let joint = self.terms(does)?;
        BadRecord::check("does", joint.len(), roles.len())?;
        let (next, percepts) = self.game.next(&mut self.scratch, state, &joint)?;
        if let Some(recorded) = &step.sees {
            for ((role, percepts), recorded) in roles.iter().zip(&percepts).zip(recorded) {
                let role = self.scratch.terms().text(*role);
                self.compare(&format!("sees {role}"), percepts, recorded)?;
            }
        }
        Ok(Some(next))
    }

    /// A recorded goal is missing where there was none, or more than one.
    fn goal(&self, role: TermId, goals: &[TermId], recorded: Option<i64>) -> Result<(), Apart> {
        if record::goal(&self.scratch, goals) == recorded {
            return Ok(());
        }
        let terms = self.scratch.terms();
        let names = goals.iter().map(|&goal| terms.name(goal).to_string());
        Err(Apart::Goal {
            role: terms.text(role),
            found: names.collect(),
            recorded,
        })
    }

    fn compare(&mut self, what: &str, found: &[TermId], recorded: &[String]) -> Result<(), Apart> {
        let recorded: BTreeSet<TermId> = self.terms(recorded)?.into_iter().collect();
        let found: BTreeSet<TermId> = found.iter().copied().collect();
        if found == recorded {
            return Ok(());
        }
        let (extra, missing) = (found.difference(&recorded), recorded.difference(&found));
        Err(Apart::Terms {
            what: what.to_string(),
            extra: self.list(&extra.collect::<Vec<_>>()),
            missing: self.list(&missing.collect::<Vec<_>>()),
        })
    }

    /// The first of some terms, and how many more there are.
    fn list(&self, terms: &[&TermId]) -> String {
        let named = terms.iter().take(NAMED);
        let texts: Vec<String> = named.map(|&&it| self.scratch.terms().text(it)).collect();
        let more = match terms.len() - texts.len() {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        format!("{}{more}", texts.join(" "))
    }

    fn terms(&mut self, texts: &[String]) -> Result<Vec<TermId>, BadRecord> {
        record::terms(self.game, &mut self.scratch, &texts.join("\n"))
    }
}
