//! The legal moves of a person: found by number or by text, listed, completed.
//!
//! What a text may leave out is in `spelling`. Of the readings of a text the fullest holds, and
//! if that fits several moves it is none of them: nothing is guessed. The list has numbers unless
//! one of them could be read as a move, as `5` could where there is `(drop 5)`. Invariant: the
//! moves are sorted, numbers by their size, so that a state has the same list whenever it is met.

use super::spelling::{Fit, Reading, Said, Spelling, Start};
use game::TermId;
use std::cmp::Ordering;

/// The legal moves, in the order of the list.
pub(crate) struct Moves {
    moves: Vec<Move>,
    /// Not if a number of the list could be read as a move.
    numbered: bool,
}

struct Move {
    action: TermId,
    text: String,
    words: Vec<String>,
    literal: Spelling,
    loose: Spelling,
}

/// A text in both readings.
struct Text {
    words: Vec<String>,
    literal: Said,
    loose: Said,
}

impl Text {
    fn new(text: &str) -> Text {
        Text {
            words: words(text),
            literal: Said::new(text, Reading::Literal),
            loose: Said::new(text, Reading::Loose),
        }
    }
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

impl Move {
    fn new((action, text): (TermId, String)) -> Move {
        Move {
            words: words(&text),
            literal: Spelling::new(&text, Reading::Literal),
            loose: Spelling::new(&text, Reading::Loose),
            action,
            text,
        }
    }

    fn fit(&self, said: &Text) -> Option<Fit> {
        match self.words.split_first() {
            _ if self.words == said.words => Some(Fit::Words),
            Some((_, rest)) if !rest.is_empty() && *rest == said.words => Some(Fit::Arguments),
            _ => self
                .literal
                .fit(&said.literal)
                .max(self.loose.fit(&said.loose)),
        }
    }

    fn begins(&self, said: &Text) -> Option<Start> {
        let literal = self.literal.begins(&said.literal);
        literal.or_else(|| self.loose.begins(&said.loose))
    }

    fn contains(&self, said: &Text) -> bool {
        self.literal.contains(&said.literal) || self.loose.contains(&said.loose)
    }
}

impl Moves {
    pub(crate) fn new(legal: impl Iterator<Item = (TermId, String)>) -> Moves {
        let mut moves: Vec<Move> = legal.map(Move::new).collect();
        moves.sort_by(|a, b| in_order(&a.words, &b.words).then_with(|| a.text.cmp(&b.text)));
        let longest = digits(moves.len());
        let mut numbers = moves.iter().filter_map(|it| it.loose.digits());
        let numbered = !numbers.any(|digits| digits <= longest);
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

    /// Whether the list has numbers.
    pub(crate) fn is_numbered(&self) -> bool {
        self.numbered
    }

    /// The move whose number or whole text this is.
    pub(crate) fn named(&self, text: &str) -> Option<TermId> {
        if let (true, Ok(number)) = (self.numbered, text.parse::<usize>())
            && let Some(listed) = number.checked_sub(1).and_then(|it| self.moves.get(it))
        {
            return Some(listed.action);
        }
        let spelt = self.moves.iter().find(|it| it.text == text);
        let said = Text::new(text);
        let best = self.moves.iter().filter_map(|it| it.fit(&said)).max();
        let best = best.filter(|&fit| fit >= Fit::Whole);
        let mut same = best.into_iter().flat_map(|fit| self.fitting(&said, fit));
        let only = same.next().filter(|_| same.next().is_none());
        spelt.or(only).map(|it| it.action)
    }

    /// The moves that a text spells, fully or in part.
    pub(crate) fn spelt(&self, text: &str, width: usize) -> Found {
        let said = Text::new(text);
        let best = self.moves.iter().filter_map(|it| it.fit(&said)).max();
        // What looks like a number of the list is not the beginning of something else.
        let is_number = self.numbered && text.bytes().all(|it| it.is_ascii_digit());
        let Some(best) = best.filter(|&fit| fit > Fit::Part || !is_number) else {
            return Found::Nothing;
        };
        let mut found = self.fitting(&said, best);
        match (found.next(), found.next()) {
            (Some(one), None) => Found::One(one.action),
            _ => Found::Several(self.columns(width, |it| it.fit(&said) == Some(best))),
        }
    }

    fn fitting(&self, said: &Text, fit: Fit) -> impl Iterator<Item = &Move> {
        let moves = self.moves.iter();
        moves.filter(move |it| it.fit(said) == Some(fit))
    }

    /// All moves that have a text in them, in columns.
    pub(crate) fn list(&self, text: &str, width: usize) -> String {
        let wanted = words(text).join(" ");
        let said = Text::new(text);
        self.columns(width, |it| {
            it.words.join(" ").contains(&wanted) || it.contains(&said)
        })
    }

    /// What a line may become, in the way it was begun.
    pub(crate) fn completions(&self, line: &str) -> Vec<String> {
        let said = Text::new(line);
        let begun = self.moves.iter();
        let begun: Vec<(&Move, Start)> = begun
            .filter_map(|it| Some((it, it.begins(&said)?)))
            .collect();
        // A move that is named goes before one whose name is left out.
        let start = match begun.iter().any(|(_, start)| *start == Start::Name) {
            true => Start::Name,
            false => Start::Arguments,
        };
        let begun = begun.into_iter().filter(|(_, it)| *it == start);
        let begun: Vec<&Move> = begun.map(|(it, _)| it).collect();
        let text = |it: &&Move| match start {
            Start::Name if line.starts_with('(') => it.text.clone(),
            Start::Name => bare(&it.text).to_string(),
            Start::Arguments => nameless(it, &begun, line),
        };
        begun.iter().map(text).collect()
    }

    fn columns(&self, width: usize, wanted: impl Fn(&Move) -> bool) -> String {
        let digits = digits(self.moves.len());
        let numbered = (1..).zip(&self.moves).filter(|(_, it)| wanted(it));
        let cell = |(number, it): (usize, &Move)| match self.numbered {
            true => format!("{number:>digits$}  {}", it.text),
            false => it.text.clone(),
        };
        columns(&numbered.map(cell).collect::<Vec<_>>(), width)
    }
}

/// The words of a text, in small letters.
pub(super) fn words(text: &str) -> Vec<String> {
    let is_between = |it: char| it.is_whitespace() || matches!(it, '(' | ')' | ',');
    let words = text.split(is_between).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// A move without the parentheses around it.
fn bare(text: &str) -> &str {
    let inside = text.strip_prefix('(').and_then(|it| it.strip_suffix(')'));
    inside.unwrap_or(text)
}

/// A move without its name: without gaps if the line has none and that is clear, as in `e2e4`.
fn nameless(it: &Move, begun: &[&Move], line: &str) -> String {
    let compact = it.literal.compact();
    let same = begun
        .iter()
        .filter(|other| other.literal.compact() == compact);
    match line.contains([' ', ',', '-']) || same.count() > 1 {
        true => it.words[1..].join(" "),
        false => compact.to_string(),
    }
}

/// How many digits a number has.
fn digits(number: usize) -> usize {
    number.to_string().len()
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
