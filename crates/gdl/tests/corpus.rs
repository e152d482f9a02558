//! Every public rule sheet: accepted, printed and read again. The sheets are not part of
//! this project; they are beside it, or in the directory `LUDEX_SHARED`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[allow(dead_code, reason = "not every property is of interest here")]
#[path = "properties/mod.rs"]
mod properties;

use gdl::{Policy, ReadLimits, Source, Syntax, Tree};
use properties::shape;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Sheets that are stratified only after grounding, of the list in the public lint.
const AFTER_GROUNDING: &[&str] = &[
    "futoshiki4",
    "futoshiki5",
    "futoshiki6",
    "hexPie",
    "hidato19",
    "hidato37",
    "majorities",
    "nineBoardTicTacToePie",
    "queens06ug",
    "queens08lg",
    "queens08ug",
    "queens12ug",
    "queens16ug",
    "queens31lg",
];

/// The names and bytes of all public sheets; none, with a message, if they are missing.
fn sheets() -> Vec<(String, Vec<u8>)> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    let shared = env::var_os("LUDEX_SHARED").map_or(beside, PathBuf::from);
    let mut sheets = Vec::new();
    for folder in ["ggp-games", "gdl2-games"] {
        let Ok(entries) = fs::read_dir(shared.join(folder)) else {
            let text = format!("skipped: no public sheets in {folder} (LUDEX_SHARED)\n");
            // Not `eprintln!`: the test harness hides the output of passing tests.
            std::io::stderr().write_all(text.as_bytes()).unwrap();
            continue;
        };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let name = path.file_stem().unwrap().to_string_lossy().into_owned();
            sheets.push((name, fs::read(path).unwrap()));
        }
    }
    sheets
}

fn read(text: &str, syntax: Option<Syntax>) -> Tree {
    gdl::read(Source::from(text), syntax, &ReadLimits::default())
}

#[test]
fn every_sheet_is_accepted() {
    for (name, bytes) in sheets() {
        let tree = gdl::read(Source::from_bytes(bytes), None, &ReadLimits::default());
        assert_eq!(tree.syntax(), Syntax::Prefix, "{name}");
        let checked = gdl::check(tree, &Policy::lenient());
        assert!(
            checked.program.is_some(),
            "{name}: {:?}",
            checked.diagnostics
        );
    }
}

#[test]
fn exactly_the_known_sheets_are_stratified_only_after_grounding() {
    for (name, bytes) in sheets() {
        let tree = gdl::read(Source::from_bytes(bytes), None, &ReadLimits::default());
        let diagnostics = gdl::check(tree, &Policy::lenient()).diagnostics;
        let warned = diagnostics
            .iter()
            .any(|it| it.lint.name == "stratified-after-grounding");
        assert_eq!(warned, AFTER_GROUNDING.contains(&name.as_str()), "{name}");
    }
}

#[test]
fn every_sheet_survives_both_syntaxes_in_both_directions() {
    for (name, bytes) in sheets() {
        properties::round_trip(&bytes);
        let tree = gdl::read(Source::from_bytes(bytes), None, &ReadLimits::default());
        let infix = gdl::print(&tree, Syntax::Infix).unwrap();
        let from_infix = read(&infix, None);
        assert_eq!(from_infix.syntax(), Syntax::Infix, "{name}");
        assert_eq!(shape(&from_infix), shape(&tree), "{name}");
        properties::round_trip(infix.as_bytes());
        let prefix = gdl::print(&from_infix, Syntax::Prefix).unwrap();
        assert_eq!(shape(&read(&prefix, None)), shape(&tree), "{name}");
    }
}
