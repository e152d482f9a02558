//! Every engine against the recorded matches of every public game. The games and traces are
//! not part of this project; they are found beside it, or where `LUDEX_SHARED` says.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Every trace with the rule sheet it belongs to.
fn traces() -> Vec<(PathBuf, PathBuf)> {
    let shared = common::shared();
    let mut traces = Vec::new();
    for (kind, extension) in [("ggp", "kif"), ("gdl2", "gdl")] {
        let Ok(entries) = fs::read_dir(shared.join(format!("{kind}-traces"))) else {
            common::skipped(&format!("no {kind}-traces (LUDEX_SHARED)"));
            continue;
        };
        for trace in entries.map(|entry| entry.unwrap().path()) {
            let name = trace.file_name().unwrap().to_string_lossy().into_owned();
            let game = name.split('.').next().unwrap();
            let rules = shared.join(format!("{kind}-games/{game}.{extension}"));
            traces.push((rules, trace));
        }
    }
    traces
}

/// Public games that are too large to ground, with the reason that is given.
const TOO_LARGE: &[(&str, &str)] = &[
    ("laikLee_hex", "steps"),
    ("slaughter", "atoms"),
    ("sudoku", "steps"),
];

/// Verifies one trace with an engine.
fn verify(engine: &str, rules: &Path, trace: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.args(["verify", "--engine", engine, "--game"]);
    let output = command.arg(rules).arg(trace).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let name = rules.file_stem().unwrap().to_string_lossy();
    match TOO_LARGE.iter().find(|(game, _)| *game == name) {
        Some((_, reason)) if engine != "interpreter" => {
            assert_eq!(output.status.code(), Some(3), "{name}: {text}");
            assert!(text.contains(reason), "{name}: {text}");
        }
        _ => assert!(output.status.success(), "{name}: {text}"),
    }
}

#[test]
fn the_interpreter_agrees_with_every_trace() {
    for (rules, trace) in traces() {
        verify("interpreter", &rules, &trace);
    }
}

#[test]
fn the_ground_program_agrees_with_every_trace() {
    for (rules, trace) in traces() {
        verify("ground", &rules, &trace);
    }
}

#[test]
fn single_states_agree_with_every_trace() {
    for (rules, trace) in traces() {
        verify("single", &rules, &trace);
    }
}

#[test]
fn all_lanes_agree_with_every_trace() {
    for (rules, trace) in traces() {
        verify("lanes", &rules, &trace);
    }
}

/// Games whose networks are built and solved in a moment: in turn and at once, solo, with chance
/// and percepts.
const NETWORKS: &[&str] = &[
    "2pffa",
    "3pConnectFour",
    "MontyHall",
    "battlebrushes",
    "blockerParallel",
    "breakthrough",
    "connectFour",
    "guess6",
    "kalaha6x2x4",
    "kriegtictactoe",
    "latenttictactoe",
    "quarto",
    "ticTacToe",
];

#[test]
fn solutions_of_networks_agree_with_traces_of_some_games() {
    for (rules, trace) in traces() {
        let name = rules.file_stem().unwrap().to_string_lossy();
        if NETWORKS.contains(&&*name) {
            verify("scsp", &rules, &trace);
        }
    }
}
