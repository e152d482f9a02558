//! Two independent solvers, as other programs: Gecode by FlatZinc, CP-SAT by Python.
//!
//! Takes a model, gives the number of solutions and the seconds that the solver reports for
//! finding them all; `None` if the program is missing or takes over [`SECONDS`]. `LUDEX_PYTHON`
//! names a Python with OR-Tools, if `python3` has none.

#![allow(dead_code, reason = "the test does not look at the time")]

mod flat;

use constraint::{Constraint, Domain, Junction, Literal, Model, Table, Variable};
use std::io::Write as _;
use std::process::{Command, Stdio};

/// The time limit of another solver.
pub const SECONDS: u32 = 30;
/// How many tuples a table that is not plain may become.
const TUPLES: usize = 1 << 20;

/// The answer of another solver.
pub struct Answer {
    pub solutions: u64,
    pub seconds: f64,
}

/// Gecode's answer; `search` is the variable selection.
pub fn gecode(model: &Model, search: &str) -> Option<Answer> {
    let limit = (SECONDS * 1000).to_string();
    let arguments = ["-a", "-s", "-time", &limit, "-"];
    let output = run("fzn-gecode", &arguments, &flat::text(model, search))?;
    // Printed when the search is complete.
    if !output.contains("=====\n") {
        return None;
    }
    let number = |key: &str| {
        let line = output.lines().find(|line| line.contains(key))?;
        line.split('=').nth(1)?.trim().parse::<f64>().ok()
    };
    let (solutions, seconds) = (number("solutions=")?, number("solveTime=")?);
    Some(Answer {
        solutions: solutions as u64,
        seconds,
    })
}

/// The answer of OR-Tools' CP-SAT, with one worker; `presolve` is whether it simplifies first.
pub fn cp_sat(model: &Model, presolve: bool) -> Option<Answer> {
    let python = std::env::var("LUDEX_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let limit = SECONDS.to_string();
    let presolve = u32::from(presolve).to_string();
    let arguments = ["-c", include_str!("cp_sat.py"), &limit, &presolve];
    let output = run(&python, &arguments, &lines(model))?;
    let mut words = output.split_whitespace();
    let solutions = words.next()?.parse().ok()?;
    let seconds = words.next()?.parse().ok()?;
    Some(Answer { solutions, seconds })
}

/// The variables without a definition: search decides these first.
pub fn free(model: &Model) -> Vec<Variable> {
    let mut is_free = vec![true; model.len()];
    for constraint in model.constraints() {
        if let Constraint::Definition { head, .. } = constraint {
            is_free[head.variable.index()] = false;
        }
    }
    let variables = model.variables();
    variables.filter(|it| is_free[it.index()]).collect()
}

/// Runs a program; `None` if it is missing or fails.
fn run(program: &str, arguments: &[&str], input: &str) -> Option<String> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    let mut child = command.spawn().ok()?;
    let mut stdin = child.stdin.take()?;
    let text = input.to_string();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().ok()?;
    writer.join().ok()?.ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// A model as lines: the values of each variable, then constraints. A literal is three numbers:
/// variable, value, and 1 for `=`.
fn lines(model: &Model) -> String {
    let mut text = String::new();
    for variable in model.variables() {
        line(&mut text, "domain", model.domain(variable).values());
    }
    for constraint in model.constraints() {
        match constraint {
            Constraint::Table { scope, table } => {
                line(&mut text, "scope", scope.iter().map(|it| it.0));
                let table = plain(model, scope, table);
                line(&mut text, "tuples", table.tuples().flatten().copied());
            }
            Constraint::Clause(literals) => line(&mut text, "clause", triples(literals)),
            Constraint::Definition {
                head,
                junction,
                body,
            } => {
                let word = match junction {
                    Junction::And => "and",
                    Junction::Or => "or",
                };
                line(&mut text, word, triples([head]).chain(triples(body)));
            }
        }
    }
    text
}

fn line(text: &mut String, word: &str, numbers: impl Iterator<Item = u32>) {
    *text += word;
    numbers.for_each(|number| *text += &format!(" {number}"));
    text.push('\n');
}

fn triples<'l>(literals: impl IntoIterator<Item = &'l Literal>) -> impl Iterator<Item = u32> {
    let literals = literals.into_iter();
    literals.flat_map(|it| [it.variable.0, it.value, u32::from(it.equal)])
}

/// A table as a list of allowed tuples.
fn plain(model: &Model, scope: &[Variable], table: &Table) -> Table {
    let domains: Vec<&Domain> = scope.iter().map(|&it| model.domain(it)).collect();
    let plain = table.plain(&domains, TUPLES);
    plain.expect("what is forbidden, or short, is small")
}
