//! `ludex host`: a match between players here, somewhere else, and persons at the terminal.

use super::introduce::introduce;
use super::matches::{named, names, not_broken, seat, watch};
use super::play::persons;
use super::remote::{is_address, warn_of_clocks, warn_of_words, who};
use crate::args::{Gdl2, Host, Manager};
use crate::files::{milliseconds, read_key, write_record};
use crate::output::Output;
use crate::person::{Manners, Session};
use crate::progress::Spinner;
use crate::stop::Stop;
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::Result;
use arena::referee::{Setup, Substitute};
use arena::{Clocks, Record};
use game::Game;
use players::{Player, roster};
use record::{Circumstances, MatchFile, PERSON, id};
use server::remote::{Address, Dialect, Form, Match, Remote, Wording, preview};
use std::io::Write;
use std::sync::Arc;
use std::thread;

/// The players, one or none for each role.
type Seats = Vec<Option<Box<dyn Player>>>;

pub(crate) fn run(arguments: &Host) -> Result<Outcome> {
    super::server::log(arguments.log);
    let output = Output::maybe(arguments.json.as_deref())?;
    let key = arguments.key.as_deref().map(read_key).transpose()?;
    let title = input::title(&arguments.game);
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(&arguments.game, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let game = Game::of(&program, &spinner.limits());
    drop(spinner);
    let wording = match arguments.scramble {
        true => Wording::scrambled(program.tree(), arguments.seed),
        false => Wording::plain(program.tree()),
    };
    let setup = setup(arguments, game);
    let names = names(&setup, &arguments.seats)?;
    let mut said = said(arguments, title, named(&names));
    let common = common(arguments, &said, wording);
    let seats = seats(&setup, &names, &common)?;
    said.players = introduced(arguments, &names, &common.wording)?;
    look(arguments, &names, &common.wording);
    // From now on the match is stopped after a turn, players are told, and the record is written.
    let stop = Stop::when_told()?;
    let record = play((&setup, arguments), (seats, &names), (&mut said, &stop))?;
    if let Some(output) = output {
        let file = MatchFile::new(&setup.game, &record, &said);
        write_record(&output, &file, key.as_ref())?;
    }
    not_broken(&said.game, &setup, &record)?;
    Ok(stop.outcome())
}

fn setup(arguments: &Host, game: Game) -> Setup {
    Setup {
        game: Arc::new(game),
        clocks: Clocks::Times {
            start: arguments.start_clock.0,
            play: arguments.play_clock.0,
        },
        patience: arguments.tolerance.patience(arguments.grace.0),
        substitute: match arguments.dialect {
            Manager::GgpBase => Substitute::Random,
            Manager::Dresden => Substitute::First,
        },
        seed: arguments.seed,
    }
}

/// What the record says besides what happened.
fn said(arguments: &Host, title: String, players: Vec<String>) -> Circumstances {
    let made_up = || id(milliseconds(), arguments.seed);
    Circumstances {
        game: title,
        players,
        seed: arguments.seed,
        id: Some(arguments.id.clone().unwrap_or_else(made_up)),
        scrambled: arguments.scramble,
        start_clock: arguments.start_clock.0,
        play_clock: arguments.play_clock.0,
        preview_clock: arguments.preview_clock.map(|it| it.0),
        ..Circumstances::default()
    }
}

/// What players somewhere else are told.
fn common(arguments: &Host, said: &Circumstances, wording: Wording) -> Match {
    Match {
        id: said.id.clone().unwrap_or_default(),
        wording: Arc::new(wording),
        start_clock: arguments.start_clock.0,
        play_clock: arguments.play_clock.0,
        grace: arguments.grace.0,
        form: match arguments.gdl2 {
            Gdl2::Plain => Form::Plain,
            Gdl2::Numbered => Form::Numbered,
        },
        dialect: match arguments.dialect {
            Manager::GgpBase => Dialect::GgpBase,
            Manager::Dresden => Dialect::Dresden,
        },
    }
}

/// The players, seated; none for chance and persons.
fn seats(setup: &Setup, names: &[Option<String>], common: &Match) -> Result<Seats> {
    let mut seats = Seats::new();
    for (role, name) in names.iter().enumerate() {
        seats.push(match name.as_deref() {
            None | Some(PERSON) => None,
            Some(address) if is_address(address) => {
                let mut common = common.clone();
                // Who has several seats has a match for each.
                if names[..role].contains(name) {
                    common.id += &format!(".{role}");
                }
                let remote = Remote::new(address.parse()?, common, seat(setup, role));
                Some(Box::new(remote))
            }
            Some(name) => Some(roster::player(name, seat(setup, role))?),
        });
    }
    Ok(seats)
}

/// The names of all players: those somewhere else are asked for theirs, unless it is not the
/// custom.
fn introduced(
    arguments: &Host,
    names: &[Option<String>],
    wording: &Wording,
) -> Result<Vec<String>> {
    let mut introduced = named(names);
    if names.iter().flatten().any(|it| is_address(it)) {
        warn_of_clocks([arguments.start_clock.0, arguments.play_clock.0]);
        warn_of_words(wording);
    }
    if arguments.dialect == Manager::Dresden {
        return Ok(introduced);
    }
    for name in introduced.iter_mut().filter(|it| is_address(it)) {
        let info = match who(name) {
            Ok(info) => info,
            Err(error) => {
                eprintln!("ludex: {error:#}");
                continue;
            }
        };
        let status = info.status.unwrap_or_else(|| "there".to_string());
        if status != "available" {
            eprintln!("ludex: the player at {name} is {status}");
        }
        if let Some(called) = info.name {
            if !arguments.quiet {
                writeln!(stdout(), "{name} is {called}")?;
            }
            *name = called;
        }
    }
    Ok(introduced)
}

/// Lets players somewhere else look at the rules, all at the same time.
fn look(arguments: &Host, names: &[Option<String>], wording: &Wording) {
    let Some(clock) = arguments.preview_clock else {
        return;
    };
    let addresses = names
        .iter()
        .flatten()
        .filter_map(|it| it.parse::<Address>().ok());
    thread::scope(|scope| {
        for address in addresses {
            scope.spawn(move || match preview(&address, wording, clock.0) {
                Ok(true) => {}
                Ok(false) => eprintln!("ludex: the player at {address} did not look at the rules"),
                Err(error) => eprintln!("ludex: {address}: {error}"),
            });
        }
    });
}

/// Plays the match, with persons if there are some.
fn play(
    (setup, arguments): (&Setup, &Host),
    (seats, names): (Seats, &[Option<String>]),
    (said, stop): (&mut Circumstances, &Stop),
) -> Result<Record> {
    let persons = persons(setup, names)?;
    if persons.is_empty() {
        return watch(setup, seats, (said, arguments.quiet, stop));
    }
    introduce(setup, &arguments.game, names)?;
    let manners = Manners {
        reveal: false,
        clock: arguments.play_clock.0,
        quiet: arguments.quiet,
        takes_back: !names.iter().flatten().any(|it| is_address(it)),
        stop: stop.clone(),
    };
    let (record, times) = Session::new(setup, seats, (persons, manners))?.play()?;
    said.times = times;
    Ok(record)
}
