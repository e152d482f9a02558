//! The text format: written networks are read back the same; problems have their place.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::model;
use constraint::text::{TextLimits, read, write};
use constraint::{Chance, Model, Scsp, Soft};
use proptest::prelude::*;

fn problems(text: &str) -> Vec<String> {
    let problems = read(text, &TextLimits::default()).expect_err("it is wrong");
    problems.iter().map(ToString::to_string).collect()
}

/// The model with other names.
fn renamed(model: &Model, names: &[String], labels: &[String]) -> Model {
    let mut renamed = Model::new();
    for (variable, name) in model.variables().zip(names) {
        let mut posed = model.posed(variable).clone();
        posed.name = format!("{name}{}", variable.0);
        if posed.domain.len() <= labels.len() {
            let of = |value: u32| format!("{}{value}", labels[value as usize]);
            posed.labels = (0..posed.domain.capacity()).map(of).collect();
        }
        posed.domain.remove(1);
        renamed.pose(posed);
    }
    model
        .constraints()
        .iter()
        .for_each(|it| renamed.add(it.clone()).unwrap());
    renamed
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn what_is_written_reads_back(
        model in model(),
        names in prop::collection::vec("[a-z(\"\\\\#.*! \n]{0,4}", 6),
        labels in prop::collection::vec("[a-z(\"\\\\#.*!é ]{1,3}", 3),
        odds in 1..100u32,
    ) {
        let model = renamed(&model, &names, &labels);
        let count = model.len();
        let mut scsp = Scsp::new(model, &["alice", "the other one"]);
        let last = constraint::Variable(count as u32 - 1);
        if odds % 3 == 0 {
            scsp.set_chance(last, Chance::Uniform).unwrap();
        } else if odds % 3 == 1 {
            let values = scsp.model().domain(last).capacity() as usize;
            let odd = 1.0 / f64::from(odds);
            let mut row = vec![0.0; values];
            row[0] = odd;
            row[values - 1] += 1.0 - odd;
            scsp.set_chance(last, Chance::Given { scope: vec![], rows: vec![(vec![], row)] }).unwrap();
        }
        scsp.add_soft(Soft { scope: vec![last], rows: vec![(vec![0], vec![1.0 / f64::from(odds), 0.0])] }).unwrap();
        scsp.set_threshold(&[0.25, 1.0 / f64::from(odds)]).unwrap();
        let text = write(&scsp);
        let again = read(&text, &TextLimits::default());
        prop_assert_eq!(again, Ok(scsp), "{}", text);
    }

    #[test]
    fn no_text_makes_it_panic(text in "([a-z0-9(){};:=!*#\"> -]|decision|chance|allow|x|given| \n){0,60}") {
        if let Ok(scsp) = read(&text, &TextLimits::default()) {
            prop_assert_eq!(read(&write(&scsp), &TextLimits::default()), Ok(scsp));
        }
    }
}

#[test]
fn problems_have_a_line_and_a_column() {
    let text =
        "decision x {0 1};\nallow x y: (0 0);\n  clause x=2;\nchance y {a} given x: (0) -> 1;";
    assert_eq!(
        problems(text),
        [
            "2:9: there is no variable `y`",
            "3:12: `x` has no value `2`"
        ]
    );
    assert_eq!(
        problems("decision x {0 1};\nchance y {a} given x: (0) -> 1;"),
        ["2:1: the probabilities of `y` do not add up to 1 for all values they depend on"]
    );
    assert_eq!(
        problems("decision x {a a};"),
        ["1:16: the value `a` stands twice"]
    );
    assert_eq!(
        problems("decision \"x {a};"),
        ["1:10: the quotes are not closed"]
    );
    assert_eq!(problems("decision x {0}"), ["1:15: `;` ends a statement"]);
    assert_eq!(
        problems("decide x {0};"),
        ["1:1: `decide` begins no statement"]
    );
    assert_eq!(
        problems("decision x {0..4000000000};"),
        ["1:13: more than 16777216 values"]
    );
}

#[test]
fn limits_are_reported() {
    let limits = TextLimits {
        bytes: 4,
        ..TextLimits::default()
    };
    let found = read("decision x {0};", &limits).unwrap_err();
    assert_eq!(found[0].to_string(), "1:1: the text has more than 4 bytes");
    let limits = TextLimits {
        problems: 2,
        ..TextLimits::default()
    };
    assert_eq!(read("a;b;c;d;", &limits).unwrap_err().len(), 2);
}
