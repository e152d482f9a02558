//! Property tests on random texts: noise, and texts made of the pieces of rule sheets.

#[path = "properties/mod.rs"]
mod properties;

use proptest::prelude::*;

/// Pieces of rule sheets in both syntaxes, and some invalid ones.
const PIECES: &[&str] = &[
    "(",
    "(",
    "(",
    ")",
    ")",
    ")",
    " ",
    " ",
    "\n",
    "\n\n",
    "\r\n",
    "\t",
    "<=",
    "role",
    "init",
    "true",
    "does",
    "next",
    "legal",
    "goal",
    "terminal",
    "base",
    "input",
    "sees",
    "distinct",
    "or",
    "not",
    "and",
    "random",
    "TRUE",
    "?x",
    "?X",
    "?y",
    "?n++",
    "?",
    "a",
    "b",
    "cell",
    "Cell",
    "100",
    "0",
    "150",
    "f",
    "g",
    "p",
    "q",
    "; note\n",
    ";;; note",
    "% note\n",
    "%",
    ";",
    ":-",
    ":- ",
    ",",
    ", ",
    "&",
    "|",
    "~",
    ".",
    ".\n",
    "←",
    "_",
    "X",
    "Row",
    "_1",
    "'",
    "'it\\'s'",
    "\\",
    "-5",
    "\u{a0}",
    "\u{feff}",
    "é",
    "\0",
    "[",
    "\"",
    "(role a)",
    "(<= (p ?x) (q ?x) (not (p ?x)))",
    "p(X) :- q(X), ~p(X).",
    "(legal a noop)",
];

/// Names and comments between which forms are opened and closed.
const NAMES: &[&str] = &[
    "a", "?x", "f", "?N", "'", "B", "not", "or", "true", "; c\n", "<=", "\n; d\n",
];

fn sheets() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES), 0..80);
    pieces.prop_map(|pieces| pieces.concat().into_bytes())
}

fn noise() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 0..200)
}

/// Balanced terms, so that most of the text survives reading.
fn balanced() -> impl Strategy<Value = Vec<u8>> {
    let leaf = prop::sample::select(NAMES).prop_map(String::from);
    let term = leaf.prop_recursive(5, 60, 6, |inner| {
        let parts = prop::collection::vec(inner, 1..6);
        parts.prop_map(|parts| format!("({})", parts.join(" ")))
    });
    let terms = prop::collection::vec(term, 0..6);
    terms.prop_map(|terms| terms.join("\n").into_bytes())
}

fn texts() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![4 => sheets(), 1 => noise(), 4 => balanced()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parse_never_panics(bytes in texts()) {
        properties::parse_never_panics(&bytes);
    }

    #[test]
    fn round_trip(bytes in texts()) {
        properties::round_trip(&bytes);
    }

    #[test]
    fn check_never_panics(bytes in texts()) {
        properties::check_never_panics(&bytes);
    }
}
