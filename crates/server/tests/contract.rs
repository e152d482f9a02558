//! The network player asks its player as the contract says, in games of every class.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use arena::referee::{Referee, play};
use common::{Hosted, listen, options, rules};
use players::witness::{Asked, Testimony, Witness};
use players::{BadOption, Ending, Player, Seat, roster};
use server::player::Options;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A player whose seats are all taken by witnesses.
fn watched(player: &str, testimony: &Testimony) -> Options {
    let testimony = testimony.clone();
    let make = move |name: &str, seat: Seat| -> Result<Box<dyn Player>, BadOption> {
        let player = roster::player(name, seat)?;
        Ok(Box::new(Witness::new(player, testimony.clone())))
    };
    Options {
        make: Arc::new(make),
        ..options(player)
    }
}

/// A match of a game whose first player is over the network, and watched.
struct Watched {
    hosted: Hosted,
    testimony: Testimony,
}

impl Watched {
    fn new(name: &str, player: &str) -> (Watched, Vec<Option<Box<dyn Player>>>) {
        let (start, play) = (Duration::from_secs(20), Duration::from_secs(3));
        let hosted = Hosted::new(&rules(name)).timed(start, play);
        let testimony = Testimony::default();
        let address = format!("http://{}", listen(watched(player, &testimony)));
        let first = hosted.setup.game.players().next();
        let seats = hosted.setup.game.role_ids().map(|role| {
            let local = || roster::player("random", hosted.seat(role.index())).unwrap();
            match role {
                _ if hosted.setup.is_chance(role) => None,
                _ if Some(role) == first => Some(hosted.remote(&address, role.index()) as _),
                _ => Some(local()),
            }
        });
        let seats = seats.collect();
        (Watched { hosted, testimony }, seats)
    }

    /// Waits until the player was told the end: it may be told after the host has left.
    fn finished(&self) -> Vec<Asked> {
        let patience = Instant::now() + Duration::from_secs(60);
        loop {
            let asked = self.testimony.asked();
            if let Some(Asked::Finish(_)) = asked.last() {
                return asked;
            }
            assert!(Instant::now() < patience, "{asked:?}");
            std::thread::yield_now();
        }
    }
}

#[test]
fn every_turn_is_observed_once_and_the_end_told() {
    for (name, player) in [
        ("tic-tac-toe", "uct"),
        ("connect-four-simultaneous", "random"),
        ("dice-race", "random"),
        ("monty-hall", "random"),
        ("mastermind", "random"),
    ] {
        let (watched, seats) = Watched::new(name, player);
        let record = play(&watched.hosted.setup, seats, &mut |_| {}).unwrap();
        assert_eq!(record.faults(), 0, "{name}");
        let asked = watched.finished();
        assert_eq!(watched.testimony.breach(), None, "{name}");
        assert_eq!(asked.last(), Some(&Asked::Finish(Ending::Completed)));
        let observed = asked.iter().filter_map(|it| match it {
            Asked::Observe { turn, .. } => Some(*turn),
            _ => None,
        });
        let observed: Vec<usize> = observed.collect();
        let turns: Vec<usize> = (0..=record.rounds.len()).collect();
        assert_eq!(observed, turns, "{name}");
        // The move that was made is told, whoever the manager is.
        let first = watched.hosted.setup.game.players().next().unwrap();
        for (round, it) in record.rounds.iter().zip(own_moves(&asked)) {
            let made = watched.hosted.setup.game.move_term(first, it.unwrap());
            assert_eq!(made, round.joint[first.index()], "{name}");
        }
    }
}

/// The moves that were made for the player, turn by turn.
fn own_moves(asked: &[Asked]) -> impl Iterator<Item = Option<game::MoveId>> {
    asked.iter().filter_map(|it| match it {
        Asked::Observe { turn: 1.., own, .. } => Some(*own),
        _ => None,
    })
}

#[test]
fn a_match_that_is_given_up_is_abandoned() {
    let (watched, seats) = Watched::new("tic-tac-toe", "random");
    let mut referee = Referee::new(&watched.hosted.setup, seats).unwrap();
    referee.round(None).unwrap();
    referee.record();
    let asked = watched.finished();
    assert_eq!(asked.last(), Some(&Asked::Finish(Ending::Abandoned)));
    assert_eq!(watched.testimony.breach(), None);
}
