//! Our player against our host over loopback, in games of every class.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use arena::referee::play;
use common::{Hosted, listen, options, program, rules};
use game::RoleId;
use players::Player;
use server::remote::{Dialect, Form, Wording};
use std::sync::Arc;
use std::time::Duration;

/// A game, and the addresses of players for all its seats.
struct Hall {
    hosted: Hosted,
    wordings: [Arc<Wording>; 2],
    addresses: Vec<String>,
}

impl Hall {
    fn new(rules: &str, player: &str) -> Hall {
        let (start, play) = (Duration::from_secs(20), Duration::from_secs(3));
        let mut hosted = Hosted::new(rules).timed(start, play);
        hosted.common.grace = Duration::from_secs(1);
        hosted.setup.patience.grace = hosted.common.grace;
        let program = program(rules);
        let seats = 0..hosted.setup.game.roles().len();
        Hall {
            addresses: seats
                .map(|_| format!("http://{}", listen(options(player))))
                .collect(),
            wordings: [
                Arc::new(Wording::plain(program.tree())),
                Arc::new(Wording::scrambled(program.tree(), 7)),
            ],
            hosted,
        }
    }

    /// Plays a match in one of the ways there are. Who is late has a fault.
    fn play(&mut self, number: usize) {
        let Hosted { setup, common } = &mut self.hosted;
        setup.seed = number as u64;
        common.id = format!("test.{number}");
        common.wording = Arc::clone(&self.wordings[number % 2]);
        common.form = [Form::Plain, Form::Numbered][number / 2 % 2];
        common.dialect = [Dialect::GgpBase, Dialect::Dresden][number / 4 % 2];
        let seat = |role: usize| {
            let player: Box<dyn Player> = self.hosted.remote(&self.addresses[role], role);
            (!self.hosted.setup.is_chance(RoleId::new(role))).then_some(player)
        };
        let seats = (0..self.addresses.len()).map(seat).collect();
        let record = play(&self.hosted.setup, seats, &mut |_| {}).unwrap();
        assert!(record.completed, "match {number}");
        for (turn, round) in record.rounds.iter().enumerate() {
            let faults = round.faults.iter().flatten().collect::<Vec<_>>();
            assert!(faults.is_empty(), "match {number}, turn {turn}: {faults:?}");
        }
        record.replay(&self.hosted.setup.game).unwrap();
    }
}

/// Six go to one of two places, three times; who was in the smaller crowd has a point.
const SIX: &str = "
    (role a) (role b) (role c) (role d) (role e) (role f)
    (pair a b) (pair c d) (pair e f) (place left) (place right)
    (init (round 1)) (after 1 2) (after 2 3) (after 3 4)
    (init (points a 0)) (init (points b 0)) (init (points c 0))
    (init (points d 0)) (init (points e 0)) (init (points f 0))
    (<= (legal ?r (go ?p)) (role ?r) (place ?p))
    (<= (both ?p ?a) (pair ?a ?b) (does ?a (go ?p)) (does ?b (go ?p)))
    (<= (crowded ?p) (both ?p a) (both ?p c))
    (<= (crowded ?p) (both ?p a) (both ?p e))
    (<= (crowded ?p) (both ?p c) (both ?p e))
    (<= (scores ?r) (does ?r (go ?p)) (not (crowded ?p)))
    (<= (next (points ?r ?m)) (scores ?r) (true (points ?r ?n)) (add ?n ?m))
    (<= (next (points ?r ?n)) (role ?r) (not (scores ?r)) (true (points ?r ?n)))
    (add 0 1) (add 1 2) (add 2 3)
    (<= (next (round ?m)) (true (round ?n)) (after ?n ?m))
    (<= terminal (true (round 4)))
    (worth 0 0) (worth 1 30) (worth 2 60) (worth 3 100)
    (<= (goal ?r ?g) (true (points ?r ?n)) (worth ?n ?g))";

#[test]
fn a_hundred_matches_have_no_fault() {
    // One player, two, simultaneous, three, six, chance, hidden percepts.
    for name in [
        "eight-queens",
        "tic-tac-toe",
        "connect-four",
        "connect-four-simultaneous",
        "chinese-checkers",
        "dice-race",
        "monty-hall",
        "mastermind",
        "guess-dice",
    ] {
        let mut hall = Hall::new(&rules(name), "random");
        (0..10).for_each(|number| hall.play(number));
    }
    let mut hall = Hall::new(SIX, "random");
    (0..10).for_each(|number| hall.play(number));
}

#[test]
fn what_was_dealt_unseen_is_found_out() {
    let mut hall = Hall::new(&rules("war"), "random");
    (0..3).for_each(|number| hall.play(number));
}

#[test]
fn a_player_that_thinks_is_in_time() {
    Hall::new(&rules("tic-tac-toe"), "mac-ucb").play(1);
}

#[test]
fn a_game_in_which_all_moves_are_seen_is_no_hidden_game() {
    let open = rules("tic-tac-toe") + "(<= (sees ?p (did ?q ?m)) (does ?q ?m) (role ?p))";
    let mut hall = Hall::new(&open, "uct");
    assert!(hall.hosted.setup.game.has_percepts() && !hall.hosted.setup.game.hides());
    // In both forms, and in other words.
    (0..4).for_each(|number| hall.play(number));
    let not_all = rules("tic-tac-toe") + "(<= (sees x (did ?q ?m)) (does ?q ?m) (role x))";
    assert!(Hosted::new(&not_all).setup.game.hides());
}
