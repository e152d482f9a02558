//! `ludex solve GAME`: what a game is worth, exactly, and a policy that gets it.

use crate::args::Solve;
use crate::progress::Spinner;
use crate::{BrokenGame, Outcome, input};
use anstream::stdout;
use anyhow::{Result, bail};
use game::Game;
use lab::show::{Exactly, Together};
use players::exact::{SolveLimits, Unsolved};
use std::io::Write;

/// Seconds of play before a game is solved: a broken game has no value.
const QUICK: f64 = 1.0;
/// Seconds of play to find the way to where it is broken.
const LONG: f64 = 10.0;

pub(super) fn run(arguments: &Solve) -> Result<Outcome> {
    for (given, option) in [
        (arguments.all, "--all"),
        (arguments.count, "--count"),
        (arguments.preprocess, "--preprocess"),
        (
            !arguments.cooperative && !arguments.theta.is_empty(),
            "--theta",
        ),
    ] {
        match option {
            _ if !given => {}
            "--theta" => bail!("--theta needs --cooperative: it asks what all can get together"),
            _ => bail!("{option} is for networks only, files that end in `.scsp`"),
        }
    }
    let Some(game) = super::for_play(&arguments.file, &arguments.reading, arguments.quiet)? else {
        return Ok(Outcome::Refused);
    };
    let exactly = Exactly {
        game: &game,
        limits: SolveLimits {
            memory: arguments.memory << 20,
            nodes: arguments.max_nodes,
            depth: arguments.depth,
            ..SolveLimits::default()
        },
        dot: arguments.dot,
    };
    let title = input::title(&arguments.file);
    super::sound(&title, &game, QUICK)?;
    let theta = theta(arguments, &game)?;
    let spinner = Spinner::doing("solving", &title, arguments.quiet);
    let found = |text| Together { text, found: true };
    let answer = match arguments.cooperative {
        true => exactly.together(theta.as_deref()),
        false => exactly.alone().map(found),
    };
    drop(spinner);
    match answer {
        Ok(answer) => {
            write!(stdout(), "{}", answer.text)?;
            Ok(match answer.found {
                true => Outcome::Fine,
                false => Outcome::Refused,
            })
        }
        Err(reason @ (Unsolved::Stuck | Unsolved::Goal { .. })) => {
            // Solving does not tell the way to where it is broken; play may.
            super::sound(&title, &game, LONG)?;
            let told = reason.to_string();
            Err(BrokenGame { title, told }.into())
        }
        Err(reason) => super::solve::limit(&reason.to_string()),
    }
}

/// The goals that are asked for: one for all players, or one each; chance has none.
fn theta(arguments: &Solve, game: &Game) -> Result<Option<Vec<f64>>> {
    let players = game.roles().len() - usize::from(game.chance().is_some());
    match arguments.theta.len() {
        0 => Ok(None),
        1 => Ok(Some(vec![arguments.theta[0]; players])),
        count if count == players => Ok(Some(arguments.theta.clone())),
        count => bail!(
            "--theta has {count} numbers, and there are {players} players: give one for all, or one \
             for each"
        ),
    }
}
