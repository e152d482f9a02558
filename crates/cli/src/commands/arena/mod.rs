//! `ludex arena`: many matches, and who is better.

mod bar;
mod lineup;
mod plot;
mod report;

use super::remote::GRACE;
use crate::args::Arena;
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::{Context, Result};
use arena::{Clocks, Experiment, Ledger, Plan, Standings, Store};
use bar::Bar;
use lineup::Lineup;
use std::io::Write;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub(crate) fn run(arguments: &Arena) -> Result<Outcome> {
    let ledger = match arguments.show {
        Some(number) => Some(
            store(arguments)?
                .find(number)
                .with_context(|| file(arguments))?,
        ),
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

fn store(arguments: &Arena) -> Result<Store> {
    let path = &arguments.results;
    if arguments.show.is_some() {
        // A file that is only to be shown is not made.
        path.metadata().with_context(|| file(arguments))?;
    }
    Store::open(path).with_context(|| file(arguments))
}

/// Plays what is missing; nothing if rules were refused.
fn play(arguments: &Arena) -> Result<Option<Ledger>> {
    let Some(lineup) = Lineup::read(arguments)? else {
        return Ok(None);
    };
    let experiment = Experiment {
        games: lineup.entries.clone(),
        players: lineup.players.clone(),
        clocks: clocks(arguments),
        seed: arguments.seed,
        build: lineup::build(),
    };
    experiment.check()?;
    lineup.admit()?;
    lineup.call(experiment.clocks)?;
    let mut ledger = store(arguments)?
        .take_up(experiment)
        .with_context(|| file(arguments))?;
    let mut bar = Bar::new(&ledger, arguments.quiet);
    let plan = plan(arguments, lineup, &bar);
    let done = arena::run(&plan, &mut ledger, &mut |progress| bar.tell(progress));
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

fn plan(arguments: &Arena, lineup: Lineup, bar: &Bar) -> Plan {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    // A player somewhere else plays one match at a time, if nothing else is known of it.
    let is_remote = lineup.is_remote();
    let several = if is_remote { 1 } else { cores };
    let parallel = arguments.threads.unwrap_or(several);
    if parallel > cores && arguments.iterations.is_none() {
        eprintln!(
            "ludex: {parallel} matches on {cores} cores take time from each other: clocks will not be \
             what they say"
        );
    }
    Plan {
        matches: arguments.matches,
        error: arguments.stop_at,
        parallel,
        threads: (cores / parallel).max(1),
        grace: if is_remote { GRACE } else { Duration::ZERO },
        make: Arc::new(lineup.maker()),
        load: Arc::new(lineup.loader(bar)),
    }
}

fn report(arguments: &Arena, ledger: &Ledger) -> Result<()> {
    let (schedule, results) = (&ledger.schedule, &ledger.results);
    if let Some(path) = &arguments.csv {
        input::replace(path, &report::csv(ledger))?;
    }
    if let Some(path) = &arguments.plot {
        let curves = arena::curves(schedule, results, arguments.stop_at);
        input::replace(path, &plot::svg(&schedule.experiment, &curves))?;
    }
    let standings = Standings::new(schedule, results, arguments.stop_at);
    let text = match arguments.json {
        true => report::json(ledger, &standings)?,
        false => report::text(ledger, &standings),
    };
    Ok(stdout().write_all(text.as_bytes())?)
}
