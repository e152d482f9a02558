//! A player's helpers on a transport.
//!
//! A worker greets with its build before its first answer. Every order has one answer; until it
//! comes the worker owes it, and gives signs of life. A worker of another build, one that sends what
//! is no answer, and one that is silent for long while somebody waits for it, are lost.

use crate::message::{Message, PROTOCOL};
use crate::transport::{Event, Transport};
use players::{Answer, Helpers, News, Order};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Helpers on a transport.
pub struct Staff<T> {
    transport: T,
    members: Vec<Member>,
    build: String,
    /// A worker that owes an answer and gives no sign for this long is lost.
    silence: Duration,
    /// News that wait to be told.
    waiting: VecDeque<(usize, News)>,
}

struct Member {
    lost: bool,
    greeted: bool,
    /// How many orders it has not answered.
    owes: u64,
    heard: Instant,
}

impl<T: Transport> Staff<T> {
    /// Helpers of this build on a transport; each is lost after so much silence.
    pub fn new(transport: T, build: &str, silence: Duration) -> Staff<T> {
        let member = || Member {
            lost: false,
            greeted: false,
            owes: 0,
            heard: Instant::now(),
        };
        let count = transport.count();
        Staff {
            transport,
            members: std::iter::repeat_with(member).take(count).collect(),
            build: build.to_string(),
            silence,
            waiting: VecDeque::new(),
        }
    }

    fn lose(&mut self, worker: usize, reason: String) {
        let member = &mut self.members[worker];
        if member.lost {
            return;
        }
        member.lost = true;
        member.owes = 0;
        tracing::warn!(worker, reason, "lost a worker");
        self.transport.close(worker);
        self.waiting.push_back((worker, News::Lost(reason)));
    }

    fn take(&mut self, worker: usize, event: Event) {
        let bytes = match event {
            Event::Closed(reason) => return self.lose(worker, reason),
            Event::Message(_) if self.members[worker].lost => return,
            Event::Message(bytes) => bytes,
        };
        self.members[worker].heard = Instant::now();
        match Message::read(&bytes) {
            Ok(Message::Alive) => {}
            Ok(Message::Hello { protocol, build }) => self.greet(worker, protocol, &build),
            Ok(Message::Answer(_)) if !self.members[worker].greeted => {
                self.lose(worker, "it does not say which build it is".to_string());
            }
            Ok(Message::Answer(answer)) => self.answered(worker, answer),
            Ok(Message::Order(_)) => self.lose(worker, "it gives orders".to_string()),
            Err(error) => self.lose(worker, error.to_string()),
        }
    }

    fn greet(&mut self, worker: usize, protocol: u32, build: &str) {
        self.members[worker].greeted = true;
        if protocol != PROTOCOL {
            let text = format!("it speaks protocol {protocol}, not {PROTOCOL}: another build");
            self.lose(worker, text);
        } else if build != self.build {
            let text = format!("it is another build: {build}, not {}", self.build);
            self.lose(worker, text);
        }
    }

    fn answered(&mut self, worker: usize, answer: Answer) {
        let member = &mut self.members[worker];
        if member.owes == 0 {
            return self.lose(worker, "it answers what nobody asked".to_string());
        }
        member.owes -= 1;
        if let Answer::Refused(reason) = answer {
            return self.lose(worker, reason);
        }
        self.waiting.push_back((worker, News::Answer(answer)));
    }

    /// Loses those that owe an answer and were silent for too long, counted from when somebody began
    /// to wait.
    fn check(&mut self, since: Instant) {
        for worker in 0..self.members.len() {
            let Member { heard, owes, .. } = self.members[worker];
            if owes > 0 && heard.max(since).elapsed() > self.silence {
                let seconds = self.silence.as_secs_f64();
                self.lose(worker, format!("no sign of life for {seconds} seconds"));
            }
        }
    }
}

impl<T: Transport> Helpers for Staff<T> {
    fn count(&self) -> usize {
        self.members.len()
    }

    fn send(&mut self, to: usize, order: &Order) {
        let member = &mut self.members[to];
        if !member.lost {
            member.owes += 1;
            let message = Message::Order(order.clone());
            self.transport.send(to, message.bytes());
        }
    }

    fn receive(&mut self, until: Option<Instant>) -> Option<(usize, News)> {
        let began = Instant::now();
        loop {
            if let Some(news) = self.waiting.pop_front() {
                return Some(news);
            }
            if self.members.iter().all(|it| it.lost) {
                return None;
            }
            // Silence is noticed in time, and not asked for too often.
            let soon = Instant::now() + self.silence / 8;
            let end = until.map_or(soon, |it| it.min(soon));
            match self.transport.receive(end) {
                Some((worker, event)) => self.take(worker, event),
                None if until.is_some_and(|it| Instant::now() >= it) => return None,
                None => self.check(began),
            }
        }
    }
}
