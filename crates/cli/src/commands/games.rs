//! `ludex games`: our own games, by class.

use crate::args::Games;
use crate::games::{self, About, OurGame};
use crate::{Outcome, table};
use anstream::stdout;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;

/// How many players a class is for, as its first word says it.
const PLAYERS: [&str; 5] = ["one", "two", "three", "four", "five"];

/// A game, as it is listed.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    #[serde(flatten)]
    about: About,
}

impl Entry {
    fn new(game: OurGame) -> Result<Entry> {
        Ok(Entry {
            name: game.name,
            about: game.about()?,
        })
    }

    fn row(&self) -> [String; 3] {
        let About { title, roles, .. } = &self.about;
        [self.name.to_string(), title.clone(), roles.join(", ")]
    }

    /// What classes are in order by: whether all is seen, whether there is chance, how many
    /// players there are and whether they take turns.
    fn order(&self) -> (bool, bool, usize, bool, &str) {
        let class = self.about.class.as_str();
        let first = class.split(' ').next();
        let players = PLAYERS.iter().position(|&it| Some(it) == first);
        (
            class.contains("imperfect information"),
            class.contains("chance"),
            players.unwrap_or(PLAYERS.len()),
            class.contains("simultaneous"),
            class,
        )
    }
}

pub(crate) fn run(arguments: &Games) -> Result<Outcome> {
    let entries: Result<Vec<Entry>> = games::all().into_iter().map(Entry::new).collect();
    let mut entries = entries?;
    if arguments.json {
        serde_json::to_writer_pretty(stdout(), &entries)?;
        writeln!(stdout())?;
    } else {
        entries.sort_by(|left, right| left.order().cmp(&right.order()));
        stdout().write_all(text(&entries).as_bytes())?;
    }
    Ok(Outcome::Fine)
}

/// A heading for each class, its games below it; columns are as wide in all classes.
fn text(entries: &[Entry]) -> String {
    let rows: Vec<[String; 3]> = entries.iter().map(Entry::row).collect();
    let head = ["name", "title", "roles"].map(String::from);
    let table = table::text(&head, &rows);
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
