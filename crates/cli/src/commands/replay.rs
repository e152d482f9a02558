//! `ludex replay`: a recorded match, and whether the record is right; `ludex key`.

use crate::args::{NewKey, Replay};
use crate::files::{public_key, read_record};
use crate::output::Private;
use crate::progress::Spinner;
use crate::view::Viewer;
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::{Context, Result, ensure};
use arena::Record;
use arena::referee::Event;
use game::Game;
use gdl::{Policy, Program, Severity};
use record::{Key, MatchFile, Signed, signed};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Larger records are refused, whatever `--max-bytes` says.
const MOST_BYTES: u64 = 256 << 20;

pub(crate) fn run(arguments: &Replay) -> Result<Outcome> {
    let wanted = arguments.signed_by.as_deref().map(public_key).transpose()?;
    let limit = arguments.reading.max_bytes.min(MOST_BYTES);
    let (file, whole) = read_record(&arguments.file, limit)?;
    let quiet = arguments.quiet || arguments.verify;
    let Some(game) = game(arguments, &file, quiet)? else {
        return Ok(Outcome::Refused);
    };
    let record = file.record(&game, &mut game.scratch());
    let record = record.with_context(|| arguments.file.display().to_string())?;
    if !arguments.verify {
        show(&game, &record, quiet)?;
    }
    let turns = record.rounds.len();
    let moves = match file.verify(&game) {
        Ok(()) => Ok(format!("the record is right: {turns} turns")),
        Err(wrong) => Err(format!("the record is wrong: {wrong}")),
    };
    tell([moves, signature(whole, wanted.as_deref())])
}

/// The game: what is given, or what the record names; none if its rules were refused.
fn game(arguments: &Replay, file: &MatchFile, quiet: bool) -> Result<Option<Game>> {
    let given = arguments.game.as_deref();
    let title = given.map_or_else(|| tame(&file.game), input::title);
    let spinner = Spinner::new(&title, quiet);
    let program = match given {
        Some(sheet) => super::program(sheet, &arguments.reading, &spinner)?,
        None => named_program(arguments, &file.game)?,
    };
    Ok(program.map(|program| Game::of(&program, &spinner.limits())))
}

/// The rules that a record names, which anyone may have written: one of our games, or a regular file
/// beside the record or below the current folder. No device is opened, and nothing elsewhere.
fn named_sheet(record: &Path, name: &str) -> Result<PathBuf> {
    let (record_name, path) = (record.display(), Path::new(name));
    ensure!(
        !name.is_empty(),
        "{record_name}: the record does not name a rule sheet; give one with --game"
    );
    if library::named(path).is_some() {
        return Ok(path.to_path_buf());
    }
    let beside = record.parent().filter(|it| !it.as_os_str().is_empty());
    let folders = [beside.unwrap_or(Path::new(".")), Path::new(".")];
    let found = folders.iter().find_map(|folder| inside(folder, path));
    found.with_context(|| {
        let name = tame(name);
        format!(
            "{record_name}: the record names `{name}`, which is neither one of our games nor a \
             file beside the record or below the current folder; give the rules with --game"
        )
    })
}

/// The regular file that a path leads to from a folder, if it is in there.
fn inside(folder: &Path, path: &Path) -> Option<PathBuf> {
    let folder = folder.canonicalize().ok()?;
    let file = folder.join(path).canonicalize().ok()?;
    let is_regular = file.metadata().is_ok_and(|it| it.is_file());
    (file.starts_with(&folder) && is_regular).then_some(file)
}

/// Reads a sheet that a record names. Nothing of its text is printed: it may be any file.
fn named_program(arguments: &Replay, name: &str) -> Result<Option<Program>> {
    let sheet = named_sheet(&arguments.file, name)?;
    let checked = gdl::check(input::read(&sheet, &arguments.reading)?, &Policy::lenient());
    if checked.program.is_none() {
        let errors = checked.diagnostics.iter();
        let errors = errors.filter(|it| it.severity == Severity::Error);
        let codes: BTreeSet<&str> = errors.map(|it| it.lint.code).collect();
        let codes: Vec<&str> = codes.into_iter().collect();
        eprintln!(
            "ludex: `{}`, which the record names, is refused: {}; `ludex check` shows why",
            tame(name),
            codes.join(", ")
        );
    }
    Ok(checked.program)
}

/// A name from a record, without what controls a terminal.
fn tame(name: &str) -> String {
    let tame = |it: char| if it.is_control() { ' ' } else { it };
    name.chars().take(200).map(tame).collect()
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
