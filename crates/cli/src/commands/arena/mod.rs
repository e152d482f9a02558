//! `ludex arena`: many matches, and who is better.

mod bar;
mod lineup;

use super::remote::GRACE;
use crate::args::Arena;
use crate::{Outcome, input, version};
use anstream::{eprintln, stdout};
use anyhow::{Context, Result};
use arena::{Clocks, Conditions, Ledger, RunOptions, SqliteStore, Standings};
use bar::Bar;
use lab::standings;
use lineup::Entries;
use std::io::Write;
use std::thread;
use std::time::Duration;

pub(crate) fn run(arguments: &Arena) -> Result<Outcome> {
    let ledger = match arguments.show {
        Some(number) => {
            let ledger = Ledger::find(store(arguments)?, number);
            Some(ledger.with_context(|| file(arguments))?)
        }
        None => play(arguments)?,
    };
    match ledger {
        Some(ledger) => report(arguments, &ledger).map(|()| Outcome::Fine),
        None => Ok(Outcome::Refused),
    }
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

/// Plays what is missing; nothing if rules were refused.
fn play(arguments: &Arena) -> Result<Option<Ledger>> {
    let Some(entries) = Entries::read(arguments)? else {
        return Ok(None);
    };
    let experiment = entries.lineup.experiment(Conditions {
        clocks: clocks(arguments),
        seed: arguments.seed,
        build: version::build(),
    });
    experiment.check()?;
    entries.admit()?;
    entries.call(experiment.clocks)?;
    let mut ledger = Ledger::take_up(store(arguments)?, experiment, &entries.lineup.texts())
        .with_context(|| file(arguments))?;
    let mut bar = Bar::new(&ledger, arguments.quiet);
    let options = options(arguments, entries, &bar);
    let done = arena::run(&options, &mut ledger, &mut |progress| bar.tell(progress));
    drop(bar);
    done.with_context(|| file(arguments))?;
    Ok(Some(ledger))
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
    RunOptions {
        matches: arguments.matches,
        error: arguments.stop_at,
        parallel,
        threads: (cores / parallel).max(1),
        grace: if is_remote { GRACE } else { Duration::ZERO },
        makers: entries.makers(),
        load: entries.loader(bar),
    }
}

fn report(arguments: &Arena, ledger: &Ledger) -> Result<()> {
    let (schedule, results) = (&ledger.schedule, &ledger.results);
    if let Some(path) = &arguments.csv {
        input::replace(path, &standings::matches(ledger).csv())?;
    }
    if let Some(path) = &arguments.plot {
        let curves = arena::curves(schedule, results, arguments.stop_at);
        input::replace(path, &standings::svg(&schedule.experiment, &curves))?;
    }
    let found = Standings::new(schedule, results, arguments.stop_at);
    let text = match arguments.json {
        true => standings::json(ledger, &found)?,
        false => standings::text(ledger, &found),
    };
    Ok(stdout().write_all(text.as_bytes())?)
}
