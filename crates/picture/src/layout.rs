//! Lines of text: rows of a board, boards beside each other, lists.

use super::fluent::Fluent;

/// No line is longer, unless a single word or board is.
const COLUMNS: usize = 100;
/// More fluents than this are not listed.
const LISTED: usize = 200;
/// What separates boards.
const GAP: &str = "   ";

/// How wide the widest text is.
pub(super) fn width(texts: &[String]) -> usize {
    let widths = texts.iter().map(|text| text.chars().count());
    widths.max().unwrap_or_default()
}

/// A row of a board: its margin and its cells, each so wide.
pub(super) fn row<'t>(margin: &str, cells: impl Iterator<Item = &'t str>, cell: usize) -> String {
    let cells = cells.map(|text| format!(" {text:<cell$}"));
    let line = format!("{margin}{}", cells.collect::<String>());
    line.trim_end().to_string()
}

/// Boards side by side, as many as fit on a line.
pub(super) fn beside(boards: Vec<Vec<String>>) -> String {
    let mut bands: Vec<Vec<String>> = Vec::new();
    for board in boards {
        match bands.last_mut() {
            Some(band) if width(band) + GAP.len() + width(&board) <= COLUMNS => join(band, &board),
            _ => bands.push(board),
        }
    }
    let bands: Vec<String> = bands.iter().map(|band| band.join("\n")).collect();
    bands.join("\n\n")
}

/// Puts a board to the right of others; all boards of a game are equally high.
fn join(band: &mut [String], board: &[String]) {
    let left = width(band);
    for (line, right) in band.iter_mut().zip(board) {
        *line = format!("{line:<left$}{GAP}{right}");
    }
}

/// Fluents as a list: whose turn it is, then the others in order.
pub(super) fn list(mut fluents: Vec<Fluent>) -> String {
    fluents.sort_by_cached_key(|fluent| (fluent.functor != "control", fluent.to_string()));
    let more = fluents.len().saturating_sub(LISTED);
    fluents.truncate(LISTED);
    let texts: Vec<String> = fluents.iter().map(ToString::to_string).collect();
    let list = wrapped(&texts);
    match more {
        0 => list,
        _ => format!("{list}\n… and {more} more"),
    }
}

/// Texts separated by commas, none of them broken.
pub(super) fn wrapped(texts: &[String]) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for (number, text) in texts.iter().enumerate() {
        let comma = if number + 1 < texts.len() { "," } else { "" };
        let length = text.chars().count() + comma.len();
        if number > 0 {
            let fits = column + 1 + length <= COLUMNS;
            lines.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        lines.push_str(text);
        lines.push_str(comma);
        column += length;
    }
    lines
}
