//! Whatever the game, a search keeps to its budget, and there is a legal move.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{observe, player};
use game::{Game, Limits, RoleId};
use players::{Budget, roster};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Four hundred buttons, of which two have to be pressed one after the other. Few of the matches
/// played at random end within the turns that a playout has.
fn buttons() -> Arc<Game> {
    let rows: String = (1..=20).map(|n| format!("(row {n})")).collect();
    let rules = format!(
        "(role r) (init (last 1 1)) {rows}
         (<= (legal r (press ?x ?y)) (row ?x) (row ?y))
         (<= (next (last ?x ?y)) (does r (press ?x ?y)))
         (<= (next done) (true (last 7 7)) (does r (press 13 13)))
         (<= terminal (true done)) (<= (goal r 100) (true done)) (<= (goal r 0) (not (true done)))"
    );
    Arc::new(Game::load(&*rules, &Limits::default()).unwrap())
}

/// Two roles that wait for ever.
fn endless() -> Arc<Game> {
    let rules = "(role a) (role b) (init (n 0)) (<= (legal ?r wait) (role ?r)) (<= (legal ?r rest) (role ?r))
         (<= (next (n 0)) (true (n 1))) (<= (next (n 1)) (true (n 0)))
         (<= terminal (true (n 2))) (<= (next (n 2)) (true (n 2))) (goal a 50) (goal b 50)";
    Arc::new(Game::load(rules, &Limits::default()).unwrap())
}

/// All players that think about such games.
const SEARCHES: [&str; 15] = [
    "uct",
    "uct:lanes=no",
    "uct-plain",
    "uct:policy=nst",
    "uct:policy=past",
    "uct:policy=lgr2,decisive=both",
    "uct:policy=fast,decisive=auto",
    "rave",
    "grave",
    "ucd",
    "cadia",
    "cadia-2008",
    "ary",
    "mac-ucb:solver=gates",
    "fc-ucb",
];
/// Players of games with one role.
const PUZZLES: [&str; 4] = ["ida", "nested", "nested:lanes=no", "solo"];

#[test]
fn the_count_bounds_the_work_where_lines_are_long() {
    const ITERATIONS: u64 = 2;
    let game = buttons();
    let lanes = game.lanes().unwrap().count() as u64;
    for text in ["uct", "mac-ucb:solver=gates"] {
        let mut player = player(&game, 0, text);
        let first = game.walk().state().to_owned();
        observe(&mut *player, (&game, RoleId::new(0)), &first);
        let budget = Budget::Iterations(ITERATIONS);
        player.choose(&budget).unwrap();
        // An iteration fills the lanes, and so does each of the steps along a line, beside a few
        // playouts that are recorded.
        let playouts = player.work().playouts;
        assert!(
            playouts <= ITERATIONS * 10 * (lanes + 8),
            "{text}: {playouts}"
        );
    }
}

#[test]
fn time_that_is_over_ends_every_search() {
    for game in [buttons(), endless()] {
        let first = game.walk().state().to_owned();
        let puzzles = PUZZLES.into_iter().filter(|_| game.roles().len() == 1);
        for text in SEARCHES
            .into_iter()
            .chain(["random", "legal"])
            .chain(puzzles)
        {
            let role = RoleId::new(0);
            let mut player = player(&game, 0, text);
            let soon = || Budget::Until(Instant::now() + Duration::from_millis(50));
            player.start(&soon()).unwrap();
            observe(&mut *player, (&game, role), &first);
            let decision = player.choose(&soon()).unwrap();
            let mut walk = game.walk();
            walk.load(&first);
            assert!(walk.legal(role).contains(&decision.action), "{text}");
            player.ponder(&soon());
        }
    }
}

#[test]
fn all_searches_are_tried() {
    let names = || roster::ENTRIES.iter().map(|it| it.name);
    let all = || SEARCHES.iter().chain(&PUZZLES);
    let tried = |name: &str| all().any(|it| it.split(':').next() == Some(name));
    assert!(names().all(|it| tried(it) || ["random", "legal"].contains(&it)));
}
