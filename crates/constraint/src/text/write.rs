//! `Scsp` → text that reads back the same.

use super::token::is_special;
use crate::domain::Value;
use crate::model::{Constraint, Junction, Literal, Model, Variable};
use crate::scsp::{Chance, Row, Scsp};
use crate::table::{ANY, Polarity};

/// A network as text.
pub fn write(scsp: &Scsp) -> String {
    let model = scsp.model();
    let mut text = format!(
        "players{};\n",
        words(scsp.players().iter().map(|it| quoted(it)))
    );
    for variable in model.variables() {
        text += &declaration(scsp, variable);
    }
    for constraint in model.constraints() {
        text += &of_constraint(model, constraint);
    }
    for soft in scsp.soft() {
        let (scope, rows) = (
            scope(model, &soft.scope),
            rows(model, &soft.scope, &soft.rows),
        );
        text += &format!("utility{scope}:{rows};\n");
    }
    text + &format!(
        "threshold{};\n",
        words(scsp.threshold().iter().map(f64::to_string))
    )
}

/// Words, each with a space before it.
fn words(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().map(|word| format!(" {word}")).collect()
}

/// A name, in quotes if it needs them.
fn quoted(name: &str) -> String {
    let is_bare =
        !name.is_empty() && name != "->" && !name.contains("..") && !name.contains(is_special);
    if is_bare {
        return name.to_string();
    }
    let escaped = name
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n");
    format!("\"{escaped}\"")
}

fn scope(model: &Model, scope: &[Variable]) -> String {
    words(scope.iter().map(|&it| quoted(model.name(it))))
}

fn value(model: &Model, variable: Variable, value: Value) -> String {
    match value {
        ANY => "*".to_string(),
        value => quoted(&model.label(variable, value)),
    }
}

fn tuple(model: &Model, scope: &[Variable], tuple: &[Value]) -> String {
    let cells: Vec<String> = scope
        .iter()
        .zip(tuple)
        .map(|(&it, &cell)| value(model, it, cell))
        .collect();
    format!(" ({})", cells.join(" "))
}

fn rows(model: &Model, scope: &[Variable], rows: &[Row]) -> String {
    let row = |(values, numbers): &Row| {
        tuple(model, scope, values) + " ->" + &words(numbers.iter().map(f64::to_string))
    };
    rows.iter().map(row).collect()
}

fn declaration(scsp: &Scsp, variable: Variable) -> String {
    let model = scsp.model();
    let domain = model.domain(variable);
    let is_range =
        model.posed(variable).labels.is_empty() && domain.len() as u32 == domain.capacity();
    let values = match is_range && domain.capacity() > 0 {
        true => format!("0..{}", domain.capacity() - 1),
        false => {
            let label = |it| match domain.contains(it) {
                true => value(model, variable, it),
                false => format!("!{}", value(model, variable, it)),
            };
            let labels: Vec<String> = (0..domain.capacity()).map(label).collect();
            labels.join(" ")
        }
    };
    let name = quoted(model.name(variable));
    match scsp.chance(variable) {
        None => format!("decision {name} {{{values}}};\n"),
        Some(Chance::Uniform) => format!("chance {name} {{{values}}} uniform;\n"),
        Some(Chance::Among(flags)) => {
            format!("chance {name} {{{values}}} among{};\n", scope(model, flags))
        }
        Some(Chance::Given {
            scope: given,
            rows: all,
        }) => {
            let (given, all) = (scope(model, given), rows(model, given, all));
            format!("chance {name} {{{values}}} given{given}:{all};\n")
        }
    }
}

fn literals(model: &Model, literals: &[Literal]) -> String {
    words(literals.iter().map(|it| {
        let sign = if it.equal { "=" } else { "!=" };
        quoted(model.name(it.variable)) + sign + &value(model, it.variable, it.value)
    }))
}

fn of_constraint(model: &Model, constraint: &Constraint) -> String {
    match constraint {
        Constraint::Table {
            scope: variables,
            table,
        } => {
            let keyword = match table.polarity() {
                Polarity::Allowed => "allow",
                Polarity::Forbidden => "forbid",
            };
            let tuples: String = table
                .tuples()
                .map(|it| tuple(model, variables, it))
                .collect();
            format!("{keyword}{}:{tuples};\n", scope(model, variables))
        }
        Constraint::Clause(all) => format!("clause{};\n", literals(model, all)),
        Constraint::Definition {
            head,
            junction,
            body,
        } => {
            let word = match junction {
                Junction::And => "and",
                Junction::Or => "or",
            };
            let head = literals(model, std::slice::from_ref(head));
            format!("define{head} {word}{};\n", literals(model, body))
        }
    }
}
