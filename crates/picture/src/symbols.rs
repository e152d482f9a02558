//! Pieces as one or two characters, different for every piece of a game.

use std::collections::{BTreeMap, BTreeSet};

/// An empty square.
pub(super) const BLANK: &str = "·";
/// What a fluent that names a square and no piece puts there.
const MARK: &str = "■";
/// What rules call an empty square, the surest name first.
const BLANKS: [&str; 5] = ["blank", "empty", "none", "_", "b"];
/// Kinds of chessmen, white and black.
const CHESS: [(&str, [&str; 2]); 12] = [
    ("p", ["♙", "♟"]),
    ("n", ["♘", "♞"]),
    ("b", ["♗", "♝"]),
    ("r", ["♖", "♜"]),
    ("q", ["♕", "♛"]),
    ("k", ["♔", "♚"]),
    ("pawn", ["♙", "♟"]),
    ("knight", ["♘", "♞"]),
    ("bishop", ["♗", "♝"]),
    ("rook", ["♖", "♜"]),
    ("queen", ["♕", "♛"]),
    ("king", ["♔", "♚"]),
];

/// What symbols are made of where no name helps.
const ANY: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

#[derive(Debug)]
pub(super) struct Symbols {
    by_piece: BTreeMap<String, String>,
    taken: BTreeSet<String>,
    /// The pieces whose symbols were made up.
    obscure: BTreeSet<String>,
}

impl Symbols {
    /// Symbols for all pieces of a game. A piece may be left without, if there are thousands.
    pub(super) fn new(pieces: &BTreeSet<String>) -> Symbols {
        let mut symbols = Symbols {
            by_piece: BTreeMap::new(),
            taken: BTreeSet::new(),
            obscure: BTreeSet::new(),
        };
        let blank = BLANKS.iter().find(|blank| is_blank(blank, pieces));
        symbols.give(pieces, |piece| {
            (blank == Some(&piece)).then(|| BLANK.to_string())
        });
        symbols.give(pieces, colour);
        let chess = has_both_sides(pieces);
        symbols.give(pieces, |piece| natural_chessman(piece).filter(|_| chess));
        symbols.give(pieces, |piece| {
            (piece.chars().count() <= 2).then(|| piece.to_string())
        });
        symbols.obscure = symbols.missing(pieces);
        for length in [1, 2] {
            symbols.give(pieces, |piece| prefix(piece, length));
        }
        symbols.make_up(pieces);
        symbols
    }

    /// Gives those pieces symbols for which nobody else has or wants the same.
    fn give(&mut self, pieces: &BTreeSet<String>, wish: impl Fn(&str) -> Option<String>) {
        let mut wishes: BTreeMap<String, Vec<&String>> = BTreeMap::new();
        for piece in pieces
            .iter()
            .filter(|piece| !self.by_piece.contains_key(*piece))
        {
            if let Some(symbol) = wish(piece) {
                wishes.entry(symbol).or_default().push(piece);
            }
        }
        for (symbol, wishing) in wishes {
            if let [piece] = wishing[..]
                && !self.is_taken(&symbol)
            {
                self.insert(piece.clone(), symbol);
            }
        }
    }

    /// Gives all others whatever is free.
    fn make_up(&mut self, pieces: &BTreeSet<String>) {
        let mut any = ANY
            .chars()
            .flat_map(|first| ANY.chars().map(move |second| format!("{first}{second}")));
        for piece in self.missing(pieces) {
            let mut own = likely(&piece).into_iter();
            let own = own.find(|symbol| !self.is_taken(symbol));
            if let Some(symbol) = own.or_else(|| any.find(|symbol| !self.is_taken(symbol))) {
                self.insert(piece, symbol);
            }
        }
    }

    fn insert(&mut self, piece: String, symbol: String) {
        self.taken.insert(symbol.clone());
        self.by_piece.insert(piece, symbol);
    }

    fn missing(&self, pieces: &BTreeSet<String>) -> BTreeSet<String> {
        let missing = pieces
            .iter()
            .filter(|piece| !self.by_piece.contains_key(*piece));
        missing.cloned().collect()
    }

    fn is_taken(&self, symbol: &str) -> bool {
        self.taken.contains(symbol)
    }

