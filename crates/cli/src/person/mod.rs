//! Persons at the terminal: lines in, moves out.
//!
//! | part | what it is |
//! |---|---|
//! | `lines` | where lines come from: a terminal with completion and history, or any input |
//! | `words` | what a line says: a move or a command |
//! | `moves` | the legal moves: found by number or text, listed, completed |
//! | `spelling` | whether a text spells a move, in full or in part |
//! | `hints` | what a player would do in the person's place |
//! | `session` | a match with persons in it, turn by turn |
//! | `telling` | what persons are told of a match |

mod hints;
mod lines;
mod moves;
mod session;
mod spelling;
mod telling;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use hints::Hints;
pub(crate) use session::{Manners, Person, Session};
