//! The built-in tactical puzzles: each is proven again, and players solve them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use lab::Silent;
use lab::tactics::{self, Asking, Puzzle};
use std::collections::BTreeSet;

#[test]
fn every_puzzle_is_proven_again() {
    let puzzles = tactics::suite().unwrap();
    let games: BTreeSet<&str> = puzzles.iter().map(|it| &it.game[..]).collect();
    assert!(puzzles.len() >= 100, "{} puzzles", puzzles.len());
    assert!(games.len() >= 10, "{games:?}");
    let turns = 2..=tactics::LONGEST;
    assert!(puzzles.iter().all(|it| turns.contains(&it.turns)));
    tactics::verify(&puzzles, &Silent).unwrap();
}

#[test]
fn the_text_of_puzzles_is_read_back() {
    let puzzles = tactics::suite().unwrap();
    let again = tactics::read(&tactics::text(&puzzles)).unwrap();
    assert_eq!(again, puzzles);
    assert!(tactics::read("connect-four\tred").is_err());
}

#[test]
fn puzzles_are_made_again_with_the_same_seed() {
    let make = |seed| tactics::make(&["tic-tac-toe"], (2, seed), &Silent).unwrap();
    assert_eq!(make(1), make(1));
    assert_eq!(make(1).len(), 2);
    assert_ne!(make(1), make(2));
}

/// With a hundred iterations `mac-ucb` solves at least three of four puzzles of small games.
#[test]
fn mac_ucb_solves_most_small_puzzles() {
    let small = ["connect-four-5x4", "tic-tac-toe", "ttcc4"];
    let puzzles = tactics::suite().unwrap().into_iter();
    let puzzles: Vec<Puzzle> = puzzles.filter(|it| small.contains(&&it.game[..])).collect();
    let asking = Asking {
        players: vec!["mac-ucb".to_string(), "legal".to_string()],
        iterations: vec![100],
        seed: 1,
    };
    let scores = tactics::ask(&puzzles, &asking, &Silent).unwrap();
    let solved: usize = scores.iter().map(|it| it.solved[0]).sum();
    assert!(4 * solved >= 3 * puzzles.len(), "{scores:?}");
    let text = tactics::table(&scores, &asking).text();
    assert!(
        text.contains("mac-ucb 100") && text.contains("\nall "),
        "{text}"
    );
}
