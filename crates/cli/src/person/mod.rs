//! A person at the terminal: lines in, moves out.
//!
//! | part | what it is |
//! |---|---|
//! | `lines` | where lines come from: a terminal with completion and history, or any input |
//! | `words` | what a line says: a move or a command |
//! | `moves` | the legal moves: found by number or text, listed, completed |
//! | `spelling` | whether a text spells a move, in full or in part |
//! | `hints` | what a player would do in the person's place |
//! | `session` | a match with a person in it, turn by turn |

mod hints;
mod lines;
mod moves;
mod session;
mod spelling;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use hints::Hints;
pub(crate) use session::{Person, Session};
