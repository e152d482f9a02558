//! The library of games: random play is well formed, and what `game.toml` says of it comes out
//! again; the playthroughs that people read are what the command prints.
//!
//! `PLAYTHROUGHS=overwrite cargo test -p cli --test library` writes the playthroughs anew.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;

/// Not the seed of the figures in `game.toml`, so that both are draws of their own.
const SEED: &str = "2";
/// Means of some 180 normal values are this far apart with a chance below 1e-6.
const ERRORS: f64 = 6.0;
/// What happens in none of N matches happens in less than this many of N, with the same chance.
const RARE: f64 = 14.0;

fn folders() -> Vec<PathBuf> {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let entries = fs::read_dir(games).unwrap();
    entries.map(|entry| entry.unwrap().path()).collect()
}

fn name(folder: &Path) -> &str {
    folder.file_name().unwrap().to_str().unwrap()
}

/// Does something with every game, as many at a time as there are cores.
fn with_every_game(work: impl Fn(&Path) + Sync) {
    let folders = Mutex::new(folders());
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(folder) = { folders.lock().unwrap().pop() } {
                    work(&folder);
                }
            });
        }
    });
}

/// What the command prints.
fn ludex(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.args(arguments).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{arguments:?}: {text}{errors}");
    text
}

#[test]
fn random_play_is_well_formed_and_as_game_toml_says() {
    with_every_game(|folder| {
        let arguments = ["lab", "library", name(folder), "--json", "--seed", SEED];
        let found: Value = serde_json::from_str(&ludex(&arguments)).unwrap();
        let found = &found[0];
        for problem in ["stuck", "cut", "goals_wrong"] {
            assert_eq!(found[problem], 0, "{}: {problem}", name(folder));
        }
        compare(folder, found);
    });
}

/// Compares means with those of `game.toml`.
fn compare(folder: &Path, found: &Value) {
    let known = fs::read_to_string(folder.join("game.toml")).unwrap();
    let known: toml::Table = known.parse().unwrap();
    let known = serde_json::to_value(&known["random"]).unwrap();
    let least = RARE / known["playouts"].as_f64().unwrap();
    let means = |of: &Value| {
        let turns = (number(&of["turns"]), number(&of["turns_error"]), 0.0);
        let goals = of["goals"].as_array().unwrap().iter();
        let errors = of["goals_error"].as_array().unwrap().iter();
        let goals = goals.zip(errors);
        let goals = goals.map(|(mean, error)| (number(mean), number(error), 100.0 * least));
        std::iter::once(turns).chain(goals).collect::<Vec<_>>()
    };
    let (known, found) = (means(&known), means(found));
    assert_eq!(known.len(), found.len(), "{}", name(folder));
    for (known, found) in known.iter().zip(&found) {
        let allowed = ERRORS * known.1.hypot(found.1) + known.2 + 1e-9;
        let apart = (known.0 - found.0).abs();
        assert!(apart <= allowed, "{}: {known:?} {found:?}", name(folder));
    }
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn playthroughs_are_what_the_command_prints() {
    let overwrite = std::env::var("PLAYTHROUGHS").is_ok_and(|it| it == "overwrite");
    with_every_game(|folder| {
        let path = folder.join("playthrough.txt");
        let text = fs::read_to_string(&path).unwrap_or_default();
        let command = text
            .lines()
            .next()
            .and_then(|line| line.split_once(": ludex "));
        let again = format!("show playthrough {} --seed 1", name(folder));
        let command = command.map_or(again.as_str(), |(_, command)| command);
        let printed = ludex(&command.split(' ').collect::<Vec<&str>>());
        match overwrite {
            true => fs::write(&path, printed).unwrap(),
            false => assert_eq!(text, printed, "{}", path.display()),
        }
    });
}
