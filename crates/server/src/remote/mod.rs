//! A player somewhere else, asked over HTTP as managers do.
//!
//! Takes a seat at a match and the address of a player, gives moves; what it says that is no
//! move, and that it is late or not there, are failures, not errors.

mod call;
mod info;
mod scramble;

pub use call::{Address, CallError};
pub use info::{Info, info, preview};
pub use scramble::Wording;

use crate::message::{find, shorten, words};
use call::Call;
use game::{MoveId, Scratch, TermId};
use players::{Budget, Decision, Ending, Failure, Observation, Player, Refusal, Seat};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How games with hidden information are told.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// `(PLAY <id> (percept …))`, as of 2010.
    Plain,
    /// `(PLAY <id> <turn> <move> (percept …))`, as of 2013.
    #[default]
    Numbered,
}

/// As which manager players are asked.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Dialect {
    /// The reference server.
    #[default]
    GgpBase,
    /// The game controller of Dresden: all in upper case, and no match is aborted.
    Dresden,
}

impl Dialect {
    /// A message of its words.
    fn message(self, words: &[&str]) -> String {
        match self {
            Dialect::GgpBase => format!("( {} )", words.join(" ")),
            Dialect::Dresden => format!("({})", words.join(" ")),
        }
    }

    /// Terms or rules as they are sent.
    fn spoken(self, text: String) -> String {
        match self {
            Dialect::GgpBase => text,
            Dialect::Dresden => text.to_ascii_uppercase(),
        }
    }
}

/// What all seats of a match have in common.
#[derive(Clone, Debug)]
pub struct Match {
    /// What the match is called.
    pub id: String,
    /// The rules, as they are sent, and which words stand for which.
    pub wording: Arc<Wording>,
    /// The clocks.
    pub start_clock: Duration,
    /// The clock of each turn.
    pub play_clock: Duration,
    /// How much later than its clock an answer may come.
    pub grace: Duration,
    /// How games with hidden information are told.
    pub form: Form,
    /// As which manager the player is asked.
    pub dialect: Dialect,
}

/// A player somewhere else.
pub struct Remote {
    address: Address,
    common: Match,
    seat: Seat,
    scratch: Scratch,
    /// What it is told next of the match.
    told: String,
    legal: Vec<MoveId>,
}

impl Remote {
    /// A player at an address, for a seat.
    pub fn new(address: Address, common: Match, seat: Seat) -> Remote {
        Remote {
            scratch: seat.game.scratch(),
            address,
            common,
            seat,
            told: String::new(),
            legal: Vec::new(),
        }
    }

    /// When an answer is late, if a player has a budget; the one of a referee is no longer than
    /// its patience, whenever this is asked.
    fn until(&self, budget: &Budget, clock: Duration) -> Instant {
        let clock = match *budget {
            Budget::Until(time) => time,
            Budget::Iterations(_) => Instant::now() + clock,
        };
        clock + self.common.grace
    }

    fn call(&self, message: &str, until: Instant) -> Result<String, CallError> {
        let role = self
            .scratch
            .terms()
            .text(self.seat.game.roles()[self.seat.role.index()]);
        let call = Call {
            address: &self.address,
            receiver: &role,
            until,
        };
        let reply = call.send(message);
        let said = reply.as_ref().map(|it| shorten(it));
        tracing::debug!(address = %self.address, message = shorten(message), ?said, "asked");
        reply
    }

    /// Learns the terms of a turn: the interpreter makes new ones as it goes.
    fn learn(&mut self, terms: &[TermId]) {
        let known = self.scratch.terms().len();
        if terms.iter().any(|term| term.index() >= known) {
            self.scratch = self.seat.game.scratch();
        }
    }

    fn text(&self, term: TermId) -> String {
        let text = self.common.wording.out(&self.scratch.terms().text(term));
        self.common.dialect.spoken(text)
    }

    fn list(&self, terms: &[TermId]) -> String {
        let texts: Vec<String> = terms.iter().map(|&it| self.text(it)).collect();
        format!("({})", texts.join(" "))
    }

