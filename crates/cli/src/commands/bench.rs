//! `ludex bench`: how fast random matches are played, networks of states solved, or a player
//! searches.

use crate::args::{Bench, Engine};
use crate::progress::Spinner;
use crate::{BrokenGame, Outcome, RefusedRules, input, processes};
use anstream::{eprintln, stdout};
use anyhow::Result;
use game::Game;
use lab::bench::{self, Figures, Networks, Rates, Search, Settings, Subject};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Seconds of play before a game is measured: of a broken game no figures are told.
const QUICK: f64 = 0.5;

/// What was measured of one game.
#[derive(Serialize)]
#[serde(untagged)]
enum Measured {
    Playouts(Figures),
    Networks(Rates),
    Search(Search),
}

pub(crate) fn run(arguments: &Bench) -> Result<Outcome> {
    let mut outcome = Outcome::Fine;
    let mut all = Vec::new();
    for file in &arguments.files {
        match measure(file, arguments) {
            Ok(measured) => {
                if !arguments.json {
                    let line = match &measured {
                        Measured::Playouts(figures) => figures.line(),
                        Measured::Networks(rates) => rates.line(),
                        Measured::Search(search) => search.line(),
                    };
                    writeln!(stdout(), "{line}")?;
                }
                all.push(measured);
            }
            Err(error) => {
                match error.is::<BrokenGame>() {
                    true => eprintln!("ludex: {error:#}"),
                    false => eprintln!("ludex: {}: {error:#}", input::title(file)),
                }
                outcome = outcome.max(crate::failure(&error));
            }
        }
    }
    if arguments.json {
        serde_json::to_writer_pretty(stdout(), &all)?;
        writeln!(stdout())?;
    }
    Ok(outcome)
}

fn measure(file: &Path, arguments: &Bench) -> Result<Measured> {
    let started = Instant::now();
    let title = input::title(file);
    let engine = arguments.engine.chosen();
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(file, &arguments.reading, &spinner)? else {
        return Err(RefusedRules.into());
    };
    let settings = Settings {
        threads: arguments.threads,
        seconds: arguments.seconds,
        seed: arguments.seed,
    };
    let subject = |load_seconds| Subject {
        game: title.clone(),
        engine: engine.name(),
        load_seconds,
    };
    if let Some(player) = &arguments.player {
        let game = Arc::new(Game::of(&program, &spinner.limits()));
        super::sound(&title, &game, QUICK)?;
        drop(spinner);
        let subject = (&player[..], subject(started.elapsed().as_secs_f64()));
        let settings = (&settings, Some(processes::helpers()));
        return Ok(Measured::Search(Search::measure(&game, subject, settings)?));
    }
    let game = Game::new(&program, engine.of_game(), &spinner.limits())?;
    super::sound(&title, &game, QUICK)?;
    if arguments.engine == Engine::Scsp {
        let subject = subject(started.elapsed().as_secs_f64());
        let networks = Networks::new(&game)?;
        drop(spinner);
        return Ok(Measured::Networks(networks.measure(subject, &settings)?));
    }
    let ready = bench::Bench::new(&game);
    drop(spinner);
    let subject = subject(started.elapsed().as_secs_f64());
    let figures = ready.measure(subject, &settings)?;
    if figures.stuck > 0 {
        let (stuck, all) = (figures.stuck, figures.playouts);
        let told = format!(
            "in {stuck} of {all} matches a role had no legal move before the end; \
             `ludex check --play` looks for one of them"
        );
        return Err(BrokenGame { title, told }.into());
    }
    Ok(Measured::Playouts(figures))
}
