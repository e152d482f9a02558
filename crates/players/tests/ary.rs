//! Ary with helpers that are threads: what it finds, that it finds it again, and that helpers who
//! are lost, silent or wrong cost it their share and nothing else.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{Position, load, observe, player, search_without_gates, solve};
use game::{MoveId, RoleId};
use players::ary::{Engaged, Report, RootMove};
use players::{
    Answer, Budget, Decision, Helpers, News, NoHelp, Order, Player, Recruiter, Seat, roster,
};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

const MERGES: [&str; 5] = ["sum", "sum10", "raw", "best", "tree"];

/// What is wrong with helpers of an odd number.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Flaw {
    Nothing,
    /// They say why they do not take up the game; all of them do.
    Refuse,
    /// They are gone after so many orders.
    Die(usize),
    /// They answer nothing after the first order.
    Hang,
    /// They report moves and values that cannot be.
    Lie,
}

#[derive(Debug)]
struct Threads(Flaw);

impl Recruiter for Threads {
    fn usual(&self) -> usize {
        1
    }

    fn recruit(&self, count: usize) -> Result<Box<dyn Helpers>, NoHelp> {
        let (news, received) = channel();
        let start = |number: usize| {
            let (orders, inbox) = channel();
            let (news, flaw) = (news.clone(), self.0);
            let flaw = match number % 2 == 1 || flaw == Flaw::Refuse {
                true => flaw,
                false => Flaw::Nothing,
            };
            thread::spawn(move || help(&inbox, flaw, |it| news.send((number, it)).is_ok()));
            orders
        };
        let orders = (0..count).map(start).collect();
        Ok(Box::new(Started {
            orders,
            received,
            _news: news,
        }))
    }
}

struct Started {
    orders: Vec<Sender<Order>>,
    received: Receiver<(usize, News)>,
    _news: Sender<(usize, News)>,
}

impl Helpers for Started {
    fn count(&self) -> usize {
        self.orders.len()
    }

    fn send(&mut self, to: usize, order: &Order) {
        let _ = self.orders[to].send(order.clone());
    }

    fn receive(&mut self, until: Option<Instant>) -> Option<(usize, News)> {
        match until {
            None => self.received.recv().ok(),
            Some(until) => {
                let left = until.saturating_duration_since(Instant::now());
                self.received.recv_timeout(left).ok()
            }
        }
    }
}

/// A helper's thread.
fn help(inbox: &Receiver<Order>, flaw: Flaw, tell: impl Fn(News) -> bool) {
    let Ok(Order::Begin(begin)) = inbox.recv() else {
        return;
    };
    let engaged = Engaged::new(&begin).unwrap();
    let mut assistant = engaged.assistant();
    tell(News::Answer(match flaw {
        Flaw::Refuse => Answer::Refused("not today".to_string()),
        _ => Answer::Ready,
    }));
    for (count, order) in inbox.iter().enumerate() {
        if flaw == Flaw::Die(count) {
            tell(News::Lost("it was killed".to_string()));
            return;
        }
        let answer = match flaw {
            Flaw::Hang if count > 0 => continue,
            Flaw::Lie => lie(&order),
            _ => assistant.answer(&order, &|| false).unwrap(),
        };
        if !tell(News::Answer(answer)) {
            return;
        }
    }
}

fn lie(order: &Order) -> Answer {
    match order {
        Order::Search { number, .. } => Answer::Found {
            number: *number,
            report: Report {
                moves: vec![RootMove {
                    action: MoveId::new(1000),
                    visits: 1_000_000,
                    sum: 2_000_000.0,
                    closed: false,
                }],
                known: Some((MoveId::new(999), 1.0)),
                proven: true,
                ..Report::default()
            },
        },
        Order::Evaluate { ticket, .. } => Answer::Values {
            ticket: *ticket,
            estimates: Vec::new(),
        },
        Order::Begin(_) => Answer::Ready,
    }
}

