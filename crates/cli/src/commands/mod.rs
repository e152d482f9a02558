//! One file a command, or a pair of commands that share their work.

pub(crate) mod arena;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod compare;
mod exact;
pub(crate) mod explain;
pub(crate) mod format;
pub(crate) mod games;
pub(crate) mod host;
mod introduce;
pub(crate) mod lab;
pub(crate) mod matches;
pub(crate) mod new;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod players;
mod remote;
pub(crate) mod replay;
pub(crate) mod server;
pub(crate) mod shell;
pub(crate) mod show;
pub(crate) mod solve;
pub(crate) mod verify;

use crate::args::Reading;
use crate::progress::Spinner;
use crate::{BrokenGame, Outcome, input, render};
use ::lab::trial::{self, Trial};
use anstream::{eprintln, stdout};
use anyhow::Result;
use game::{Game, NoEngine};
use gdl::{Checked, Diagnostic, Policy, Program, Severity, Tree};
use std::fmt::Display;
use std::io::Write;
use std::path::Path;

/// Reads a sheet that has to be right; else its errors are reported.
fn program(file: &Path, reading: &Reading, spinner: &Spinner) -> Result<Option<Program>> {
    spinner.limit(reading);
    let checked = gdl::check(input::read(file, reading)?, &Policy::lenient());
    spinner.aside(|| print_errors(&checked, &input::title(file)));
    Ok(checked.program)
}

/// Reads a sheet and makes it ready for players; none if the rules were refused.
fn for_play(file: &Path, reading: &Reading, quiet: bool) -> Result<Option<Game>> {
    let title = input::title(file);
    let spinner = Spinner::new(&title, quiet);
    spinner.limit(reading);
    let checked = gdl::check(input::read(file, reading)?, &Policy::lenient());
    spinner.aside(|| {
        print_errors(&checked, &title);
        warn_once(&checked, &title);
    });
    let Some(program) = checked.program else {
        return Ok(None);
    };
    let game = Game::of(&program, &spinner.limits());
    drop(spinner);
    if let Some(reason) = game.fallback() {
        eprintln!("ludex: {title}: only the interpreter plays it: {reason}");
    }
    Ok(Some(game))
}

/// Says in a line what the checks warn of, for someone about to play: the first warning, and how
/// many there are.
fn warn_once(checked: &Checked, title: &str) {
    let warnings = checked.diagnostics.iter();
    let warnings = warnings.filter(|it| it.severity == Severity::Warning);
    let count: usize = warnings.clone().map(|it| 1 + it.more).sum();
    // A name that may be misspelt says more than one that is not needed.
    let telling = |it: &&Diagnostic| it.lint.code != "G207";
    let first = warnings.clone().find(telling).or(warnings.clone().next());
    if let Some(first) = first.filter(|_| checked.program.is_some()) {
        let place = checked.tree().source().position(first.span.start);
        let more = match count {
            1 => String::new(),
            _ => format!(" ({} more)", count - 1),
        };
        eprintln!(
            "ludex: {title}:{}: warning: {}; {}{more}; see `ludex check`",
            place.line, first.message, first.help
        );
    }
}

/// Checks a sheet and prints its errors.
fn report_errors(tree: Tree, title: &str) -> Checked {
    let checked = gdl::check(tree, &Policy::lenient());
    print_errors(&checked, title);
    checked
}

/// Prints a sheet's errors to standard error: for commands whose product is something else.
fn print_errors(checked: &Checked, title: &str) {
    let errors = checked.diagnostics.iter();
    for diagnostic in errors.filter(|it| it.severity == Severity::Error) {
        eprintln!(
            "{}\n",
            render::diagnostic(diagnostic, checked.tree().source(), title)
        );
    }
}

/// Plays a game for some seconds: an error if it is broken.
fn sound(title: &str, game: &Game, seconds: f64) -> Result<()> {
    let settings = trial::Settings {
        seconds,
        ..trial::Settings::default()
    };
    match Trial::of(game, &settings).broken() {
        Some(broken) => Err(BrokenGame::new(title, game, broken).into()),
        None => Ok(()),
    }
}

/// Reads a sheet and loads it with the fastest engine that answers questions; none if the rules
/// were refused.
fn best(file: &Path, reading: &Reading, quiet: bool) -> Result<Option<Game>> {
    let spinner = Spinner::new(&input::title(file), quiet);
    let program = program(file, reading, &spinner)?;
    Ok(program.map(|program| Game::best(&program, &spinner.limits())))
}

/// Says why a game has no faster engine than the interpreter.
fn only_interpreted(title: &str, reason: &NoEngine) -> Result<Outcome> {
    writeln!(stdout(), "{title}: only the interpreter plays it: {reason}")?;
    Ok(Outcome::NoEngine)
}

/// Says why a game has no constraint network.
fn not_encoded(title: &str, reason: &impl Display) -> Result<Outcome> {
    writeln!(stdout(), "{title}: it has no constraint network: {reason}")?;
    Ok(Outcome::NoEngine)
}
