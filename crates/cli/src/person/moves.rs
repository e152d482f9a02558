//! The legal moves of a person: found by number or by text, listed, completed.
//!
//! Texts are compared word by word, parentheses and commas aside and whatever the case: so
//! `(mark 1 1)`, `mark 1 1` and `mark(1,1)` are the same move. Invariant: the moves are sorted,
//! numbers by their size, so that a state has the same list whenever it is met.

use game::TermId;
use std::cmp::Ordering;

/// The legal moves, in the order of the list.
pub(crate) struct Moves {
    moves: Vec<Move>,
    /// Not if moves are numbers themselves.
    numbered: bool,
}

struct Move {
    action: TermId,
    text: String,
    words: Vec<String>,
}

/// Which moves a text means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Found {
    /// Just this one.
    One(TermId),
    /// Any of these, as a list.
    Several(String),
    /// None.
    Nothing,
}

impl Moves {
    pub(crate) fn new(legal: impl Iterator<Item = (TermId, String)>) -> Moves {
        let read = |(action, text): (TermId, String)| Move {
            words: words(&text),
            action,
            text,
        };
        let mut moves: Vec<Move> = legal.map(read).collect();
        moves.sort_by(|a, b| in_order(&a.words, &b.words).then_with(|| a.text.cmp(&b.text)));
        let is_number = |it: &Move| it.text.parse::<u64>().is_ok();
        let numbered = !moves.iter().any(is_number);
        Moves { moves, numbered }
    }

    pub(crate) fn len(&self) -> usize {
        self.moves.len()
    }

    /// The only move there is.
    pub(crate) fn only(&self) -> Option<TermId> {
        match &self.moves[..] {
            [only] => Some(only.action),
            _ => None,
        }
    }

    /// The text of the first move, as an example.
    pub(crate) fn example(&self) -> &str {
        self.moves.first().map_or("", |it| &it.text)
    }

    /// The move whose number or whole text this is.
    pub(crate) fn named(&self, text: &str) -> Option<TermId> {
        if let (true, Ok(number)) = (self.numbered, text.parse::<usize>()) {
            let place = number.checked_sub(1)?;
            return self.moves.get(place).map(|it| it.action);
        }
        let spelt = self.moves.iter().find(|it| it.text == text);
        let said = words(text);
        let mut same = self.moves.iter().filter(|it| it.words == said);
        let only = same.next().filter(|_| same.next().is_none());
        spelt.or(only).map(|it| it.action)
    }

    /// The moves that begin so.
    pub(crate) fn beginning(&self, text: &str, width: usize) -> Found {
        let said = words(text);
        let begins = |it: &Move| begins(&it.words, &said);
        let mut found = self.moves.iter().filter(|it| begins(it));
        match (found.next(), found.next()) {
            (None, _) => Found::Nothing,
            (Some(one), None) => Found::One(one.action),
            _ => Found::Several(self.columns(width, begins)),
        }
    }

    /// All moves that have a text in them, in columns.
    pub(crate) fn list(&self, text: &str, width: usize) -> String {
        let wanted = words(text).join(" ");
        self.columns(width, |it| it.words.join(" ").contains(&wanted))
    }

    /// What a line may become, in the way it was begun.
    pub(crate) fn completions(&self, line: &str) -> Vec<String> {
        let said = words(line);
        let whole = line.starts_with('(');
        // After a space the last word is complete.
        let is_complete = line.ends_with([' ', ',']);
        let fits = |it: &&Move| match (is_complete, said.last()) {
            (true, Some(last)) => begins(&it.words, &said) && it.words[said.len() - 1] == *last,
            _ => begins(&it.words, &said),
        };
        let found = self.moves.iter().filter(fits);
        let text = |it: &Move| match whole {
            true => it.text.clone(),
            false => bare(&it.text).to_string(),
        };
        found.map(text).collect()
    }

    fn columns(&self, width: usize, wanted: impl Fn(&Move) -> bool) -> String {
        let digits = self.moves.len().to_string().len();
        let numbered = (1..).zip(&self.moves).filter(|(_, it)| wanted(it));
        let cell = |(number, it): (usize, &Move)| match self.numbered {
            true => format!("{number:>digits$}  {}", it.text),
            false => it.text.clone(),
        };
        columns(&numbered.map(cell).collect::<Vec<_>>(), width)
    }
}

/// The words of a text, in small letters.
fn words(text: &str) -> Vec<String> {
    let is_between = |it: char| it.is_whitespace() || matches!(it, '(' | ')' | ',');
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// A move without the parentheses around it.
fn bare(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    inside.unwrap_or(text)
}

/// Whether a move begins with what was said, the last word perhaps not yet whole.
fn begins(words: &[String], said: &[String]) -> bool {
    let Some((last, before)) = said.split_last() else {
        return true;
    };
    let rest = words.strip_prefix(before);
    rest.and_then(<[String]>::first)
        .is_some_and(|word| word.starts_with(last.as_str()))
}

fn in_order(a: &[String], b: &[String]) -> Ordering {
    let number = |word: &String| word.parse::<u64>();
    let both = a.iter().zip(b);
    let orders = both.map(|(a, b)| match (number(a), number(b)) {
        (Ok(one), Ok(other)) => one.cmp(&other),
        _ => a.cmp(b),
    });
    let first = orders.into_iter().find(|order| order.is_ne());
    first.unwrap_or(a.len().cmp(&b.len()))
}

/// Cells in columns, read downwards, as many columns as fit.
fn columns(cells: &[String], width: usize) -> String {
    const GAP: usize = 3;
    let widest = cells.iter().map(|cell| cell.chars().count()).max();
    let cell = widest.unwrap_or(0) + GAP;
    // A few stand below each other: that is easier to read.
    let wanted = cells.len().div_ceil(4);
    let count = ((width.saturating_sub(2) + GAP) / cell).clamp(1, wanted.max(1));
    let height = cells.len().div_ceil(count).max(1);
    let line = |row: usize| {
        let cells = cells.iter().skip(row).step_by(height);
        let text: String = cells.map(|text| format!("{text:cell$}")).collect();
        format!("  {}\n", text.trim_end())
    };
    (0..height.min(cells.len())).map(line).collect()
}
