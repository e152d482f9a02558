//! Matches on public games of every kind: no fault, and every record replays. The games are not
//! part of this project; they are found beside it, or where `LUDEX_SHARED` says.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use std::path::Path;
use std::process::Command;

/// Alone and up to six, in turn and at once, with chance and with percepts, small and large;
/// and one that only the interpreter plays.
const GAMES: &[&str] = &[
    "ggp-games/3pConnectFour.kif",
    "ggp-games/ttcc4_2player.kif",
    "ggp-games/amazons_8x8.kif",
    "ggp-games/battlebrushes.kif",
    "ggp-games/tictactoe_3d_6player.kif",
    "ggp-games/checkers.kif",
    "ggp-games/chess_200.kif",
    "ggp-games/chineseCheckers3.kif",
    "ggp-games/connectFourSimultaneous.kif",
    "ggp-games/dotsAndBoxesSuicide.kif",
    "ggp-games/hex.kif",
    "ggp-games/kalaha6x2x4.kif",
    "ggp-games/nonogram_5x5_1.kif",
    "ggp-games/pentago.kif",
    "ggp-games/queens08lg.kif",
    "ggp-games/reversi.kif",
    "ggp-games/sudoku.kif",
    "gdl2-games/backgammon.gdl",
    "gdl2-games/kriegtictactoe.gdl",
    "gdl2-games/mastermind.gdl",
];

fn ludex(arguments: &[&str], file: &Path) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let output = command.args(arguments).arg(file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn public_games_of_every_kind_are_played_and_replayed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("match.json");
    for name in GAMES {
        let sheet = common::shared().join(name);
        if !sheet.exists() {
            common::skipped(&format!("no {name} (LUDEX_SHARED)"));
            continue;
        }
        let sheet = sheet.to_str().unwrap();
        ludex(
            &["match", "-q", "--iterations", "2", sheet, "--json"],
            &file,
        );
        let record = std::fs::read_to_string(&file).unwrap();
        let record: serde_json::Value = serde_json::from_str(&record).unwrap();
        let errors = record["errors"].as_array().unwrap().iter();
        let errors: Vec<_> = errors.flat_map(|turn| turn.as_array().unwrap()).collect();
        assert!(
            errors.iter().all(|error| *error == ""),
            "{name}: {errors:?}"
        );
        let said = ludex(&["replay", "-q", "--game", sheet], &file);
        assert!(said.contains("the record is right"), "{name}: {said}");
    }
}
