//! `Staff` on a scripted transport: which helpers are lost, and for what reason.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use cluster::{Event, Message, PROTOCOL, Staff, Transport};
use game::BitsBuf;
use players::{Answer, Helpers, Limit, News, Order};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Events that were written down, and workers that were closed.
#[derive(Clone, Default)]
struct Script {
    events: Arc<Mutex<VecDeque<(usize, Event)>>>,
    closed: Arc<Mutex<Vec<usize>>>,
}

impl Script {
    fn says(&self, worker: usize, message: &Message) {
        self.sends(worker, message.bytes());
    }

    fn sends(&self, worker: usize, bytes: Vec<u8>) {
        let event = (worker, Event::Message(bytes));
        self.events.lock().unwrap().push_back(event);
    }
}

impl Transport for Script {
    fn count(&self) -> usize {
        2
    }

    fn send(&mut self, _: usize, _: Vec<u8>) {}

    fn receive(&mut self, _: Instant) -> Option<(usize, Event)> {
        self.events.lock().unwrap().pop_front()
    }

    fn close(&mut self, worker: usize) {
        self.closed.lock().unwrap().push(worker);
    }
}

fn hello(protocol: u32, build: &str) -> Message {
    let build = build.to_string();
    Message::Hello { protocol, build }
}

fn order() -> Order {
    Order::Search {
        number: 1,
        state: BitsBuf::default(),
        limit: Limit::Iterations(1),
        most: 1,
    }
}

/// What is heard of the first worker after it was given an order and has said something.
fn heard(says: impl Fn(&Script)) -> News {
    let script = Script::default();
    let mut staff = Staff::new(script.clone(), "mine", Duration::from_secs(3600));
    staff.send(0, &order());
    says(&script);
    let (worker, news) = staff.receive(None).unwrap();
    assert_eq!(worker, 0);
    let closed = script.closed.lock().unwrap().clone();
    assert_eq!(closed.len(), usize::from(matches!(news, News::Lost(_))));
    news
}

fn lost(says: impl Fn(&Script)) -> String {
    match heard(says) {
        News::Lost(reason) => reason,
        News::Answer(answer) => panic!("{answer:?}"),
    }
}

#[test]
fn an_answer_after_a_greeting_is_heard() {
    let news = heard(|it| {
        it.says(0, &hello(PROTOCOL, "mine"));
        it.says(0, &Message::Alive);
        it.says(0, &Message::Answer(Answer::Ready));
    });
    assert_eq!(news, News::Answer(Answer::Ready));
}

#[test]
fn other_builds_and_nonsense_are_refused_clearly() {
    let said = lost(|it| it.says(0, &hello(PROTOCOL, "yours")));
    assert_eq!(said, "it is another build: yours, not mine");
    let said = lost(|it| it.says(0, &hello(PROTOCOL + 1, "mine")));
    assert!(said.contains("another build"), "{said}");
    let said = lost(|it| it.says(0, &Message::Answer(Answer::Ready)));
    assert_eq!(said, "it does not say which build it is");
    let said = lost(|it| it.sends(0, b"hello?".to_vec()));
    assert!(said.starts_with("garbled message"), "{said}");
    let said = lost(|it| it.says(0, &Message::Order(order())));
    assert_eq!(said, "it gives orders");
    let said = lost(|it| {
        it.says(0, &hello(PROTOCOL, "mine"));
        it.says(0, &Message::Answer(Answer::Refused("no".to_string())));
    });
    assert_eq!(said, "no");
}

#[test]
fn who_answers_more_than_was_asked_is_lost() {
    let script = Script::default();
    let mut staff = Staff::new(script.clone(), "mine", Duration::from_secs(3600));
    staff.send(0, &order());
    script.says(0, &hello(PROTOCOL, "mine"));
    script.says(0, &Message::Answer(Answer::Ready));
    script.says(0, &Message::Answer(Answer::Ready));
    assert!(matches!(staff.receive(None), Some((0, News::Answer(_)))));
    assert!(matches!(staff.receive(None), Some((0, News::Lost(_)))));
}

#[test]
fn who_owes_and_is_silent_is_lost_and_then_nobody_is_waited_for() {
    let script = Script::default();
    let mut staff = Staff::new(script.clone(), "mine", Duration::ZERO);
    assert_eq!(staff.receive(Some(Instant::now())), None, "nobody owes");
    staff.send(0, &order());
    staff.send(1, &order());
    for worker in 0..2 {
        let (lost, news) = staff.receive(None).unwrap();
        assert_eq!(lost, worker);
        assert!(matches!(news, News::Lost(reason) if reason.contains("no sign of life")));
    }
    assert_eq!(staff.receive(None), None);
}
