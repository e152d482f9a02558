//! Experiments are stored, resumed and judged; nothing is lost or counted twice.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arena::schedule::Schedule;
use arena::{
    Clocks, Conditions, Experiment, GameEntry, Ledger, Lineup, Makers, MatchResult, NotAdmitted,
    Occasion, Patience, Results, RunOptions, SeatResult, SqliteStore, Standings, StoreError,
    curves, run, split_players,
};
use game::{Engine, Game, Limits};
use gdl::{Policy, Source};
use players::{Memory, Seat, roster};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

fn program(name: &str) -> gdl::Program {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read(games.join(name).join("rules.kif")).unwrap();
    let tree = gdl::read(Source::from_bytes(rules), None, &gdl::ReadLimits::default());
    gdl::check(tree, &Policy::lenient()).program.unwrap()
}

fn experiment(games: &[(&str, usize)], players: &[&str]) -> Experiment {
    let entry = |&(name, seats): &(&str, usize)| GameEntry {
        name: name.to_string(),
        rules: "rules".to_string(),
        seats,
    };
    Experiment {
        games: games.iter().map(entry).collect(),
        players: players.iter().map(ToString::to_string).collect(),
        clocks: Clocks::Iterations { start: 1, play: 1 },
        seed: 5,
        build: "test".to_string(),
        memory: None,
    }
}

fn small() -> Experiment {
    experiment(
        &[("tic-tac-toe", 2), ("monty-hall", 1)],
        &["random", "legal"],
    )
}

/// Loads games by the names of an experiment.
fn options(experiment: &Experiment, matches: u32) -> RunOptions {
    let names: Vec<String> = experiment.games.iter().map(|it| it.name.clone()).collect();
    let load = move |game: usize| {
        let game = Game::of(&program(&names[game]), &Limits::default());
        Ok(Arc::new(game))
    };
    RunOptions {
        matches,
        error: None,
        parallel: 3,
        threads: 1,
        patience: Patience::default(),
        stop: Arc::default(),
        load: Arc::new(load),
        makers: Makers::roster(),
    }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arena.sqlite");
    (folder, file)
}

fn ledger(file: &Path) -> Ledger {
    let store = SqliteStore::open(file).unwrap();
    Ledger::take_up(store, small(), &[]).unwrap()
}

/// Results without their times.
fn timeless(results: &Results) -> Vec<MatchResult> {
    let results = results.iter().cloned().map(|result| MatchResult {
        seconds: 0.0,
        ..result
    });
    results.collect()
}

#[test]
fn an_experiment_that_goes_on_is_as_one_that_was_not_stopped() {
    let (_one, whole) = folder();
    let mut whole = ledger(&whole);
    run(&options(&small(), 12), &mut whole, &mut |_| {}).unwrap();
    assert_eq!(whole.results.len(), 12 + 2 * 12);

    let (_two, parts) = folder();
    run(&options(&small(), 5), &mut ledger(&parts), &mut |_| {}).unwrap();
    let mut again = ledger(&parts);
    assert_eq!(again.results.len(), 6 + 2 * 5);
    let mut told = Vec::new();
    run(&options(&small(), 12), &mut again, &mut |it| {
        told.push((it.done, it.wanted));
    })
    .unwrap();
    assert_eq!((told[0], *told.last().unwrap()), ((16, 36), (36, 36)));
    assert_eq!(timeless(&again.results), timeless(&whole.results));
    assert_eq!(timeless(&ledger(&parts).results), timeless(&whole.results));

    // Fewer than are there: only those are looked at, and none is played.
    let mut fewer = ledger(&parts);
    run(&options(&small(), 2), &mut fewer, &mut |_| {}).unwrap();
    assert_eq!(fewer.results.len(), 2 + 2 * 2);
}

#[test]
fn a_run_that_is_stopped_keeps_what_was_played() {
    let (_folder, file) = folder();
    let options = options(&small(), 12);
    let (stop, mut told) = (Arc::clone(&options.stop), Vec::new());
    let mut stopped = ledger(&file);
    run(&options, &mut stopped, &mut |it| {
        told.push((it.done, it.wanted));
        stop.store(it.done >= 3, Ordering::Relaxed);
    })
    .unwrap();
    let kept = stopped.results.len();
    assert!((3..36).contains(&kept), "{kept} matches");
    assert_eq!(told.last(), Some(&(kept, 36)));
    assert_eq!(timeless(&ledger(&file).results), timeless(&stopped.results));
    // It goes on where it was stopped, and comes to the same end as one that was not.
    options.stop.store(false, Ordering::Relaxed);
    let mut again = ledger(&file);
    run(&options, &mut again, &mut |_| {}).unwrap();
    let (_other, whole) = folder();
    let mut whole = ledger(&whole);
    run(&options, &mut whole, &mut |_| {}).unwrap();
    assert_eq!(timeless(&again.results), timeless(&whole.results));
}

