//! Every removal and every nogood of look-ahead holds: checked against brute force on walks.
//!
//! Small games are checked in all their states, against play to the end; larger ones in the last
//! turns of random matches, against brute force of the same three rounds.
//! Each test prints how much it checked.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may panic, and says how much it checked"
)]

mod audit;
mod brute;

use crate::tree::Shape;
use audit::{Audit, Checked};
use game::{BitsBuf, Game, Limits};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::Path;

/// All rounds that look-ahead knows.
const ROUNDS: [usize; 3] = [1, 2, 3];

/// A pile from which a and b take one or two in turn; after each a coin is flipped, and tails takes
/// one more. Who empties the pile by hand gets 80, by the coin 35; the sum is 100.
const COIN_PILE: &str = "(role a) (role b) (role random) (init (pile 7)) (init (turn a))
    (less 1 0) (less 2 1) (less 3 2) (less 4 3) (less 5 4) (less 6 5) (less 7 6)
    (other a b) (other b a)
    (<= (minus 1 ?n ?m) (less ?n ?m)) (<= (minus 2 ?n ?k) (less ?n ?m) (less ?m ?k))
    (<= (legal ?r (take ?x)) (true (turn ?r)) (true (pile ?n)) (minus ?x ?n ?m))
    (<= (legal ?r wait) (other ?r ?o) (not (true (turn ?r))))
    (<= (legal random heads) (true (flip ?r))) (<= (legal random tails) (true (flip ?r)))
    (<= (legal random wait) (true (turn ?r)))
    (<= (next (pile ?m)) (does ?r (take ?x)) (true (pile ?n)) (minus ?x ?n ?m))
    (<= (next (pile ?m)) (does random tails) (true (pile ?n)) (less ?n ?m))
    (<= (next (pile ?n)) (does random heads) (true (pile ?n)))
    (<= (next (flip ?r)) (true (turn ?r))) (<= (next (turn ?o)) (true (flip ?r)) (other ?r ?o))
    (<= terminal (true (pile 0)))
    (<= (goal ?r 80) (true (flip ?r))) (<= (goal ?o 20) (true (flip ?r)) (other ?r ?o))
    (<= (goal ?r 35) (true (turn ?o)) (other ?r ?o)) (<= (goal ?o 65) (true (turn ?o)))";

/// Three roles name a number each in turn, twice; who names what the one before did not gets more.
/// There is no constant sum.
const THREE: &str = "(role a) (role b) (role c) (init (turn a 1))
    (after a 1 b 1) (after b 1 c 1) (after c 1 a 2) (after a 2 b 2) (after b 2 c 2) (after c 2 a 3)
    (number 1) (number 2) (number 3)
    (<= (legal ?r (say ?n)) (true (turn ?r ?t)) (number ?n) (not (true (said ?r ?n))))
    (<= (legal ?r wait) (role ?r) (not (mine ?r))) (<= (mine ?r) (true (turn ?r ?t)))
    (<= (next (turn ?s ?u)) (true (turn ?r ?t)) (after ?r ?t ?s ?u))
    (<= (next (said ?r ?n)) (does ?r (say ?n))) (<= (next (said ?r ?n)) (true (said ?r ?n)))
    (<= terminal (true (turn a 3))) (<= terminal both) (<= both (true (said a 1)) (true (said b 1)))
    (<= (alike ?r ?s) (true (said ?r ?n)) (true (said ?s ?n)) (distinct ?r ?s))
    (<= (goal a 90) (not (alike a b))) (<= (goal a 40) (alike a b))
    (<= (goal b 70) (alike a b) (not (alike b c))) (<= (goal b 10) (alike b c))
    (<= (goal b 30) (not (alike a b)) (not (alike b c)))
    (<= (goal c 100) (alike b c) (not (alike a c))) (<= (goal c 50) (alike a c))
    (<= (goal c 0) (not (alike b c)) (not (alike a c)))";

/// Two roles name numbers at the same time, with or without a coin, for three rounds; the same
/// number twice ends it, and 3 with heads against 1. In the last round b may say 3, which is best.
const AT_ONCE: &str = "(role a) (role b) (role random) (init (n 1)) (init (s 0))
    (after 1 2) (after 2 3) (after 3 4) (more 0 1) (more 1 2) (more 2 3)
    (legal a 1) (legal a 2) (<= (legal a 3) (true (n 2)))
    (legal b 1) (legal b 2) (<= (legal b 3) (true (n 3)))
    (legal random heads) (<= (legal random tails) (not (true (n 2))))
    (<= (next (n ?m)) (true (n ?n)) (after ?n ?m))
    (<= same (does a ?x) (does b ?x))
    (<= (next (s ?m)) (true (s ?n)) (more ?n ?m) same)
    (<= (next (s ?n)) (true (s ?n)) (not same))
    (<= (next quick) (does a 3) (does random heads) (does b 1))
    (<= terminal (true (n 4))) (<= terminal (true quick)) (<= terminal (true (s 2)))
    (<= (goal a 100) (true quick)) (<= (goal b 0) (true quick))
    (<= (goal a 75) (not (true quick)) (true (s 2))) (<= (goal b 25) (not (true quick)) (true (s 2)))
    (<= (goal a 40) (not (true quick)) (true (s 1))) (<= (goal b 60) (not (true quick)) (true (s 1)))
    (<= (goal a 0) (not (true quick)) (true (s 0))) (<= (goal b 100) (not (true quick)) (true (s 0)))
    (<= (goal a 10) (true (s 3)) (not (true quick))) (<= (goal b 90) (true (s 3)) (not (true quick)))";

