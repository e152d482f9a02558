//! `ludex solve`: a network file → its solutions or policies; a game: see `exact.rs`.

use crate::args::{Propagation, Solve};
use crate::{Outcome, input};
use anstream::{eprintln, stdout};
use anyhow::{Context, Result, bail};
use constraint::solve::{Effort, Stop, feasible, raise, solve};
use constraint::{Ending, Network, Policy, Query, Scsp, SearchLimits, Solution, Solver, Strength};
use constraint::{preprocess, text};
use std::io::Write;
use std::ops::ControlFlow;

pub(crate) fn run(arguments: &Solve) -> Result<Outcome> {
    let is_network = arguments.file.extension().is_some_and(|it| it == "scsp");
    if !is_network && !input::is_standard_input(&arguments.file) {
        return super::exact::run(arguments);
    }
    if arguments.cooperative {
        bail!("--cooperative is for games: a network says itself what is wanted");
    }
    let Some(mut scsp) = read(arguments)? else {
        return Ok(Outcome::Failed);
    };
    if let Some(threshold) = threshold(arguments, &scsp)? {
        scsp.set_threshold(&threshold)?;
    }
    if arguments.preprocess {
        match preprocess::stochastic(&scsp)? {
            Some(smaller) => scsp = smaller,
            None => return none(),
        }
    }
    let variables = scsp.model().variables();
    let is_plain =
        scsp.soft().is_empty() && variables.into_iter().all(|it| !scsp.is_stochastic(it));
    if is_plain {
        return solutions(arguments, &scsp);
    }
    match policies(arguments, &scsp) {
        Err(error) => match error.downcast::<Stop>()? {
            Stop::Invalid(invalid) => Err(invalid.into()),
            stop => limit(&stop.to_string()),
        },
        outcome => outcome,
    }
}

/// The network; none if its problems were reported.
fn read(arguments: &Solve) -> Result<Option<Scsp>> {
    let title = input::title(&arguments.file);
    let bytes = input::bytes(&arguments.file, arguments.reading.max_bytes);
    let bytes = bytes.with_context(|| format!("cannot read {title}"))?;
    let text = String::from_utf8(bytes).with_context(|| format!("{title} is not text"))?;
    let limits = text::TextLimits {
        bytes: text.len(),
        ..text::TextLimits::default()
    };
    match text::read(&text, &limits) {
        Ok(scsp) => Ok(Some(scsp)),
        Err(problems) => {
            problems
                .iter()
                .for_each(|problem| eprintln!("{title}:{problem}"));
            Ok(None)
        }
    }
}

/// The threshold asked for: one number for all players, or one each.
fn threshold(arguments: &Solve, scsp: &Scsp) -> Result<Option<Vec<f64>>> {
    let players = scsp.players().len();
    if let Some(theta) = arguments.theta.iter().find(|it| **it > 1.0) {
        bail!("--theta {theta} is too large: utilities of a network are from 0 to 1");
    }
    match arguments.theta.len() {
        0 => Ok(None),
        1 => Ok(Some(vec![arguments.theta[0]; players])),
        count if count == players => Ok(Some(arguments.theta.clone())),
        count => bail!(
            "--theta has {count} numbers, and there are {players} players: give one for all, or one \
             for each"
        ),
    }
}

fn none() -> Result<Outcome> {
    writeln!(stdout(), "no solution")?;
    Ok(Outcome::Refused)
}

pub(super) fn limit(reason: &str) -> Result<Outcome> {
    writeln!(stdout(), "not solved: {reason}")?;
    Ok(Outcome::Limit)
}

fn effort(arguments: &Solve) -> Effort {
    let strength = strength(arguments);
    Effort {
        strength,
        nodes: arguments.max_nodes,
        ..Effort::default()
    }
}

fn strength(arguments: &Solve) -> Strength {
    match arguments.propagation {
        Propagation::Mac => Strength::Arc,
        Propagation::Fc => Strength::Forward,
    }
}

/// A network without chance and utilities: its solutions, one a line.
fn solutions(arguments: &Solve, scsp: &Scsp) -> Result<Outcome> {
    let network = Network::new(scsp.model())?;
    let mut solver = Solver::with_strength(&network, strength(arguments));
    let limits = SearchLimits {
        nodes: Some(arguments.max_nodes),
        ..SearchLimits::default()
    };
    let query = Query {
        limits,
        ..Query::default()
    };
    let report = if arguments.count {
        let report = solver.count(&query);
        writeln!(stdout(), "{}", report.solutions)?;
        report
    } else {
        let mut written = Ok(());
        let report = solver.each(&query, |solution| {
            written = writeln!(stdout(), "{}", line(scsp, solution));
            match arguments.all && written.is_ok() {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        });
        written?;
        report
    };
    match (report.ending, report.solutions) {
        (Ending::Nodes, _) => limit(&format!("more than {} nodes", arguments.max_nodes)),
        (_, 0) if arguments.count => Ok(Outcome::Refused),
        (_, 0) => none(),
        _ => Ok(Outcome::Fine),
    }
}

/// A solution as `x=1 y=2`.
fn line(scsp: &Scsp, solution: &Solution<'_>) -> String {
    let model = scsp.model();
    let pair = |it| format!("{}={}", model.name(it), model.label(it, solution.value(it)));
    let pairs: Vec<String> = model.variables().map(pair).collect();
    pairs.join(" ")
}

/// A network with chance or utilities: its policies.
fn policies(arguments: &Solve, scsp: &Scsp) -> Result<Outcome> {
    let effort = effort(arguments);
    let mut found: Vec<Policy> = if arguments.all || arguments.count {
        feasible(scsp, &effort)?.all
    } else if arguments.theta.is_empty() {
        let best = raise(scsp, &effort)?.pop().and_then(|outcome| outcome.best);
        best.into_iter().map(|(_, policy)| policy).collect()
    } else {
        let best = solve(scsp, &effort)?.best;
        best.into_iter().map(|(_, policy)| policy).collect()
    };
    found.retain(|policy| policy.reaches(scsp.threshold()));
    if arguments.count {
        writeln!(stdout(), "{}", found.len())?;
    } else if found.is_empty() {
        return none();
    }
    for policy in found.iter().filter(|_| !arguments.count) {
        show(arguments, scsp, policy)?;
    }
    Ok(if found.is_empty() {
        Outcome::Refused
    } else {
        Outcome::Fine
    })
}

fn show(arguments: &Solve, scsp: &Scsp, policy: &Policy) -> Result<()> {
    if arguments.dot {
        write!(stdout(), "{}", policy.dot(scsp))?;
        return Ok(());
    }
    let values = scsp.players().iter().zip(policy.expected());
    let values: Vec<String> = values
        .map(|(player, value)| format!("{player} {}", text::decimal(value)))
        .collect();
    writeln!(stdout(), "value: {}", values.join(", "))?;
    write!(stdout(), "{}", policy.text(scsp))?;
    Ok(())
}
