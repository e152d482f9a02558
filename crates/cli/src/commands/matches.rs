//! `ludex match`: a match to watch.

use crate::args::Match;
use crate::files::{milliseconds, write_record};
use crate::memory::Shelf;
use crate::output::Output;
use crate::stop::Stop;
use crate::view::Viewer;
use crate::{BrokenGame, Outcome, input, processes};
use anstream::eprintln;
use anyhow::{Result, bail, ensure};
use arena::referee::{Event, Setup, Substitute, play_while};
use arena::{Clocks, Record, split_players};
use game::RoleId;
use players::{BadMemory, Memory, Player, Seat, roster};
use record::{Circumstances, MatchFile, PERSON};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

pub(crate) fn run(arguments: &Match) -> Result<Outcome> {
    let output = Output::maybe(arguments.json.as_deref())?;
    let title = input::title(&arguments.game);
    let shelf = shelf(arguments)?;
    let Some(game) = super::for_play(&arguments.game, &arguments.reading, arguments.quiet)? else {
        return Ok(Outcome::Refused);
    };
    let setup = Setup {
        game: Arc::new(game),
        clocks: match arguments.iterations {
            Some(count) => Clocks::Iterations {
                start: count,
                play: count,
            },
            None => Clocks::Times {
                start: arguments.start_clock.0,
                play: arguments.play_clock.0,
            },
        },
        patience: arguments.tolerance.patience(Duration::ZERO),
        substitute: Substitute::default(),
        seed: arguments.seed,
    };
    let names = names(&setup, &arguments.players)?;
    ensure!(
        !names.iter().any(|it| it.as_deref() == Some(PERSON)),
        "nobody plays at the terminal in `ludex match`: `ludex play` and `ludex host` have seats \
         for a `{PERSON}`"
    );
    let memory = remembered(shelf.as_ref(), &title, &setup)?;
    let seats = seats(&setup, &names, memory.as_ref())?;
    let mut said = Circumstances {
        game: title,
        players: named(&names),
        seed: arguments.seed,
        start_clock: arguments.start_clock.0,
        play_clock: arguments.play_clock.0,
        ..Circumstances::default()
    };
    let stop = Stop::when_told()?;
    let record = watch(&setup, seats, (&mut said, arguments.quiet, &stop))?;
    if let Some(shelf) = shelf {
        shelf.write()?;
    }
    if let Some(output) = output {
        let file = MatchFile::new(&setup.game, &record, &said);
        write_record(&output, &file, None)?;
    }
    not_broken(&said.game, &setup, &record)?;
    Ok(stop.outcome())
}

/// Where the game is remembered, if it is.
fn shelf(arguments: &Match) -> Result<Option<Shelf>> {
    let Match { game, reading, .. } = arguments;
    let games = std::slice::from_ref(game);
    let shelf = |folder| Shelf::new(folder, games, reading.max_bytes);
    arguments.memory.as_deref().map(shelf).transpose()
}

/// What is remembered of the game.
fn remembered(shelf: Option<&Shelf>, title: &str, setup: &Setup) -> Result<Option<Arc<Memory>>> {
    let Some(shelf) = shelf else {
        return Ok(None);
    };
    if !shelf.take(0, &setup.game)? {
        eprintln!("ludex: {title}: {}", BadMemory::NoIds);
    }
    Ok(shelf.find(0))
}

/// An error if the match ended because the game is broken.
pub(super) fn not_broken(title: &str, setup: &Setup, record: &Record) -> Result<()> {
    match &record.broken {
        Some(broken) => Err(BrokenGame::new(title, &setup.game, broken).into()),
        None => Ok(()),
    }
}

/// The names of all players; chance is called `random`.
pub(super) fn named(names: &[Option<String>]) -> Vec<String> {
    let names = names.iter();
    names
        .map(|name| name.clone().unwrap_or("random".into()))
        .collect()
}

/// Plays a match and shows it, until it ends or somebody stops it.
pub(super) fn watch(
    setup: &Setup,
    seats: Vec<Option<Box<dyn Player>>>,
    (said, quiet, stop): (&mut Circumstances, bool, &Stop),
) -> Result<Record> {
    let mut viewer = Viewer::new(&setup.game, quiet);
    let record = play_while(setup, seats, &mut |event| {
        if let Event::State(_) = event {
            said.times.push(milliseconds());
        }
        viewer.show(event);
        match stop.is_asked() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    })?;
    viewer.end(&record)?;
    Ok(record)
}

/// Who plays each role; none for chance.
pub(super) fn names(setup: &Setup, wanted: &[String]) -> Result<Vec<Option<String>>> {
    let wanted = listed(wanted);
    let roles = setup.game.roles().len();
    let seats: Vec<usize> = setup.game.players().map(RoleId::index).collect();
    let default = roster::usual(&setup.game);
    if !wanted.is_empty() && wanted.len() != seats.len() {
        let scratch = setup.game.scratch();
        let role = |&role: &usize| scratch.terms().text(setup.game.roles()[role]);
        let roles: Vec<String> = seats.iter().map(role).collect();
        bail!(
            "{} for {}: name one for each of the roles {}",
            counted(wanted.len(), "player"),
            counted(seats.len(), "seat"),
            roles.join(", ")
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

/// Players as they were named, one after the other or separated by commas.
pub(super) fn listed(names: &[String]) -> Vec<String> {
    names.iter().flat_map(|it| split_players(it)).collect()
}

/// So many things of a kind.
pub(super) fn counted(count: usize, kind: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {kind}{plural}")
}

/// The players of these names, seated; none for chance and persons.
pub(super) fn seats(
    setup: &Setup,
    names: &[Option<String>],
    memory: Option<&Arc<Memory>>,
) -> Result<Vec<Option<Box<dyn Player>>>> {
    let mut seats = Vec::new();
    for (role, name) in names.iter().enumerate() {
        let name = name.as_deref().filter(|&name| name != PERSON);
        let seat = Seat {
            memory: memory.cloned(),
            ..seat(setup, role)
        };
        let player = name.map(|name| roster::player(name, seat));
        seats.push(player.transpose()?);
    }
    Ok(seats)
}

/// The seat of a role.
pub(super) fn seat(setup: &Setup, role: usize) -> Seat {
    Seat {
        game: Arc::clone(&setup.game),
        role: RoleId::new(role),
        seed: setup.seed.wrapping_mul(31).wrapping_add(role as u64),
        threads: thread::available_parallelism().map_or(1, usize::from),
        memory: None,
        helpers: Some(processes::helpers()),
    }
}
