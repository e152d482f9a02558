//! `ludex arena`: many matches, and who is better.

mod bar;
mod lineup;

use super::remote::GRACE;
use crate::args::Arena;
use crate::output::{self, Output};
use crate::stop::Stop;
use crate::{Outcome, version};
use anstream::{eprintln, stdout};
use anyhow::{Context, Result};
use arena::{Clocks, Conditions, Ledger, RunOptions, SqliteStore, Standings};
use bar::Bar;
use lab::standings;
use lineup::Entries;
use std::io::Write;
use std::path::Path;
use std::thread;
use std::time::Duration;

pub(crate) fn run(arguments: &Arena) -> Result<Outcome> {
    let outputs = Outputs::new(arguments)?;
    let (ledger, stop) = match arguments.show {
        Some(number) => {
            let ledger = Ledger::find(store(arguments)?, number);
            (ledger.with_context(|| file(arguments))?, Stop::default())
        }
        None => match play(arguments)? {
            Some(played) => played,
            None => return Ok(Outcome::Refused),
        },
    };
    let outcome = report(arguments, &ledger, &outputs)?;
    Ok(outcome.max(stop.outcome()))
}

/// The files that are written at the end, all of which can be.
struct Outputs {
    csv: Option<Output>,
    plot: Option<Output>,
}

impl Outputs {
    fn new(arguments: &Arena) -> Result<Outputs> {
        let Arena {
            results, csv, plot, ..
        } = arguments;
        let (csv, plot) = (csv.as_deref(), plot.as_deref());
        let named = [
            ("--results", Some(results.as_path())),
            ("--csv", csv),
            ("--plot", plot),
        ];
        let named = named.into_iter();
        let named: Vec<(&str, &Path)> = named.filter_map(|(it, path)| Some((it, path?))).collect();
        output::distinct(&named)?;
        if arguments.show.is_none() && !is_in_memory(arguments) {
            Output::new(results)?;
        }
        Ok(Outputs {
            csv: Output::maybe(csv)?,
            plot: Output::maybe(plot)?,
        })
    }
}

/// Whether results are kept nowhere.
fn is_in_memory(arguments: &Arena) -> bool {
    arguments.results == Path::new(":memory:")
}

/// What errors of the file begin with.
fn file(arguments: &Arena) -> String {
    arguments.results.display().to_string()
}

fn store(arguments: &Arena) -> Result<SqliteStore> {
    let path = &arguments.results;
    if arguments.show.is_some() {
        // A file that is only to be shown is not made.
        path.metadata().with_context(|| file(arguments))?;
    }
    SqliteStore::open(path).with_context(|| file(arguments))
}

/// Plays what is missing, and tells whether it was stopped; nothing if rules were refused.
fn play(arguments: &Arena) -> Result<Option<(Ledger, Stop)>> {
    let Some(entries) = Entries::read(arguments)? else {
        return Ok(None);
    };
    let experiment = entries.lineup.experiment(Conditions {
        clocks: clocks(arguments),
        seed: arguments.seed,
        build: version::build(),
        memory: (arguments.memory.as_ref()).map(|it| it.display().to_string()),
    });
    experiment.check()?;
    entries.admit()?;
    entries.call(experiment.clocks)?;
    let mut ledger = Ledger::take_up(store(arguments)?, experiment, &entries.lineup.texts())
        .with_context(|| file(arguments))?;
    let mut bar = Bar::new(&ledger, arguments.quiet);
    let stop = Stop::when_told()?;
    let shelf = entries.shelf.clone();
    let options = RunOptions {
        stop: stop.flag(),
        ..options(arguments, entries, &bar)
    };
    let mut left = 0;
    let done = arena::run(&options, &mut ledger, &mut |progress| {
        left = progress.wanted - progress.done;
        bar.tell(progress);
    });
    drop(bar);
    // What was proven stays true, however the run ended.
    let written = shelf.map_or(Ok(()), |it| it.write());
    done.with_context(|| file(arguments))?;
    written?;
    if stop.is_asked() {
        stopped(arguments, ledger.results.len(), left);
    }
    Ok(Some((ledger, stop)))
}

/// Says what is kept of an experiment that was stopped, and how to go on.
fn stopped(arguments: &Arena, kept: usize, left: usize) {
    match is_in_memory(arguments) {
        true => eprintln!("ludex: stopped; nothing is kept, as --results is :memory:"),
        false => eprintln!(
            "ludex: stopped; {kept} matches are kept in {}, and {left} are left: the same command \
             goes on with them. The table so far:",
            file(arguments)
        ),
    }
}

fn clocks(arguments: &Arena) -> Clocks {
    match arguments.iterations {
        Some(count) => Clocks::Iterations {
            start: count,
            play: count,
        },
        None => Clocks::Times {
            start: arguments.start_clock.unwrap_or(arguments.clock).0,
            play: arguments.clock.0,
        },
    }
}

fn options(arguments: &Arena, entries: Entries, bar: &Bar) -> RunOptions {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // A player elsewhere plays one match at a time, unless told otherwise.
    let is_remote = entries.lineup.has_addresses();
    let several = if is_remote { 1 } else { cores };
    let parallel = arguments.threads.unwrap_or(several);
    if parallel > cores && arguments.iterations.is_none() {
        eprintln!(
            "ludex: {parallel} matches on {cores} cores take time from each other: clocks will not be \
             what they say"
        );
    }
    let grace = if is_remote { GRACE } else { Duration::ZERO };
    RunOptions {
        matches: arguments.matches,
        error: arguments.stop_at,
        parallel,
        threads: (cores / parallel).max(1),
        patience: arguments.tolerance.patience(grace),
        stop: Stop::default().flag(),
        makers: entries.makers(),
        load: entries.loader(bar),
    }
}

/// Prints the table and writes files; whether the table can be trusted.
fn report(arguments: &Arena, ledger: &Ledger, outputs: &Outputs) -> Result<Outcome> {
    let (schedule, results) = (&ledger.schedule, &ledger.results);
    if let Some(csv) = &outputs.csv {
        csv.write(&standings::matches(ledger).csv())?;
    }
    if let Some(plot) = &outputs.plot {
        let curves = arena::curves(schedule, results, arguments.stop_at);
        plot.write(&standings::svg(&schedule.experiment, &curves))?;
    }
    let found = Standings::new(schedule, results, arguments.stop_at);
    let trust = found.trust(arguments.faults_allowed);
    let text = match arguments.json {
        true => standings::json(ledger, &found, &trust)?,
        false => standings::text(ledger, &found, &trust),
    };
    stdout().write_all(text.as_bytes())?;
    for arena::BrokenGame { game, reason } in &found.broken {
        eprintln!("ludex: {game}: the game is broken, and has no scores: {reason}");
    }
    if trust.trusted {
        return Ok(match found.broken.is_empty() {
            true => Outcome::Fine,
            false => Outcome::Refused,
        });
    }
    eprintln!("ludex: the table is not to be trusted: players were at fault too often");
    Ok(Outcome::Untrusted)
}
