//! `ludex host`: a match between players here, somewhere else, and a person.

use super::matches::{named, names, seat, watch};
use super::play::ADVISER;
use crate::args::{Gdl2, Host};
use crate::person::{Hints, Person, Session};
use crate::progress::Spinner;
use crate::record::{Circumstances, MatchFile, PERSON, id, milliseconds};
use crate::{Outcome, input};
use anyhow::{Context, Result, ensure};
use arena::referee::Setup;
use arena::{Clocks, Record};
use game::Game;
use players::{Player, roster};
use server::remote::{Address, Form, Match, Remote, Wording};
use std::sync::Arc;

/// The players, one or none for each role.
type Seats = Vec<Option<Box<dyn Player>>>;

pub(crate) fn run(arguments: &Host) -> Result<Outcome> {
    super::server::log(arguments.log);
    let title = input::title(&arguments.game);
    let spinner = Spinner::new(&title, arguments.quiet);
    let Some(program) = super::program(&arguments.game, &arguments.reading, &spinner)? else {
        return Ok(Outcome::Refused);
    };
    let (game, _) = Game::for_play(&program, &spinner.limits());
    drop(spinner);
    let wording = match arguments.scramble {
        true => Wording::scrambled(program.tree(), arguments.seed),
        false => Wording::plain(program.tree()),
    };
    let setup = Setup {
        game: Arc::new(game),
        clocks: Clocks::Times {
            start: arguments.start_clock.0,
            play: arguments.play_clock.0,
        },
        grace: arguments.grace.0,
        seed: arguments.seed,
    };
    let names = names(&setup, &arguments.seats)?;
    let mut said = said(arguments, (title, &names));
    let common = common(arguments, &said, wording);
    let seats = seats(&setup, &names, &common)?;
    let record = play((&setup, arguments), (seats, &names), &mut said)?;
    if let Some(path) = &arguments.json {
        let file = MatchFile::new(&setup.game, &record, &said);
        input::replace(path, &serde_json::to_string_pretty(&file)?)?;
    }
    Ok(Outcome::Fine)
}

/// What the record says besides what happened.
fn said(arguments: &Host, (title, names): (String, &[Option<String>])) -> Circumstances {
    let made_up = || id(milliseconds(), arguments.seed);
    let how = (arguments.seed, arguments.start_clock, arguments.play_clock);
    Circumstances {
        id: Some(arguments.id.clone().unwrap_or_else(made_up)),
        scrambled: arguments.scramble,
        ..Circumstances::new(title, named(names), how)
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
    }
}

/// Whether a name is an address.
fn is_address(name: &str) -> bool {
    name.contains("://")
}

/// The players, seated; none for chance and the person.
fn seats(setup: &Setup, names: &[Option<String>], common: &Match) -> Result<Seats> {
    let mut seats = Seats::new();
    for (role, name) in names.iter().enumerate() {
        seats.push(match name.as_deref() {
            None | Some(PERSON) => None,
            Some(name) if is_address(name) => {
                let address: Address = name.parse()?;
                let remote = Remote::new(address, common.clone(), seat(setup, role));
                Some(Box::new(remote))
            }
            Some(name) => {
                let player = roster::player(name, seat(setup, role));
                Some(player.context("`ludex players` lists all players")?)
            }
        });
    }
    Ok(seats)
}

/// Plays the match, with a person if there is one.
fn play(
    (setup, arguments): (&Setup, &Host),
    (seats, names): (Seats, &[Option<String>]),
    said: &mut Circumstances,
) -> Result<Record> {
    let is_person = |it: &&Option<String>| it.as_deref() == Some(PERSON);
    let persons = names.iter().filter(is_person).count();
    ensure!(persons <= 1, "there is one terminal, and {persons} persons");
    let Some(role) = names.iter().position(|it| is_person(&it)) else {
        return watch(setup, seats, (said, arguments.quiet));
    };
    let person = Person {
        role,
        reveal: false,
        hints: Hints::new(roster::player(ADVISER, seat(setup, role))?),
        clock: arguments.play_clock.0,
        quiet: arguments.quiet,
    };
    let mut session = Session::new(setup, seats, person)?;
    session.run()?;
    let (record, times, viewer) = session.record();
    viewer.end(&record)?;
    said.times = times;
    Ok(record)
}
