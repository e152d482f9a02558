//! Our own rule sheets: no diagnostic by the letter of the specification, and formatted.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gdl::{Limits, Policy, Source};
use std::fs;
use std::path::Path;

#[test]
fn every_sheet_is_strictly_right_and_formatted() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for folder in fs::read_dir(games)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        let path = folder.join("rules.kif");
        let rules = fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let tree = gdl::read(Source::from_bytes(rules), None, &Limits::default());
        let printed = gdl::print(&tree, tree.syntax()).unwrap();
        assert_eq!(printed, tree.source().text(), "{}", path.display());
        let checked = gdl::check(tree, &Policy::strict());
        assert!(
            checked.diagnostics.is_empty(),
            "{}: {:?}",
            path.display(),
            checked.diagnostics
        );
    }
}
