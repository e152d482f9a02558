//! `ludex lab`: tables of the papers, made again beside the published ones, of our own games, and of
//! what players do.

use crate::args::{Lab, Library, Lookahead, Puzzles, Tactics};
use crate::output::Output;
use crate::progress::{Spinner, Terminal};
use crate::{Outcome, RefusedRules, input};
use anstream::stdout;
use anyhow::{Context, Result};
use lab::ours::{self, Figures, Means, Sample};
use lab::tactics::{self, Asking, Puzzle};
use lab::{lookahead, papers, puzzles};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub(crate) fn run(arguments: &Lab) -> Result<Outcome> {
    match arguments {
        Lab::Networks { times, quiet } => networks(*times, *quiet),
        Lab::Library(arguments) => library(arguments),
        Lab::Tactics(arguments) => tactics(arguments),
        Lab::Puzzles(arguments) => puzzles(arguments),
        Lab::Lookahead(arguments) => lookahead(arguments),
    }
}

fn networks(times: bool, quiet: bool) -> Result<Outcome> {
    let table = match times {
        true => papers::network_times(&Terminal { quiet })?,
        false => papers::networks(&Terminal { quiet })?,
    };
    stdout().write_all(table.text().as_bytes())?;
    Ok(Outcome::Fine)
}

fn library(arguments: &Library) -> Result<Outcome> {
    let sample = Sample {
        playouts: arguments.playouts,
        seed: arguments.seed,
    };
    let terminal = Terminal {
        quiet: arguments.quiet,
    };
    let games = ours::chosen(&arguments.games)?;
    let file = |name: &str| Some(arguments.update.as_ref()?.join(name).join("game.toml"));
    for path in games.iter().filter_map(|game| file(game.name)) {
        known(&path)?;
        Output::new(&path)?;
    }
    let mut all = Vec::new();
    for game in games {
        let figures = ours::measure(game, &sample, &terminal)?;
        if let Some(path) = file(game.name) {
            update(&path, &figures.means)?;
        }
        all.push(figures);
    }
    match arguments.json {
        true => {
            serde_json::to_writer_pretty(stdout(), &all)?;
            writeln!(stdout())?;
        }
        false => stdout().write_all(ours::table(&all).text().as_bytes())?,
    }
    let is_fine = |it: &Figures| it.problems.count() == 0;
    Ok(match all.iter().all(is_fine) {
        true => Outcome::Fine,
        false => Outcome::Refused,
    })
}

fn tactics(arguments: &Tactics) -> Result<Outcome> {
    let terminal = Terminal {
        quiet: arguments.quiet,
    };
    ours::chosen(&arguments.games)?;
    let wanted =
        |game: &str| arguments.games.is_empty() || arguments.games.iter().any(|it| it == game);
    if let Some(file) = &arguments.make {
        let output = Output::new(file)?;
        let games: Vec<&str> = match arguments.games.is_empty() {
            true => tactics::GAMES.to_vec(),
            false => arguments.games.iter().map(String::as_str).collect(),
        };
        let puzzles = tactics::make(&games, (arguments.each, arguments.seed), &terminal)?;
        output.write(&tactics::text(&puzzles))?;
        return Ok(Outcome::Fine);
    }
    let puzzles = tactics::suite()?.into_iter();
    let puzzles: Vec<Puzzle> = puzzles.filter(|it| wanted(&it.game)).collect();
    let players = arguments.players.iter();
    let asking = Asking {
        players: players.flat_map(|it| arena::split_players(it)).collect(),
        iterations: arguments.iterations.clone(),
        seed: arguments.seed,
    };
    let scores = tactics::ask(&puzzles, &asking, &terminal)?;
    let table = tactics::table(&scores, &asking);
    stdout().write_all(table.text().as_bytes())?;
    Ok(Outcome::Fine)
}

fn puzzles(arguments: &Puzzles) -> Result<Outcome> {
    let players = arguments.players.iter();
    let settings = puzzles::Settings {
        players: players.flat_map(|it| arena::split_players(it)).collect(),
        clocks: arguments.clocks(),
        threads: arguments.threads.unwrap_or_else(cores),
        turns: arguments.turns,
        seed: arguments.seed,
    };
    let games: Vec<PathBuf> = match arguments.games.is_empty() {
        true => puzzles::usual().into_iter().map(PathBuf::from).collect(),
        false => arguments.games.clone(),
    };
    let mut all = Vec::new();
    for file in &games {
        let title = short(file);
        let game = super::for_play(file, &arguments.reading, arguments.quiet)?;
        let game = Arc::new(game.ok_or(RefusedRules).context(input::title(file))?);
        let _spinner = Spinner::doing("playing", &title, arguments.quiet);
        all.push(puzzles::measure(&title, &game, &settings)?);
    }
    let table = puzzles::table(&all, &settings);
    stdout().write_all(table.text().as_bytes())?;
    Ok(Outcome::Fine)
}

/// A sheet without its folder and extension.
fn short(file: &Path) -> String {
    let stem = file.file_stem().map(|it| it.to_string_lossy().into_owned());
    stem.unwrap_or_else(|| input::title(file))
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn lookahead(arguments: &Lookahead) -> Result<Outcome> {
    let settings = lookahead::Settings {
        player: arguments.player.clone(),
        iterations: arguments.iterations,
        turns: arguments.turns,
        seed: arguments.seed,
    };
    let terminal = Terminal {
        quiet: arguments.quiet,
    };
    let names = match arguments.games.is_empty() {
        true => lookahead::usual(),
        false => arguments.games.clone(),
    };
    let mut all = Vec::new();
    for game in ours::chosen(&names)? {
        all.push(lookahead::measure(game, &settings, &terminal)?);
    }
    let table = lookahead::table(&all, &settings);
    stdout().write_all(table.text().as_bytes())?;
    Ok(Outcome::Fine)
}

/// Writes what random play tells into a `game.toml`.
fn update(path: &Path, means: &Means) -> Result<()> {
    let new = ours::updated(&known(path)?, means).with_context(|| path.display().to_string())?;
    Output::new(path)?.write(&new)
}

/// What is known of a game so far.
fn known(path: &Path) -> Result<String> {
    fs::read_to_string(path).with_context(|| path.display().to_string())
}
