//! Clocks on a busy machine: with every core taken by other processes, no local player is said to
//! be late, or the results say themselves that they are not to be trusted.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;

fn ludex(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command
        .current_dir(folder)
        .args(arguments.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Processes that keep all cores busy, until this is dropped.
struct Busy(Vec<Child>);

impl Busy {
    /// Twice as many as there are cores.
    fn start(folder: &Path) -> Busy {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let bench = || {
            let mut bench = ludex(folder, "bench tic-tac-toe --quiet --seconds 100000");
            bench.stdout(Stdio::null()).stderr(Stdio::null());
            bench.spawn().unwrap()
        };
        Busy((0..2 * cores).map(|_| bench()).collect())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        for process in &mut self.0 {
            let _ = process.kill();
            let _ = process.wait();
        }
    }
}

/// Turns and faults of a match of othello at 0.2 seconds a turn.
fn played(folder: &Path, seed: u32) -> (usize, usize) {
    let arguments = format!(
        "match othello uct uct --start-clock 0.2 --play-clock 0.2 --seed {seed} --quiet --json {seed}.json"
    );
    let output = ludex(folder, &arguments).output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let text = fs::read(folder.join(format!("{seed}.json"))).unwrap();
    let record: Value = serde_json::from_slice(&text).unwrap();
    let errors = record["errors"].as_array().unwrap();
    let errors = errors.iter().flat_map(|it| it.as_array().unwrap());
    let faults = errors.filter(|it| it.as_str() != Some("")).count();
    (record["moves"].as_array().unwrap().len(), faults)
}

#[test]
fn no_move_is_put_in_the_place_of_one_that_is_merely_slow() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let _busy = Busy::start(folder);
    let (mut turns, mut faults, mut seed) = (0, 0, 0);
    while turns < 200 {
        // Matches that take time from each other, as well.
        thread::scope(|scope| {
            let started = [1, 2, 3, 4].map(|it| scope.spawn(move || played(folder, seed + it)));
            for ended in started {
                let (more, wrong) = ended.join().unwrap();
                (turns, faults) = (turns + more, faults + wrong);
            }
        });
        seed += 4;
    }
    assert_eq!(faults, 0, "in {turns} turns");
}

#[test]
fn an_arena_is_played_in_time_or_says_that_it_is_not_to_be_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let _busy = Busy::start(folder);
    let arguments =
        "arena connect-four --players uct,random --clock 0.1 --matches 4 --json --quiet";
    let output = ludex(folder, arguments).output().unwrap();
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let players = standings["players"].as_array().unwrap().iter();
    let faults: u64 = players.map(|it| it["faults"].as_u64().unwrap()).sum();
    let trusted = standings["trust"]["trusted"].as_bool().unwrap();
    match output.status.code() {
        Some(0) => assert!(trusted && faults == 0, "{standings}"),
        code => assert!(code == Some(4) && !trusted && faults > 0, "{standings}"),
    }
}
