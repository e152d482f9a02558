//! `ludex show`: a stage as text.

use crate::args::{Show, Stage};
use crate::{Outcome, input};
use anyhow::Result;
use std::io::{self, Write};

pub(crate) fn run(arguments: &Show) -> Result<Outcome> {
    let tree = input::read(&arguments.file, &arguments.reading)?;
    let text = match arguments.stage {
        Stage::Tree => Some(gdl::show::tree(&tree)),
        Stage::Program => None,
    };
    let checked = super::report_errors(tree, &input::title(&arguments.file));
    let program = checked.program.as_ref();
    let text = text.or_else(|| program.map(gdl::show::program));
    io::stdout().write_all(text.unwrap_or_default().as_bytes())?;
    Ok(match program {
        Some(_) => Outcome::Fine,
        None => Outcome::Refused,
    })
}
