//! A match with persons in it, turn by turn.
//!
//! Persons share a terminal and are asked one after the other. A turn in which a person has no
//! choice is made without asking, unless nobody has one: then the persons set the pace. Where the
//! state is hidden, a person is shown what their role sees and nothing else; not even whether
//! others have a choice, so one's only move is never asked for.

use super::hints::Hints;
use super::lines::Lines;
use super::moves::Moves;
use super::words::{self, Said};
use crate::files::milliseconds;
use crate::progress::Spinner;
use crate::stop::Stop;
use crate::view::Viewer;
use anstream::stdout;
use anyhow::{Result, bail};
use arena::Record;
use arena::referee::{Referee, Setup};
use game::{RoleId, TermId};
use players::{Budget, Player};
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// More moves than these are listed only when asked for.
const LISTED: usize = 40;

/// What is said of a line that says nothing.
const UNKNOWN: &str = "is no legal move and no command; see `moves` and `help`";

/// Who plays.
pub(crate) struct Person {
    /// The number of their role.
    pub(crate) role: usize,
    /// Who helps them.
    hints: Hints,
    /// What they were not told yet, as others would have seen it.
    pub(super) news: String,
}

impl Person {
    /// A person on a seat, with somebody who helps.
    pub(crate) fn new(role: usize, hints: Hints) -> Person {
        Person {
            role,
            hints,
            news: String::new(),
        }
    }
}

/// What persons may see and do.
#[derive(Clone, Debug)]
pub(crate) struct Manners {
    /// Whether they see what the game hides.
    pub(crate) reveal: bool,
    /// How long a hint takes.
    pub(crate) clock: Duration,
    /// Whether they want to see no progress.
    pub(crate) quiet: bool,
    /// Whether they may take moves back: players somewhere else cannot.
    pub(crate) takes_back: bool,
    /// Whether they pressed Ctrl-C.
    pub(crate) stop: Stop,
}

/// How a match with a person ends.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Ending {
    /// As the rules say.
    Over,
    /// Somebody resigned: the number of their role.
    Resigned(usize),
    Left,
    /// By Ctrl-C.
    Stopped,
}

/// What a person decides.
enum Wish {
    Move(TermId),
    /// Back to where so many turns were made.
    Back(usize),
    End(Ending),
}

/// What persons decide for a turn.
enum Step {
    Moves(Vec<(RoleId, TermId)>),
    Back(usize),
    End(Ending),
}

/// A match with persons in it.
pub(crate) struct Session<'s> {
    pub(super) setup: &'s Setup,
    pub(super) persons: Vec<Person>,
    pub(super) manners: Manners,
    pub(super) referee: Referee<'s>,
    pub(super) viewer: Viewer<'s>,
    lines: Lines,
    /// The turns in which a person was asked, and those asked in the last one.
    asked: Vec<usize>,
    pub(super) choosing: Vec<usize>,
    /// Who was asked last.
    last: Option<usize>,
    /// When each state was reached.
    times: Vec<u64>,
}

