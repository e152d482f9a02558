//! `ludex players`: who can play.

use crate::Outcome;
use anstream::stdout;
use anyhow::Result;
use lab::Table;
use players::roster::{ENTRIES, Entry};
use std::io::Write;

/// The options of a player, by name.
fn keys(entry: &Entry) -> Vec<&'static str> {
    entry.options.iter().map(|option| option.key).collect()
}

pub(crate) fn run() -> Result<Outcome> {
    let mut rows = Vec::new();
    for (number, entry) in ENTRIES.iter().enumerate() {
        let about = entry.about.to_string();
        rows.push([entry.name.to_string(), String::new(), String::new(), about]);
        // Players of one family have the same options, which are listed once.
        let same = |it: &&Entry| keys(it) == keys(entry) && !entry.options.is_empty();
        if let Some(first) = ENTRIES[..number].iter().find(same) {
            let options = format!("the options of {}", first.name);
            rows.push([String::new(), String::new(), String::new(), options]);
            continue;
        }
        for option in entry.options {
            rows.push(["", option.key, option.default, option.about].map(String::from));
        }
    }
    let table = Table::new(["player", "option", "default", ""], rows);
    stdout().write_all(table.columns().as_bytes())?;
    writeln!(
        stdout(),
        "\nOptions follow the name, in every command: uct:c=0.6,batch=32. Several players are separated \
         by\ncommas, or written one after the other: uct:c=0.6,batch=32,random.\n\nWhat mac-ucb and fc-ucb \
         prove about a game is kept for later matches by `ludex match --memory FOLDER`\nand `ludex arena \
         --memory FOLDER`."
    )?;
    Ok(Outcome::Fine)
}
