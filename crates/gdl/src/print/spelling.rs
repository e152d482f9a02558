//! How a name is written in each syntax.
//!
//! Prefix writes names as they are. In infix a variable `?row` is `Row`, `?Row` and `?1`
//! are `_Row` and `_1`, and any other variable is quoted: `?'n++'`. A constant is bare if
//! it starts like one, else quoted: `'Xplayer'`.

use crate::read::Syntax;
use std::borrow::Cow;

/// A name of the tree as `syntax` writes it.
pub(crate) fn spell(name: &str, syntax: Syntax) -> Cow<'_, str> {
    match (syntax, name.strip_prefix('?')) {
        (Syntax::Prefix, _) => Cow::Borrowed(name),
        (Syntax::Infix, Some(variable)) => spell_variable(variable),
        (Syntax::Infix, None) if is_bare(name) => Cow::Borrowed(name),
        (Syntax::Infix, None) => Cow::Owned(quote(name)),
    }
}

fn spell_variable(name: &str) -> Cow<'_, str> {
    if name.is_empty() {
        Cow::Borrowed("?")
    } else if !name.bytes().all(is_word) {
        Cow::Owned(format!("?{}", quote(name)))
    } else if name.starts_with(|c: char| c.is_ascii_lowercase()) {
        let (first, rest) = name.split_at(1);
        Cow::Owned(format!("{}{rest}", first.to_ascii_uppercase()))
    } else {
        Cow::Owned(format!("_{name}"))
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

fn is_bare(name: &str) -> bool {
    let number = name.strip_prefix('-');
    let number = number.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let starts_low = name.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit());
    (starts_low || number.is_some()) && number.unwrap_or(name).bytes().all(is_word)
}

fn quote(name: &str) -> String {
    let escaped = name.replace('\\', "\\\\").replace('\'', "\\'");
    format!("'{escaped}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn infix_spelling() {
        for (name, expected) in [
            ("?row", "Row"),
            ("?Row", "_Row"),
            ("?1", "_1"),
            ("?n++", "?'n++'"),
            ("?", "?"),
            ("xplayer", "xplayer"),
            ("8p", "8p"),
            ("-5", "-5"),
            ("-", "'-'"),
            ("Xplayer", "'Xplayer'"),
            ("it's", "'it\\'s'"),
        ] {
            assert_eq!(spell(name, Syntax::Infix), expected);
            assert_eq!(spell(name, Syntax::Prefix), name);
        }
    }
}
