//! The command `ludex`: arguments in, exit code out.
//!
//! Exit codes: 0 all is well, 1 a rule sheet was refused, would change or is a broken game, 2 misuse or a
//! file that cannot be read or written, 3 a game that does not fit the engine asked for, or a
//! limit was reached, 4 results that are not to be trusted, 130 stopped.

mod args;
mod commands;
mod complete;
mod files;
mod input;
mod json;
mod memory;
mod output;
mod person;
mod processes;
mod progress;
mod render;
mod stop;
mod version;
mod view;

use anstream::eprintln;
use args::{Arguments, Command};
use clap::Parser;
use std::process::ExitCode;

/// How a command ended, if it could do its work.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Exit code 0.
    Fine,
    /// Exit code 1: rules were refused, or would change.
    Refused,
    /// Exit code 2: something could not be read or written; it was reported.
    Failed,
    /// Exit code 3: the game does not fit the engine asked for.
    NoEngine,
    /// Exit code 3: a limit was reached.
    Limit,
    /// Exit code 4: players were at fault too often for results to be trusted.
    Untrusted,
    /// Exit code 130: somebody stopped it, and it ended in good order.
    Stopped,
}

impl Outcome {
    fn code(self) -> u8 {
        match self {
            Outcome::Fine => 0,
            Outcome::Refused => 1,
            Outcome::Failed => 2,
            Outcome::NoEngine | Outcome::Limit => 3,
            Outcome::Untrusted => 4,
            Outcome::Stopped => 130,
        }
    }
}

fn main() -> ExitCode {
    complete::answer();
    processes::join();
    let code = match Arguments::try_parse() {
        Ok(arguments) => run(arguments.command),
        Err(error) => {
            // As `parse` does, but nobody is left behind.
            let _ = error.print();
            ExitCode::from(error.exit_code() as u8)
        }
    };
    processes::leave();
    code
}

fn run(command: Command) -> ExitCode {
    let outcome = match command {
        Command::Play(arguments) => commands::play::run(&arguments),
        Command::Match(arguments) => commands::matches::run(&arguments),
        Command::Replay(arguments) => commands::replay::run(&arguments),
        Command::Host(arguments) => commands::host::run(&arguments),
        Command::Player(arguments) => commands::server::run(&arguments),
        Command::Key(arguments) => commands::replay::new_key(&arguments),
        Command::Arena(arguments) => commands::arena::run(&arguments),
        Command::Players => commands::players::run(),
        Command::New(arguments) => commands::new::run(&arguments),
        Command::Games(arguments) => commands::games::run(&arguments),
        Command::Check(arguments) => commands::check::run(&arguments),
        Command::Fmt(arguments) => Ok(commands::format::fmt(&arguments)),
        Command::Convert(arguments) => commands::format::convert(&arguments),
        Command::Explain(arguments) => commands::explain::run(&arguments),
        Command::Show(arguments) => commands::show::run(&arguments),
        Command::Lab(arguments) => commands::lab::run(&arguments),
        Command::Bench(arguments) => commands::bench::run(&arguments),
        Command::Perft(arguments) => commands::perft::run(&arguments),
        Command::Solve(arguments) => commands::solve::run(&arguments),
        Command::Verify(arguments) => commands::verify::run(&arguments),
        Command::Compare(arguments) => commands::compare::run(&arguments),
        Command::Worker => cluster::serve_pipes(version::VERSION),
        Command::Completions { shell } => commands::shell::completions(shell),
        Command::Man { out } => commands::shell::man(out.as_deref()),
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome.code()),
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ludex: {error:#}");
            ExitCode::from(failure(&error).code())
        }
    }
}

/// The outcome of a command that could not do its work.
fn failure(error: &anyhow::Error) -> Outcome {
    if error.is::<BrokenGame>() || error.is::<RefusedRules>() {
        Outcome::Refused
    } else if error.is::<game::NoEngine>() {
        Outcome::NoEngine
    } else {
        Outcome::Failed
    }
}

/// Rules with errors, which were reported. Exit code 1.
#[derive(Debug, thiserror::Error)]
#[error("the rules were refused")]
struct RefusedRules;

/// A game whose rules are broken: no value and no score can be told of it. Exit code 1.
#[derive(Debug, thiserror::Error)]
#[error("{title}: the game is broken: {told}")]
struct BrokenGame {
    title: String,
    told: String,
}

impl BrokenGame {
    fn new(title: &str, game: &game::Game, broken: &game::Broken) -> BrokenGame {
        BrokenGame {
            title: title.to_string(),
            told: broken.told(game).to_string(),
        }
    }
}

/// Whether the reader of our output has gone, as `head` does: no reason to complain.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kinds = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    kinds
        .map(std::io::Error::kind)
        .any(|kind| kind == std::io::ErrorKind::BrokenPipe)
}