fn sheet(name: &str) -> String {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    fs::read_to_string(games.join(name).join("rules.kif")).unwrap()
}

fn load(rules: &str) -> Game {
    Game::load(rules, &Limits::default()).unwrap()
}

/// Every state, or so many drawn with a fixed seed.
fn drawn(states: &[BitsBuf], most: usize) -> Vec<BitsBuf> {
    if states.len() <= most {
        return states.to_vec();
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut draw = || states[(random.next_u64() % states.len() as u64) as usize].clone();
    (0..most).map(|_| draw()).collect()
}

/// Checks a game of at most so many states in all of them, against play to the end.
fn small((name, rules): (&str, &str), most: usize) -> Checked {
    let game = load(rules);
    let shape = Shape::new(&game, 1 << 20);
    let mut audit = Audit::new((name, &game), &shape, brute::ALL);
    let all = audit.all_states(most).expect("a small game");
    // Nogoods of a part are all kept: a store of all states would have to forget.
    for part in all.chunks(300) {
        audit.check(part, &ROUNDS, &drawn(&all, 4000));
    }
    for rounds in ROUNDS {
        audit.check(&all, &[rounds], &drawn(&all, 4000));
    }
    println!("{name}: {} states, {:?}", all.len(), audit.checked);
    audit.checked
}

#[test]
fn what_is_proven_of_small_games_holds_to_the_end() {
    let all = [
        small(("tic-tac-toe", &sheet("tic-tac-toe")), 10_000),
        small(("nim", &sheet("nim")), 10_000),
        small(("connect-four-4x4", &sheet("connect-four-4x4")), 200_000),
    ];
    assert!(all.iter().all(|it| it.removals > 100 && it.fits > 100));
}

#[test]
fn what_is_proven_with_chance_holds_on_the_average() {
    let coin = small(("coin pile", COIN_PILE), 1000);
    assert!(coin.removals > 0);
    small(("dice-race", &sheet("dice-race")), 100_000);
}

#[test]
fn what_is_proven_without_a_constant_sum_holds() {
    let three = small(("three", THREE), 1000);
    assert!(three.removals > 0);
}

#[test]
fn what_is_proven_of_moves_at_once_holds() {
    let once = small(("at once", AT_ONCE), 1000);
    let scissors = small(("rock-paper-scissors", &sheet("rock-paper-scissors")), 10);
    assert!(once.removals > 0 && scissors.proofs > 0);
}

/// Larger games; how many prefixes of random matches, and ends of each.
const LARGE: &[(&str, (u64, u64))] = &[
    ("connect-four", (40, 10)),
    ("breakthrough", (20, 5)),
    ("quarto", (20, 10)),
    ("pentago", (20, 10)),
    ("hex", (5, 5)),
    ("othello", (40, 5)),
    ("checkers", (40, 5)),
    ("knight-through", (20, 5)),
    ("ttcc4", (20, 10)),
    ("awale", (40, 5)),
    ("backgammon", (4, 4)),
    ("connect-four-simultaneous", (4, 4)),
];

/// Checks the last states of random matches, against brute force of as many rounds.
fn large(name: &str, prefixes: (u64, u64)) -> Checked {
    let game = load(&sheet(name));
    let shape = Shape::new(&game, 1 << 20);
    let mut audit = Audit::new((name, &game), &shape, 2);
    let pool = audit.last_states(prefixes, 4);
    // What is learned in a part is tested on the matches of all parts.
    for part in pool.chunks(300) {
        audit.check(part, &ROUNDS, &pool);
    }
    println!("{name}: {} states, {:?}", pool.len(), audit.checked);
    audit.checked
}

#[test]
fn what_is_proven_near_the_end_of_larger_games_holds() {
    let mut all = Checked::default();
    for &(name, prefixes) in LARGE {
        all += large(name, prefixes);
    }
    println!("larger games: {all:?}");
    assert!(all.removals > 1000 && all.nogoods > 500 && all.fits > all.nogoods);
}