#[test]
fn faults_beyond_a_share_leave_no_table_to_trust() {
    let schedule = Schedule::new(experiment(&[("g", 2)], &["a", "b"]));
    let mut results = Results::default();
    for number in 0..10 {
        let mut result = result(&schedule, (0, number), &[100, 0]);
        result.turns = 20;
        let seat = result.seats.iter_mut().find(|it| it.side == 1).unwrap();
        (seat.faults, seat.slow) = (u32::from(number < 3), 2);
        results.add(result);
    }
    let standings = Standings::new(&schedule, &results, None);
    let [a, b] = &standings.players[..] else {
        panic!("there are two players");
    };
    assert_eq!((a.moves, a.faults, a.slow), (200, 0, 0));
    assert_eq!((b.moves, b.faults, b.slow), (200, 3, 20));
    let trust = standings.trust(0.01);
    assert_eq!(
        (trust.trusted, &trust.at_fault[..]),
        (false, &["b".to_string()][..])
    );
    // Three of two hundred is allowed if it is allowed.
    assert!(standings.trust(0.015).trusted);
}

#[test]
fn each_game_is_loaded_once() {
    let (_folder, file) = folder();
    let mut options = options(&small(), 6);
    let loads = Arc::new(AtomicUsize::new(0));
    let (load, counter) = (Arc::clone(&options.load), Arc::clone(&loads));
    options.load = Arc::new(move |game| {
        counter.fetch_add(1, Ordering::Relaxed);
        load(game)
    });
    run(&options, &mut ledger(&file), &mut |_| {}).unwrap();
    assert_eq!(loads.load(Ordering::Relaxed), 2);
}

#[test]
fn what_is_decided_is_not_played_and_the_table_is_the_same_however_it_was_played() {
    let strong = experiment(&[("tic-tac-toe", 2)], &["uct:playouts=8,batch=4", "legal"]);
    let table = |parallel| {
        let (_folder, file) = folder();
        let store = SqliteStore::open(&file).unwrap();
        let mut ledger = Ledger::take_up(store, strong.clone(), &[]).unwrap();
        let options = RunOptions {
            parallel,
            error: Some(0.1),
            ..options(&strong, 400)
        };
        run(&options, &mut ledger, &mut |_| {}).unwrap();
        assert!(ledger.results.len() < 400);
        Standings::new(&ledger.schedule, &ledger.results, options.error)
    };
    let alone = table(1);
    assert!(alone.pairings[0].better.is_some());
    assert_eq!(alone, table(4));
}

#[test]
fn experiments_share_a_file_and_are_found_by_number() {
    let (_folder, file) = folder();
    let first = ledger(&file).number;
    let other = Experiment { seed: 6, ..small() };
    let store = SqliteStore::open(&file).unwrap();
    let second = Ledger::take_up(store, other.clone(), &[]).unwrap();
    assert_ne!(first, second.number);
    assert_eq!(ledger(&file).number, first);
    let find = |number| Ledger::find(SqliteStore::open(&file).unwrap(), number);
    assert_eq!(find(None).unwrap().schedule.experiment, other);
    assert_eq!(find(Some(first)).unwrap().schedule.experiment, small());
    assert!(matches!(
        find(Some(9)),
        Err(StoreError::Missing { number: 9, last: 2 })
    ));
}

fn result(schedule: &Schedule, (series, number): (usize, u32), goals: &[i64]) -> MatchResult {
    let fixture = schedule.fixture(series, number);
    let seats = fixture.sides.iter().zip(goals).enumerate();
    let seats = seats.map(|(role, (&side, &goal))| SeatResult {
        role,
        side,
        goal: Some(goal),
        faults: 0,
        slow: 0,
    });
    MatchResult {
        series,
        number,
        seed: fixture.seed,
        seats: seats.collect(),
        turns: 9,
        completed: true,
        broken: None,
        seconds: 0.5,
        threads: 1,
    }
}

#[test]
fn a_match_is_written_once_and_all_or_nothing() {
    let (_folder, file) = folder();
    let (mut one, mut other) = (ledger(&file), ledger(&file));
    let schedule = Arc::clone(&one.schedule);
    let make = |number| result(&schedule, (0, number), &[100, 0]);
    one.add(vec![make(0), make(1)]).unwrap();
    let refused = other.add(vec![make(2), make(1)]);
    assert!(matches!(
        refused,
        Err(StoreError::Twice {
            series: 0,
            number: 1
        })
    ));
    assert_eq!(timeless(&ledger(&file).results), timeless(&one.results));
    assert!(other.results.is_empty());
}

