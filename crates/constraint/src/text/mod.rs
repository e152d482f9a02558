//! A text format for networks, so that a person can pose one. Files end in `.scsp`.
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
//! its line and column; [`write`] gives the text back.

mod read;
mod statement;
mod token;
mod write;

pub use read::{Limits, read};
pub use write::write;

/// What is wrong with a text, and where.
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