    pub(super) fn of(&self, piece: &str) -> Option<&str> {
        self.by_piece.get(piece).map(String::as_str)
    }

    /// How wide the widest symbol is.
    pub(super) fn width(&self) -> usize {
        let widths = self.by_piece.values().map(|symbol| symbol.chars().count());
        widths.max().unwrap_or_default()
    }

    /// What those symbols mean that do not say it themselves.
    pub(super) fn legend(&self, shown: &BTreeSet<&String>) -> Vec<String> {
        let obscure = shown.iter().filter(|piece| self.obscure.contains(**piece));
        let entries = obscure.filter_map(|piece| Some(format!("{} {piece}", self.of(piece)?)));
        entries.collect()
    }
}

/// Whether a name stands for emptiness in a game.
fn is_blank(name: &str, pieces: &BTreeSet<String>) -> bool {
    pieces.contains(name) && !(name == "b" && is_colour(pieces))
}

/// Whether `b` is black or blue: the other pieces are white, or red, or open squares.
fn is_colour(pieces: &BTreeSet<String>) -> bool {
    let against = |other: &&str| {
        let mut pieces = pieces.iter();
        pieces.all(|it| it == "o" || it.starts_with('b') || it.starts_with(other))
    };
    let others = ["w", "r"].into_iter().filter(|it| pieces.contains(*it));
    others.filter(against).count() > 0
}

/// The letter of a colour, or the mark of a square.
fn colour(piece: &str) -> Option<String> {
    let symbol = match piece {
        "" => MARK,
        "white" => "W",
        "black" => "B",
        "red" => "R",
        _ => return None,
    };
    Some(symbol.to_string())
}

/// Whether some pieces look like white chessmen and some like black ones; `wk` alone may be
/// the king of the west.
fn has_both_sides(pieces: &BTreeSet<String>) -> bool {
    let men = || pieces.iter().filter(|it| natural_chessman(it).is_some());
    ["w", "b"]
        .iter()
        .all(|side| men().any(|it| it.to_lowercase().starts_with(side)))
}

fn natural_chessman(piece: &str) -> Option<String> {
    let glyph = chessman(&piece.to_lowercase()).map(ToString::to_string);
    glyph.or_else(|| named_chessman(piece))
}

/// The glyph of a chessman with a name of its own: `wpa` is the white pawn that began on a.
fn named_chessman(piece: &str) -> Option<String> {
    let (kind, name) = piece.split_at_checked(2)?;
    let glyph = chessman(kind).filter(|_| name.chars().count() == 1)?;
    Some(format!("{glyph}{name}"))
}

/// The glyph of `wk`, `whiteking`, `white king`.
fn chessman(piece: &str) -> Option<&'static str> {
    let colours = [("white", 0), ("black", 1), ("w", 0), ("b", 1)];
    colours.iter().find_map(|(colour, number)| {
        let kind = piece
            .strip_prefix(colour)?
            .trim_start_matches([' ', '_', '-']);
        let (_, glyphs) = CHESS.iter().find(|(name, _)| *name == kind)?;
        Some(glyphs[*number])
    })
}

/// The first letters and digits of a piece.
fn prefix(piece: &str, length: usize) -> Option<String> {
    let characters = piece.chars().filter(|it| it.is_alphanumeric());
    let prefix: String = characters.take(length).collect();
    (!prefix.is_empty()).then_some(prefix)
}

/// Symbols for a piece, the likeliest first: its first character with the beginning of another
/// word of it, with a capital or digit, with its last character, with any.
fn likely(piece: &str) -> Vec<String> {
    let characters: Vec<char> = piece.chars().filter(|it| it.is_alphanumeric()).collect();
    let Some((&first, others)) = characters.split_first() else {
        return Vec::new();
    };
    let words = piece.split([' ', '_', '-', '(']).skip(1);
    let words = words.filter_map(|word| word.chars().next());
    let striking = |it: &char| it.is_uppercase() || it.is_ascii_digit();
    let capitals = others.iter().copied().filter(striking);
    let any = others.iter().rev().take(1).chain(others).copied();
    let seconds = words.chain(capitals).chain(any).chain(ANY.chars());
    let seconds = seconds.filter(|it| it.is_alphanumeric());
    seconds.map(|second| format!("{first}{second}")).collect()
}
