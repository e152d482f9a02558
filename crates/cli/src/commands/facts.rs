//! `ludex show facts`: what holds in a state, as the interpreter tells.

use crate::board::Board;
use anstream::stdout;
use anyhow::{Context, Result, bail, ensure};
use game::{Engine, Game, Limits, Scratch, State, TermId, View};
use gdl::Program;
use std::io::Write;

/// Prints the facts after some joint moves: GDL, one a line, sorted.
pub(super) fn run(program: &Program, after: &[String]) -> Result<()> {
    let played = Match::after(program, after)?;
    let fluents = played.fluents().into_iter();
    let mut facts: Vec<String> = fluents.map(|it| format!("(true {it})")).collect();
    facts.extend(played.consequences());
    print(facts)
}

/// Draws the state after some joint moves, and prints what follows from it. The fluents are
/// all that can hold, if they are known.
pub(super) fn draw(program: &Program, after: &[String], fluents: Option<&[String]>) -> Result<()> {
    let played = Match::after(program, after)?;
    let state = played.fluents();
    let picture = Board::new(fluents.unwrap_or(&state)).draw(&state);
    if !picture.is_empty() {
        writeln!(stdout(), "{picture}\n")?;
    }
    print(played.consequences())
}

/// All fluents that can hold, if the game has a ground program.
pub(super) fn fluents(program: &Program, limits: &Limits) -> Option<Vec<String>> {
    let game = Game::new(program, Engine::Ground, limits).ok()?;
    let ground = game.ground()?;
    let fluents = ground.fluents().iter();
    Some(fluents.map(|&it| ground.terms().text(it)).collect())
}

/// Prints facts: GDL, one a line, sorted.
fn print(mut facts: Vec<String>) -> Result<()> {
    facts.sort();
    let text: String = facts.iter().map(|fact| format!("{fact}\n")).collect();
    Ok(stdout().write_all(text.as_bytes())?)
}

/// A match, as far as it was played.
struct Match {
    game: Game,
    scratch: Scratch,
    state: State,
    view: View,
    /// What each role saw of the last joint move.
    percepts: Vec<Vec<TermId>>,
}

impl Match {
    fn new(game: Game) -> Result<Match> {
        let mut scratch = game.scratch();
        let state = game.initial(&mut scratch)?;
        let view = game.view(&mut scratch, &state)?;
        Ok(Match {
            game,
            scratch,
            state,
            view,
            percepts: Vec::new(),
        })
    }

    /// The match after some joint moves.
    fn after(program: &Program, joints: &[String]) -> Result<Match> {
        let game = Game::new(program, Engine::Interpreter, &Limits::default())?;
        let mut played = Match::new(game)?;
        for (number, joint) in (1..).zip(joints) {
            let turn = played.play(joint);
            turn.with_context(|| format!("joint move {number}, `{joint}`"))?;
        }
        Ok(played)
    }

    fn play(&mut self, joint: &str) -> Result<()> {
        ensure!(!self.view.terminal, "the match is over before it");
        let joint = self.joint(joint)?;
        for (role, action) in joint.iter().enumerate() {
            if !self.view.legal[role].contains(action) {
                bail!("{}", self.illegal(role, *action));
            }
        }
        let (state, percepts) = self.game.next(&mut self.scratch, &self.state, &joint)?;
        self.view = self.game.view(&mut self.scratch, &state)?;
        (self.state, self.percepts) = (state, percepts);
        Ok(())
    }

    /// A joint move from its text: one move a role, in their order.
    fn joint(&mut self, text: &str) -> Result<Vec<TermId>> {
        let limits = gdl::Limits::default();
        let tree = gdl::read(text.into(), Some(gdl::Syntax::Prefix), &limits);
        let forms = tree.forms();
        let moves = forms.map(|form| self.game.term(&mut self.scratch, form));
        let moves = moves.collect::<Option<Vec<TermId>>>();
        let moves = moves.filter(|_| tree.is_whole());
        let moves = moves.context("not a list of moves such as `(mark 1 1) noop`")?;
        let roles: Vec<String> = self.game.roles().iter().map(|&it| self.text(it)).collect();
        let (found, wanted) = (moves.len(), roles.join(", "));
        ensure!(
            found == roles.len(),
            "it needs one move for each of {wanted}, and has {found}"
        );
        Ok(moves)
    }

    fn illegal(&self, role: usize, action: TermId) -> String {
        const SHOWN: usize = 10;
        let legal = &self.view.legal[role];
        let mut texts: Vec<String> = legal.iter().map(|&it| self.text(it)).collect();
        texts.sort();
        if texts.len() > SHOWN {
            texts.truncate(SHOWN);
            texts.push("…".to_string());
        }
        let (role, action) = (self.text(self.game.roles()[role]), self.text(action));
        let legal = texts.join(" ");
        format!("`{action}` is not legal for {role}; legal: {legal}")
    }

    fn fluents(&self) -> Vec<String> {
        let fluents = self.state.fluents().iter();
        fluents.map(|&fluent| self.text(fluent)).collect()
    }

    /// What follows from the state, and what was seen on the way to it.
    fn consequences(&self) -> Vec<String> {
        let View {
            terminal,
            legal,
            goals,
        } = &self.view;
        let mut facts: Vec<String> = Vec::new();
        facts.extend(terminal.then(|| "terminal".to_string()));
        for (relation, by_role) in [("legal", legal), ("goal", goals), ("sees", &self.percepts)] {
            for (&role, terms) in self.game.roles().iter().zip(by_role) {
                let role = self.text(role);
                let fact = |&term: &TermId| format!("({relation} {role} {})", self.text(term));
                facts.extend(terms.iter().map(fact));
            }
        }
        facts
    }

    fn text(&self, term: TermId) -> String {
        self.scratch.terms().text(term)
    }
}
