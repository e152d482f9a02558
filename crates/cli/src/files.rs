//! Records of matches and keys: from files and to files.

use crate::output::Output;
use anyhow::{Context, Result, bail};
use record::{Key, MatchFile};
use serde_json::{Map, Value};
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// Writes a record, signed if there is a key.
pub(crate) fn write_record(to: &Output, record: &MatchFile, key: Option<&Key>) -> Result<()> {
    to.write(&record.text(key)?)
}

/// Reads a record of at most so many bytes: what we know of it, and all that the file says.
pub(crate) fn read_record(path: &Path, limit: u64) -> Result<(MatchFile, Map<String, Value>)> {
    let name = || format!("{}: no match", path.display());
    let file = File::open(path).with_context(|| path.display().to_string())?;
    let mut text = Vec::new();
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut text);
    read.with_context(|| path.display().to_string())?;
    if text.len() as u64 > limit {
        let path = path.display();
        bail!("{path}: it has more bytes than the limit of {limit} (--max-bytes)");
    }
    let whole = serde_json::from_slice(&text).with_context(name)?;
    let file = serde_json::from_slice(&text).with_context(name)?;
    Ok((file, whole))
}

/// Reads a key to sign with.
pub(crate) fn read_key(path: &Path) -> Result<Key> {
    let name = || path.display().to_string();
    let text = fs::read(path).with_context(name)?;
    Key::read(&text).with_context(name)
}

/// The public key that is meant: the key itself, or a file with one in it.
pub(crate) fn public_key(text: &str) -> Result<String> {
    if let Some(key) = record::public_key(text) {
        return Ok(key);
    }
    let Ok(file) = fs::read(text) else {
        bail!("`{text}` is neither a public key nor a file that can be read");
    };
    let key = record::public_key(&String::from_utf8_lossy(&file));
    key.with_context(|| format!("{text}: there is no public key `PK` in it"))
}

/// The time, in milliseconds since 1970.
pub(crate) fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::Private;

    #[test]
    fn a_key_is_never_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key.json");
        let key = Key::new().unwrap();
        let twice = [(); 2].map(|()| Private::new(&path).unwrap());
        twice[0].write(&key.text().unwrap()).unwrap();
        assert!(twice[1].write("other").is_err());
        assert!(Private::new(&path).is_err());
        assert_eq!(read_key(&path).unwrap().public(), key.public());
        assert_eq!(public_key(path.to_str().unwrap()).unwrap(), key.public());
    }
}
