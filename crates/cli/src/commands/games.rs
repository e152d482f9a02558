//! `ludex games`: our own games.

use crate::args::Games;
use crate::games::{self, About, OurGame};
use crate::{Outcome, table};
use anstream::stdout;
use anyhow::Result;
use serde::Serialize;
use std::io::Write;

/// A game, as it is listed.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: String,
    class: String,
    roles: Vec<String>,
}

impl Entry {
    fn new(game: OurGame) -> Result<Entry> {
        let About {
            title,
            class,
            roles,
        } = game.about()?;
        let name = game.name;
        Ok(Entry {
            name,
            title,
            class,
            roles,
        })
    }

    fn row(&self) -> [String; 4] {
        let name = self.name.to_string();
        let (title, class) = (self.title.clone(), self.class.clone());
        [name, title, class, self.roles.join(", ")]
    }
}

pub(crate) fn run(arguments: &Games) -> Result<Outcome> {
    let entries: Result<Vec<Entry>> = games::all().into_iter().map(Entry::new).collect();
    let entries = entries?;
    if arguments.json {
        serde_json::to_writer_pretty(stdout(), &entries)?;
        writeln!(stdout())?;
    } else {
        let head = ["name", "title", "class", "roles"].map(String::from);
        let rows: Vec<[String; 4]> = entries.iter().map(Entry::row).collect();
        stdout().write_all(table::text(&head, &rows).as_bytes())?;
    }
    Ok(Outcome::Fine)
}
