//! Every check on its smallest sheet and on the nearest legal one: `checks/README.md`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use gdl::{Policy, ReadLimits, Source, catalogue};
use std::collections::HashSet;
use std::fs;
use std::path::Path;

struct Case {
    file: String,
    header: String,
    bad: String,
    good: String,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/checks");
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        let file = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path).unwrap();
        for case in text.split("=== ").skip(1) {
            let (header, sheets) = case.split_once('\n').unwrap();
            let (bad, good) = sheets
                .split_once("--- good\n")
                .expect("a case has a good sheet");
            cases.push(Case {
                file: file.clone(),
                header: header.to_string(),
                bad: bad.to_string(),
                good: good.to_string(),
            });
        }
    }
    cases
}

/// The codes and places reported of a sheet, under the limits in a case's header.
fn report(sheet: &str, header: &str) -> Vec<String> {
    let mut limits = ReadLimits::default();
    let mut bytes = sheet.as_bytes().to_vec();
    for option in header.split(' ') {
        match option.split_once('=') {
            Some(("depth", depth)) => limits.depth = depth.parse().unwrap(),
            Some(("clause", clause)) => limits.clause = clause.parse().unwrap(),
            _ if option == "bytes" => bytes = unescape(sheet),
            _ => {}
        }
    }
    let tree = gdl::read(Source::from_bytes(bytes), None, &limits);
    let checked = gdl::check(tree, &Policy::lenient());
    let source = checked.tree().source();
    let place = |diagnostic: &gdl::Diagnostic| {
        let place = source.position(diagnostic.span.start);
        format!("{} {}:{}", diagnostic.lint.code, place.line, place.column)
    };
    checked.diagnostics.iter().map(place).collect()
}

fn unescape(sheet: &str) -> Vec<u8> {
    let mut parts = sheet.split("\\x");
    let mut bytes = parts.next().unwrap().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).unwrap());
        bytes.extend(part[2..].bytes());
    }
    bytes
}

#[test]
fn bad_sheets_are_reported_in_the_right_place_and_good_ones_are_not() {
    let mut wrong = Vec::new();
    for case in cases() {
        let words = case.header.split(' ').collect::<Vec<_>>();
        let expected = words.chunks(2).take_while(|pair| pair[0].starts_with('G'));
        let mut expected: Vec<_> = expected.map(|pair| pair.join(" ")).collect();
        let mut found = report(&case.bad, &case.header);
        expected.sort();
        found.sort();
        if found != expected {
            wrong.push(format!(
                "{}: {}: found {found:?} in\n{}",
                case.file, case.header, case.bad
            ));
        }
        // A legal neighbour may use `and`, if the rule is not legal without it.
        let mut found = report(&case.good, &case.header);
        found.retain(|code| !(case.good.contains("(and ") && code.starts_with("G112")));
        if !found.is_empty() {
            wrong.push(format!(
                "{}: {}: found {found:?} in good\n{}",
                case.file, case.header, case.good
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_check_has_a_case() {
    let cases = cases();
    let headers = cases
        .iter()
        .map(|case| case.header.split(' ').next().unwrap());
    let tested: HashSet<&str> = headers.collect();
    // What only play shows is tested where games are played.
    let codes = catalogue::all().map(|lint| lint.code);
    let codes = codes.filter(|code| !code.starts_with("G5"));
    let untested: Vec<_> = codes.filter(|code| !tested.contains(code)).collect();
    assert!(untested.is_empty(), "no case for {untested:?}");
}

/// The clauses that make an example a complete game.
const REST: &str = "\n(role white) (role black) (role random) (legal white noop) (goal white 100) (init won) terminal";

#[test]
fn examples_of_explain_are_what_they_say() {
    let checks = catalogue::all().filter(|lint| !lint.code.starts_with("G5"));
    for lint in checks.filter(|lint| !lint.bad.is_empty()) {
        let codes = |example: &str| {
            let bytes = example.replace('\u{1a}', "\\xe9");
            let prefix = example.starts_with('(') && lint.code != "G401";
            let whole = if prefix {
                format!("{bytes}{REST}")
            } else {
                bytes
            };
            report(&whole, "bytes").join(", ")
        };
        assert!(
            codes(lint.bad).contains(lint.code),
            "{}: {}",
            lint.code,
            codes(lint.bad)
        );
        assert!(
            !codes(lint.good).contains(lint.code),
            "{}: {}",
            lint.code,
            codes(lint.good)
        );
    }
}
