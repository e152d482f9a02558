//! A match with a person in it, turn by turn.
//!
//! A turn in which the person has no choice is made without asking, unless nobody has one:
//! then the person sets the pace. Where the state is hidden, the person is shown what their role
//! sees and nothing else; not even whether others have a choice, so one's only move is never
//! asked for.

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
use arena::referee::{Referee, Setup};
use arena::{Record, Round};
use game::{RoleId, TermId};
use players::{Budget, Player};
use std::io::Write;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// More moves than these are listed only when asked for.
const LISTED: usize = 40;

/// What is said of a state that is hidden.
const HIDDEN: &str = "The game hides its state; --reveal shows it.\n";

/// What is said of a line that says nothing.
const UNKNOWN: &str = "is no legal move and no command; see `moves` and `help`";

/// Who plays.
pub(crate) struct Person {
    /// The number of their role.
    pub(crate) role: usize,
    /// Whether they see what the game hides.
    pub(crate) reveal: bool,
    /// Who helps them.
    pub(crate) hints: Hints,
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
    Resigned,
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

/// A match with a person in it.
pub(crate) struct Session<'s> {
    setup: &'s Setup,
    person: Person,
    referee: Referee<'s>,
    viewer: Viewer<'s>,
    lines: Lines,
    /// The turns in which the person was asked.
    asked: Vec<usize>,
    /// When each state was reached.
    times: Vec<u64>,
}

