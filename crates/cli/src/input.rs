//! Files, standard input and our own games in, formatted files out.

use crate::args::Reading;
use anyhow::{Context, Result, bail};
use gdl::{ReadLimits, Source, Tree};
use std::fs::{self, File};
use std::io::{self, Read, Write};
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

/// Replaces a file as a whole: whatever happens in between, either the old or the new text
/// is there.
pub(crate) fn replace(path: &Path, text: &str) -> Result<()> {
    let write = || -> Result<()> {
        // A link stays a link: what it points to is replaced.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
        let folder = target
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new()
            .prefix(".ludex-")
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        match fs::metadata(&target) {
            Ok(old) => file.as_file().set_permissions(old.permissions())?,
            Err(_) => make_readable(file.as_file())?,
        }
        file.as_file().sync_all()?;
        file.persist(&target)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a file that does not exist yet, and that nobody else may read.
pub(crate) fn create_private(path: &Path, text: &str) -> Result<()> {
    let write = || -> Result<()> {
        let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
        let mut file = tempfile::Builder::new()
            .prefix(".ludex-")
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist_noclobber(path).map_err(|it| it.error)?;
        Ok(())
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

/// Temporary files start out private; a new file of the user's should not be.
#[cfg(unix)]
fn make_readable(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn make_readable(_: &File) -> io::Result<()> {
    Ok(())
}
