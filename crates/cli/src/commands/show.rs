//! `ludex show`: a sheet, what it means, or a stage of its compilation, as text.

use crate::args::{Relations, Show, Stage};
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Context, Result, bail};
use game::{Engine, Game, Limits};
use gdl::Program;
use lab::show::{self, Choice, NoState, Played, Walk};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

/// Longer matches are cut, unless more was asked for.
const TURNS: usize = 60;

pub(crate) fn run(arguments: &Show) -> Result<Outcome> {
    refuse_what_goes_elsewhere(arguments)?;
    match arguments.stage {
        Stage::Sheet => return sheet(arguments),
        Stage::Tree => return tree(arguments),
        _ => {}
    }
    let title = input::title(&arguments.file);
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(&arguments.file, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    match arguments.stage {
        Stage::Sheet | Stage::Tree => unreachable!("these need no program"),
        Stage::Program => {
            drop(spinner);
            stdout().write_all(gdl::show::program(&program).as_bytes())?;
        }
        Stage::Ground => return ground(&program, &title, spinner),
        Stage::Circuit => return circuit(&program, &title, spinner),
        Stage::Scsp => return scsp(&program, arguments, spinner),
        Stage::Game => {
            let lines = show::about(&program, &spinner.limits())?;
            drop(spinner);
            let name = name(&arguments.file)?;
            writeln!(stdout(), "{name}\n{}", lines.join("\n"))?;
        }
        Stage::Facts => facts(&program, arguments, spinner)?,
        Stage::Playthrough => playthrough(&program, arguments, spinner)?,
    }
    Ok(Outcome::Fine)
}

/// Refuses options that the stage has no use for.
fn refuse_what_goes_elsewhere(arguments: &Show) -> Result<()> {
    let stage = arguments.stage;
    if stage != Stage::Facts && !arguments.after.is_empty() {
        bail!("--after goes with `ludex show facts`");
    }
    if stage != Stage::Facts && arguments.board {
        bail!("--board goes with `ludex show facts`");
    }
    if stage == Stage::Scsp && arguments.turns.is_none() && arguments.seed.is_some() {
        bail!("--seed goes with --turns");
    }
    if stage != Stage::Scsp && arguments.stages.is_some() {
        bail!("--stages goes with `ludex show scsp`");
    }
    let tables = arguments.encoding == Relations::Tables;
    if tables && (stage != Stage::Scsp || arguments.stages.is_some()) {
        bail!("--encoding tables goes with `ludex show scsp`, without --stages");
    }
    let random = stage == Stage::Scsp || stage == Stage::Playthrough;
    if !random && (arguments.turns.is_some() || arguments.seed.is_some()) {
        bail!("--turns and --seed go with `ludex show scsp` and `ludex show playthrough`");
    }
    Ok(())
}

/// The title of a game of ours, else what the sheet is called.
fn name(file: &Path) -> Result<String> {
    match library::named(file) {
        Some(game) => Ok(game.about()?.title),
        None => Ok(input::title(file)),
    }
}

/// What holds in a state, as the interpreter tells; drawn if it is asked for.
fn facts(program: &Program, arguments: &Show, spinner: Spinner) -> Result<()> {
    let ground = || Game::new(program, Engine::Ground, &spinner.limits()).ok();
    let ground = arguments.board.then(ground);
    drop(spinner);
    let game = Game::new(program, Engine::Interpreter, &Limits::default())?;
    let played = Played::after(&game, &arguments.after)?;
    let facts = match ground {
        Some(ground) => {
            let fluents = ground.and_then(|game| show::fluents(&game));
            let picture = played.picture(fluents.as_deref());
            if !picture.is_empty() {
                writeln!(stdout(), "{picture}\n")?;
            }
            played.consequences()
        }
        None => played.facts(),
    };
    let text: String = facts.iter().map(|fact| format!("{fact}\n")).collect();
    Ok(stdout().write_all(text.as_bytes())?)
}

/// A round as a network; or the network of a state, if random turns come before it; or the problem
/// of several stages.
fn scsp(program: &Program, arguments: &Show, spinner: Spinner) -> Result<Outcome> {
    let title = input::title(&arguments.file);
    let began = Instant::now();
    let game = match Game::new(program, Engine::Ground, &spinner.limits()) {
        Ok(game) => game,
        Err(reason) => {
            drop(spinner);
            return super::only_interpreted(&title, &reason);
        }
    };
    let encoding = match game.encoding().expect("it has a ground program") {
        Ok(encoding) => encoding,
        Err(reason) => {
            drop(spinner);
            return super::not_encoded(&title, reason);
        }
    };
    let seconds = began.elapsed().as_secs_f64();
    let seed = arguments.seed.unwrap_or(1);
    let walk = arguments.turns.map(|turns| Walk { turns, seed });
    let text = match (arguments.stages, walk) {
        _ if arguments.encoding == Relations::Tables => show::network_of_tables(&game, walk),
        (Some(stages), _) => show::network_of_stages(&game, encoding, (stages as usize, walk)),
        (None, Some(walk)) => show::network_of_state(&game, encoding, walk),
        (None, None) => show::network_of_round(&game, encoding, seconds),
    };
    let text = match text {
        Err(NoState::NotEncoded(reason)) => {
            drop(spinner);
            return super::not_encoded(&title, &reason);
        }
        text => text?,
    };
    drop(spinner);
    stdout().write_all(text.as_bytes())?;
    Ok(Outcome::Fine)
}

/// A match of random moves, with the command that shows it again.
fn playthrough(program: &Program, arguments: &Show, spinner: Spinner) -> Result<()> {
    let choice = Choice {
        seed: arguments.seed.unwrap_or(1),
        turns: arguments.turns.unwrap_or(TURNS),
    };
    let game = Game::best(program, &spinner.limits());
    let text = show::playthrough(&game, &choice);
    drop(spinner);
    let (title, file) = (name(&arguments.file)?, &arguments.file);
    let (seed, turns) = (choice.seed, choice.turns);
    let turns = match turns {
        TURNS => String::new(),
        _ => format!(" --turns {turns}"),
    };
    let command = format!(
        "ludex show playthrough {} --seed {seed}{turns}",
        input::title(file)
    );
    let text = format!("{title}, a match of random moves: {command}\n{}", text?);
    Ok(stdout().write_all(text.as_bytes())?)
}

/// The text as it is, even if the rules are refused.
fn sheet(arguments: &Show) -> Result<Outcome> {
    let bytes = input::bytes(&arguments.file, arguments.reading.max_bytes);
    let bytes = bytes.with_context(|| format!("cannot read {}", input::title(&arguments.file)))?;
    stdout().write_all(&bytes)?;
    Ok(Outcome::Fine)
}

/// A tree is shown even if the rules are refused.
fn tree(arguments: &Show) -> Result<Outcome> {
    let tree = input::read(&arguments.file, &arguments.reading)?;
    stdout().write_all(gdl::show::tree(&tree).as_bytes())?;
    let checked = super::report_errors(tree, &input::title(&arguments.file));
    Ok(match checked.program {
        Some(_) => Outcome::Fine,
        None => Outcome::Refused,
    })
}

fn ground(program: &Program, title: &str, spinner: Spinner) -> Result<Outcome> {
    let game = Game::new(program, Engine::Ground, &spinner.limits());
    drop(spinner);
    match game {
        Ok(game) => {
            let text = game.ground().map(game::GroundProgram::text);
            stdout().write_all(text.unwrap_or_default().as_bytes())?;
            Ok(Outcome::Fine)
        }
        Err(reason) => super::only_interpreted(title, &reason),
    }
}

fn circuit(program: &Program, title: &str, spinner: Spinner) -> Result<Outcome> {
    let game = match Game::new(program, Engine::Lanes, &spinner.limits()) {
        Ok(game) => game,
        Err(reason) => return super::only_interpreted(title, &reason),
    };
    let simulator = game.simulator();
    let simulator = simulator.expect("a game for lanes has a simulator");
    let steps = simulator.step_gates();
    drop(spinner);
    let circuit = simulator.circuit();
    let moves: usize = circuit.moves().iter().map(Vec::len).sum();
    let mut out = stdout();
    writeln!(
        out,
        "; {} fluents, {moves} moves, {} gates",
        circuit.fluents().len(),
        circuit.len()
    )?;
    let steps: Vec<String> = steps.iter().map(ToString::to_string).collect();
    writeln!(
        out,
        "; gates of a turn in playouts, choices included: {}",
        steps.join(", ")
    )?;
    let scratch = game.scratch();
    let text = circuit.text(scratch.terms(), game.roles());
    out.write_all(text.as_bytes())?;
    Ok(Outcome::Fine)
}
