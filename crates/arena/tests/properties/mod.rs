//! Properties of every results file, however it was damaged: run by the tests on seeded damage,
//! and by a fuzz target.

use arena::schedule::Schedule;
use arena::{
    Clocks, Experiment, GameEntry, Ledger, MatchResult, SeatResult, SqliteStore, Standings,
    StoreError, rules_fingerprint,
};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// The text of the rules of the one game.
const RULES: &str = "(role a) (role b)";

/// How many bytes an edit takes: where, how long, and what to do.
const EDIT: usize = 6;

/// A results file of two experiments, and what is in the last one.
struct Sample {
    bytes: Vec<u8>,
    results: Vec<MatchResult>,
    standings: Standings,
}

static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("sample.sqlite");
    for seed in 1..=2 {
        let store = SqliteStore::open(&path).expect("a new file");
        let rules = [RULES.to_string()];
        let mut ledger = Ledger::take_up(store, experiment(seed), &rules).expect("a new file");
        let results = (0..150).map(|number| result(&ledger.schedule, number));
        ledger.add(results.collect()).expect("a new file");
    }
    let (results, standings) = read(&path).expect("nothing was damaged");
    let bytes = fs::read(&path).expect("it was written just now");
    Sample {
        bytes,
        results,
        standings,
    }
});

fn experiment(seed: u64) -> Experiment {
    Experiment {
        games: vec![GameEntry {
            name: "game".to_string(),
            rules: rules_fingerprint(RULES),
            seats: 2,
        }],
        players: ["one", "two", "three"].map(String::from).to_vec(),
        clocks: Clocks::Iterations { start: 1, play: 1 },
        seed,
        build: "build".to_string(),
        memory: None,
    }
}

/// A match that was never played, the same each time.
fn result(schedule: &Schedule, number: u32) -> MatchResult {
    let (series, number) = (number as usize % 3, number / 3);
    let fixture = schedule.fixture(series, number);
    let goal = [0, 50, 100][fixture.seed as usize % 3];
    let seat = |(role, &side): (usize, &usize)| SeatResult {
        role,
        side,
        goal: Some([goal, 100 - goal][role]),
        faults: u32::from(number == 7),
        slow: 0,
    };
    MatchResult {
        series,
        number,
        seed: fixture.seed,
        seats: fixture.sides.iter().enumerate().map(seat).collect(),
        turns: 5 + number as usize,
        completed: true,
        broken: None,
        seconds: 0.25,
        threads: 1,
    }
}

/// All that is shown of the last experiment of a file.
fn read(path: &Path) -> Result<(Vec<MatchResult>, Standings), StoreError> {
    let ledger = Ledger::find(SqliteStore::open(path)?, None)?;
    let standings = Standings::new(&ledger.schedule, &ledger.results, None);
    Ok((ledger.results.iter().cloned().collect(), standings))
}

/// A damaged file gives the results that were written, or an error in words: never others.
/// Returns whether it was an error. The bytes say what is damaged, six for each edit.
pub fn results_never_lie(bytes: &[u8]) -> bool {
    let sample = &*SAMPLE;
    let mut damaged = sample.bytes.clone();
    for edit in bytes.chunks_exact(EDIT) {
        damage(&mut damaged, edit);
    }
    let folder = tempfile::tempdir().expect("there is a folder for temporary files");
    let path = folder.path().join("damaged.sqlite");
    fs::write(&path, damaged).expect("there is space for a small file");
    match read(&path) {
        Ok((results, standings)) => {
            assert_eq!(results, sample.results);
            assert_eq!(standings, sample.standings);
            false
        }
        Err(error) => {
            let text = error.to_string();
            assert!(text.contains(' '), "no sentence: {text}");
            true
        }
    }
}

/// Damages a file in one place.
fn damage(file: &mut Vec<u8>, edit: &[u8]) {
    let place = u32::from_le_bytes([edit[0], edit[1], edit[2], 0]) as usize;
    let (length, what, value) = (usize::from(edit[3]), edit[4], edit[5]);
    if file.is_empty() {
        return;
    }
    let place = place % file.len();
    let end = file.len().min(place + 1 + length);
    match what % 5 {
        // A bit.
        0 => file[place] ^= 1 << (value % 8),
        // A byte.
        1 => file[place] = value,
        // A run of bytes.
        2 => file[place..end].fill(value),
        // A page, in the place of another.
        3 => {
            let page = 4096.min(file.len());
            let from = usize::from(value) * page % file.len() / page * page;
            let to = place / page * page;
            if from.max(to) + page <= file.len() {
                file.copy_within(from..from + page, to);
            }
        }
        // The end is missing.
        _ => file.truncate(place),
    }
}
