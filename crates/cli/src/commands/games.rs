//! `ludex games`: our own games, by class.

use crate::Outcome;
use crate::args::Games;
use anstream::stdout;
use anyhow::Result;
use lab::Table;
use library::{About, Entry};
use std::io::Write;

pub(crate) fn run(arguments: &Games) -> Result<Outcome> {
    let mut entries = library::entries()?;
    if arguments.json {
        serde_json::to_writer_pretty(stdout(), &entries)?;
        writeln!(stdout())?;
    } else {
        library::sort_by_class(&mut entries);
        stdout().write_all(text(&entries).as_bytes())?;
    }
    Ok(Outcome::Fine)
}

fn row(entry: &Entry) -> [String; 3] {
    let About { title, roles, .. } = &entry.about;
    [entry.name.to_string(), title.clone(), roles.join(", ")]
}

/// A heading for each class, its games below it; columns are as wide in all classes.
fn text(entries: &[Entry]) -> String {
    let table = Table::new(["name", "title", "roles"], entries.iter().map(row));
    let table = table.columns();
    // The first line is the head, which needs no saying.
    let mut lines = table.lines().skip(1);
    let mut text = String::new();
    for games in entries.chunk_by(|left, right| left.about.class == right.about.class) {
        text += &format!("{}\n", games[0].about.class);
        for line in lines.by_ref().take(games.len()) {
            text += &format!("  {line}\n");
        }
        text.push('\n');
    }
    text + &format!("{} games\n", entries.len())
}
