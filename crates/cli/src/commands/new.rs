//! `ludex new`: a rule sheet to begin with.

use crate::Outcome;
use crate::args::New;
use crate::output::Output;
use anstream::stdout;
use anyhow::{Result, bail};
use gdl::{ReadLimits, Syntax};
use library::Template;
use std::io::Write;
use std::path::{Path, PathBuf};

pub(crate) fn run(arguments: &New) -> Result<Outcome> {
    let path = path(&arguments.name);
    let Some(title) = path.file_stem().and_then(|it| it.to_str()) else {
        bail!("`{}` is no name for a file", path.display());
    };
    let template = Template {
        title: title.to_string(),
        roles: arguments.roles,
        board: (arguments.board.columns, arguments.board.rows),
    };
    let sheet = formatted(&template.sheet()?);
    if path.exists() {
        bail!("{} exists already: give another name", path.display());
    }
    Output::new(&path)?.write(&sheet)?;
    let file = path.display();
    writeln!(
        stdout(),
        "{file}: a game for {} on {} by {} squares, to be made your own.\n\
         ludex check --play {file}     # every problem, as it is written and as it is played\n\
         ludex play {file}             # play it",
        match arguments.roles {
            1 => "one role".to_string(),
            count => format!("{count} roles"),
        },
        arguments.board.columns,
        arguments.board.rows,
    )?;
    Ok(Outcome::Fine)
}

/// The file of a game: a name without an extension gets that of rule sheets.
fn path(name: &Path) -> PathBuf {
    match name.extension() {
        Some(_) => name.to_path_buf(),
        None => name.with_extension("kif"),
    }
}

/// The sheet as `ludex fmt` leaves it.
fn formatted(sheet: &str) -> String {
    let tree = gdl::read(sheet.into(), Some(Syntax::Prefix), &ReadLimits::default());
    gdl::print(&tree, Syntax::Prefix).expect("prefix can print every tree")
}
