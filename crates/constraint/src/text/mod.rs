//! A text format for networks, written and read by people. Files end in `.scsp`.
//!
//! ```text
//! players alice bob;                       # one player if left out
//! decision x z {1 2 3};                    # variables in order, with their values
//! chance y {0..2} uniform;                 # or: given x: (1) -> 1/2 1/2 0  (*) -> 0 0 1
//! chance d {a b} among b1 b2;              # alike, for the values whose flag is 1
//! allow x z: (1 1) (2 *);                  # or forbid; * is any value
//! clause x=1 y!=2;                         # at least one
//! define b=1 and x=1 y!=2;                 # or: define … or …
//! utility x y: (1 0) -> 1 1/2;             # a number for each player, else 0
//! threshold 1/2 1/2;
//! ```
//!
//! Names with spaces or any of `{}():;=!#"*` stand in quotes. A value that was removed from a
//! domain is written `!value`. Takes text, gives an [`Scsp`](crate::Scsp) or every problem with
//! its line and column; [`write()`] gives the text back.

mod read;
mod statement;
mod token;
mod write;

pub use read::{TextLimits, read};
pub use write::write;

/// A problem of a text, and its place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {message}")]
pub struct Problem {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub message: String,
}

/// Parses a number: decimal, or a fraction like `1/3`.
pub fn number(text: &str) -> Option<f64> {
    let decimal = |text: &str| text.parse::<f64>().ok().filter(|it| it.is_finite());
    let number = match text.split_once('/') {
        Some((above, below)) => decimal(above).zip(decimal(below)).map(|(a, b)| a / b),
        None => decimal(text),
    };
    number.filter(|it| it.is_finite())
}

/// Formats a number with at most six digits after the point.
pub fn decimal(number: f64) -> String {
    let text = format!("{number:.6}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".to_string(),
        text => text.to_string(),
    }
}
