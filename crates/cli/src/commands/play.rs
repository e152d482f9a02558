//! `ludex play`: a person against the players of the roster.

use super::introduce::introduce;
use super::matches::{counted, listed, named, not_broken, seat, seats};
use crate::args::Play;
use crate::files::write_record;
use crate::output::Output;
use crate::person::{Hints, Manners, Person, Session};
use crate::stop::Stop;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Result, bail, ensure};
use arena::Clocks;
use arena::referee::{Setup, Substitute};
use game::RoleId;
use players::roster;
use record::{Circumstances, MatchFile, PERSON};
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

/// Who gives hints.
const ADVISER: &str = "uct";

pub(crate) fn run(arguments: &Play) -> Result<Outcome> {
    ensure!(
        !input::is_standard_input(&arguments.game),
        "the rules cannot come from standard input, as moves are read from it: name a file or a game"
    );
    let output = Output::maybe(arguments.json.as_deref())?;
    let Some(game) = super::for_play(&arguments.game, &arguments.reading, arguments.quiet)? else {
        return Ok(Outcome::Refused);
    };
    let setup = Setup {
        game: Arc::new(game),
        clocks: Clocks::Times {
            start: arguments.start_clock.0,
            play: arguments.play_clock.0,
        },
        patience: arguments.tolerance.patience(Duration::ZERO),
        substitute: Substitute::default(),
        seed: arguments.seed,
    };
    let role = role(&setup, arguments.role.as_deref())?;
    let names = names(&setup, role, &arguments.opponents)?;
    let players = seats(&setup, &names, None)?;
    let stop = Stop::when_told()?;
    let manners = Manners {
        reveal: arguments.reveal,
        clock: arguments.play_clock.0,
        quiet: arguments.quiet,
        takes_back: true,
        stop: stop.clone(),
    };
    let persons = persons(&setup, &names)?;
    let alone = persons.len() == 1;
    introduce(&setup, &arguments.game, &names)?;
    greet(&setup, &manners)?;
    let (record, times) = Session::new(&setup, players, (persons, manners))?.play()?;
    let goals = seated(&setup).map(|role| record.goals[role]).collect();
    let verdict = verdict(record.goals[role], goals).filter(|_| record.completed && alone);
    if let Some(verdict) = verdict {
        writeln!(stdout(), "{verdict}")?;
    }
    if let Some(output) = output {
        let said = said(arguments, times, &names);
        write_record(&output, &MatchFile::new(&setup.game, &record, &said), None)?;
    }
    not_broken(&input::title(&arguments.game), &setup, &record)?;
    Ok(stop.outcome())
}

/// The persons on their seats, each with somebody who gives hints.
pub(super) fn persons(setup: &Setup, names: &[Option<String>]) -> Result<Vec<Person>> {
    let roles = names.iter().enumerate();
    let roles = roles.filter(|(_, name)| name.as_deref() == Some(PERSON));
    let person = |(role, _)| {
        let adviser = roster::player(ADVISER, seat(setup, role))?;
        Ok(Person::new(role, Hints::new(adviser)))
    };
    roles.map(person).collect()
}

/// The roles that are not chance.
fn seated(setup: &Setup) -> impl Iterator<Item = usize> {
    setup.game.players().map(RoleId::index)
}

/// The number of the role that is asked for, or of the first one.
fn role(setup: &Setup, wanted: Option<&str>) -> Result<usize> {
    let scratch = setup.game.scratch();
    let name = |role: usize| scratch.terms().text(setup.game.roles()[role]);
    let names: Vec<String> = seated(setup).map(name).collect();
    let found = match wanted {
        None => seated(setup).next(),
        Some(wanted) => seated(setup).find(|&role| name(role).eq_ignore_ascii_case(wanted)),
    };
    match (found, wanted) {
        (Some(role), _) => Ok(role),
        (None, None) => bail!("the game has no role for a person"),
        (None, Some(wanted)) => {
            bail!(
                "there is no role `{wanted}` to play; the roles are {}",
                names.join(", ")
            )
        }
    }
}

/// Who plays each role; none for chance.
fn names(setup: &Setup, person: usize, wanted: &[String]) -> Result<Vec<Option<String>>> {
    let wanted = listed(wanted);
    let others: Vec<usize> = seated(setup).filter(|&role| role != person).collect();
    let (seats, named) = (others.len(), wanted.len());
    ensure!(
        named == seats || named == 0 || named == 1 && seats > 0,
        "--vs names {} for {}: name one for all, or one for each",
        counted(named, "player"),
        counted(seats, "other seat"),
    );
    let default = roster::usual(&setup.game);
    let mut names = vec![None; setup.game.roles().len()];
    names[person] = Some(PERSON.to_string());
    for (place, role) in others.into_iter().enumerate() {
        let name = wanted.get(place).or(wanted.first());
        names[role] = Some(name.map_or(default, String::as_str).to_string());
    }
    Ok(names)
}

/// Says how one speaks to it, and what is not shown.
fn greet(setup: &Setup, manners: &Manners) -> Result<()> {
    let mut text = "`help` tells what you can say.\n".to_string();
    if setup.game.hides() && !manners.reveal {
        text += "The game hides its state: you are shown what your role sees.\n";
    }
    Ok(stdout().write_all(text.as_bytes())?)
}

/// What a goal means among those of all roles; nothing if a role has none.
fn verdict(mine: Option<i64>, goals: Vec<Option<i64>>) -> Option<String> {
    let goals: Vec<i64> = goals.into_iter().collect::<Option<_>>()?;
    let mine = mine?;
    let better = goals.iter().filter(|&&goal| goal > mine).count();
    let equal = goals.iter().filter(|&&goal| goal == mine).count();
    Some(match (goals.len(), better, equal) {
        (1, ..) => format!("You got {mine} of 100."),
        (2, 0, 1) => "You win.".to_string(),
        (2, 0, _) => "A draw.".to_string(),
        (2, ..) => "You lose.".to_string(),
        (count, 0, 1) => format!("You win against {} others.", count - 1),
        (count, 0, _) => format!("You share the first place of {count}."),
        (count, ..) => format!("You come {} of {count}.", ordinal(better + 1)),
    })
}

fn ordinal(place: usize) -> String {
    match place {
        2 => "second".to_string(),
        3 => "third".to_string(),
        _ => format!("number {place}"),
    }
}

/// What the record says besides what happened.
fn said(arguments: &Play, times: Vec<u64>, names: &[Option<String>]) -> Circumstances {
    Circumstances {
        game: input::title(&arguments.game),
        players: named(names),
        seed: arguments.seed,
        start_clock: arguments.start_clock.0,
        play_clock: arguments.play_clock.0,
        times,
        ..Circumstances::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_said_in_words() {
        let said = |mine: i64, others: &[i64]| {
            let goals = others.iter().chain([&mine]).map(|&goal| Some(goal));
            verdict(Some(mine), goals.collect()).unwrap_or_default()
        };
        assert_eq!(said(80, &[]), "You got 80 of 100.");
        assert_eq!(said(100, &[0]), "You win.");
        assert_eq!(said(50, &[50]), "A draw.");
        assert_eq!(said(25, &[75]), "You lose.");
        assert_eq!(said(75, &[25, 0]), "You win against 2 others.");
        assert_eq!(said(75, &[75, 0]), "You share the first place of 3.");
        assert_eq!(said(50, &[75, 0]), "You come second of 3.");
        assert_eq!(verdict(Some(1), vec![None, Some(1)]), None);
    }
}
