//! Two independent solvers, as other programs: Gecode by FlatZinc, CP-SAT by Python.
//!
//! Takes a model of plain tables, gives how many solutions there are and the seconds the solver
//! says it took to find them all; none where the program is missing or takes over [`SECONDS`]. `LUDEX_PYTHON` names a
//! Python that has OR-Tools, if `python3` has not.

#![allow(dead_code, reason = "the test does not look at the time")]

use constraint::{Constraint, Model};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// How long another solver may take.
pub const SECONDS: u32 = 30;

/// What another solver says.
pub struct Answer {
    pub solutions: u64,
    pub seconds: f64,
}

/// Gecode's answer; `search` is how it chooses variables.
pub fn gecode(model: &Model, search: &str) -> Option<Answer> {
    let limit = (SECONDS * 1000).to_string();
    let arguments = ["-a", "-s", "-time", &limit, "-"];
    let output = run("fzn-gecode", &arguments, &flat(model, search))?;
    // Printed when all has been searched.
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

/// The answer of OR-Tools' CP-SAT, with one worker.
pub fn cp_sat(model: &Model) -> Option<Answer> {
    let python = std::env::var("LUDEX_PYTHON").unwrap_or_else(|_| "python3".to_string());
    let limit = SECONDS.to_string();
    let arguments = ["-c", include_str!("cp_sat.py"), &limit];
    let output = run(&python, &arguments, &lines(model))?;
    let mut words = output.split_whitespace();
    let solutions = words.next()?.parse().ok()?;
    let seconds = words.next()?.parse().ok()?;
    Some(Answer { solutions, seconds })
}

/// Runs a program; none if it is missing or fails.
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

/// A model as FlatZinc, with Gecode's own table constraint.
fn flat(model: &Model, search: &str) -> String {
    let mut text = String::new();
    for variable in model.variables() {
        let top = model.domain(variable).capacity() - 1;
        let _ = writeln!(text, "var 0..{top}: x{};", variable.0);
    }
    for constraint in model.constraints() {
        let Constraint::Table { scope, table } = constraint else {
            continue;
        };
        let scope: Vec<String> = scope.iter().map(|it| format!("x{}", it.0)).collect();
        let cells: Vec<String> = table.tuples().flatten().map(u32::to_string).collect();
        let (scope, cells) = (scope.join(","), cells.join(","));
        let _ = writeln!(text, "constraint gecode_table_int([{scope}],[{cells}]);");
    }
    let all: Vec<String> = model.variables().map(|it| format!("x{}", it.0)).collect();
    let all = all.join(",");
    let _ = writeln!(
        text,
        "solve :: int_search([{all}], {search}, indomain_min, complete) satisfy;"
    );
    text
}

/// A model as lines: sizes of domains, then for each table its scope and its tuples.
fn lines(model: &Model) -> String {
    let join = |numbers: Vec<u32>| {
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        words.join(" ") + "\n"
    };
    let mut text = join(
        model
            .variables()
            .map(|it| model.domain(it).capacity())
            .collect(),
    );
    for constraint in model.constraints() {
        let Constraint::Table { scope, table } = constraint else {
            continue;
        };
        text += &join(scope.iter().map(|it| it.0).collect());
        text += &join(table.tuples().flatten().copied().collect());
    }
    text
}
