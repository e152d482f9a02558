//! `ludex check`: every problem of every sheet.

use crate::args::Check;
use crate::json::Entry;
use crate::{Outcome, input, render};
use anstream::{eprintln, stdout};
use anyhow::{Result, bail};
use gdl::{Checked, Lint, Policy, Severity};
use std::io::Write;

pub(crate) fn run(arguments: &Check) -> Result<Outcome> {
    let policy = policy(arguments)?;
    let mut report = Report::default();
    for file in &arguments.files {
        match input::read(file, &arguments.reading) {
            Ok(tree) => report.add(arguments, &gdl::check(tree, &policy), &input::title(file))?,
            Err(error) => report.fail(&error),
        }
    }
    report.finish(arguments)
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
        match checked.program {
            Some(_) => self.accepted += 1,
            None => self.refused += 1,
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
