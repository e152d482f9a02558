//! What was said in each match, in a file: a line of JSON for each message and its reply. Long
//! messages are shortened, and what the disk cannot keep up with is left out.

use crate::message::{MessageKind, cut};
use serde::Serialize;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// How many entries may wait to be written.
const WAITING: usize = 100;
/// Bytes of messages that are recorded.
const RULES: usize = 1 << 20;
const TURN: usize = 16 << 10;

/// A message and its reply.
#[derive(Serialize)]
struct Entry {
    /// When the reply was given, in milliseconds since 1970.
    time: u64,
    milliseconds: u64,
    message: String,
    reply: String,
    #[serde(skip)]
    file: String,
}

/// Where entries go; a thread writes them, so that no disk makes a move late.
pub(super) struct Diary {
    entries: Option<SyncSender<Entry>>,
}

impl Diary {
    pub(super) fn new(folder: Option<PathBuf>) -> Diary {
        let entries = folder.map(|folder| {
            let (entries, inbox) = sync_channel::<Entry>(WAITING);
            thread::spawn(move || {
                for entry in inbox {
                    if let Err(error) = write(&folder, &entry) {
                        tracing::error!(%error, folder = %folder.display(), "not recorded");
                    }
                }
            });
            entries
        });
        Diary { entries }
    }

    pub(super) fn is_kept(&self) -> bool {
        self.entries.is_some()
    }

    pub(super) fn note(&self, id: &str, (message, reply): (String, String), arrived: Instant) {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        let entry = Entry {
            time: since.map_or(0, |since| since.as_millis() as u64),
            milliseconds: arrived.elapsed().as_millis() as u64,
            message,
            reply,
            file: file_name(id),
        };
        if let Some(entries) = &self.entries
            && entries.try_send(entry).is_err()
        {
            tracing::error!(id, "not recorded: the disk is too slow");
        }
    }
}

/// A message as it is recorded: rules of any size that games have, turns of any that matches have.
pub(super) fn excerpt(kind: MessageKind, message: &str) -> String {
    cut(
        message,
        if kind == MessageKind::Start {
            RULES
        } else {
            TURN
        },
    )
}

/// A name for a file that stays in its folder, whatever a match is called.
fn file_name(id: &str) -> String {
    const LONGEST: usize = 100;
    let tame = |it: char| {
        if it.is_ascii_alphanumeric() || it == '-' {
            it
        } else {
            '_'
        }
    };
    let name: String = id.chars().take(LONGEST).map(tame).collect();
    format!("{name}.jsonl")
}

fn write(folder: &Path, entry: &Entry) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut line = serde_json::to_string(entry)?;
    line.push('\n');
    let path = folder.join(&entry.file);
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())
}
