//! Files out: whether they can be written is known before the work, and they are replaced as a
//! whole when it is done.

use anyhow::{Context, Result, anyhow, bail, ensure};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A file that is to be written when the work is done, and can be, as far as one can tell.
#[derive(Debug)]
pub(crate) struct Output {
    path: PathBuf,
}

impl Output {
    /// Makes sure that a file can be written, and leaves everything as it is.
    pub(crate) fn new(path: &Path) -> Result<Output> {
        let path = path.to_path_buf();
        writable(&path).with_context(|| cannot(&path))?;
        Ok(Output { path })
    }

    /// The same where there may be no path.
    pub(crate) fn maybe(path: Option<&Path>) -> Result<Option<Output>> {
        path.map(Output::new).transpose()
    }

    /// Replaces the file: whatever happens in between, either the old or the new text is there.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        replace(&self.path, text).with_context(|| cannot(&self.path))
    }
}

/// A file that must not exist yet, and that nobody else may read.
#[derive(Debug)]
pub(crate) struct Private {
    path: PathBuf,
}

impl Private {
    /// Makes sure that the file can be written, and leaves everything as it is.
    pub(crate) fn new(path: &Path) -> Result<Private> {
        let path = path.to_path_buf();
        let check = || {
            ensure!(path.symlink_metadata().is_err(), "it exists already");
            writable(&path)
        };
        check().with_context(|| cannot(&path))?;
        Ok(Private { path })
    }

    /// Writes the file.
    pub(crate) fn write(&self, text: &str) -> Result<()> {
        let write = || -> Result<()> {
            let mut file = temporary(folder_of(&self.path))?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            (file.persist_noclobber(&self.path)).map_err(|it| it.error)?;
            Ok(())
        };
        write().with_context(|| cannot(&self.path))
    }
}

/// Makes a folder, if it is missing, and makes sure that files can be written into it.
pub(crate) fn folder(path: &Path) -> Result<()> {
    let ready = || -> Result<()> {
        fs::create_dir_all(path)?;
        temporary(path).map(drop)
    };
    ready().with_context(|| format!("cannot write into {}", path.display()))
}

/// Refuses paths of which two are the same file. Each comes with the option that names it.
pub(crate) fn distinct(paths: &[(&str, &Path)]) -> Result<()> {
    for (place, (option, path)) in paths.iter().enumerate() {
        let mut before = paths[..place].iter();
        if let Some((other, _)) = before.find(|(_, it)| target(it) == target(path)) {
            bail!(
                "{other} and {option} name the same file: {}",
                path.display()
            );
        }
    }
    Ok(())
}

fn cannot(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Where a path leads: what a link points to is replaced, and the link stays.
fn target(path: &Path) -> PathBuf {
    let known = fs::canonicalize(path).ok();
    let beside = || {
        Some(
            fs::canonicalize(folder_of(path))
                .ok()?
                .join(path.file_name()?),
        )
    };
    known.or_else(beside).unwrap_or_else(|| path.to_path_buf())
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Whether a path is a device or a pipe, which cannot be replaced.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

/// An error, unless a file can be written at this path.
fn writable(path: &Path) -> Result<()> {
    if is_special(path) {
        return Ok(());
    }
    let text = path.as_os_str().to_string_lossy();
    ensure!(!text.is_empty(), "it has no name");
    ensure!(!path.is_dir() && !text.ends_with('/'), "it is a folder");
    match OpenOptions::new().write(true).open(path) {
        Ok(_) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(error.into()),
    }
    temporary(folder_of(&target(path))).map(drop)
}

/// A file to be renamed, beside the one it will replace.
fn temporary(folder: &Path) -> Result<NamedTempFile> {
    let made = tempfile::Builder::new()
        .prefix(".ludex-")
        .tempfile_in(folder);
    made.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => anyhow!("there is no folder {}", folder.display()),
        io::ErrorKind::PermissionDenied => {
            anyhow!("the folder {} may not be written", folder.display())
        }
        // The error names the temporary file, which nobody asked for.
        _ => match error.get_ref().and_then(|it| it.source()) {
            Some(inner) => anyhow!("{inner}"),
            None => error.into(),
        },
    })
}

fn replace(path: &Path, text: &str) -> Result<()> {
    if is_special(path) {
        let mut file = OpenOptions::new().write(true).open(path)?;
        return Ok(file.write_all(text.as_bytes())?);
    }
    let target = target(path);
    let mut file = temporary(folder_of(&target))?;
    file.write_all(text.as_bytes())?;
    match fs::metadata(&target) {
        Ok(old) => file.as_file().set_permissions(old.permissions())?,
        Err(_) => make_readable(file.as_file())?,
    }
    file.as_file().sync_all()?;
    file.persist(&target).map_err(|it| it.error)?;
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    /// What is in a folder.
    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn asking_whether_a_file_can_be_written_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let old = folder.path().join("old");
        fs::write(&old, "kept").unwrap();
        let outputs = [&old, &folder.path().join("new")].map(|it| Output::new(it).unwrap());
        assert_eq!(names(folder.path()), ["old"]);
        assert_eq!(fs::read_to_string(&old).unwrap(), "kept");
        outputs.iter().for_each(|it| it.write("text").unwrap());
        assert_eq!(names(folder.path()), ["new", "old"]);
        assert_eq!(fs::read_to_string(&old).unwrap(), "text");
    }

    #[test]
    fn errors_name_the_path_that_was_given() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        fs::write(folder.join("file"), "").unwrap();
        let refused = |path: PathBuf| format!("{:#}", Output::new(&path).unwrap_err());
        let name = folder.display();
        assert_eq!(
            refused(folder.join("no/x.json")),
            format!("cannot write {name}/no/x.json: there is no folder {name}/no")
        );
        assert_eq!(
            refused(folder.into()),
            format!("cannot write {name}: it is a folder")
        );
        let text = refused(folder.join("file/x.json"));
        assert!(
            text.starts_with(&format!("cannot write {name}/file/x.json: ")),
            "{text}"
        );
        let text = refused(folder.join("x".repeat(300)));
        assert!(!text.contains(".ludex-"), "{text}");
        assert_eq!(names(folder), ["file"]);
    }

    #[test]
    fn two_names_of_a_file_are_found_out() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("x"), folder.path().join("./x"));
        assert!(distinct(&[("--csv", &one), ("--plot", &folder.path().join("y"))]).is_ok());
        let text = distinct(&[("--csv", &one), ("--plot", &other)])
            .unwrap_err()
            .to_string();
        assert!(
            text.starts_with("--csv and --plot name the same file: "),
            "{text}"
        );
    }

    #[test]
    #[cfg(unix)]
    fn a_device_is_written_and_stays_one() {
        Output::new(Path::new("/dev/null"))
            .unwrap()
            .write("text")
            .unwrap();
        assert!(is_special(Path::new("/dev/null")));
    }
}
