//! `ludex show`: a stage as text.

use crate::args::{Show, Stage};
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Result, bail};
use game::{Engine, Game, Limits};
use gdl::Program;
use std::io::Write;

pub(crate) fn run(arguments: &Show) -> Result<Outcome> {
    if arguments.stage != Stage::Facts && !arguments.after.is_empty() {
        bail!("--after goes with `ludex show facts`");
    }
    let title = input::title(&arguments.file);
    let tree = input::read(&arguments.file, &arguments.reading)?;
    if arguments.stage == Stage::Tree {
        stdout().write_all(gdl::show::tree(&tree).as_bytes())?;
    }
    let checked = super::report_errors(tree, &title);
    let Some(program) = &checked.program else {
        return Ok(Outcome::Refused);
    };
    match arguments.stage {
        Stage::Tree => {}
        Stage::Program => stdout().write_all(gdl::show::program(program).as_bytes())?,
        Stage::Ground => return ground(program, &title),
        Stage::Game => super::about::run(program, &arguments.file)?,
        Stage::Facts => super::facts::run(program, &arguments.after)?,
    }
    Ok(Outcome::Fine)
}

fn ground(program: &Program, title: &str) -> Result<Outcome> {
    match Game::new(program, Engine::Ground, &Limits::default()) {
        Ok(game) => {
            let text = game.ground().map(game::GroundProgram::text);
            stdout().write_all(text.unwrap_or_default().as_bytes())?;
            Ok(Outcome::Fine)
        }
        Err(reason) => super::only_interpreted(title, &reason),
    }
}
