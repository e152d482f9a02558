//! `ludex compare`: whether two sheets are the same game.

use crate::args::Compare;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Context, Result};
use lab::compare::{Comparison, Map, Settings, Side};
use std::io::Write;
use std::path::Path;

pub(crate) fn run(arguments: &Compare) -> Result<Outcome> {
    let map = match &arguments.map {
        Some(path) => map(path, arguments.reading.max_bytes)?,
        None => Map::default(),
    };
    let load = |file| super::best(file, &arguments.reading, arguments.quiet);
    let (Some(ours), Some(theirs)) = (load(&arguments.game)?, load(&arguments.other)?) else {
        return Ok(Outcome::Refused);
    };
    let (here, there) = (
        input::title(&arguments.game),
        input::title(&arguments.other),
    );
    let titles = format!("{here} and {there}");
    let mut comparison = Comparison::new(Side::new(here, ours), Side::new(there, theirs), &map)?;
    let settings = Settings {
        matches: arguments.matches,
        turns: arguments.turns,
        seed: arguments.seed,
    };
    if let Err(difference) = comparison.play(&settings) {
        writeln!(stdout(), "{titles}: {difference}")?;
        return Ok(Outcome::Refused);
    }
    let (states, moves) = (comparison.states, comparison.moves);
    let matches = settings.matches;
    writeln!(
        stdout(),
        "{titles} agree: {matches} matches, {states} states, {moves} legal moves"
    )?;
    Ok(Outcome::Fine)
}

/// Reads a map.
fn map(path: &Path, limit: u64) -> Result<Map> {
    let title = input::title(path);
    let bytes = input::bytes(path, limit);
    let bytes = bytes.with_context(|| format!("cannot read {title}"))?;
    Ok(Map::read(&title, bytes)?)
}
