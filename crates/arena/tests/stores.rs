//! What every store promises: in a file, and in memory.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use arena::schedule::Schedule;
use arena::{
    Clocks, Experiment, GameEntry, Ledger, MatchResult, MemoryStore, SeatResult, SqliteStore,
    Store, StoreError, rules_fingerprint,
};

const RULES: &str = "(role a)\n; ä comment";

fn experiment(seed: u64) -> Experiment {
    Experiment {
        games: vec![GameEntry {
            name: "game".to_string(),
            rules: rules_fingerprint(RULES),
            seats: 1,
        }],
        players: vec!["random".to_string()],
        clocks: Clocks::Iterations { start: 1, play: 1 },
        seed,
        build: String::new(),
        memory: None,
    }
}

fn result(number: u32) -> MatchResult {
    MatchResult {
        series: 0,
        number,
        seed: u64::MAX,
        seats: vec![SeatResult {
            role: 0,
            side: 0,
            goal: Some(50),
            faults: 0,
            slow: 0,
        }],
        turns: 1,
        completed: true,
        broken: None,
        seconds: 0.5,
        threads: 1,
    }
}

/// Runs a check on each kind of store; both arguments are the same store, opened twice.
fn on_each(check: fn(Box<dyn Store>, Box<dyn Store>)) {
    let memory = MemoryStore::default();
    check(Box::new(memory.clone()), Box::new(memory));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("arena.sqlite");
    let open = || Box::new(SqliteStore::open(&path).unwrap());
    check(open(), open());
}

#[test]
fn experiments_are_numbered_once() {
    on_each(|mut one, mut other| {
        assert!(matches!(one.find(None), Err(StoreError::Empty)));
        assert_eq!(one.take_up(&experiment(1), &[]).unwrap(), 1);
        assert_eq!(other.take_up(&experiment(2), &[]).unwrap(), 2);
        assert_eq!(other.take_up(&experiment(1), &[]).unwrap(), 1);
        let last = one.find(None).unwrap();
        assert_eq!((last.number, last.experiment), (2, experiment(2)));
        assert_eq!(one.find(Some(1)).unwrap().experiment, experiment(1));
        for number in [0, 3] {
            let missing = one.find(Some(number));
            assert!(matches!(missing, Err(StoreError::Missing { last: 2, .. })));
        }
    });
}

#[test]
fn results_are_added_once_and_all_or_none() {
    on_each(|mut one, mut other| {
        let number = one.take_up(&experiment(1), &[]).unwrap();
        let schedule = Schedule::new(experiment(1));
        one.add(number, &schedule, &[result(0), result(1)]).unwrap();
        let refused = other.add(number, &schedule, &[result(2), result(1)]);
        assert!(matches!(refused, Err(StoreError::Twice { number: 1, .. })));
        let there = other.results(number).unwrap();
        let there: Vec<MatchResult> = there.iter().cloned().collect();
        assert_eq!(there, [result(0), result(1)]);
        let second = one.take_up(&experiment(2), &[]).unwrap();
        assert!(other.results(second).unwrap().is_empty());
    });
}

#[test]
fn the_text_of_rules_is_kept() {
    on_each(|mut one, mut other| {
        let rules = [RULES.to_string()];
        one.take_up(&experiment(1), &rules).unwrap();
        one.take_up(&experiment(2), &rules).unwrap();
        let fingerprint = rules_fingerprint(RULES);
        assert_eq!(other.rules(&fingerprint).unwrap().unwrap(), RULES);
        assert_eq!(other.rules("other").unwrap(), None);
    });
}

#[test]
fn a_ledger_has_the_rules_of_its_games() {
    let memory = MemoryStore::default();
    let rules = [RULES.to_string()];
    Ledger::take_up(memory.clone(), experiment(1), &rules).unwrap();
    let mut found = Ledger::find(memory, None).unwrap();
    assert_eq!(found.rules(0).unwrap().unwrap(), RULES);
}
