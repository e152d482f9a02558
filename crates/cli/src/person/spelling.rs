//! Whether a text spells a move, in full or in part.
//!
//! Letters count, whatever their case; what stands between words need not be said, but where the
//! text has a gap, the move has to have one too: `e2e4`, `e2-e4` and `e 2 e 4` spell
//! `(move e 2 e 4)`, and `1 12` spells `(go 1 12)` but not `(go 11 2)`. The name of a move with
//! arguments may be left out.

/// How words are told apart.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Reading {
    /// By blanks, parentheses and commas: every other sign belongs to its word.
    Literal,
    /// By every sign that is no letter and no digit, as in `e2-e4`.
    Loose,
}

/// How much of a move a text spells.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// Its beginning, with the name or without it, or some words at its end.
    Part,
    /// All but the name.
    Nameless,
    /// All but the name, word by word.
    Arguments,
    /// All of it.
    Whole,
    /// All of it, word by word.
    Words,
}

/// A move, to be compared with texts in one reading.
#[derive(Debug)]
pub(super) struct Spelling {
    joined: Joined,
    /// Where the name ends; 0 if nothing follows it.
    name: usize,
}

/// A text that somebody wrote, in one reading.
#[derive(Debug)]
pub(super) struct Said {
    joined: Joined,
    /// Whether the last word is complete, as something follows it.
    closed: bool,
}

/// Words without the gaps between them.
#[derive(Debug, Default)]
struct Joined {
    text: String,
    /// Where each word ends.
    ends: Vec<usize>,
}

impl Joined {
    fn new(words: impl Iterator<Item = String>) -> Joined {
        let mut joined = Joined::default();
        for word in words {
            joined.text += &word;
            joined.ends.push(joined.text.len());
        }
        joined
    }

    /// Whether a word starts here.
    fn starts_at(&self, place: usize) -> bool {
        place == 0 || self.ends.contains(&place)
    }
}

impl Spelling {
    pub(super) fn new(text: &str, reading: Reading) -> Spelling {
        let words = super::moves::words(text);
        let split = |word: &String| match reading {
            Reading::Literal => vec![word.clone()],
            Reading::Loose => loose(word),
        };
        let first = words.first().map(split).unwrap_or_default();
        let name = match words.len() {
            0 | 1 => 0,
            _ => first.iter().map(String::len).sum(),
        };
        let joined = Joined::new(words.iter().flat_map(split));
        Spelling { joined, name }
    }

    /// How much of the move a text spells, at best.
    pub(super) fn fit(&self, said: &Said) -> Option<Fit> {
        let text = &self.joined.text;
        let length = said.joined.text.len();
        if length == 0 {
            return None;
        }
        let is_whole = |start: usize| text.len() - start == length && self.has(said, start);
        if is_whole(0) {
            return Some(Fit::Whole);
        }
        if is_whole(self.name) {
            return Some(Fit::Nameless);
        }
        let end = text.len().checked_sub(length);
        let mut starts = [Some(0), Some(self.name), end].into_iter().flatten();
        starts
            .any(|start| self.has(said, start))
            .then_some(Fit::Part)
    }

    /// Whether the move has a text in it that starts with a word.
    pub(super) fn contains(&self, said: &Said) -> bool {
        (0..self.joined.text.len()).any(|start| self.has(said, start))
    }

    /// Whether a text begins so, the name left out or not.
    pub(super) fn begins(&self, said: &Said) -> Option<Start> {
        match (self.has(said, 0), self.has(said, self.name)) {
            (true, _) => Some(Start::Name),
            (false, true) => Some(Start::Arguments),
            _ => None,
        }
    }

    /// Whether the text stands here, from the start of a word and with gaps only between words.
    fn has(&self, said: &Said, start: usize) -> bool {
        let rest = self.joined.text.get(start..).unwrap_or_default();
        let (last, gaps) = match said.joined.ends.split_last() {
            Some((last, gaps)) => (Some(*last).filter(|_| said.closed), gaps),
            None => (None, &[][..]),
        };
        let mut gaps = gaps.iter().copied().chain(last);
        self.joined.starts_at(start)
            && rest.starts_with(&said.joined.text)
            && gaps.all(|gap| self.joined.ends.contains(&(start + gap)))
    }

    /// The number that the move reads as, the name left out or not: how many digits it has.
    pub(super) fn digits(&self) -> Option<usize> {
        let rest = &self.joined.text[self.name..];
        let is_number = rest.bytes().all(|it| it.is_ascii_digit());
        (is_number && !rest.is_empty()).then_some(rest.len())
    }

    /// The arguments without gaps.
    pub(super) fn compact(&self) -> &str {
        &self.joined.text[self.name..]
    }
}

/// Where in a move a text begins it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Name,
    Arguments,
}

impl Said {
    pub(super) fn new(text: &str, reading: Reading) -> Said {
        let words = super::moves::words(text);
        let split = |word: String| match reading {
            Reading::Literal => vec![word],
            Reading::Loose => pieces(&word),
        };
        Said {
            joined: Joined::new(words.into_iter().flat_map(split)),
            closed: text.ends_with([' ', ',', '-']),
        }
    }
}

/// A word of a move at its signs; a sign before a number belongs to it.
fn loose(word: &str) -> Vec<String> {
    let signed = |sign: char| {
        let number = word.strip_prefix(sign)?;
        number
            .starts_with(|it: char| it.is_ascii_digit())
            .then_some(sign)
    };
    let mut pieces = pieces(word);
    if let (Some(sign), Some(first)) = (signed('-').or(signed('+')), pieces.first_mut()) {
        first.insert(0, sign);
    }
    match pieces.is_empty() {
        true => vec![word.to_string()],
        false => pieces,
    }
}

/// A word at all its signs.
fn pieces(word: &str) -> Vec<String> {
    let pieces = word.split(|it: char| !it.is_alphanumeric());
    let pieces = pieces.filter(|piece| !piece.is_empty());
    pieces.map(str::to_string).collect()
}
