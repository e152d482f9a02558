//! Keeps the crate graph, the file headers and ARCHITECTURE.md true.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every room there may be, and the rooms it may know: data flows one way.
const ROOMS: &[(&str, &[&str])] = &[
    ("gdl", &[]),
    ("logic", &["gdl"]),
    ("circuit", &["logic"]),
    ("constraint", &[]),
    ("encoding", &["logic", "constraint"]),
    ("game", &["gdl", "logic", "circuit", "encoding"]),
    ("players", &["game", "constraint", "encoding"]),
    ("cluster", &["players", "game"]),
    ("library", &[]),
    ("picture", &[]),
    ("record", &["players", "game", "gdl"]),
    ("arena", &["record", "players", "game"]),
    ("server", &["arena", "players", "game", "gdl"]),
    (
        "lab",
        &[
            "arena",
            "record",
            "picture",
            "library",
            "players",
            "game",
            "encoding",
            "constraint",
            "circuit",
            "logic",
            "gdl",
        ],
    ),
    (
        "cli",
        &[
            "lab",
            "server",
            "arena",
            "cluster",
            "record",
            "picture",
            "library",
            "players",
            "game",
            "constraint",
            "gdl",
        ],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn crates() -> BTreeSet<String> {
    let entries = fs::read_dir(root().join("crates")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name());
    names
        .map(|name| name.to_string_lossy().into_owned())
        .collect()
}

fn manifest(name: &str) -> toml::Table {
    read(&format!("crates/{name}/Cargo.toml")).parse().unwrap()
}

#[test]
fn crates_know_only_the_rooms_they_may() {
    let crates = crates();
    for name in &crates {
        let room = ROOMS.iter().find(|(room, _)| room == name);
        let (_, allowed) = room.unwrap_or_else(|| panic!("{name} is not among the rooms"));
        let manifest = manifest(name);
        let Some(dependencies) = manifest["dependencies"].as_table() else {
            continue;
        };
        for dependency in dependencies.keys().filter(|it| crates.contains(*it)) {
            let known = allowed.contains(&dependency.as_str());
            assert!(known, "{name} must not know {dependency}");
        }
    }
}

#[test]
fn crates_share_the_lints_of_the_workspace() {
    for name in crates() {
        let lints = manifest(&name).get("lints").cloned();
        let shared = lints.and_then(|lints| lints.get("workspace")?.as_bool());
        assert_eq!(shared, Some(true), "{name} lacks [lints] workspace = true");
    }
}

#[test]
fn the_architecture_has_a_heading_for_every_crate_and_no_other() {
    let text = read("ARCHITECTURE.md");
    let headings = text.lines().filter_map(|line| line.strip_prefix("### "));
    let headings: BTreeSet<String> = headings.map(|it| it.trim_matches('`').into()).collect();
    assert_eq!(headings, crates());
    assert!(text.lines().count() <= 250, "ARCHITECTURE.md is too long");
}

#[test]
fn the_readme_is_one_screen() {
    assert!(read("README.md").lines().count() <= 60);
}

#[test]
fn ci_runs_the_test_command_of_the_readme() {
    let command = "cargo test --workspace";
    assert!(read("README.md").contains(command));
    assert!(read(".ci/run").contains(command));
}

#[test]
fn every_source_file_says_what_it_is_and_is_not_too_long() {
    let mut folders = vec![root().join("crates"), root().join("fuzz/fuzz_targets")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
        {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                let path = path.display();
                assert!(text.starts_with("//! "), "{path} does not open with `//! `");
                assert!(text.lines().count() <= 800, "{path} is too long");
            }
        }
    }
}
