//! One file a command, or a pair of commands that share their work.

mod about;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod explain;
mod facts;
pub(crate) mod format;
pub(crate) mod games;
pub(crate) mod perft;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod verify;

use crate::args::Reading;
use crate::{Outcome, input, render};
use anstream::{eprintln, stdout};
use anyhow::Result;
use game::NoEngine;
use gdl::{Checked, Policy, Program, Severity, Tree};
use std::io::Write;
use std::path::Path;

/// Reads a sheet that has to be right; else its errors are reported.
fn program(file: &Path, reading: &Reading) -> Result<Option<Program>> {
    let tree = input::read(file, reading)?;
    Ok(report_errors(tree, &input::title(file)).program)
}

/// Prints a sheet's errors to standard error: for commands whose product is something else.
fn report_errors(tree: Tree, title: &str) -> Checked {
    let checked = gdl::check(tree, &Policy::lenient());
    let errors = checked.diagnostics.iter();
    for diagnostic in errors.filter(|it| it.severity == Severity::Error) {
        eprintln!(
            "{}\n",
            render::diagnostic(diagnostic, checked.tree().source(), title)
        );
    }
    checked
}

/// Says why a game has no faster engine than the interpreter.
fn only_interpreted(title: &str, reason: &NoEngine) -> Result<Outcome> {
    writeln!(stdout(), "{title}: only the interpreter plays it: {reason}")?;
    Ok(Outcome::NoEngine)
}