impl<'s> Session<'s> {
    /// Begins a match; the seat of the person has no player.
    pub(crate) fn new(
        setup: &'s Setup,
        players: Vec<Option<Box<dyn Player>>>,
        person: Person,
    ) -> Result<Session<'s>> {
        Ok(Session {
            referee: thinking(person.quiet, || Referee::new(setup, players))?,
            viewer: Viewer::new(&setup.game, false),
            lines: Lines::new(person.stop.clone())?,
            asked: Vec::new(),
            times: vec![milliseconds()],
            person,
            setup,
        })
    }

    /// Plays until the end.
    fn run(&mut self) -> Result<Ending> {
        self.viewer.starts(self.referee.starts());
        self.observe();
        while !self.referee.is_over() {
            match self.step()? {
                Wish::Move(action) => self.turn(action)?,
                Wish::Back(turns) => self.back(turns)?,
                Wish::End(ending) => return Ok(ending),
            }
            if self.person.stop.is_asked() {
                return Ok(Ending::Stopped);
            }
        }
        self.person.reveal = true;
        print(&self.picture())?;
        Ok(Ending::Over)
    }

    /// Plays until the end, and says how it came; returns what happened, and when each state was
    /// reached.
    pub(crate) fn play(mut self) -> Result<(Record, Vec<u64>)> {
        let ending = self.run()?;
        self.person.hints.finish(match ending {
            Ending::Over => players::Ending::Completed,
            Ending::Resigned | Ending::Left | Ending::Stopped => players::Ending::Abandoned,
        });
        let record = self.referee.record();
        match ending {
            Ending::Left => print("You left the match.\n")?,
            Ending::Stopped => print("You stopped the match.\n")?,
            Ending::Resigned => print("You resigned.\n")?,
            Ending::Over => self.viewer.end(&record)?,
        }
        Ok((record, self.times))
    }

    /// Asks what to do, if there is a choice.
    fn step(&mut self) -> Result<Wish> {
        let legal = self.referee.view().legal[self.person.role].iter();
        let texts = legal.map(|&action| (action, self.viewer.text(action)));
        let moves = Rc::new(Moves::new(texts));
        if let Some(only) = moves.only().filter(|_| self.is_obvious()) {
            return Ok(Wish::Move(only));
        }
        let picture = match self.is_hidden() {
            true => "\n".to_string(),
            false => self.picture(),
        };
        print(&(picture + &self.offer(&moves)))?;
        let role = self.setup.game.roles()[self.person.role];
        let prompt = format!("{}> ", self.viewer.text(role));
        while let Some(line) = self.lines.next(&prompt, &moves)? {
            if let Some(step) = self.answer(&line, &moves)? {
                return Ok(step);
            }
        }
        Ok(Wish::End(match self.person.stop.is_asked() {
            true => Ending::Stopped,
            false => Ending::Left,
        }))
    }

    /// Whether a forced move may be played without asking.
    fn is_obvious(&self) -> bool {
        let mut legal = self.referee.view().legal.iter();
        self.setup.game.hides() || legal.any(|legal| legal.len() > 1)
    }

    /// Does what a line says; gives what the person decided, if anything.
    fn answer(&mut self, line: &str, moves: &Moves) -> Result<Option<Wish>> {
        let width = self.lines.width();
        let text = match words::said(line, moves, width) {
            Said::Move(action) => return Ok(Some(self.decided(action))),
            Said::Nothing => return Ok(moves.only().map(|only| self.decided(only))),
            Said::Undo if !self.person.takes_back => {
                "Others play over the network: nothing can be taken back.\n".to_string()
            }
            Said::Undo => match self.asked.pop() {
                Some(turns) => return Ok(Some(Wish::Back(turns))),
                None => "There is nothing to take back.\n".to_string(),
            },
            Said::Quit => return Ok(Some(Wish::End(Ending::Left))),
            Said::Resign => return Ok(Some(Wish::End(Ending::Resigned))),
            Said::Ambiguous(list) => self.objection(&format!("`{line}` may be\n{list}"))?,
            Said::Unknown => self.objection(&format!("`{line}` {UNKNOWN}\n"))?,
            Said::Moves(text) => match moves.list(&text, width) {
                list if list.is_empty() => format!("No legal move has `{text}` in it.\n"),
                list => list,
            },
            Said::Hint => self.hint(moves),
            Said::Board => self.picture(),
            Said::Facts => self.facts(),
            Said::Help => words::help(moves),
        };
        print(&text)?;
        Ok(None)
    }

    fn decided(&mut self, action: TermId) -> Wish {
        self.asked.push(self.referee.rounds().len());
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
    fn turn(&mut self, action: TermId) -> Result<()> {
        let legal = self.referee.view().legal.iter();
        let chose: Vec<bool> = legal.map(|legal| legal.len() > 1).collect();
        let Person { role, quiet, .. } = self.person;
        self.viewer.ask();
        let round = thinking(quiet, || {
            self.referee.round(Some((RoleId::new(role), action)))
        })?
        .clone();
        self.times.push(milliseconds());
        self.observe();
        print(&(self.told(&round, &chose) + &self.seen()))
    }

    /// What the person is told of a turn: their own move, and unless it is hidden what others
    /// did, if they did not merely wait while someone chose.
    fn told(&self, round: &Round, chose: &[bool]) -> String {
        let turn = self.referee.rounds().len();
        let asked = self.asked.last() == Some(&(turn - 1));
        let nobody = !chose.contains(&true);
        let mut text = String::new();
        for (role, chose) in chose.iter().enumerate() {
            let mine = role == self.person.role;
            let matters = nobody || *chose || round.faults[role].is_some();
            if mine || matters && !self.is_hidden() {
                let only = mine && !asked;
                let note = if only { "  (your only move)" } else { "" };
                text += &format!("{turn:4}  {}{note}\n", self.viewer.said(round, role));
            }
        }
        text
    }

    fn back(&mut self, turns: usize) -> Result<()> {
        self.referee.back_to(turns)?;
        self.observe();
        self.times.truncate(turns + 1);
        print(&format!("Back to turn {}.\n{}", turns + 1, self.seen()))
    }

    /// Lets the player that gives hints follow the match.
    fn observe(&mut self) {
        let role = RoleId::new(self.person.role);
        self.person.hints.observe(&self.referee, role);
    }

    /// What the person saw of the last turn.
    fn seen(&self) -> String {
        let role = RoleId::new(self.person.role);
        let percepts = self.referee.percepts()[self.person.role].iter();
        let percepts = percepts.map(|&it| self.setup.game.percept_term(role, it));
        let mut percepts: Vec<TermId> = percepts.collect();
        percepts.sort_unstable();
        let texts: Vec<String> = percepts.iter().map(|&it| self.viewer.text(it)).collect();
        match texts.is_empty() {
            true => String::new(),
            false => format!("      you see {}\n", texts.join(", ")),
        }
    }

    /// The state, unless it is hidden.
    fn picture(&self) -> String {
        match self.is_hidden() {
            true => HIDDEN.to_string(),
            false => match self.viewer.state(self.referee.state()) {
                empty if empty.trim().is_empty() => "\n".to_string(),
                picture => format!("\n{picture}"),
            },
        }
    }

    fn facts(&self) -> String {
        if self.is_hidden() {
            return HIDDEN.to_string();
        }
        let fluents = self.referee.state().fluents().iter();
        let mut facts: Vec<String> = fluents.map(|&it| self.viewer.text(it)).collect();
        facts.sort();
        facts.iter().map(|fact| format!("  {fact}\n")).collect()
    }

    /// Whether the person must not see the state.
    fn is_hidden(&self) -> bool {
        self.setup.game.hides() && !self.person.reveal
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

    fn hint(&mut self, moves: &Moves) -> String {
        if moves.only().is_some() {
            return "There is only one move.\n".to_string();
        }
        let budget = Budget::Until(Instant::now() + self.person.clock);
        let hints = &mut self.person.hints;
        let hint = thinking(self.person.quiet, || hints.ask(&budget));
        match hint {
            Ok(decision) => {
                let role = RoleId::new(self.person.role);
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
