//! `ludex verify`: a reasoner against recorded matches.

use crate::args::{Engine, Verify};
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use logic::{Evaluator, GroundLimits, Interpreter, Limits, Scratch, State, TermId};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufReader, Read, Write};
use std::path::Path;

/// A recorded match.
#[derive(Deserialize)]
struct Record {
    #[serde(rename = "match")]
    number: u64,
    roles: Vec<String>,
    steps: Vec<Step>,
}

/// What was recorded of one state.
#[derive(Deserialize)]
struct Step {
    #[serde(rename = "true")]
    fluents: Vec<String>,
    terminal: bool,
    legal: Option<Vec<Vec<String>>>,
    does: Option<Vec<String>>,
    sees: Option<Vec<Vec<String>>>,
    goals: Option<Vec<Option<i64>>>,
}

pub(crate) fn run(arguments: &Verify) -> Result<Outcome> {
    let title = input::title(&arguments.game);
    let tree = input::read(&arguments.game, &arguments.reading)?;
    let checked = super::report_errors(tree, &title);
    let Some(program) = &checked.program else {
        return Ok(Outcome::Refused);
    };
    let interpreter = Interpreter::new(program, Limits::default());
    let evaluator = match arguments.engine {
        Engine::Interpreter => None,
        Engine::Ground => match logic::ground(&interpreter, &GroundLimits::default()) {
            Ok(program) => Some(Evaluator::new(program)),
            Err(reason) => return super::only_interpreted(&title, &reason),
        },
    };
    let mut verifier = Verifier {
        scratch: interpreter.scratch(),
        interpreter,
        evaluator,
        states: 0,
    };
    for path in &arguments.traces {
        let matches = serde_json::Deserializer::from_reader(open(path)?).into_iter::<Record>();
        for record in matches {
            let record = record.with_context(|| format!("{}: not a trace", path.display()))?;
            if let Err(difference) = verifier.record(&record) {
                let (path, number) = (path.display(), record.number);
                writeln!(stdout(), "{title}: {path}: match {number}, {difference:#}")?;
                return Ok(Outcome::Refused);
            }
        }
    }
    writeln!(stdout(), "{title}: {} states agree", verifier.states)?;
    Ok(Outcome::Fine)
}

/// Opens a trace, gzipped or not.
fn open(path: &Path) -> Result<Box<dyn Read>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let gzipped = path.extension().is_some_and(|extension| extension == "gz");
    Ok(match gzipped {
        true => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        false => Box::new(BufReader::new(file)),
    })
}

struct Verifier {
    interpreter: Interpreter,
    /// The engine that is verified, if it is not the interpreter.
    evaluator: Option<Evaluator>,
    scratch: Scratch,
    states: usize,
}

impl Verifier {
    fn record(&mut self, record: &Record) -> Result<()> {
        let roles = self.terms(&record.roles)?;
        if roles != self.interpreter.rules().roles() {
            bail!("the roles differ: {}", record.roles.join(", "));
        }
        let mut state = match &self.evaluator {
            Some(evaluator) => evaluator.initial(),
            None => self.interpreter.initial(&mut self.scratch)?,
        };
        for (number, step) in record.steps.iter().enumerate() {
            let next = self
                .step(&state, step)
                .with_context(|| format!("state {number}"))?;
            self.states += 1;
            state = next.unwrap_or(state);
        }
        Ok(())
    }

    /// Compares one state; gives the state after the recorded joint move, if there is one.
    fn step(&mut self, state: &State, step: &Step) -> Result<Option<State>> {
        self.compare("true", state.fluents(), &step.fluents)?;
        let view = match &self.evaluator {
            Some(evaluator) => evaluator
                .view(state)
                .context("the state cannot be reached")?,
            None => self.interpreter.view(&mut self.scratch, state)?,
        };
        if view.terminal != step.terminal {
            bail!("terminal is {}, recorded {}", view.terminal, step.terminal);
        }
        let roles = self.interpreter.rules().roles().to_vec();
        let recorded = step.legal.iter().flatten();
        for ((role, legal), recorded) in roles.iter().zip(&view.legal).zip(recorded) {
            let role = self.scratch.terms().text(*role);
            self.compare(&format!("legal {role}"), legal, recorded)?;
        }
        let recorded = step.goals.iter().flatten();
        for ((role, goals), recorded) in roles.iter().zip(&view.goals).zip(recorded) {
            self.goal(*role, goals, *recorded)?;
        }
        let Some(does) = &step.does else {
            return Ok(None);
        };
        let joint = self.terms(does)?;
        let (next, percepts) = self.next(state, &joint)?;
        if let Some(recorded) = &step.sees {
            for ((role, percepts), recorded) in roles.iter().zip(&percepts).zip(recorded) {
                let role = self.scratch.terms().text(*role);
                self.compare(&format!("sees {role}"), percepts, recorded)?;
            }
        }
        Ok(Some(next))
    }

    /// The state after a joint move, and what each role sees of it.
    fn next(&mut self, state: &State, joint: &[TermId]) -> Result<(State, Vec<Vec<TermId>>)> {
        if let Some(evaluator) = &self.evaluator {
            return evaluator
                .next(state, joint)
                .context("the joint move cannot be reached");
        }
        let percepts = self.interpreter.percepts(&mut self.scratch, state, joint)?;
        let next = self.interpreter.next(&mut self.scratch, state, joint)?;
        Ok((next, percepts))
    }

    /// A recorded goal is missing where there was none, or more than one.
    fn goal(&self, role: TermId, goals: &[TermId], recorded: Option<i64>) -> Result<()> {
        let goals: Vec<&str> = goals
            .iter()
            .map(|&goal| self.scratch.terms().name(goal))
            .collect();
        let single = match goals[..] {
            [goal] => goal.parse().ok(),
            _ => None,
        };
        if single != recorded {
            let role = self.scratch.terms().text(role);
            bail!("goal {role} is {goals:?}, recorded {recorded:?}");
        }
        Ok(())
    }

    fn compare(&mut self, what: &str, found: &[TermId], recorded: &[String]) -> Result<()> {
        let recorded: BTreeSet<TermId> = self.terms(recorded)?.into_iter().collect();
        let found: BTreeSet<TermId> = found.iter().copied().collect();
        if found == recorded {
            return Ok(());
        }
        let terms = self.scratch.terms();
        let list = |terms_only: Vec<&TermId>| -> String {
            let texts: Vec<_> = terms_only
                .iter()
                .take(5)
                .map(|&&term| terms.text(term))
                .collect();
            let more = terms_only.len() - texts.len();
            let more = if more > 0 {
                format!(" and {more} more")
            } else {
                String::new()
            };
            format!("{}{more}", texts.join(" "))
        };
        let extra = list(found.difference(&recorded).collect());
        let missing = list(recorded.difference(&found).collect());
        bail!("{what} differs:\n  found, not recorded: {extra}\n  recorded, not found: {missing}")
    }

    fn terms(&mut self, texts: &[String]) -> Result<Vec<TermId>> {
        let tree = gdl::read(
            texts.join("\n").as_str().into(),
            Some(gdl::Syntax::Prefix),
            &gdl::Limits::default(),
        );
        let terms = tree
            .forms()
            .map(|form| self.scratch.term(&self.interpreter, form));
        let terms: Option<Vec<TermId>> = terms.collect();
        terms.context("a term of the trace cannot be read")
    }
}
