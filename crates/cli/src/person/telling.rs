//! What persons are told of a match: the state, turns, and what their roles see.
//!
//! Invariant: where the state is hidden and several persons share the terminal, what one of them
//! may know waits in their `news` until they are asked.

use super::session::Session;
use arena::Round;
use game::{RoleId, TermId};

/// What is said of a state that is hidden.
const HIDDEN: &str = "The game hides its state; `ludex play --reveal` shows it.\n";

impl Session<'_> {
    /// What is told of a turn at once; what only some may know becomes their news.
    pub(super) fn tell(&mut self, round: &Round, chose: &[bool]) -> String {
        if self.persons.len() == 1 || !self.is_hidden() {
            return self.told(round, chose, None) + &self.tell_seen();
        }
        for place in 0..self.persons.len() {
            let told = self.told(round, chose, Some(self.persons[place].role));
            let news = told + &self.seen(self.persons[place].role);
            self.persons[place].news += &news;
        }
        String::new()
    }

    /// What persons see after the last turn, if all may know.
    pub(super) fn tell_seen(&mut self) -> String {
        let roles: Vec<usize> = self.persons.iter().map(|it| it.role).collect();
        let seen: Vec<String> = roles.iter().map(|&role| self.seen(role)).collect();
        if self.persons.len() == 1 || !self.is_hidden() {
            return seen.concat();
        }
        for (person, seen) in self.persons.iter_mut().zip(seen) {
            person.news = seen;
        }
        String::new()
    }

    /// All news, when the match is over.
    pub(super) fn news_of_all(&mut self) -> String {
        let persons = self.persons.iter_mut();
        persons.map(|it| std::mem::take(&mut it.news)).collect()
    }

    /// What persons, or one of them, are told of a turn: their own moves, and unless it is hidden
    /// what others did, if they did not merely wait while someone chose.
    fn told(&self, round: &Round, chose: &[bool], only: Option<usize>) -> String {
        let turn = self.referee.rounds().len();
        let nobody = !chose.contains(&true);
        let several = self.persons.len() > 1;
        let mut text = String::new();
        for (role, chose) in chose.iter().enumerate() {
            let is_person = self.persons.iter().any(|it| it.role == role);
            let mine = is_person && only.is_none_or(|it| it == role);
            let matters = nobody || *chose || round.faults[role].is_some();
            // Of two who share the terminal the one that waits is not worth a line.
            let listed = mine && (!several || self.is_hidden());
            if listed || matters && !self.is_hidden() {
                let forced = mine && !several && !self.choosing.contains(&role);
                let note = if forced { "  (your only move)" } else { "" };
                text += &format!("{turn:4}  {}{note}\n", self.viewer.said(round, role));
            }
        }
        text
    }

    /// What a person saw of the last turn.
    fn seen(&self, role: usize) -> String {
        let id = RoleId::new(role);
        let percepts = self.referee.percepts()[role].iter();
        let percepts = percepts.map(|&it| self.setup.game.percept_term(id, it));
        let mut percepts: Vec<TermId> = percepts.collect();
        percepts.sort_unstable();
        let texts: Vec<String> = percepts.iter().map(|&it| self.viewer.text(it)).collect();
        let who = match self.persons.len() {
            1 => "you see".to_string(),
            _ => format!("{} sees", self.viewer.text(self.setup.game.roles()[role])),
        };
        match texts.is_empty() {
            true => String::new(),
            false => format!("      {who} {}\n", texts.join(", ")),
        }
    }

    /// The state, unless it is hidden.
    pub(super) fn picture(&self) -> String {
        match self.is_hidden() {
            true => HIDDEN.to_string(),
            false => match self.viewer.state(self.referee.state()) {
                empty if empty.trim().is_empty() => "\n".to_string(),
                picture => format!("\n{picture}"),
            },
        }
    }

    pub(super) fn facts(&self) -> String {
        if self.is_hidden() {
            return HIDDEN.to_string();
        }
        let fluents = self.referee.state().fluents().iter();
        let mut facts: Vec<String> = fluents.map(|&it| self.viewer.text(it)).collect();
        facts.sort();
        facts.iter().map(|fact| format!("  {fact}\n")).collect()
    }

    /// Whether persons must not see the state.
    pub(super) fn is_hidden(&self) -> bool {
        self.setup.game.hides() && !self.manners.reveal
    }
}
