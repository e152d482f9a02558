//! `ludex show game`: what kind of game it is, how large, what plays it, how it starts.

use crate::args::Engine;
use crate::progress::Spinner;
use crate::{games, input};
use anstream::stdout;
use anyhow::Result;
use clap::ValueEnum;
use game::{Class, ClassLimits, Game, Limits, NoEngine, TermId};
use gdl::Program;
use std::io::Write;
use std::path::Path;

/// The matches that tell the class are always the same.
const SEED: u64 = 1;

pub(super) fn run(program: &Program, file: &Path, spinner: Spinner) -> Result<()> {
    let engines = Engines::new(program, &spinner.limits())?;
    drop(spinner);
    let mut lines = vec![title(file)?];
    lines.push(line("roles", &roles(program)));
    lines.push(line("class", &class(&engines.game)));
    lines.push(line("size", &size(&engines.game)));
    lines.push(line("engines", &engines.names.join(", ")));
    for (name, reason) in &engines.missing {
        lines.push(line(&format!("no {name}"), &reason.to_string()));
    }
    lines.push("first state".to_string());
    lines.extend(first(&engines.game)?);
    Ok(writeln!(stdout(), "{}", lines.join("\n"))?)
}

fn line(key: &str, text: &str) -> String {
    format!("{key:11}  {text}")
}

/// The title of a game of ours, else what the sheet is called.
pub(super) fn title(file: &Path) -> Result<String> {
    match games::named(file) {
        Some(game) => Ok(game.about()?.title),
        None => Ok(input::title(file)),
    }
}

fn roles(program: &Program) -> String {
    let roles = program.roles().iter().map(|&role| program.text(role));
    roles.collect::<Vec<&str>>().join(", ")
}

fn class(game: &Game) -> String {
    match Class::of(game, SEED, &ClassLimits::default()) {
        Ok(class) => {
            let Class { ends, states, .. } = class;
            format!("{class} ({ends} ends, {states} states seen)")
        }
        Err(reason) => format!("not known: {reason}"),
    }
}

fn size(game: &Game) -> String {
    let Some(ground) = game.ground() else {
        return "not known without a ground program".to_string();
    };
    let (fluents, moves) = (ground.fluents().len(), ground.moves().len());
    let (rules, literals) = ground.size();
    let derived = ground.len() - ground.inputs();
    format!(
        "{fluents} fluents, {moves} moves, {derived} derived nodes, {rules} rules, {literals} literals"
    )
}

fn first(game: &Game) -> Result<Vec<String>> {
    let mut scratch = game.scratch();
    let state = game.initial(&mut scratch)?;
    let text = |&fluent: &TermId| format!("  {}", scratch.terms().text(fluent));
    let mut fluents: Vec<String> = state.fluents().iter().map(text).collect();
    fluents.sort();
    Ok(fluents)
}

/// What plays a game, and what does not.
struct Engines {
    /// The game with its ground program, if it has one; else interpreted.
    game: Game,
    names: Vec<String>,
    missing: Vec<(String, NoEngine)>,
}

impl Engines {
    fn new(program: &Program, limits: &Limits) -> Result<Engines> {
        let mut engines = Engines {
            game: Game::new(program, game::Engine::Interpreter, limits)?,
            names: Vec::new(),
            missing: Vec::new(),
        };
        for engine in Engine::value_variants() {
            let name = engine.to_possible_value().expect("no engine is hidden");
            let name = name.get_name().to_string();
            match engines.load(program, *engine, limits) {
                Ok(()) => engines.names.push(name),
                Err(reason) => engines.missing.push((name, reason)),
            }
        }
        Ok(engines)
    }

    /// Every engine but the interpreter needs the ground program: grounding that failed once
    /// is not tried again.
    fn load(&mut self, program: &Program, engine: Engine, limits: &Limits) -> Result<(), NoEngine> {
        let not_ground = self.missing.iter().map(|(_, reason)| reason);
        let mut not_ground = not_ground.filter(|it| matches!(it, NoEngine::NotGround(_)));
        if let Some(reason) = not_ground.next()
            && engine != Engine::Interpreter
        {
            return Err(reason.clone());
        }
        let game = Game::new(program, engine.chosen(), limits)?;
        if engine == Engine::Scsp
            && let Some(Err(reason)) = game.encoding()
        {
            return Err(reason.clone().into());
        }
        if game.ground().is_some() {
            self.game = game;
        }
        Ok(())
    }
}
