//! Pictures of small states, exactly; and of states of all public games.

use super::Board;
use super::fluent::Fluent;
use flate2::read::MultiGzDecoder;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

/// All fluents `(functor x y piece)`.
fn cells(functor: &str, [xs, ys, pieces]: [&str; 3]) -> Vec<String> {
    let mut fluents = Vec::new();
    for x in xs.split(' ') {
        for y in ys.split(' ') {
            for piece in pieces.split(',') {
                fluents.push(format!("({functor} {x} {y} {piece})"));
            }
        }
    }
    fluents
}

fn state(fluents: &[&str]) -> Vec<String> {
    fluents.iter().map(ToString::to_string).collect()
}

#[track_caller]
fn assert_picture(fluents: &[String], holding: &[&str], picture: &[&str]) {
    let drawn = Board::new(fluents).draw(&state(holding));
    assert_eq!(drawn, picture.join("\n"));
}

#[test]
fn tic_tac_toe() {
    let mut fluents = cells("cell", ["1 2 3", "1 2 3", "b,x,o"]);
    fluents.extend(state(&["(control xplayer)", "(control oplayer)"]));
    let blank = [
        "(cell 1 1 b)",
        "(cell 2 1 b)",
        "(cell 2 3 b)",
        "(cell 3 2 b)",
    ];
    let marks = ["(cell 1 3 x)", "(cell 2 2 o)", "(cell 3 1 x)"];
    let others = ["(control oplayer)", "(cell 3 3 b)", "(cell 1 2 b)"];
    let picture = [
        "3 x · ·",
        "2 · o ·",
        "1 · · x",
        "  1 2 3",
        "",
        "(control oplayer)",
    ];
    assert_picture(&fluents, &[&blank[..], &marks, &others].concat(), &picture);
}

#[test]
fn connect_four_without_empty_cells() {
    let fluents = cells("cell", ["1 2 3 4", "1 2 3", "red,black"]);
    let holding = ["(cell 2 1 red)", "(cell 2 2 black)", "(control red)"];
    let picture = [
        "3 · · · ·",
        "2 · B · ·",
        "1 · R · ·",
        "  1 2 3 4",
        "",
        "(control red)",
    ];
    assert_picture(&fluents, &holding, &picture);
}

#[test]
fn breakthrough_with_the_piece_first() {
    let mut fluents = Vec::new();
    for colour in ["light", "dark"] {
        for square in ["1 1", "1 2", "1 3", "2 1", "2 3"] {
            fluents.push(format!("(at {colour} {square})"));
        }
    }
    let holding = [
        "(at light 1 1)",
        "(step 4)",
        "(at dark 2 3)",
        "(control dark)",
    ];
    let picture = [
        "3 · d",
        "2 ·",
        "1 l ·",
        "  1 2",
        "",
        "d dark, l light",
        "",
        "(control dark), (step 4)",
    ];
    assert_picture(&fluents, &holding, &picture);
}

#[test]
fn chess_with_the_number_first() {
    let fluents = cells("cell", ["1 2 3", "a b", "b,wk,wp,bk,bq"]);
    let holding = [
        "(cell 1 a wk)",
        "(cell 2 a wp)",
        "(cell 3 b bk)",
        "(cell 3 a bq)",
    ];
    let empty = ["(cell 1 b b)", "(cell 2 b b)"];
    let picture = ["3 ♛ ♚", "2 ♙ ·", "1 ♔ ·", "  a b"];
    assert_picture(&fluents, &[&holding[..], &empty].concat(), &picture);
    let fluents = cells("cell", ["a b", "1 2", "white king,black queen,white queen"]);
    let holding = ["(cell a 1 white king)", "(cell b 2 black queen)"];
    assert_picture(&fluents, &holding, &["2 · ♛", "1 ♔ ·", "  a b"]);
}

#[test]
fn boards_of_one_form_stand_side_by_side() {
    let mut fluents = cells("left", ["1 2", "1 2", "x,o"]);
    fluents.extend(cells("right", ["1 2", "1 2", "x,o"]));
    let picture = [
        "left    right",
        "2 x ·   2 · ·",
        "1 · ·   1 · o",
        "  1 2     1 2",
    ];
    assert_picture(&fluents, &["(left 1 2 x)", "(right 2 1 o)"], &picture);
    let mut layers = cells("cell up", ["1 2", "1 2", "x,o"]);
    layers.extend(cells("cell down", ["1 2", "1 2", "x,o"]));
    let picture = [
        "cell down   cell up",
        "2 · ·       2 x ·",
        "1 · o       1 · ·",
        "  1 2         1 2",
    ];
    assert_picture(&layers, &["(cell up 1 2 x)", "(cell down 2 1 o)"], &picture);
}

