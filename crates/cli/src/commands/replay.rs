//! `ludex replay`: a recorded match, and whether the record is right; `ludex key`.

use crate::args::{NewKey, Replay};
use crate::files::{public_key, read_record};
use crate::output::Private;
use crate::progress::Spinner;
use crate::view::Viewer;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Context, Result, ensure};
use arena::Record;
use arena::referee::Event;
use game::Game;
use record::{Key, MatchFile, Signed, signed};
use serde_json::{Map, Value};
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &Replay) -> Result<Outcome> {
    let wanted = arguments.signed_by.as_deref().map(public_key).transpose()?;
    let (file, whole) = read_record(&arguments.file)?;
    let sheet = sheet(arguments, &file)?;
    let quiet = arguments.quiet || arguments.verify;
    let spinner = Spinner::new(&input::title(&sheet), quiet);
    let Some(program) = super::program(&sheet, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let game = Game::of(&program, &spinner.limits());
    drop(spinner);
    let record = file.record(&game, &mut game.scratch());
    let record = record.with_context(|| arguments.file.display().to_string())?;
    if !arguments.verify {
        show(&game, &record, quiet)?;
    }
    let turns = record.rounds.len();
    let moves = match record.replay(&game) {
        Ok(()) => Ok(format!("the record is right: {turns} turns")),
        Err(difference) => Err(format!("the record is wrong: {difference}")),
    };
    tell([moves, signature(whole, wanted.as_deref())])
}

/// The rules: what is given, or what the record names.
fn sheet(arguments: &Replay, file: &MatchFile) -> Result<PathBuf> {
    let given = arguments.game.clone();
    let sheet = given.unwrap_or_else(|| Path::new(&file.game).into());
    ensure!(
        !sheet.as_os_str().is_empty(),
        "{}: the record does not name a rule sheet; give one with --game",
        arguments.file.display()
    );
    Ok(sheet)
}

fn show(game: &Game, record: &Record, quiet: bool) -> Result<()> {
    let mut viewer = Viewer::new(game, quiet);
    for round in &record.rounds {
        viewer.show(&Event::State(&round.state));
        viewer.show(&Event::Round(round));
    }
    viewer.show(&Event::State(&record.last));
    viewer.end(record)
}

/// What is to be said of the signature; an error if it is not as it should be.
fn signature(whole: Map<String, Value>, wanted: Option<&str>) -> Result<String, String> {
    match (signed(whole), wanted) {
        (Signed::Wrong, _) => Err("the signature is wrong".to_string()),
        (Signed::No, Some(_)) => Err("the record is not signed".to_string()),
        (Signed::No, None) => Ok("the record is not signed".to_string()),
        (Signed::By(key), Some(wanted)) if key != wanted => {
            Err(format!("the record is signed by another host: {key}"))
        }
        (Signed::By(key), _) => Ok(format!("the signature is right: {key}")),
    }
}

/// Says what was found; refused if any of it is wrong.
fn tell(found: [Result<String, String>; 2]) -> Result<Outcome> {
    let outcome = match found.iter().all(Result::is_ok) {
        true => Outcome::Fine,
        false => Outcome::Refused,
    };
    for Ok(text) | Err(text) in found {
        writeln!(stdout(), "{text}")?;
    }
    Ok(outcome)
}

/// Makes a key to sign records with.
pub(crate) fn new_key(arguments: &NewKey) -> Result<Outcome> {
    let file = Private::new(&arguments.file)?;
    let key = Key::new()?;
    file.write(&key.text()?)?;
    writeln!(stdout(), "{}", key.public())?;
    Ok(Outcome::Fine)
}
