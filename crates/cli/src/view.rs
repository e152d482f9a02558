//! Matches on the terminal: states as pictures, turns as lines, results.

use anstream::{eprintln, stdout};
use anyhow::Result;
use arena::referee::Event;
use arena::{Delays, Fault, Record, Round};
use game::{Game, Scratch, State, TermId};
use picture::Board;
use std::cell::RefCell;
use std::io::Write;
use std::time::Instant;

/// Prints a match as it goes.
pub(crate) struct Viewer<'g> {
    game: &'g Game,
    scratch: RefCell<Scratch>,
    /// How states are drawn, if the fluents that can hold are known.
    board: Option<Board>,
    quiet: bool,
    turns: usize,
    since: Instant,
}

impl<'g> Viewer<'g> {
    pub(crate) fn new(game: &'g Game, quiet: bool) -> Viewer<'g> {
        let scratch = game.scratch();
        let board = game.fluents().map(|fluents| {
            let fluents = fluents.iter();
            let fluents: Vec<String> = fluents.map(|&it| scratch.terms().text(it)).collect();
            Board::new(&fluents)
        });
        Viewer {
            scratch: RefCell::new(scratch),
            board,
            game,
            quiet,
            turns: 0,
            since: Instant::now(),
        }
    }

    /// What cannot be printed is not worth the end of a match.
    pub(crate) fn show(&mut self, event: &Event<'_>) {
        if self.quiet {
            return;
        }
        let text = match event {
            Event::State(state) => self.state(state),
            Event::Round(round) => self.round(round),
        };
        let _ = stdout().write_all(text.as_bytes());
        self.ask();
    }

    /// The picture of a state, and an empty line.
    pub(crate) fn state(&self, state: &State) -> String {
        let facts: Vec<String> = state.fluents().iter().map(|&it| self.text(it)).collect();
        let picture = match &self.board {
            Some(board) => board.draw(&facts),
            None => Board::new(&facts).draw(&facts),
        };
        format!("{picture}\n\n")
    }

    fn round(&mut self, round: &Round) -> String {
        self.turns += 1;
        let roles = 0..round.joint.len();
        let lines = roles.map(|role| format!("{:4}  {}\n", self.turns, self.said(round, role)));
        lines.collect()
    }

    /// What a role did in a turn, and what it thinks of it.
    pub(crate) fn said(&self, round: &Round, role: usize) -> String {
        let name = self.text(self.game.roles()[role]);
        let mut text = format!("{name} {}", self.text(round.joint[role]));
        if let Some(decision) = round.decisions[role].filter(|it| it.value.is_some()) {
            let value = 100.0 * decision.value.unwrap_or(0.0);
            let seconds = self.since.elapsed().as_secs_f64();
            let rate = decision.playouts as f64 / seconds.max(1e-9);
            let proven = if decision.proven { ", proven" } else { "" };
            text += &format!("  expects {value:.0}{proven}, {rate:.0} playouts/s, {seconds:.1} s");
        }
        if let Some(fault) = &round.faults[role] {
            text += &format!("  ({})", self.fault(fault));
        }
        text
    }

    /// Players are asked from now on: their playouts are counted by the second.
    pub(crate) fn ask(&mut self) {
        self.since = Instant::now();
    }

    fn fault(&self, fault: &Fault) -> String {
        match fault {
            Fault::Late => "late; a legal move was put in its place".to_string(),
            Fault::Crashed => "crashed; a legal move was put in its place".to_string(),
            Fault::Unreachable => "not reached; a legal move was put in its place".to_string(),
            Fault::NoMove(text) => format!("instead of `{text}`, which is no legal move"),
            Fault::Refused(reason) => reason.clone(),
            Fault::Illegal(action) => format!("instead of the illegal {}", self.text(*action)),
        }
    }

    /// Prints how a match ended.
    pub(crate) fn end(&self, record: &Record) -> Result<()> {
        self.starts(&record.starts);
        if let Some(Delays { moves, longest }) = record.delays() {
            let came = match moves {
                1 => "a move came later than its clock, by".to_string(),
                _ => format!("{moves} moves came later than their clocks, by up to"),
            };
            let longest = longest.as_secs_f64();
            eprintln!("ludex: the machine is busy: {came} {longest:.2} s; taken all the same");
        }
        if record.broken.is_some() {
            writeln!(stdout(), "no result: the game is broken")?;
            return Ok(());
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

    /// Says who did not start.
    pub(crate) fn starts(&self, starts: &[Option<Fault>]) {
        for (role, fault) in starts.iter().enumerate() {
            let reason = match fault {
                None => continue,
                Some(Fault::Refused(reason)) => reason,
                Some(Fault::Unreachable) => "was not reached at the start",
                Some(Fault::Crashed) => "crashed at the start",
                Some(_) => "was not ready when the match began",
            };
            eprintln!("ludex: {}: {reason}", self.text(self.game.roles()[role]));
        }
    }

    /// A term in prefix syntax.
    pub(crate) fn text(&self, term: TermId) -> String {
        let mut scratch = self.scratch.borrow_mut();
        // The interpreter makes terms as it goes.
        if term.index() >= scratch.terms().len() {
            *scratch = self.game.scratch();
        }
        scratch.terms().text(term)
    }
}