#[test]
fn what_is_no_store_is_refused() {
    let (_folder, file) = folder();
    let open = || {
        SqliteStore::open(&file)
            .map(|_| ())
            .unwrap_err()
            .to_string()
    };
    fs::write(
        &file,
        "no database, but a text that is long enough to be one".repeat(50),
    )
    .unwrap();
    assert_eq!(open(), "it is no file of arena results");
    fs::remove_file(&file).unwrap();
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE mine (x)").unwrap();
    assert_eq!(open(), "it is no file of arena results");
    drop(other);
    fs::remove_file(&file).unwrap();
    drop(SqliteStore::open(&file).unwrap());
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("PRAGMA user_version = 7").unwrap();
    assert!(open().contains("version 7"), "{}", open());
    assert!(SqliteStore::open(Path::new("/nowhere/at/all")).is_err());
}

#[test]
fn a_damaged_file_is_told_of() {
    let (_folder, file) = folder();
    run(&options(&small(), 40), &mut ledger(&file), &mut |_| {}).unwrap();
    let mut bytes = fs::read(&file).unwrap();
    bytes[4096..].fill(0x55);
    fs::write(&file, bytes).unwrap();
    let damaged = SqliteStore::open(&file).and_then(|it| Ledger::take_up(it, small(), &[]));
    assert_eq!(damaged.unwrap_err().to_string(), "the file is damaged");
}

/// A lineup of games that only the interpreter answers.
fn lineup(games: &[&str], players: &str) -> Lineup {
    let mut lineup = Lineup::new(split_players(players));
    for name in games {
        let program = program(name);
        let game = Game::new(&program, Engine::Interpreter, &Limits::default());
        lineup.add(name, program.tree().source().text(), game.unwrap());
    }
    lineup
}

#[test]
fn players_that_refuse_are_known_before() {
    let admit = |players| lineup(&["tic-tac-toe", "monty-hall"], players).admit(&Makers::roster());
    assert_eq!(admit("random"), Ok(()));
    assert_eq!(admit("random,http://localhost:1"), Ok(()));
    let refused = admit("random,uct");
    assert!(
        matches!(&refused, Err(NotAdmitted::Refusal { game, .. }) if game == "monty-hall"),
        "{refused:?}"
    );
    assert!(matches!(admit("uct:d=3"), Err(NotAdmitted::Option(_))));
}

#[test]
fn a_lineup_makes_an_experiment() {
    let lineup = lineup(&["monty-hall", "tic-tac-toe"], "random,legal");
    let experiment = lineup.experiment(Conditions {
        clocks: Clocks::Iterations { start: 1, play: 1 },
        seed: 5,
        build: "test".to_string(),
        memory: None,
    });
    assert_eq!(experiment.check(), Ok(()));
    // Chance has no seat.
    let seats: Vec<usize> = experiment.games.iter().map(|it| it.seats).collect();
    assert_eq!(seats, [1, 2]);
    assert_eq!(experiment.players, ["random", "legal"]);
    for (text, entry) in lineup.texts().iter().zip(&experiment.games) {
        assert_eq!(arena::rules_fingerprint(text), entry.rules);
    }
}

