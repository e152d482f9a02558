//! `ludex explain`: what a diagnostic means.

use crate::Outcome;
use crate::args::Explain;
use anstream::stdout;
use anyhow::Result;
use gdl::{Level, Lint, catalogue};
use std::io::Write;

pub(crate) fn run(arguments: &Explain) -> Result<Outcome> {
    match &arguments.code {
        Some(name) => one(super::check::find(name)?)?,
        None => all()?,
    }
    Ok(Outcome::Fine)
}

fn one(lint: &Lint) -> Result<()> {
    let mut out = stdout();
    writeln!(out, "{} {}: {}\n", lint.code, lint.name, lint.summary)?;
    writeln!(out, "{}\n", wrap(lint.explanation))?;
    let (default, strict) = (word(lint.default), word(lint.strict));
    let allowed = match lint.is_fatal() {
        true => "; cannot be allowed",
        false => "",
    };
    writeln!(
        out,
        "By default {default}, with --strict {strict}{allowed}."
    )?;
    if !lint.bad.is_empty() {
        writeln!(out, "\nBad:\n{}", indent(lint.bad))?;
        writeln!(out, "Good:\n{}", indent(lint.good))?;
    }
    Ok(())
}

fn all() -> Result<()> {
    let mut out = stdout();
    writeln!(out, "code  default  strict   name")?;
    for lint in catalogue::all() {
        let (default, strict) = (short(lint.default), short(lint.strict));
        let Lint {
            code,
            name,
            summary,
            ..
        } = lint;
        writeln!(out, "{code}  {default:8} {strict:8} {name}: {summary}")?;
    }
    Ok(())
}

fn short(level: Level) -> &'static str {
    match level {
        Level::Allow => "allow",
        Level::Note => "note",
        Level::Warn => "warning",
        Level::Deny => "error",
    }
}

fn word(level: Level) -> &'static str {
    match level {
        Level::Allow => "allowed",
        Level::Note => "a note",
        Level::Warn => "a warning",
        Level::Deny => "an error",
    }
}

fn indent(text: &str) -> String {
    let visible = text.replace(|c: char| c.is_control() && c != '\n', "\u{fffd}");
    visible
        .lines()
        .map(|line| format!("    {line}\n"))
        .collect()
}

/// Breaks a paragraph into lines of at most eighty characters.
fn wrap(text: &str) -> String {
    let mut wrapped = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column + length >= 80 {
            wrapped.push('\n');
            column = 0;
        } else if column > 0 {
            wrapped.push(' ');
        }
        wrapped.push_str(word);
        column += length + 1;
    }
    wrapped
}
