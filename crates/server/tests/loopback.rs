//! Our player against our host over loopback, in games of every class.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use arena::Clocks;
use arena::referee::{Setup, Substitute, play};
use common::{listen, options};
use game::Game;
use gdl::{Policy, Source};
use players::{Player, Seat};
use server::remote::{Dialect, Form, Match, Remote, Wording};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

const PLAY_CLOCK: Duration = Duration::from_secs(3);

/// A game with the players of all its seats.
struct Hosted {
    setup: Setup,
    wording: [Arc<Wording>; 2],
    addresses: Vec<SocketAddr>,
}

impl Hosted {
    fn new(name: &str, player: &str) -> Hosted {
        let source = Source::from(&*common::rules(name));
        let tree = gdl::read(source, None, &gdl::Limits::default());
        let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
        let (game, _) = Game::for_play(&program, &game::Limits::default());
        let plain = Wording::plain(program.tree());
        let scrambled = Wording::scrambled(program.tree(), 7);
        let seats = 0..game.roles().len();
        Hosted {
            addresses: seats.map(|_| listen(options(player))).collect(),
            setup: Setup {
                game: Arc::new(game),
                clocks: Clocks::Times {
                    start: Duration::from_secs(20),
                    play: PLAY_CLOCK,
                },
                grace: Duration::from_secs(1),
                substitute: Substitute::default(),
                seed: 1,
            },
            wording: [Arc::new(plain), Arc::new(scrambled)],
        }
    }

    /// Plays a match. Who is late has a fault.
    fn play(&mut self, number: u64) {
        self.setup.seed = number;
        let seat = |role: usize| {
            let common = Match {
                id: format!("test.{number}"),
                wording: Arc::clone(&self.wording[number as usize % 2]),
                start_clock: Duration::from_secs(20),
                play_clock: PLAY_CLOCK,
                grace: Duration::from_secs(1),
                form: if number % 4 < 2 {
                    Form::Plain
                } else {
                    Form::Numbered
                },
                dialect: if number % 8 < 6 {
                    Dialect::GgpBase
                } else {
                    Dialect::Dresden
                },
            };
            let seat = Seat {
                game: Arc::clone(&self.setup.game),
                role,
                seed: number,
                threads: 1,
            };
            let address = format!("http://{}", self.addresses[role]).parse().unwrap();
            let remote = Remote::new(address, common, seat);
            let player: Box<dyn Player> = Box::new(remote);
            (!self.setup.is_chance(role)).then_some(player)
        };
        let seats = (0..self.addresses.len()).map(seat).collect();
        let record = play(&self.setup, seats, &mut |_| {}).unwrap();
        assert!(record.completed, "match {number}");
        for (turn, round) in record.rounds.iter().enumerate() {
            let faults = round.faults.iter().flatten().collect::<Vec<_>>();
            assert!(faults.is_empty(), "match {number}, turn {turn}: {faults:?}");
        }
        record.replay(&self.setup.game).unwrap();
    }
}

/// One player, two, simultaneous, three to five, chance, hidden percepts.
const GAMES: &[&str] = &[
    "eight-queens",
    "tic-tac-toe",
    "connect-four",
    "rock-paper-scissors",
    "connect-four-simultaneous",
    "chinese-checkers",
    "dice-race",
    "monty-hall",
    "mastermind",
    "guess-dice",
];

#[test]
fn a_hundred_matches_have_no_fault() {
    for name in GAMES {
        let mut hosted = Hosted::new(name, "random");
        for number in 0..10 {
            hosted.play(number);
        }
    }
}

#[test]
fn a_player_that_thinks_is_in_time() {
    Hosted::new("tic-tac-toe", "mac-ucb").play(1);
}