/// A player of connect four that has helpers.
fn helped(text: &str, flaw: Flaw) -> Box<dyn Player> {
    let seat = Seat {
        game: load("connect-four"),
        role: RoleId::new(0),
        seed: 1,
        threads: 1,
        memory: None,
        helpers: Some(Arc::new(Threads(flaw))),
    };
    roster::player(text, seat).unwrap()
}

/// What it does in the initial state, twice.
fn choices(text: &str, flaw: Flaw, budget: impl Fn() -> Budget) -> [Decision; 2] {
    let mut player = helped(text, flaw);
    player.start(&budget()).unwrap();
    let game = load("connect-four");
    let first = game.walk().state().to_owned();
    observe(&mut *player, (&game, RoleId::new(0)), &first);
    [(), ()].map(|()| player.choose(&budget()).unwrap())
}

fn counted() -> Budget {
    Budget::Iterations(20)
}

fn soon() -> Budget {
    Budget::Until(Instant::now() + Duration::from_millis(60))
}

#[test]
fn the_same_seed_and_count_give_the_same_choice_with_every_merge() {
    for merge in MERGES {
        let text = format!("ary:workers=4,merge={merge}");
        let one = choices(&text, Flaw::Nothing, counted);
        assert_eq!(one, choices(&text, Flaw::Nothing, counted), "{merge}");
        let alone = choices("ary", Flaw::Nothing, counted);
        // Playouts are of lanes whose number depends on the machine, so they are compared.
        assert!(
            one[0].playouts >= 3 * alone[0].playouts,
            "{merge}: all help"
        );
    }
}

#[test]
fn alone_it_is_uct() {
    let choice = |text| Position::after("othello", &[]).choice(0, text, Budget::Iterations(30));
    assert_eq!(choice("ary"), choice("uct"));
    assert_eq!(choice("ary:workers=0,merge=best"), choice("uct"));
    search_without_gates("ary");
    solve(Position::after("eight-queens", &[]), "ary", 3000);
}

#[test]
fn helpers_that_are_lost_silent_or_wrong_cost_their_share() {
    for merge in MERGES {
        let text = format!("ary:workers=4,merge={merge}");
        for flaw in [Flaw::Die(0), Flaw::Die(3), Flaw::Lie] {
            let found = choices(&text, flaw, counted);
            assert!(
                found.iter().all(|it| it.action.index() < 8),
                "{merge} {flaw:?}"
            );
            assert!(found.iter().all(|it| !it.proven), "{merge} {flaw:?}");
        }
        for flaw in [Flaw::Hang, Flaw::Die(1), Flaw::Nothing] {
            let found = choices(&text, flaw, soon);
            assert!(
                found.iter().all(|it| it.value.is_some()),
                "{merge} {flaw:?}"
            );
        }
    }
}

#[test]
fn who_has_no_helpers_says_so_at_the_start() {
    let refusal = |mut player: Box<dyn Player>| player.start(&counted()).unwrap_err().to_string();
    let said = refusal(helped("ary:workers=3", Flaw::Refuse));
    assert_eq!(said, "ary cannot use 2 worker processes: not today");
    let nobody = player(&load("connect-four"), 0, "ary:workers=2");
    let said = refusal(nobody);
    assert_eq!(
        said,
        "ary cannot use 1 worker processes: processes cannot be started here"
    );
}

#[test]
fn one_who_proves_decides_for_all() {
    let joints: &[&[&str]] = &[
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
        &["(drop 1)", "noop"],
        &["noop", "(drop 2)"],
    ];
    let position = Position::after("connect-four", joints);
    for merge in MERGES {
        let mut player = helped(&format!("ary:workers=3,merge={merge}"), Flaw::Nothing);
        player.start(&Budget::Iterations(1)).unwrap();
        observe(
            &mut *player,
            (&position.game, RoleId::new(0)),
            &position.state,
        );
        let found = player.choose(&Budget::Iterations(2000)).unwrap();
        assert_eq!((found.value, found.proven), (Some(1.0), true), "{merge}");
    }
}
