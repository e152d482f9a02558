//! `ludex players`: who can play.

use crate::Outcome;
use anstream::stdout;
use anyhow::Result;
use lab::Table;
use players::roster::ENTRIES;
use std::io::Write;

pub(crate) fn run() -> Result<Outcome> {
    let mut rows = Vec::new();
    for entry in ENTRIES {
        let about = entry.about.to_string();
        rows.push([entry.name.to_string(), String::new(), String::new(), about]);
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
