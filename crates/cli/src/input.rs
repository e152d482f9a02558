//! Files, standard input and our own games in.

use crate::args::Reading;
use anyhow::{Context, Result, bail};
use gdl::{ReadLimits, Source, Tree};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Whether a path stands for standard input.
pub(crate) fn is_standard_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// What a path is called in messages.
pub(crate) fn title(path: &Path) -> String {
    match is_standard_input(path) {
        true => "<stdin>".to_string(),
        false => path.display().to_string(),
    }
}

/// Reads a rule sheet into a tree; problems of the text stay in the tree.
pub(crate) fn read(path: &Path, reading: &Reading) -> Result<Tree> {
    let bytes =
        bytes(path, reading.max_bytes).with_context(|| format!("cannot read {}", title(path)))?;
    let limits = ReadLimits {
        depth: reading.max_depth as usize,
        clause: reading.max_clause,
        reports: reading.max_reports as usize,
    };
    let source = Source::from_bytes(bytes);
    Ok(gdl::read(source, reading.syntax.chosen(), &limits))
}

/// The bytes of a file, of standard input, or of one of our games' rules.
pub(crate) fn bytes(path: &Path, limit: u64) -> Result<Vec<u8>> {
    let limit = limit.min(Source::MAX_BYTES as u64);
    let mut bytes = Vec::new();
    if is_standard_input(path) {
        io::stdin().lock().take(limit + 1).read_to_end(&mut bytes)?;
    } else if let Some(game) = library::named(path) {
        bytes.extend_from_slice(game.rules());
    } else {
        let file = open(path)?;
        let length = file.metadata()?.len();
        if length > limit {
            bail!("it has {length} bytes, more than the limit of {limit} (--max-bytes)");
        }
        bytes.reserve_exact(length as usize + 1);
        file.take(limit + 1).read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > limit {
        bail!("it has more bytes than the limit of {limit} (--max-bytes)");
    }
    Ok(bytes)
}

/// Opens a file; what could have been a game's name is told so if there is no such file.
fn open(path: &Path) -> Result<File> {
    let is_missing = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    match (File::open(path), name(path)) {
        (Err(error), Some(name)) if is_missing(&error) => {
            let advice = library::advice(name);
            bail!("there is neither a file nor a game of that name; {advice}")
        }
        (file, _) => Ok(file?),
    }
}

/// The path, if it looks like a game's name: no folder, no extension.
fn name(path: &Path) -> Option<&str> {
    let name = path.to_str()?;
    (!name.contains(['/', '\\', '.'])).then_some(name)
}
