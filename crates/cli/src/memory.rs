//! `--memory FOLDER`: what players prove about games, in a file for each game.
//!
//! Files are read before the work, and a bad one is an error; all are written as a whole when the
//! work is done. What two commands prove at the same time is not put together: the one that ends
//! last is kept.

use crate::input;
use crate::output::{self, Output};
use anyhow::{Context, Result, anyhow, bail};
use game::Game;
use players::{BadMemory, Memory};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The memories of some games, by their numbers.
#[derive(Debug)]
pub(crate) struct Shelf {
    files: Vec<Kept>,
    /// How many bytes a file may have.
    limit: u64,
}

/// A file, and what it holds once its game is there.
#[derive(Debug)]
struct Kept {
    path: PathBuf,
    output: Output,
    memory: OnceLock<Arc<Memory>>,
}

impl Shelf {
    /// The files of games in a folder, which is made if it is missing. All that are there are
    /// whole, and all can be written.
    pub(crate) fn new(folder: &Path, games: &[PathBuf], limit: u64) -> Result<Shelf> {
        output::folder(folder)?;
        let paths: Vec<PathBuf> = games.iter().map(|it| folder.join(file_name(it))).collect();
        let titles: Vec<String> = games.iter().map(|it| input::title(it)).collect();
        let named = titles.iter().map(String::as_str);
        let named: Vec<(&str, &Path)> = named.zip(paths.iter().map(PathBuf::as_path)).collect();
        output::distinct(&named)?;
        let kept = |path: PathBuf| {
            if let Some(text) = text(&path, limit)? {
                Memory::check(&text).map_err(|reason| bad(&path, &reason))?;
            }
            let output = Output::new(&path)?;
            Ok(Kept {
                path,
                output,
                memory: OnceLock::new(),
            })
        };
        let files: Result<Vec<Kept>> = paths.into_iter().map(kept).collect();
        Ok(Shelf {
            files: files?,
            limit,
        })
    }

    /// Reads what is remembered of a game; nothing, if there is no file yet. False if nothing can
    /// be remembered of it.
    pub(crate) fn take(&self, number: usize, game: &Game) -> Result<bool> {
        let Kept { path, memory, .. } = &self.files[number];
        if memory.get().is_some() {
            return Ok(true);
        }
        let found = match text(path, self.limit)? {
            Some(text) => Memory::read(&text, game),
            None => Memory::new(game),
        };
        match found {
            Ok(found) => _ = memory.set(Arc::new(found)),
            Err(BadMemory::NoIds) => return Ok(false),
            Err(reason) => return Err(bad(path, &reason)),
        }
        Ok(true)
    }

    /// What is remembered of a game that was taken.
    pub(crate) fn find(&self, number: usize) -> Option<Arc<Memory>> {
        self.files[number].memory.get().cloned()
    }

    /// Writes the files of all games that were taken.
    pub(crate) fn write(&self) -> Result<()> {
        for Kept { output, memory, .. } in &self.files {
            if let Some(memory) = memory.get() {
                output.write(&memory.text())?;
            }
        }
        Ok(())
    }
}

/// What the file of a game is called: the game's name, or that of its sheet.
fn file_name(game: &Path) -> String {
    let stem = match input::is_standard_input(game) {
        true => None,
        false => game.file_stem(),
    };
    let name = stem.map_or("stdin".into(), |it| it.to_string_lossy());
    format!("{name}.memory")
}

/// The text of a file, if there is one.
fn text(path: &Path, limit: u64) -> Result<Option<String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        file => file.with_context(|| path.display().to_string())?,
    };
    let mut bytes = Vec::new();
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes);
    read.with_context(|| path.display().to_string())?;
    if bytes.len() as u64 > limit {
        let path = path.display();
        bail!("{path}: it has more bytes than the limit of {limit} (--max-bytes)");
    }
    // Bytes that are no text make the checksum wrong.
    Ok(Some(String::from_utf8_lossy(&bytes).into_owned()))
}

/// The error of a file that is refused.
fn bad(path: &Path, reason: &BadMemory) -> anyhow::Error {
    let path = path.display();
    anyhow!("{path}: {reason}; remove it, or name another folder with --memory")
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Limits;
    use std::fs;

    fn game(name: &str) -> Game {
        let sheet = library::find(name).unwrap();
        let source = gdl::Source::from_bytes(sheet.rules().to_vec());
        Game::load(source, &Limits::default()).unwrap()
    }

    #[test]
    fn a_file_is_made_and_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("new");
        let games = [PathBuf::from("nim"), PathBuf::from("x/tic-tac-toe.kif")];
        let shelf = || Shelf::new(&place, &games, 1 << 20).unwrap();
        let first = shelf();
        assert!(first.take(1, &game("tic-tac-toe")).unwrap());
        assert!(first.find(1).is_some() && first.find(0).is_none());
        first.write().unwrap();
        // A game that was not taken has no file.
        assert!(place.join("tic-tac-toe.memory").exists());
        assert!(!place.join("nim.memory").exists());
        assert!(shelf().take(1, &game("tic-tac-toe")).unwrap());
        // Another game of that name.
        let error = shelf().take(1, &game("nim")).unwrap_err().to_string();
        assert!(
            error.contains("line 2: the file is about another game"),
            "{error}"
        );
    }

    #[test]
    fn a_bad_file_is_refused_and_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("nim.memory");
        fs::write(&path, b"ludex memory 1\ngame 00\xff").unwrap();
        let games = [PathBuf::from("nim")];
        let error = Shelf::new(folder.path(), &games, 1 << 20).unwrap_err();
        let wanted = "nim.memory: line 2: the file ends too early; remove it, or name another \
                      folder with --memory";
        assert!(error.to_string().ends_with(wanted), "{error}");
        assert!(Shelf::new(folder.path(), &games, 5).is_err(), "too large");
        assert!(fs::read(&path).unwrap().ends_with(b"game 00\xff"));
    }
}
