//! What a game is worth, exactly, and a policy that gets it, as text. Values are goals, 0 to 100.

use constraint::text::decimal;
use game::{Game, RoleId, Scratch, TermId};
use players::exact::{Branch, Exact, Plan, SolveLimits, Unsolved, competitive, cooperative};
use std::fmt::{self, Write};

/// What all can get together.
#[derive(Clone, Debug)]
pub struct Together {
    /// The answer as text.
    pub text: String,
    /// Whether a policy reaches what was asked for.
    pub found: bool,
}

/// A game to be solved exactly.
#[derive(Debug)]
pub struct Exactly<'g> {
    /// The game.
    pub game: &'g Game,
    /// What solving may take.
    pub limits: SolveLimits,
    /// Whether policies are written for Graphviz.
    pub dot: bool,
}

impl Exactly<'_> {
    /// What each role gets if each wants most for itself.
    pub fn alone(&self) -> Result<String, Unsolved> {
        let exact = competitive(self.game, &self.limits)?;
        Ok(self.writer().answer(&exact))
    }

    /// What all can get together, or whether each gets the goal that `theta` asks for.
    pub fn together(&self, theta: Option<&[f64]>) -> Result<Together, Unsolved> {
        let theta = theta.map(|goals| goals.iter().map(|goal| goal / 100.0).collect::<Vec<_>>());
        let answer = cooperative(self.game, theta.as_deref(), &self.limits)?;
        let common = format!("all can get {} together\n", goal(answer.common));
        let text = match &answer.found {
            Some(exact) if self.dot => self.writer().answer(exact),
            Some(exact) => common + &self.writer().answer(exact),
            None => {
                let states = answer.states;
                format!("no policy reaches that\n{common}states: {states}\n")
            }
        };
        Ok(Together {
            text,
            found: answer.found.is_some(),
        })
    }

    fn writer(&self) -> Writer<'_> {
        Writer::new(self.game, self.dot)
    }
}

/// A value as a goal, from 0 to 100, with at most four digits after the point: more are not known.
fn goal(value: f64) -> String {
    decimal((1e6 * value).round() / 1e4)
}

/// Writes answers.
struct Writer<'g> {
    game: &'g Game,
    scratch: Scratch,
    chance: Option<RoleId>,
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

    fn answer(&self, exact: &Exact) -> String {
        let mut text = String::new();
        let written = match self.dot {
            true => self.picture(&exact.plan, &mut text),
            false => self.policy(exact, &mut text),
        };
        written.expect("a string takes what is written to it");
        text
    }

    fn policy(&self, exact: &Exact, text: &mut String) -> fmt::Result {
        writeln!(text, "value: {}", self.values(&exact.values))?;
        writeln!(text, "states: {}", exact.states)?;
        self.steps(&exact.plan, (0, 0), text)
    }

    /// The goal of each player, as `x 50, o 50`.
    fn values(&self, values: &[f64]) -> String {
        let players = self.game.roles().iter().zip(values);
        let players = self.game.role_ids().zip(players);
        let players = players.filter(|(role, _)| self.chance != Some(*role));
        let texts =
            players.map(|(_, (&role, &value))| format!("{} {}", self.term(role), goal(value)));
        texts.collect::<Vec<String>>().join(", ")
    }

    fn term(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }

    /// What is done, a line a turn; what may come instead of something else is indented.
    fn steps(
        &self,
        plan: &Plan,
        (first, indent): (usize, usize),
        text: &mut String,
    ) -> fmt::Result {
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
    fn picture(&self, plan: &Plan, text: &mut String) -> fmt::Result {
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
