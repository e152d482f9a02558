//! Our own rule sheets: no diagnostic by the letter of the specification, formatted, and the
//! counts that `game.toml` gives come out.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gdl::{Policy, ReadLimits, Source};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// More sequences than this are left to the lab.
const MOST: i64 = 300_000;

fn games() -> Vec<PathBuf> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = fs::read_dir(games).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

#[test]
fn every_sheet_is_strictly_right_and_formatted() {
    for folder in games() {
        let path = folder.join("rules.kif");
        let rules = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let tree = gdl::read(Source::from_bytes(rules), None, &ReadLimits::default());
        let printed = gdl::print(&tree, tree.syntax()).unwrap();
        assert_eq!(printed, tree.source().text(), "{}", path.display());
        let checked = gdl::check(tree, &Policy::strict());
        let found = checked
            .diagnostics
            .iter()
            .filter(|it| it.lint.name != "percepts-differ");
        let found: Vec<_> = found.collect();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
    }
}

#[test]
fn every_sheet_has_the_roles_and_counts_that_are_known_of_it() {
    let games = Mutex::new(games());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(folder) = { games.lock().unwrap().pop() } {
                    compare(&folder);
                }
            });
        }
    });
}

/// Compares a sheet with what `game.toml` says of it.
fn compare(folder: &Path) {
    let known = fs::read_to_string(folder.join("game.toml")).unwrap();
    let known: toml::Table = known.parse().unwrap();
    let rules = folder.join("rules.kif");
    let source = Source::from_bytes(fs::read(&rules).unwrap());
    let tree = gdl::read(source, None, &ReadLimits::default());
    let program = gdl::check(tree, &Policy::strict()).program.unwrap();
    let roles = program.roles().iter().map(|&role| program.text(role));
    let named = known["roles"].as_array().unwrap().iter();
    let named = named.map(|role| role.as_str().unwrap());
    assert!(roles.eq(named), "{}", folder.display());
    let counts = known["perft"]["counts"].as_array().unwrap().iter();
    let counts = counts.map(|count| count.as_integer().unwrap());
    let counts: Vec<i64> = counts.take_while(|&count| count <= MOST).collect();
    let found = perft(&rules, counts.len() - 1);
    assert_eq!(found, counts, "{}", folder.display());
}

/// What `ludex perft` counts.
fn perft(rules: &Path, depth: usize) -> Vec<i64> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command
        .arg("perft")
        .arg(rules)
        .arg(depth.to_string())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let counts = text
        .lines()
        .skip(1)
        .map(|line| line.split_whitespace().nth(1).unwrap());
    counts.map(|count| count.parse().unwrap()).collect()
}
