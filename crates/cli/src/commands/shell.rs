//! `ludex completions` and `ludex man`: from the argument parser's own generators.
//!
//! The script of a shell asks `ludex` itself for completions (`complete.rs`), so that it knows games
//! and players.

use crate::args::Arguments;
use crate::{Outcome, complete, output};
use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::{self, Write};
use std::path::Path;

pub(crate) fn completions(shell: Shell) -> Result<Outcome> {
    let mut script = Vec::new();
    let name = shell.to_string();
    let shells = clap_complete::env::Shells::builtins();
    let writer = shells
        .completer(&name)
        .context("every shell has a writer")?;
    writer.write_registration(complete::VARIABLE, "ludex", "ludex", "ludex", &mut script)?;
    io::stdout().write_all(&script)?;
    Ok(Outcome::Fine)
}

pub(crate) fn man(folder: Option<&Path>) -> Result<Outcome> {
    let command = Arguments::command();
    match folder {
        Some(folder) => {
            output::folder(folder)?;
            clap_mangen::generate_to(command, folder)
                .with_context(|| format!("cannot write into {}", folder.display()))?;
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
    }
    Ok(Outcome::Fine)
}
