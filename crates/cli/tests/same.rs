//! Our games against public sheets of the same games: `games/<ours>/same/<theirs>.kif` maps the
//! names. The sheets are not part of this project; they are found beside it, or where
//! `LUDEX_SHARED` says. A hundred matches of each are for the lab:
//! `ludex compare hex SHEET --map games/hex/same/hex.kif`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The files of a folder, none if there is no folder.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    entries.map(|entry| entry.unwrap().path()).collect()
}

/// Every one of our games with the map to a public sheet.
fn maps() -> Vec<(PathBuf, PathBuf)> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let mut maps = Vec::new();
    for game in entries(&games) {
        let rules = game.join("rules.kif");
        let files = entries(&game.join("same")).into_iter();
        maps.extend(files.map(|map| (rules.clone(), map)));
    }
    maps.sort();
    maps
}

/// Plays a few matches in both games at once.
fn compare(rules: &Path, sheet: &Path, map: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(["compare", "--quiet", "--matches", "5", "--map"]);
    let output = command.arg(map).arg(rules).arg(sheet).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{errors}");
}

#[test]
fn our_games_are_those_of_public_sheets() {
    let maps = maps();
    assert!(!maps.is_empty());
    for (rules, map) in maps {
        let name = map.file_name().unwrap();
        let sheet = common::shared().join("ggp-games").join(name);
        if sheet.exists() {
            compare(&rules, &sheet, &map);
        } else {
            common::skipped(&format!("no ggp-games/{} (LUDEX_SHARED)", name.display()));
        }
    }
}
