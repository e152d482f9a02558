//! `ludex check`: every problem of every sheet.

use crate::args::Check;
use crate::json::Entry;
use crate::progress::Spinner;
use crate::{Outcome, input, render};
use anstream::{eprintln, stdout};
use anyhow::{Result, bail};
use game::Game;
use gdl::{Checked, Diagnostic, Lint, Policy, Severity, Tree};
use lab::trial::{self, Trial};
use std::io::Write;

pub(crate) fn run(arguments: &Check) -> Result<Outcome> {
    let policy = policy(arguments)?;
    let mut report = Report::default();
    let mut files = arguments.files().peekable();
    if files.peek().is_none() {
        bail!("no rule sheet was named: `ludex check --play GAME`");
    }
    for file in files {
        match input::read(file, &arguments.reading) {
            Ok(tree) => sheet(arguments, (&policy, tree), &input::title(file), &mut report)?,
            Err(error) => report.fail(&error),
        }
    }
    report.finish(arguments)
}

/// Checks a sheet, and plays it if that is wanted and the sheet is accepted.
fn sheet(
    arguments: &Check,
    (policy, tree): (&Policy, Tree),
    title: &str,
    report: &mut Report,
) -> Result<()> {
    let mut checked = gdl::check(tree, policy);
    let (Some(program), Some(matches)) = (&checked.program, arguments.matches()) else {
        return report.add(arguments, &checked, title);
    };
    let settings = trial::Settings {
        matches,
        turns: arguments.turns,
        seconds: arguments.seconds.0.as_secs_f64(),
        seed: arguments.seed,
    };
    let spinner = Spinner::new(title, arguments.quiet || arguments.json);
    spinner.limit(&arguments.reading);
    let game = Game::of(program, &spinner.limits());
    let trial = Trial::of(&game, &settings);
    drop(spinner);
    let found = trial.diagnostics(program, policy);
    let extent = trial.extent();
    checked.diagnostics.extend(found);
    report.add(arguments, &checked, title)?;
    if !(arguments.json || arguments.quiet) {
        writeln!(stdout(), "{title}: {extent}")?;
    }
    Ok(())
}

/// The levels that the arguments ask for.
fn policy(arguments: &Check) -> Result<Policy> {
    let mut policy = match arguments.strict {
        true => Policy::strict(),
        false => Policy::lenient(),
    };
    for name in &arguments.deny {
        if name == "warnings" {
            policy.deny_warnings();
        } else {
            policy.deny(find(name)?);
        }
    }
    for name in &arguments.allow {
        let lint = find(name)?;
        if !policy.allow(lint) {
            bail!(
                "{} ({}) cannot be allowed: it leaves rules without a meaning",
                lint.code,
                lint.name
            );
        }
    }
    Ok(policy)
}

pub(super) fn find(name: &str) -> Result<&'static Lint> {
    match Lint::find(name) {
        Some(lint) => Ok(lint),
        None => bail!("there is no check `{name}`; `ludex explain` lists them"),
    }
}

/// What was found in all files together.
#[derive(Default)]
struct Report {
    entries: Vec<Entry>,
    accepted: usize,
    refused: usize,
    unread: usize,
    errors: usize,
    warnings: usize,
}

impl Report {
    fn add(&mut self, arguments: &Check, checked: &Checked, title: &str) -> Result<()> {
        let error = |it: &Diagnostic| it.severity == Severity::Error;
        match checked.diagnostics.iter().any(error) {
            false => self.accepted += 1,
            true => self.refused += 1,
        }
        let source = checked.tree().source();
        for diagnostic in &checked.diagnostics {
            match diagnostic.severity {
                Severity::Error => self.errors += 1 + diagnostic.more,
                Severity::Warning => self.warnings += 1 + diagnostic.more,
                Severity::Note => {}
            }
            if arguments.quiet && diagnostic.severity != Severity::Error {
                continue;
            }
            if arguments.json {
                self.entries.push(Entry::new(diagnostic, source, title));
            } else {
                writeln!(
                    stdout(),
                    "{}\n",
                    render::diagnostic(diagnostic, source, title)
                )?;
            }
        }
        Ok(())
    }

    fn fail(&mut self, error: &anyhow::Error) {
        self.unread += 1;
        eprintln!("ludex: {error:#}");
    }

    fn finish(self, arguments: &Check) -> Result<Outcome> {
        if arguments.json {
            serde_json::to_writer_pretty(stdout(), &self.entries)?;
            writeln!(stdout())?;
        } else if !arguments.quiet {
            writeln!(stdout(), "{}", self.summary())?;
        }
        Ok(match (self.unread, self.refused) {
            (0, 0) => Outcome::Fine,
            (0, _) => Outcome::Refused,
            _ => Outcome::Failed,
        })
    }

    fn summary(&self) -> String {
        let mut parts = vec![format!("{} accepted", count(self.accepted, "sheet"))];
        if self.refused > 0 {
            parts.push(format!("{} refused", self.refused));
        }
        if self.unread > 0 {
            parts.push(format!("{} unreadable", self.unread));
        }
        let (errors, warnings) = (count(self.errors, "error"), count(self.warnings, "warning"));
        format!("{}; {errors}, {warnings}", parts.join(", "))
    }
}

fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}
