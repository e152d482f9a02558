//! `ludex verify`: a reasoner against recorded matches.

use super::rounds::Rounds;
use crate::args::{Engine, Verify};
use crate::progress::Spinner;
use crate::{Outcome, input, record};
use anstream::stdout;
use anyhow::{Context, Result, bail};
use flate2::read::MultiGzDecoder;
use game::{Game, Scratch, State, TermId};
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
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(&arguments.game, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let game = Game::new(&program, arguments.engine.chosen(), &spinner.limits());
    drop(spinner);
    let game = match game {
        Ok(game) => game,
        Err(reason) => return super::only_interpreted(&title, &reason),
    };
    let encoding = (arguments.engine == Engine::Scsp).then(|| game.encoding());
    let encoding = match encoding.flatten().transpose() {
        Ok(encoding) => encoding,
        Err(reason) => {
            writeln!(stdout(), "{title}: it is not encoded: {reason}")?;
            return Ok(Outcome::NoEngine);
        }
    };
    let mut verifier = Verifier {
        scratch: game.scratch(),
        rounds: encoding.map(Rounds::new),
        game: &game,
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

struct Verifier<'g> {
    game: &'g Game,
    scratch: Scratch,
    /// The network of each state, if that is what is verified.
    rounds: Option<Rounds<'g>>,
    states: usize,
}

impl Verifier<'_> {
    fn record(&mut self, record: &Record) -> Result<()> {
        let roles = self.terms(&record.roles)?;
        if roles != self.game.roles() {
            bail!("the roles differ: {}", record.roles.join(", "));
        }
        let mut state = self.game.initial(&mut self.scratch)?;
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
        let view = self.game.view(&mut self.scratch, state)?;
        if view.terminal != step.terminal {
            bail!("terminal is {}, recorded {}", view.terminal, step.terminal);
        }
        let roles = self.game.roles().to_vec();
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
        record::terms(self.game, &mut self.scratch, &texts.join("\n"))
    }
}
