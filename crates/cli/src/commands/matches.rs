//! `ludex match` and `ludex replay`: matches to watch.

use crate::args::{Match, Replay};
use crate::board::Board;
use crate::progress::Spinner;
use crate::record::{Circumstances, MatchFile};
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::{Context, Result, bail};
use arena::referee::{Event, Setup, play};
use arena::{Clocks, Fault, Record, Round};
use game::{Game, Scratch, State, TermId};
use players::{Player, Seat, roster};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

pub(crate) fn run(arguments: &Match) -> Result<Outcome> {
    let title = input::title(&arguments.game);
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(&arguments.game, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let (game, reason) = Game::for_play(&program, &spinner.limits());
    drop(spinner);
    if let Some(reason) = reason {
        eprintln!("ludex: {title}: only the interpreter plays it: {reason}");
    }
    let setup = Setup {
        game: Arc::new(game),
        clocks: Clocks::Times {
            start: arguments.start_clock.0,
            play: arguments.play_clock.0,
        },
        seed: arguments.seed,
    };
    let names = names(&setup, &arguments.players)?;
    let seats = seats(&setup, &names)?;
    let mut viewer = Viewer::new(&setup.game, arguments.quiet);
    let mut times = Vec::new();
    let record = play(&setup, seats, &mut |event| {
        if let Event::State(_) = event {
            times.push(milliseconds());
        }
        viewer.show(event);
    })?;
    viewer.end(&record)?;
    if let Some(path) = &arguments.json {
        let said = Circumstances {
            game: title,
            players: names
                .iter()
                .map(|name| name.clone().unwrap_or("random".into()))
                .collect(),
            seed: arguments.seed,
            clocks: (
                arguments.start_clock.0.as_secs_f64(),
                arguments.play_clock.0.as_secs_f64(),
            ),
            times,
        };
        let file = MatchFile::new(&setup.game, &record, &said);
        input::replace(path, &serde_json::to_string_pretty(&file)?)?;
    }
    Ok(Outcome::Fine)
}

/// Who plays each role; none for chance.
fn names(setup: &Setup, wanted: &[String]) -> Result<Vec<Option<String>>> {
    let roles = setup.game.roles().len();
    let seats: Vec<usize> = (0..roles).filter(|&role| !setup.is_chance(role)).collect();
    let hidden = setup.game.has_percepts();
    let default = if hidden { "random" } else { "uct" };
    if !wanted.is_empty() && wanted.len() != seats.len() {
        bail!(
            "the game has {} seats, and {} players are named",
            seats.len(),
            wanted.len()
        );
    }
    let mut names = vec![None; roles];
    for (place, role) in seats.into_iter().enumerate() {
        names[role] = Some(
            wanted
                .get(place)
                .map_or(default, String::as_str)
                .to_string(),
        );
    }
    Ok(names)
}

fn seats(setup: &Setup, names: &[Option<String>]) -> Result<Vec<Option<Box<dyn Player>>>> {
    let mut seats = Vec::new();
    let threads = thread::available_parallelism().map_or(1, usize::from);
    for (role, name) in names.iter().enumerate() {
        let seat = Seat {
            game: Arc::clone(&setup.game),
            role,
            seed: setup.seed.wrapping_mul(31).wrapping_add(role as u64),
            threads,
        };
        let player = name.as_ref().map(|name| roster::player(name, seat));
        seats.push(
            player
                .transpose()
                .context("`ludex players` lists all players")?,
        );
    }
    Ok(seats)
}

pub(crate) fn replay(arguments: &Replay) -> Result<Outcome> {
    let path = &arguments.file;
    let text = fs::read(path).with_context(|| path.display().to_string())?;
    let file: MatchFile =
        serde_json::from_slice(&text).with_context(|| format!("{}: no match", path.display()))?;
    let sheet = arguments
        .game
        .clone()
        .unwrap_or_else(|| Path::new(&file.game).into());
    let spinner = Spinner::new(&input::title(&sheet), arguments.quiet);
    let Some(program) = super::program(&sheet, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let (game, _) = Game::for_play(&program, &spinner.limits());
    drop(spinner);
    let mut scratch = game.scratch();
    let record = file.record(&game, &mut scratch)?;
    let mut viewer = Viewer::new(&game, arguments.quiet);
    viewer.scratch = scratch;
    for round in &record.rounds {
        viewer.show(&Event::State(&round.state));
        viewer.show(&Event::Round(round));
    }
    viewer.show(&Event::State(&record.last));
    viewer.end(&record)?;
    match record.replay(&game) {
        Ok(()) => {
            writeln!(
                stdout(),
                "the record is right: {} turns",
                record.rounds.len()
            )?;
            Ok(Outcome::Fine)
        }
        Err(difference) => {
            writeln!(stdout(), "the record is wrong: {difference}")?;
            Ok(Outcome::Refused)
        }
    }
}

/// Prints a match as it goes.
struct Viewer<'g> {
    game: &'g Game,
    scratch: Scratch,
    /// How states are drawn, if the fluents that can hold are known.
    board: Option<Board>,
    quiet: bool,
    turns: usize,
    since: Instant,
}

impl<'g> Viewer<'g> {
    fn new(game: &'g Game, quiet: bool) -> Viewer<'g> {
        let scratch = game.scratch();
        let board = game.network().map(|network| {
            let fluents = network.fluents().iter();
            let fluents: Vec<String> = fluents.map(|&it| scratch.terms().text(it)).collect();
            Board::new(&fluents)
        });
        Viewer {
            scratch,
            board,
            game,
            quiet,
            turns: 0,
            since: Instant::now(),
        }
    }

    /// What cannot be printed is not worth the end of a match.
    fn show(&mut self, event: &Event<'_>) {
        if self.quiet {
            return;
        }
        let text = match event {
            Event::State(state) => self.state(state),
            Event::Round(round) => self.round(round),
        };
        let _ = stdout().write_all(text.as_bytes());
        self.since = Instant::now();
    }

    fn state(&self, state: &State) -> String {
        let facts: Vec<String> = state.fluents().iter().map(|&it| self.text(it)).collect();
        let picture = match &self.board {
            Some(board) => board.draw(&facts),
            None => Board::new(&facts).draw(&facts),
        };
        format!("{picture}\n\n")
    }

    fn round(&mut self, round: &Round) -> String {
        self.turns += 1;
        let seconds = self.since.elapsed().as_secs_f64();
        let mut text = String::new();
        for (role, &action) in round.joint.iter().enumerate() {
            let name = self.text(self.game.roles()[role]);
            text += &format!("{:4}  {name} {}", self.turns, self.text(action));
            if let Some(decision) = round.decisions[role].filter(|it| it.value.is_some()) {
                let value = 100.0 * decision.value.unwrap_or(0.0);
                let rate = decision.playouts as f64 / seconds.max(1e-9);
                let proven = if decision.proven { ", proven" } else { "" };
                text += &format!("  expects {value:.0}{proven}, {rate:.0} playouts/s");
            }
            if let Some(fault) = &round.faults[role] {
                text += &format!("  ({})", self.fault(fault));
            }
            text.push('\n');
        }
        text
    }

    fn fault(&self, fault: &Fault) -> String {
        match fault {
            Fault::Late => "late; a legal move was put in its place".to_string(),
            Fault::Crashed => "crashed; a legal move was put in its place".to_string(),
            Fault::Refused(reason) => reason.clone(),
            Fault::Illegal(action) => format!("instead of the illegal {}", self.text(*action)),
        }
    }

    fn end(&self, record: &Record) -> Result<()> {
        for (role, reason) in record.refusals.iter().enumerate() {
            if let Some(reason) = reason {
                eprintln!("ludex: {}: {reason}", self.text(self.game.roles()[role]));
            }
        }
        if !record.completed {
            writeln!(stdout(), "the match did not come to an end")?;
        }
        for (&role, goal) in self.game.roles().iter().zip(&record.goals) {
            let goal = goal.map_or("no goal".to_string(), |goal| goal.to_string());
            writeln!(stdout(), "{}: {goal}", self.text(role))?;
        }
        Ok(())
    }

    fn text(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }
}

fn milliseconds() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since: Duration| since.as_millis() as u64)
}
