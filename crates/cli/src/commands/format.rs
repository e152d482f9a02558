//! `ludex fmt` and `ludex convert`: rule sheets printed again.

use crate::args::{Convert, Format, Reading};
use crate::output::Output;
use crate::{Outcome, input};
use anstream::eprintln;
use anyhow::{Result, anyhow, bail};
use gdl::{Syntax, Tree};
use std::io::{self, Write};
use std::path::Path;

/// One bad file does not keep the others from being formatted.
pub(crate) fn fmt(arguments: &Format) -> Outcome {
    let mut outcome = Outcome::Fine;
    for file in &arguments.files {
        let one = fmt_one(file, arguments).unwrap_or_else(|error| {
            eprintln!("ludex: {error:#}");
            Outcome::Failed
        });
        outcome = outcome.max(one);
    }
    outcome
}

fn fmt_one(file: &Path, arguments: &Format) -> Result<Outcome> {
    if library::named(file).is_some() {
        let name = input::title(file);
        bail!("cannot format {name}: it is one of our games, built in, and no file");
    }
    let Some(tree) = read_whole(file, &arguments.reading)? else {
        return Ok(Outcome::Refused);
    };
    let text = print(&tree, tree.syntax(), file)?;
    let changed = text != tree.source().text();
    if arguments.check {
        if changed {
            writeln!(io::stdout(), "{}", input::title(file))?;
            return Ok(Outcome::Refused);
        }
    } else if input::is_standard_input(file) {
        io::stdout().write_all(text.as_bytes())?;
    } else if changed {
        Output::new(file)?.write(&text)?;
    }
    Ok(Outcome::Fine)
}

pub(crate) fn convert(arguments: &Convert) -> Result<Outcome> {
    let output = Output::maybe(arguments.output.as_deref())?;
    let Some(tree) = read_whole(&arguments.file, &arguments.reading)? else {
        return Ok(Outcome::Refused);
    };
    let other = match tree.syntax() {
        Syntax::Prefix => Syntax::Infix,
        Syntax::Infix => Syntax::Prefix,
    };
    let text = print(
        &tree,
        arguments.to.chosen().unwrap_or(other),
        &arguments.file,
    )?;
    match output {
        Some(output) => output.write(&text)?,
        None => io::stdout().write_all(text.as_bytes())?,
    }
    Ok(Outcome::Fine)
}

/// The tree of a sheet that can be read to the end; else its problems are reported.
fn read_whole(file: &Path, reading: &Reading) -> Result<Option<Tree>> {
    let tree = input::read(file, reading)?;
    if tree.is_whole() {
        return Ok(Some(tree));
    }
    super::report_errors(tree, &input::title(file));
    Ok(None)
}

fn print(tree: &Tree, syntax: Syntax, file: &Path) -> Result<String> {
    gdl::print(tree, syntax).map_err(|error| {
        let place = tree.source().position(error.span.start);
        let (line, column) = (place.line, place.column);
        let title = input::title(file);
        anyhow!("{title}:{line}:{column}: infix cannot write this: a form needs a name, and `<=` is none")
    })
}