#[test]
fn players_elsewhere_are_made_by_the_hook() {
    let program = program("tic-tac-toe");
    let game = Game::of(&program, &Limits::default());
    let game = Arc::new(game);
    let seat = || Seat {
        game: Arc::clone(&game),
        role: game::RoleId::new(0),
        seed: 1,
        threads: 1,
        memory: None,
        helpers: None,
    };
    let occasion = Occasion {
        game: 0,
        id: "m".to_string(),
        clocks: Clocks::Iterations { start: 1, play: 1 },
        grace: Duration::ZERO,
    };
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    let makers = Makers::with_remote(move |_, seat, _| {
        counter.fetch_add(1, Ordering::Relaxed);
        roster::player("legal", seat)
    });
    assert!(makers.make("random", seat(), &occasion).is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    assert!(makers.make("http://a:1", seat(), &occasion).is_ok());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let alone = Makers::roster().make("http://a:1", seat(), &occasion);
    assert!(alone.is_err());
}

#[test]
fn all_matches_of_a_game_share_a_memory() {
    let experiment = experiment(&[("tic-tac-toe", 2)], &["mac-ucb", "random"]);
    let game = Game::of(&program("tic-tac-toe"), &Limits::default());
    let memory = Arc::new(Memory::new(&game).unwrap());
    let found = Arc::clone(&memory);
    let options = RunOptions {
        makers: Makers::roster().with_memory(move |_| Some(Arc::clone(&found))),
        ..options(&experiment, 4)
    };
    let (_kept, file) = folder();
    let store = SqliteStore::open(&file).unwrap();
    let mut ledger = Ledger::take_up(store, experiment, &[]).unwrap();
    run(&options, &mut ledger, &mut |_| {}).unwrap();
    assert!(!memory.is_empty());
    assert!(Memory::read(&memory.text(), &game).is_ok());
}

#[test]
fn an_experiment_with_a_memory_is_another_one() {
    let (_kept, file) = folder();
    let number = |memory: Option<&str>| {
        let memory = memory.map(String::from);
        let experiment = Experiment { memory, ..small() };
        let store = SqliteStore::open(&file).unwrap();
        Ledger::take_up(store, experiment, &[]).unwrap().number
    };
    let numbers = [None, Some("one"), Some("two"), None, Some("one")].map(number);
    assert_eq!(numbers, [1, 2, 3, 1, 2]);
    // Without one, it is described as it was before there were memories.
    let text = serde_json::to_string(&small()).unwrap();
    assert!(!text.contains("memory"), "{text}");
}

/// Results of two players and two seats, given as the goals of the first player.
fn scores(schedule: &Schedule, goals: &[i64]) -> Results {
    let mut results = Results::default();
    for (number, &goal) in (0..).zip(goals) {
        let mut goals = [goal, 100 - goal];
        if schedule.fixture(0, number).sides[0] == 1 {
            goals.reverse();
        }
        results.add(result(schedule, (0, number), &goals));
    }
    results
}

#[test]
fn standings_say_who_won_and_how_sure_it_is() {
    let schedule = Schedule::new(experiment(&[("g", 2)], &["a", "b"]));
    let results = scores(&schedule, &[100, 100, 50, 0, 100, 50]);
    let standings = Standings::new(&schedule, &results, None);
    let row = &standings.pairings[0];
    assert_eq!((row.matches, row.wins, row.draws, row.losses), (6, 3, 2, 1));
    assert!((row.first_goal - 400.0 / 6.0).abs() < 1e-9);
    assert!((row.score.mean - 4.0 / 6.0).abs() < 1e-9);
    assert!(row.score.low < 0.5 && row.score.high > 0.8, "{row:?}");
    let rating = standings.players[0].rating.unwrap();
    assert!(
        (rating.elo - 200.0 * 2_f64.log10()).abs() < 1e-6,
        "{rating:?}"
    );
    let (_, curve) = &curves(&schedule, &results, None)[0];
    assert_eq!(
        curve.iter().map(|it| it.matches).collect::<Vec<_>>(),
        [2, 4, 6]
    );
    assert_eq!(curve[2].score, row.score);
}

#[test]
fn matches_after_a_gap_or_a_verdict_do_not_count() {
    let schedule = Schedule::new(experiment(&[("g", 2)], &["a", "b"]));
    let mut results = scores(&schedule, &[100; 40]);
    let standings = Standings::new(&schedule, &results, Some(0.05));
    let row = &standings.pairings[0];
    assert_eq!((row.matches, row.better.as_deref()), (16, Some("a")));
    results.keep(&schedule, 17);
    results.add(result(&schedule, (0, 19), &[0, 100]));
    let standings = Standings::new(&schedule, &results, None);
    assert_eq!(standings.pairings[0].matches, 18);
}

#[test]
fn a_game_for_many_counts_the_mean_of_the_seats() {
    let schedule = Schedule::new(experiment(&[("g", 3)], &["a", "b"]));
    assert_eq!(schedule.fixture(0, 0).sides, [0, 1, 1]);
    let mut results = Results::default();
    results.add(result(&schedule, (0, 0), &[50, 100, 20]));
    let row = &Standings::new(&schedule, &results, None).pairings[0];
    assert_eq!((row.wins, row.draws, row.losses), (0, 0, 1));
    assert!((row.score.mean - (0.5 + (0.5 - 0.6) / 2.0)).abs() < 1e-9);
}

#[test]
fn solo_players_are_compared_match_by_match() {
    let schedule = Schedule::new(experiment(&[("g", 1)], &["a", "b", "c"]));
    let mut results = Results::default();
    for (series, goals) in [[100, 0, 50], [0, 0, 50], [0, 0, 0]]
        .into_iter()
        .enumerate()
    {
        for (number, goal) in (0..).zip(goals) {
            results.add(result(&schedule, (series, number), &[goal]));
        }
    }
    let standings = Standings::new(&schedule, &results, None);
    let counts: Vec<_> = standings
        .pairings
        .iter()
        .map(|it| (it.wins, it.draws, it.losses))
        .collect();
    assert_eq!(counts, [(1, 2, 0), (2, 1, 0), (1, 2, 0)]);
    assert_eq!(standings.pairings[0].second_goal, Some(50.0 / 3.0));
    assert!(!standings.draws_added);
}
