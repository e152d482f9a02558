//! `ludex players`: who can play.

use crate::{Outcome, table};
use anstream::stdout;
use anyhow::Result;
use players::roster::ENTRIES;
use std::io::Write;

pub(crate) fn run() -> Result<Outcome> {
    let head = ["player", "option", "default", ""].map(String::from);
    let mut rows = Vec::new();
    for entry in ENTRIES {
        let about = entry.about.to_string();
        rows.push([entry.name.to_string(), String::new(), String::new(), about]);
        for (key, default, meaning) in entry.options {
            rows.push(["", key, default, meaning].map(String::from));
        }
    }
    stdout().write_all(table::text(&head, &rows).as_bytes())?;
    writeln!(
        stdout(),
        "\nOptions are written behind the name: uct:c=0.6,batch=32"
    )?;
    Ok(Outcome::Fine)
}
