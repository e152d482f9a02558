//! What a line says: a move or a command.

use super::moves::{Found, Moves};
use game::TermId;

/// The commands, with what may follow them, and what they do.
pub(crate) const COMMANDS: &[(&str, &str)] = &[
    (
        "moves [TEXT]",
        "your legal moves, or those with TEXT in them",
    ),
    ("hint", "what a strong player would do in your place"),
    ("undo", "take back your last move"),
    ("board", "the state as a picture"),
    ("facts", "all that holds in the state"),
    ("resign, quit", "leave the match"),
    ("help", "this"),
];

/// The words that are commands.
pub(crate) const NAMES: &[&str] = &[
    "moves", "hint", "undo", "board", "facts", "resign", "quit", "help",
];

/// What a person said.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Said {
    /// Nothing.
    Nothing,
    /// A move.
    Move(TermId),
    /// One of several moves, as a list.
    Ambiguous(String),
    /// Neither a move nor a command.
    Unknown,
    /// What moves there are, with a text in them.
    Moves(String),
    Hint,
    Undo,
    Board,
    Facts,
    Resign,
    Quit,
    Help,
}

/// What a line says. A move that has the name of a command goes before it, unless its own name
/// is left out; `:undo` is always the command.
pub(crate) fn said(line: &str, moves: &Moves, width: usize) -> Said {
    let line = line.trim();
    if line.is_empty() {
        return Said::Nothing;
    }
    if let Some(line) = line.strip_prefix(':') {
        return command(line).unwrap_or(Said::Unknown);
    }
    if let Some(action) = moves.named(line) {
        return Said::Move(action);
    }
    if let Some(command) = command(line) {
        return command;
    }
    match moves.spelt(line, width) {
        Found::One(action) => Said::Move(action),
        Found::Several(list) => Said::Ambiguous(list),
        Found::Nothing => Said::Unknown,
    }
}

fn command(line: &str) -> Option<Said> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let said = match word.to_lowercase().as_str() {
        "moves" => return Some(Said::Moves(rest.to_string())),
        "hint" => Said::Hint,
        "undo" => Said::Undo,
        "board" => Said::Board,
        "facts" => Said::Facts,
        "resign" => Said::Resign,
        "quit" | "exit" => Said::Quit,
        "help" | "?" => Said::Help,
        _ => return None,
    };
    rest.is_empty().then_some(said)
}

/// What can be said.
pub(crate) fn help(moves: &Moves) -> String {
    let number = match moves.is_numbered() {
        true => "its number in the list, or ",
        false => "",
    };
    let mut text = format!(
        "A move is {number}its text, as {}.\n\
         Capitals, parentheses, blanks and the name of the move may be left out: e2e4 and e2-e4\n\
         are (move e 2 e 4). As much as tells a move apart is enough. Tab completes. The commands:\n",
        moves.example()
    );
    for (command, meaning) in COMMANDS {
        text += &format!("  {command:14}{meaning}\n");
    }
    text + "Where a move has the name of a command, `:undo` is the command.\n"
}