    /// What happened in the last turn, as it is told.
    fn tell(&mut self, seen: &Observation<'_>) -> String {
        let (game, role) = (Arc::clone(&self.seat.game), self.seat.role);
        let roles = game.role_ids().zip(seen.joint.into_iter().flatten());
        let joint: Vec<TermId> = roles.map(|(role, &it)| game.move_term(role, it)).collect();
        let percepts = seen.percepts.iter();
        let percepts = percepts.map(|&it| game.percept_term(role, it));
        let mut percepts: Vec<TermId> = percepts.collect();
        percepts.sort_unstable();
        let own = seen.own.map(|it| game.move_term(role, it));
        self.learn(&joint);
        self.learn(&percepts);
        self.learn(own.as_slice());
        let hidden = game.has_percepts();
        match (own, self.common.form) {
            (None, Form::Numbered) if hidden => "0 NIL NIL".to_string(),
            (None, _) => "NIL".to_string(),
            (Some(_), _) if !hidden => self.list(&joint),
            (Some(own), Form::Numbered) => {
                let (own, percepts) = (self.text(own), self.list(&percepts));
                format!("{} {own} {percepts}", seen.turn)
            }
            (Some(_), Form::Plain) => self.list(&percepts),
        }
    }
}

impl Player for Remote {
    fn is_elsewhere(&self) -> bool {
        true
    }

    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        let (common, game) = (&self.common, &self.seat.game);
        let role = self.text(game.roles()[self.seat.role.index()]);
        let rules = common.dialect.spoken(common.wording.rules().to_string());
        let message = common.dialect.message(&[
            "START",
            &common.id,
            &role,
            &format!("({rules})"),
            &common.start_clock.as_secs_f64().to_string(),
            &common.play_clock.as_secs_f64().to_string(),
        ]);
        // Whatever it says, it is asked for moves; who is not there may come back.
        let reply = self.call(&message, self.until(budget, common.start_clock));
        let reply = reply.map_err(|error| Refusal::Silent(error.into()))?;
        if reply.trim().eq_ignore_ascii_case("busy") {
            tracing::warn!(address = %self.address, "busy");
        }
        Ok(())
    }

    fn observe(&mut self, seen: &Observation<'_>) {
        self.told = self.tell(seen);
        self.legal = seen.legal.to_vec();
    }

    fn choose(&mut self, budget: &Budget) -> Result<Decision, Failure> {
        let Match { id, dialect, .. } = &self.common;
        let message = dialect.message(&["PLAY", id, &self.told]);
        let until = self.until(budget, self.common.play_clock);
        let reply = self.call(&message, until)?;
        let said = self.common.wording.back(action(&words(&reply)));
        let (game, role) = (Arc::clone(&self.seat.game), self.seat.role);
        let legal = self.legal.iter().map(|&it| game.move_term(role, it));
        let legal: Vec<TermId> = legal.collect();
        self.learn(&legal);
        let found = find(&self.scratch, &legal, &said);
        let found = found.and_then(|it| game.move_id(role, it));
        let found = found.ok_or_else(|| Failure::NoMove(shorten(&said)));
        found.map(Decision::plain)
    }

    fn finish(&mut self, ending: Ending) {
        const TIME: Duration = Duration::from_secs(2);
        let Match { id, dialect, .. } = &self.common;
        let stop = dialect.message(&["STOP", id, &self.told]);
        let has_abort = *dialect == Dialect::GgpBase;
        let completed = ending == Ending::Completed;
        let stopped = (completed || !has_abort) && self.call(&stop, Instant::now() + TIME).is_ok();
        // A player that does not understand that it is over would be busy for ever.
        if !stopped && has_abort {
            let _ = self.call(&dialect.message(&["ABORT", id]), Instant::now() + TIME);
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Failure {
        match error {
            CallError::Late => Failure::Late,
            CallError::Unreachable(_) => Failure::Unreachable,
            CallError::TooLong | CallError::Malformed => Failure::NoMove(error.to_string()),
        }
    }
}

/// The move in a reply: older players say more, as in `((mark 1 1) (explanation why))`.
fn action(reply: &str) -> &str {
    let is_more = |it: &str| it.contains("(explanation ") || it.contains("(taunt ");
    let Some(inside) = reply.strip_prefix('(').filter(|_| is_more(reply)) else {
        return reply;
    };
    let mut depth = 0;
    for (place, symbol) in inside.char_indices() {
        match symbol {
            '(' => depth += 1,
            ')' if depth == 1 => return &inside[..=place],
            ')' => depth -= 1,
            ' ' if depth == 0 => return &inside[..place],
            _ => {}
        }
    }
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_is_found_in_what_older_players_say() {
        assert_eq!(action("(mark 1 1)"), "(mark 1 1)");
        assert_eq!(action("((mark 1 1) (explanation why))"), "(mark 1 1)");
        assert_eq!(action("(noop (taunt ha))"), "noop");
        assert_eq!(action("noop"), "noop");
        assert_eq!(action(""), "");
    }
}
