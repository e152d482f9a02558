//! A record is right only if all it claims is right.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "properties/mod.rs"]
mod properties;

use properties::{game, records_never_panic};
use record::{Circumstances, Fault, MatchFile, Record, Round};
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

/// The terms of a text.
fn terms(text: &str) -> Vec<game::TermId> {
    record::terms(game(), &mut game().scratch(), text).unwrap()
}

/// A match in which the left one goes on, and the right one said something illegal.
fn file() -> MatchFile {
    let game = game();
    let scratch = &mut game.scratch();
    let mut state = game.initial(scratch).unwrap();
    let mut rounds = Vec::new();
    for joint in ["(go 1) wait", "wait wait", "(go 2) (go 2)"] {
        let joint = terms(joint);
        let (next, _) = game.next(scratch, &state, &joint).unwrap();
        rounds.push(Round {
            state: std::mem::replace(&mut state, next),
            joint,
            faults: vec![None, None],
            decisions: vec![None, None],
            delays: vec![Duration::ZERO; 2],
        });
    }
    rounds[0].faults = vec![Some(Fault::Late), Some(Fault::Illegal(terms("(go 2)")[0]))];
    rounds[1].faults[0] = Some(Fault::NoMove("(dance".to_string()));
    let record = Record {
        rounds,
        last: state,
        goals: vec![Some(100), Some(0)],
        completed: true,
        broken: None,
        starts: vec![None, Some(Fault::Crashed)],
    };
    record.replay(game).unwrap();
    let said = Circumstances {
        game: "steps".to_string(),
        players: vec!["one".to_string(), "other".to_string()],
        times: vec![1000, 2000, 2000, 2500],
        ..Circumstances::default()
    };
    MatchFile::new(game, &record, &said)
}

fn json() -> Value {
    serde_json::from_str(&file().text(None).unwrap()).unwrap()
}

/// What is said of the record with something else in it.
fn verdict(key: &str, value: Value) -> String {
    let mut changed = json();
    changed[key] = value;
    let file: MatchFile = serde_json::from_value(changed).unwrap();
    match file.verify(game()) {
        Ok(()) => "right".to_string(),
        Err(wrong) => wrong.to_string(),
    }
}

#[test]
fn every_claim_is_held_against_the_rules() {
    assert_eq!(verdict("matchId", json!("another")), "right");
    for (key, value, expected) in [
        (
            "playerNamesFromHost",
            json!(["a", "b", "c"]),
            "`playerNamesFromHost` has 3 entries, not 2",
        ),
        (
            "isPlayerHuman",
            json!([true]),
            "`isPlayerHuman` has 1 entries, not 2",
        ),
        (
            "gameRoleNames",
            json!(["right", "left"]),
            "`gameRoleNames` are not the roles of the game",
        ),
        (
            "isAborted",
            json!(true),
            "the match is both completed and aborted",
        ),
        (
            "isCompleted",
            json!(false),
            "the match does not end where the record does",
        ),
        (
            "goalValues",
            json!([0, 100]),
            "the goals are not what the rules say",
        ),
        (
            "x-ludexBroken",
            json!("a role has no goal"),
            "`x-ludexBroken`: nothing is wrong with the game where the match ended",
        ),
        (
            "goalValues",
            json!([]),
            "the goals are not what the rules say",
        ),
        (
            "goalValues",
            json!([100]),
            "`goalValues` has 1 entries, not 2",
        ),
        (
            "stateTimes",
            json!([1000, 2000]),
            "`stateTimes` has 2 entries, not 4",
        ),
        (
            "stateTimes",
            json!([1000, 2000, 1999, 2500]),
            "`stateTimes`: state 3 came before what is before it",
        ),
        (
            "startTime",
            json!(1001),
            "`stateTimes`: state 1 came before what is before it",
        ),
        ("playClock", json!(-1), "`playClock` is negative"),
        (
            "states",
            json!(["( (step 1) )"]),
            "`stateTimes` has 4 entries, not 1",
        ),
        (
            "moves",
            json!([["wait", "wait"], ["wait", "wait"], ["(go 2)", "wait"]]),
            "turn 2: the state is not what the rules say",
        ),
        (
            "moves",
            json!([["(go 1)"], ["wait", "wait"], ["(go 2)", "wait"]]),
            "a joint move lacks a role",
        ),
        (
            "moves",
            json!([["(go 1)", "(go 2)"], ["wait", "wait"], ["(go 2)", "wait"]]),
            "turn 1: the move of role 2 is not legal",
        ),
    ] {
        assert_eq!(verdict(key, value), expected, "{key}");
    }
}

#[test]
fn nobody_is_blamed_for_a_legal_move() {
    let errors = |turn: [&str; 2]| {
        let fine = ["", ""];
        verdict("errors", json!([fine, turn, fine, fine]))
    };
    assert_eq!(errors(["TO", "CE"]), "right");
    assert_eq!(errors(["IL (go 2)", "IL"]), "right");
    assert_eq!(errors(["IL (go", "IL busy"]), "right");
    let legal = "turn 1: the move that role 2 is blamed for is legal";
    assert_eq!(errors(["", "IL (go 1)"]), legal);
    let unknown = "`errors`: `late` is neither empty nor TO, CE or IL with a move";
    assert_eq!(errors(["late", ""]), unknown);
    let short = verdict("errors", json!([["", ""], ["TO"], ["", ""], ["", ""]]));
    assert_eq!(short, "`errors` has 1 entries, not 2");
    let few = verdict("errors", json!([["", ""]]));
    assert_eq!(few, "`errors` has 1 entries, not 4");
}

/// Other hosts leave out what they please.
#[test]
fn what_is_left_out_claims_nothing() {
    for key in [
        "errors",
        "stateTimes",
        "playerNamesFromHost",
        "isPlayerHuman",
        "gameRoleNames",
    ] {
        assert_eq!(verdict(key, json!([])), "right", "{key}");
    }
}

#[test]
fn faults_are_read_back() {
    let record = file().record(game(), &mut game().scratch()).unwrap();
    assert_eq!(record.starts, [None, Some(Fault::Crashed)]);
    assert_eq!(record.rounds[0].faults[0], Some(Fault::Late));
    assert!(matches!(
        record.rounds[0].faults[1],
        Some(Fault::Illegal(_))
    ));
    assert_eq!(record.faults(), 3);
}

/// What is cited of a record is short and leaves the terminal alone.
#[test]
fn texts_of_a_record_are_tame() {
    let long = format!("\u{1b}[31m{}", "x".repeat(10_000));
    for (key, value) in [
        ("states", json!([long, long, long, long])),
        ("errors", json!([[long, ""], ["", ""], ["", ""], ["", ""]])),
        ("gameRoleNames", json!([format!("({long}"), "?x"])),
    ] {
        let said = verdict(key, value);
        assert!(
            said.len() < 300 && !said.contains('\u{1b}'),
            "{key}: {said}"
        );
    }
}

/// Every byte of a record is changed, lost or doubled.
#[test]
fn damaged_records_never_panic() {
    let text = json().to_string().into_bytes();
    records_never_panic(&text);
    for place in 0..text.len() {
        for other in [b'"', b'0', b'9', b'(', b'-', 0xff] {
            let mut changed = text.clone();
            changed[place] = other;
            records_never_panic(&changed);
        }
        let mut shorter = text.clone();
        shorter.remove(place);
        records_never_panic(&shorter);
        records_never_panic(&text[..place]);
    }
    let mut deep = String::new();
    (0..10_000).for_each(|_| write!(deep, "{{\"states\":[").unwrap());
    records_never_panic(deep.as_bytes());
}