#[test]
fn squares_may_be_marks() {
    let fluents = state(&["(hit 1 1)", "(hit 1 2)", "(hit 2 1)", "(hit 2 2)"]);
    assert_picture(&fluents, &["(hit 1 2)"], &["2 ■ ·", "1 · ·", "  1 2"]);
}

#[test]
fn what_shares_a_square_is_listed() {
    let fluents = cells("at", ["1 2", "1 2", "king,coin"]);
    let picture = ["2 · ·", "1 c ·", "  1 2", "", "c coin", "", "(at 1 1 king)"];
    assert_picture(&fluents, &["(at 1 1 king)", "(at 1 1 coin)"], &picture);
}

#[test]
fn names_that_begin_alike_have_different_symbols() {
    let pieces = "whiteArcher,whiteBear,wall,water,x,whiteKing,blackKing";
    let fluents = cells("at", ["1 2 3", "1 2", pieces]);
    let holding = [
        "(at 1 1 whiteArcher)",
        "(at 2 1 whiteBear)",
        "(at 3 1 wall)",
        "(at 1 2 water)",
        "(at 2 2 x)",
        "(at 3 2 whiteKing)",
    ];
    let picture = [
        "2 wr x  ♔",
        "1 wA wB wl",
        "  1  2  3",
        "",
        "wl wall, wr water, wA whiteArcher, wB whiteBear",
    ];
    assert_picture(&fluents, &holding, &picture);
}

#[test]
fn games_without_a_board_are_lists() {
    let holding = ["(heap a 3)", "(heap b 5)", "done", "(control me)"];
    let list = "(control me), (heap a 3), (heap b 5), done";
    assert_picture(&state(&holding), &holding, &[list]);
    assert_picture(&[], &[], &[""]);
}

#[test]
fn lists_are_wrapped_and_cut() {
    let fluents: Vec<String> = (0..5000).map(|n| format!("(visited place{n})")).collect();
    let picture = Board::new(&fluents).draw(&fluents);
    assert!(picture.ends_with("\n… and 4800 more"), "{picture}");
    assert!(picture.lines().all(|line| line.chars().count() <= 100));
}

#[test]
fn odd_texts_do_no_harm() {
    let odd = [
        "",
        "(",
        ")",
        "()",
        "((a)",
        "(a",
        "a)b",
        "( a ( b 1 ) )",
        "(é ü 1 2)",
        "(c -1 99999999999)",
    ];
    let odd = state(&odd);
    let _ = Board::new(&odd).draw(&odd);
    let long: Vec<String> = (0..9)
        .map(|n| format!("(long{} x)", format!(" {n}").repeat(100)))
        .collect();
    assert!(Board::new(&long).draw(&long).starts_with("(long 0 0 "));
}

#[test]
fn every_fluent_of_the_public_games_is_in_the_picture() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = std::env::var_os("LUDEX_SHARED").map_or(beside, PathBuf::from);
    for folder in ["ggp-traces", "gdl2-traces"] {
        let Ok(traces) = fs::read_dir(shared.join(folder)) else {
            let text = format!("skipped: pictures of {folder}, which is missing\n");
            std::io::stderr().write_all(text.as_bytes()).unwrap();
            continue;
        };
        for trace in traces {
            check_pictures(&trace.unwrap().path());
        }
    }
}

/// Draws the first states of a trace, with the fluents of its first match.
fn check_pictures(trace: &Path) {
    let states = first_match(trace);
    let board = Board::new(&states.concat());
    for state in states.iter().take(5) {
        let position = board.position(state);
        let placed: usize = position.pieces.iter().map(BTreeMap::len).sum();
        let name = trace.display();
        assert_eq!(placed + position.rest.len(), state.len(), "{name}");
        let picture = board.draw(state);
        let cut = picture.contains("… and ");
        let listed = |fluent: &Fluent| picture.contains(&fluent.to_string());
        assert!(
            cut || position.rest.iter().all(listed),
            "{name}:\n{picture}"
        );
        for piece in position.pieces.iter().flat_map(BTreeMap::values) {
            let symbol = board.symbols.of(piece).unwrap();
            assert!(picture.contains(symbol), "{name}: {piece}\n{picture}");
        }
    }
}

fn first_match(trace: &Path) -> Vec<Vec<String>> {
    let text = BufReader::new(MultiGzDecoder::new(File::open(trace).unwrap()));
    let matches = serde_json::Deserializer::from_reader(text).into_iter::<serde_json::Value>();
    let first = { matches }.next().unwrap().unwrap();
    let states = first["steps"].as_array().unwrap().iter();
    states
        .map(|step| serde_json::from_value(step["true"].clone()).unwrap())
        .collect()
}
