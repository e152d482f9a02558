//! `ludex solve GAME`: what a game is worth, exactly, and a policy that gets it.

use crate::args::Solve;
use crate::progress::Spinner;
use crate::{Outcome, input};
use anstream::stdout;
use anyhow::{Result, bail};
use constraint::text::decimal;
use game::{Game, Scratch, TermId};
use players::exact::{Branch, Exact, Limits, Plan, Unsolved, competitive, cooperative};
use std::fmt::Write as _;
use std::io::Write;

pub(super) fn run(arguments: &Solve) -> Result<Outcome> {
    for (given, option) in [
        (arguments.all, "--all"),
        (arguments.count, "--count"),
        (arguments.preprocess, "--preprocess"),
        (
            !arguments.cooperative && !arguments.theta.is_empty(),
            "--theta",
        ),
    ] {
        match option {
            _ if !given => {}
            "--theta" => bail!("--theta asks what all can get together: add --cooperative"),
            _ => bail!("{option} is for networks, which end in `.scsp`"),
        }
    }
    let Some(game) = super::for_play(&arguments.file, &arguments.reading, arguments.quiet)? else {
        return Ok(Outcome::Failed);
    };
    let limits = Limits {
        memory: arguments.memory << 20,
        depth: arguments.depth,
        ..Limits::default()
    };
    let title = input::title(&arguments.file);
    let spinner = Spinner::doing("solving", &title, arguments.quiet);
    let writer = Writer::new(&game, arguments.dot);
    let answer = match arguments.cooperative {
        true => together(arguments, &writer, &limits),
        false => alone(&writer, &limits),
    };
    drop(spinner);
    match answer {
        Ok((text, outcome)) => {
            write!(stdout(), "{text}")?;
            Ok(outcome)
        }
        Err(error) => match error.downcast::<Unsolved>()? {
            unfit @ (Unsolved::Hidden | Unsolved::NoEngine(_)) => Err(unfit.into()),
            reason => {
                writeln!(stdout(), "not solved: {reason}")?;
                Ok(Outcome::Limit)
            }
        },
    }
}

/// What each role gets if each wants most for itself.
fn alone(writer: &Writer<'_>, limits: &Limits) -> Result<(String, Outcome)> {
    let exact = competitive(writer.game, limits)?;
    Ok((writer.answer(&exact)?, Outcome::Fine))
}

/// What all can get together.
fn together(arguments: &Solve, writer: &Writer<'_>, limits: &Limits) -> Result<(String, Outcome)> {
    let theta = theta(arguments, writer.game)?;
    let answer = cooperative(writer.game, theta.as_deref(), limits)?;
    let common = format!("all can get {} together\n", decimal(answer.common));
    match &answer.found {
        Some(exact) if arguments.dot => Ok((writer.answer(exact)?, Outcome::Fine)),
        Some(exact) => Ok((common + &writer.answer(exact)?, Outcome::Fine)),
        None => {
            let text = format!(
                "no policy reaches that\n{common}states: {}\n",
                answer.states
            );
            Ok((text, Outcome::Refused))
        }
    }
}

/// What is asked for: one number for all players, or one each; chance has none.
fn theta(arguments: &Solve, game: &Game) -> Result<Option<Vec<f64>>> {
    let players = game.roles().len() - usize::from(game.chance().is_some());
    match arguments.theta.len() {
        0 => Ok(None),
        1 => Ok(Some(vec![arguments.theta[0]; players])),
        count if count == players => Ok(Some(arguments.theta.clone())),
        count => bail!("--theta has {count} numbers for {players} players"),
    }
}

/// Writes answers.
struct Writer<'g> {
    game: &'g Game,
    scratch: Scratch,
    chance: Option<usize>,
    dot: bool,
}

impl<'g> Writer<'g> {
    fn new(game: &'g Game, dot: bool) -> Writer<'g> {
        Writer {
            game,
            scratch: game.scratch(),
            chance: game.chance(),
            dot,
        }
    }

    fn answer(&self, exact: &Exact) -> Result<String> {
        let mut text = String::new();
        if self.dot {
            self.picture(&exact.plan, &mut text)?;
            return Ok(text);
        }
        writeln!(text, "value: {}", self.values(&exact.values))?;
        writeln!(text, "states: {}", exact.states)?;
        self.steps(&exact.plan, (0, 0), &mut text)?;
        Ok(text)
    }

    /// What each player gets, as `x 0.5, o 0.5`.
    fn values(&self, values: &[f64]) -> String {
        let players = self.game.roles().iter().zip(values).enumerate();
        let players = players.filter(|(role, _)| self.chance != Some(*role));
        let texts =
            players.map(|(_, (&role, &value))| format!("{} {}", self.term(role), decimal(value)));
        texts.collect::<Vec<String>>().join(", ")
    }

    fn term(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }

    /// What is done, a line a turn; what may come instead of something else is indented.
    fn steps(&self, plan: &Plan, (first, indent): (usize, usize), text: &mut String) -> Result<()> {
        let mut place = first;
        loop {
            let step = &plan.steps[place];
            let margin = "  ".repeat(indent);
            match &step.branches[..] {
                [] if step.over => {
                    writeln!(text, "{margin}end: {}", self.values(&step.values))?;
                    return Ok(());
                }
                [] => {
                    writeln!(text, "{margin}…")?;
                    return Ok(());
                }
                [only] => {
                    let said = self.said(only);
                    if !said.is_empty() {
                        writeln!(text, "{margin}{said}")?;
                    }
                    place = only.next;
                }
                several => {
                    for branch in several {
                        let probability = decimal(branch.probability);
                        writeln!(text, "{margin}{probability}: {}", self.said(branch))?;
                        self.steps(plan, (branch.next, indent + 1), text)?;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// The moves of those that had a choice.
    fn said(&self, branch: &Branch) -> String {
        let roles = self.game.roles().iter().zip(&branch.joint);
        let roles = roles.zip(&branch.choosing).filter(|(_, chose)| **chose);
        let texts =
            roles.map(|((&role, &action), _)| format!("{} {}", self.term(role), self.term(action)));
        texts.collect::<Vec<String>>().join(", ")
    }

    /// The plan for Graphviz.
    fn picture(&self, plan: &Plan, text: &mut String) -> Result<()> {
        writeln!(text, "digraph plan {{")?;
        for (place, step) in plan.steps.iter().enumerate() {
            let shape = if step.over { "box" } else { "ellipse" };
            let label = self.values(&step.values);
            writeln!(text, "  {place} [shape={shape}, label=\"{label}\"];")?;
            for branch in &step.branches {
                let mut label = self.said(branch).replace('"', "\\\"");
                if step.branches.len() > 1 {
                    label = format!("{}: {label}", decimal(branch.probability));
                }
                writeln!(text, "  {place} -> {} [label=\"{label}\"];", branch.next)?;
            }
        }
        writeln!(text, "}}")?;
        Ok(())
    }
}
