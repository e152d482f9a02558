//! A worker: orders in, answers out. It serves one game after the other.

use crate::inbox::Inbox;
use crate::message::{Message, PROTOCOL};
use players::ary::Engaged;
use players::{Answer, Begin, Order};
use std::sync::atomic::{AtomicU64, Ordering};

/// What a worker needs of the process it is in.
pub(crate) struct Office<'o> {
    pub(crate) inbox: &'o Inbox,
    /// Sends a message of a session.
    pub(crate) send: &'o (dyn Fn(u64, Vec<u8>) + Sync),
    /// The session for which there is something to do, so that somebody waits; else 0.
    pub(crate) busy: &'o AtomicU64,
    pub(crate) build: &'o str,
}

impl Office<'_> {
    /// Works until the process ends.
    pub(crate) fn serve(&self) -> ! {
        let mut begin = None;
        loop {
            begin = match begin.take() {
                None => self.idle(),
                Some((session, begin)) => Some(self.play(session, &begin)),
            };
        }
    }

    fn say(&self, session: u64, message: &Message) {
        (self.send)(session, message.bytes());
    }

    /// The next order of a master; one that is none is refused.
    fn next(&self) -> Option<(u64, Order)> {
        self.busy.store(0, Ordering::Relaxed);
        let (session, bytes) = self.inbox.next();
        self.busy.store(session, Ordering::Relaxed);
        match Message::read(&bytes) {
            Ok(Message::Order(order)) => Some((session, order)),
            Ok(_) | Err(_) => {
                self.greet(session);
                let text = "it was sent what is no order".to_string();
                self.say(session, &Message::Answer(Answer::Refused(text)));
                None
            }
        }
    }

    fn greet(&self, session: u64) {
        let hello = Message::Hello {
            protocol: PROTOCOL,
            build: self.build.to_string(),
        };
        self.say(session, &hello);
    }

    /// Waits for a game.
    fn idle(&self) -> Option<(u64, Begin)> {
        match self.next()? {
            (session, Order::Begin(begin)) => Some((session, begin)),
            (session, _) => {
                self.greet(session);
                let text = "it has no game yet".to_string();
                self.say(session, &Message::Answer(Answer::Refused(text)));
                None
            }
        }
    }

    /// Serves a game until there is another.
    fn play(&self, session: u64, begin: &Begin) -> (u64, Begin) {
        self.greet(session);
        let engaged = match Engaged::new(begin) {
            Ok(engaged) => engaged,
            Err(reason) => {
                self.say(session, &Message::Answer(Answer::Refused(reason)));
                return self.until_begin();
            }
        };
        let mut assistant = engaged.assistant();
        self.say(session, &Message::Answer(Answer::Ready));
        loop {
            match self.next() {
                None => {}
                Some((session, Order::Begin(begin))) => return (session, begin),
                Some((session, order)) => {
                    let is_called = || self.inbox.has_mail();
                    if let Some(answer) = assistant.answer(&order, &is_called) {
                        self.say(session, &Message::Answer(answer));
                    }
                }
            }
        }
    }

    fn until_begin(&self) -> (u64, Begin) {
        loop {
            if let Some(begin) = self.idle() {
                return begin;
            }
        }
    }
}
