//! Rules → game: read, check, ground, build.

use crate::{Game, Limits};
use gdl::{Checked, Policy, Severity, Source};
use std::fmt;

/// Rules that are no game: what is wrong with them.
pub struct Refused(Box<Checked>);

impl Refused {
    /// The sheet, with all diagnostics.
    pub fn checked(&self) -> &Checked {
        &self.0
    }
}

impl fmt::Display for Refused {
    /// The first error, with its place, and how many more there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let errors = self.0.diagnostics.iter();
        let mut errors = errors.filter(|it| it.severity == Severity::Error);
        let Some(first) = errors.next() else {
            return f.write_str("the rules were refused");
        };
        let place = self.0.tree().source().position(first.span.start);
        write!(f, "{}:{}: {}", place.line, place.column, first.message)?;
        match errors.count() {
            0 => Ok(()),
            more => write!(f, " (and {more} more errors)"),
        }
    }
}

impl fmt::Debug for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Refused({self})")
    }
}

impl std::error::Error for Refused {}

impl Game {
    /// Makes a game of rules, ready for players: reads, checks, grounds and builds. Oddities that
    /// public sheets have are let pass.
    ///
    /// ```
    /// let rules = "(role you) (init (n 1)) (legal you go) (<= (next (n 2)) (does you go))
    ///              (<= terminal (true (n 2))) (goal you 100)";
    /// let game = game::Game::load(rules, &game::Limits::default()).unwrap();
    /// let mut walk = game.walk();
    /// let you = game::RoleId::new(0);
    /// walk.play(&[walk.legal(you)[0]]);
    /// assert!(walk.terminal() && walk.goal(you) == Some(100));
    /// ```
    pub fn load(rules: impl Into<Source>, limits: &Limits<'_>) -> Result<Game, Refused> {
        let tree = gdl::read(rules.into(), None, &gdl::ReadLimits::default());
        let checked = gdl::check(tree, &Policy::lenient());
        match &checked.program {
            Some(program) => Ok(Game::of(program, limits)),
            None => Err(Refused(Box::new(checked))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let refused = Game::load("(role a)\n(legal a", &Limits::default());
        let text = refused.err().map(|it| it.to_string()).unwrap_or_default();
        assert!(text.starts_with("2:"), "{text}");
    }
}
