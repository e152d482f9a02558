//! A fluent as its parts: `(cell 1 2 x)` is the functor `cell` and three arguments.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Fluent {
    pub(super) functor: String,
    /// Their texts; arguments of arguments are not told apart.
    pub(super) arguments: Vec<String>,
}

impl Fluent {
    /// Reads any text; what is not well formed becomes a fluent that no board has.
    pub(super) fn read(text: &str) -> Fluent {
        let text = text.trim();
        let inner = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
        let mut parts = inner.map(parts).unwrap_or_default().into_iter();
        Fluent {
            functor: parts.next().unwrap_or_else(|| text.to_string()),
            arguments: parts.collect(),
        }
    }
}

impl fmt::Display for Fluent {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self.arguments.is_empty() {
            true => out.write_str(&self.functor),
            false => write!(out, "({} {})", self.functor, self.arguments.join(" ")),
        }
    }
}

/// Splits at blanks outside of parentheses.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0_usize;
    for character in text.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match parts.last_mut() {
            Some(part) if depth > 0 || !character.is_whitespace() => part.push(character),
            _ => parts.push(String::new()),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}