impl<'s> Session<'s> {
    /// Begins a match; the seats of persons have no players.
    pub(crate) fn new(
        setup: &'s Setup,
        players: Vec<Option<Box<dyn Player>>>,
        (persons, manners): (Vec<Person>, Manners),
    ) -> Result<Session<'s>> {
        Ok(Session {
            referee: thinking(manners.quiet, || Referee::new(setup, players))?,
            viewer: Viewer::new(&setup.game, false),
            lines: Lines::new(manners.stop.clone())?,
            asked: Vec::new(),
            choosing: Vec::new(),
            last: None,
            times: vec![milliseconds()],
            persons,
            manners,
            setup,
        })
    }

    /// Plays until the end.
    fn run(&mut self) -> Result<Ending> {
        self.viewer.starts(self.referee.starts());
        self.observe();
        while !self.referee.is_over() {
            match self.step()? {
                Step::Moves(moves) => self.turn(moves)?,
                Step::Back(turns) => self.back(turns)?,
                Step::End(ending) => return Ok(ending),
            }
            if self.manners.stop.is_asked() {
                return Ok(Ending::Stopped);
            }
        }
        let news = self.news_of_all();
        self.manners.reveal = true;
        print(&(news + &self.picture()))?;
        Ok(Ending::Over)
    }

    /// Plays until the end, and says how it came; returns what happened, and when each state was
    /// reached.
    pub(crate) fn play(mut self) -> Result<(Record, Vec<u64>)> {
        let ending = self.run()?;
        for person in &mut self.persons {
            person.hints.finish(match ending {
                Ending::Over => players::Ending::Completed,
                Ending::Resigned(_) | Ending::Left | Ending::Stopped => players::Ending::Abandoned,
            });
        }
        let record = self.referee.record();
        match ending {
            Ending::Left => print("You left the match.\n")?,
            Ending::Stopped => print("You stopped the match.\n")?,
            Ending::Resigned(role) if self.persons.len() > 1 => {
                let role = self.viewer.text(self.setup.game.roles()[role]);
                print(&format!("{role} resigned.\n"))?;
            }
            Ending::Resigned(_) => print("You resigned.\n")?,
            Ending::Over => self.viewer.end(&record)?,
        }
        Ok((record, self.times))
    }

    /// Asks one person after the other what to do.
    fn step(&mut self) -> Result<Step> {
        self.choosing.clear();
        let mut moves = Vec::new();
        for place in 0..self.persons.len() {
            let role = RoleId::new(self.persons[place].role);
            match self.wish(place)? {
                Wish::Move(action) => moves.push((role, action)),
                Wish::Back(turns) => return Ok(Step::Back(turns)),
                Wish::End(ending) => return Ok(Step::End(ending)),
            }
        }
        Ok(Step::Moves(moves))
    }

    /// Asks a person what to do, if there is a choice.
    fn wish(&mut self, place: usize) -> Result<Wish> {
        let role = self.persons[place].role;
        let legal = self.referee.view().legal[role].iter();
        let texts = legal.map(|&action| (action, self.viewer.text(action)));
        let moves = Rc::new(Moves::new(texts));
        if let Some(only) = moves.only().filter(|_| self.is_obvious()) {
            return Ok(Wish::Move(only));
        }
        self.hand_over(place)?;
        let picture = match self.is_hidden() {
            true => "\n".to_string(),
            false => self.picture(),
        };
        print(&(picture + &self.offer(&moves)))?;
        let prompt = format!("{}> ", self.viewer.text(self.setup.game.roles()[role]));
        while let Some(line) = self.lines.next(&prompt, &moves)? {
            if let Some(wish) = self.answer(place, &line, &moves)? {
                return Ok(wish);
            }
        }
        Ok(Wish::End(match self.manners.stop.is_asked() {
            true => Ending::Stopped,
            false => Ending::Left,
        }))
    }

    /// Whether a forced move may be played without asking.
    fn is_obvious(&self) -> bool {
        let mut legal = self.referee.view().legal.iter();
        self.setup.game.hides() || legal.any(|legal| legal.len() > 1)
    }

    /// Lets another person sit down: what the last one saw, or chose in this turn, is not theirs
    /// to see.
    fn hand_over(&mut self, place: usize) -> Result<()> {
        let is_secret = self.is_hidden() || !self.choosing.is_empty();
        if is_secret && self.last.is_some_and(|last| last != place) {
            let role = self.setup.game.roles()[self.persons[place].role];
            let role = self.viewer.text(role);
            self.lines
                .hand_over(&format!("It is {role}'s turn. Enter: "))?;
        }
        self.last = Some(place);
        print(&std::mem::take(&mut self.persons[place].news))
    }

    /// Does what a line says; gives what the person decided, if anything.
    fn answer(&mut self, place: usize, line: &str, moves: &Moves) -> Result<Option<Wish>> {
        let width = self.lines.width();
        let role = self.persons[place].role;
        let text = match words::said(line, moves, width) {
            Said::Move(action) => return Ok(Some(self.decided(role, action))),
            Said::Nothing => return Ok(moves.only().map(|only| self.decided(role, only))),
            Said::Undo if !self.manners.takes_back => {
                "Others play over the network: nothing can be taken back.\n".to_string()
            }
            // Somebody chose in this turn already: they are asked again.
            Said::Undo if !self.choosing.is_empty() => {
                return Ok(Some(Wish::Back(self.referee.rounds().len())));
            }
            Said::Undo => match self.asked.pop() {
                Some(turns) => return Ok(Some(Wish::Back(turns))),
                None => "There is nothing to take back.\n".to_string(),
            },
            Said::Quit => return Ok(Some(Wish::End(Ending::Left))),
            Said::Resign => return Ok(Some(Wish::End(Ending::Resigned(role)))),
            Said::Ambiguous(list) => self.objection(&format!("`{line}` may be\n{list}"))?,
            Said::Unknown => self.objection(&format!("`{line}` {UNKNOWN}\n"))?,
            Said::Moves(text) => match moves.list(&text, width) {
                list if list.is_empty() => format!("No legal move has `{text}` in it.\n"),
                list => list,
            },
            Said::Hint => self.hint(place, moves),
            Said::Board => self.picture(),
            Said::Facts => self.facts(),
            Said::Help => words::help(moves),
        };
        print(&text)?;
        Ok(None)
    }

    fn decided(&mut self, role: usize, action: TermId) -> Wish {
        self.choosing.push(role);
        Wish::Move(action)
    }

    /// What is wrong with a line: a person tries again, a file of lines ends here.
    fn objection(&self, text: &str) -> Result<String> {
        match self.lines.number() {
            Some(number) => bail!("line {number}: {}", text.trim_end()),
            None => Ok(text.to_string()),
        }
    }

    /// Makes a turn and tells what can be seen of it.
    fn turn(&mut self, moves: Vec<(RoleId, TermId)>) -> Result<()> {
        let legal = self.referee.view().legal.iter();
        let chose: Vec<bool> = legal.map(|legal| legal.len() > 1).collect();
        if !self.choosing.is_empty() {
            self.asked.push(self.referee.rounds().len());
        }
        self.viewer.ask();
        let quiet = self.manners.quiet;
        let round = thinking(quiet, || self.referee.round(moves))?.clone();
        self.times.push(milliseconds());
        self.observe();
        let text = self.tell(&round, &chose);
        print(&text)
    }

    fn back(&mut self, turns: usize) -> Result<()> {
        print(&format!("Back to turn {}.\n", turns + 1))?;
        // A turn that was not made yet is only asked for again: nobody observes it twice.
        if turns == self.referee.rounds().len() {
            return Ok(());
        }
        self.referee.back_to(turns)?;
        self.observe();
        self.times.truncate(turns + 1);
        let seen = self.tell_seen();
        print(&seen)
    }

    /// Lets the players that give hints follow the match.
    fn observe(&mut self) {
        for person in &mut self.persons {
            let role = RoleId::new(person.role);
            person.hints.observe(&self.referee, role);
        }
    }

    /// The legal moves, if they are not too many.
    fn offer(&mut self, moves: &Moves) -> String {
        match moves.len() {
            ..=LISTED => moves.list("", self.lines.width()),
            count => {
                let example = moves.example();
                format!("{count} moves, such as {example}: `moves` lists all, `moves TEXT` some.\n")
            }
        }
    }

    fn hint(&mut self, place: usize, moves: &Moves) -> String {
        if moves.only().is_some() {
            return "There is only one move.\n".to_string();
        }
        let budget = Budget::Until(Instant::now() + self.manners.clock);
        let person = &mut self.persons[place];
        let hints = &mut person.hints;
        let hint = thinking(self.manners.quiet, || hints.ask(&budget));
        match hint {
            Ok(decision) => {
                let role = RoleId::new(person.role);
                let action = self.setup.game.move_term(role, decision.action);
                let action = self.viewer.text(action);
                let value = 100.0 * decision.value.unwrap_or(0.0);
                let proven = if decision.proven { ", proven" } else { "" };
                format!("Hint: {action}, worth {value:.0}{proven}.\n")
            }
            Err(reason) => format!("No hint: {reason}.\n"),
        }
    }
}

/// Tells someone who waits that others think.
fn thinking<T>(quiet: bool, think: impl FnOnce() -> T) -> T {
    let _spinner = Spinner::doing("thinking", "ludex", quiet);
    think()
}

fn print(text: &str) -> Result<()> {
    let mut out = stdout();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}
