//! `ludex perft`: how many ways a match can begin.

use crate::Outcome;
use crate::args::Perft;
use anstream::stdout;
use anyhow::Result;
use lab::perft::{Count, perft};
use std::io::Write;

pub(crate) fn run(arguments: &Perft) -> Result<Outcome> {
    let Some(game) = super::best(&arguments.file, &arguments.reading, arguments.quiet)? else {
        return Ok(Outcome::Refused);
    };
    let counts = perft(&game, arguments.depth)?;
    writeln!(stdout(), "turns  sequences  of them over")?;
    for (depth, Count { sequences, over }) in counts.iter().enumerate() {
        writeln!(stdout(), "{depth:5}  {sequences:9}  {over:12}")?;
    }
    Ok(Outcome::Fine)
}
