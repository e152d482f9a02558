//! The tokens of the infix form.

use super::Builder;
use crate::catalogue::reading;
use crate::source::Span;
use std::borrow::Cow;

/// One token of the infix form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'s> {
    /// A name or variable, spelt as in prefix; anonymous `_` is empty.
    Name(Cow<'s, str>),
    Open,
    Close,
    Comma,
    And,
    Or,
    Not,
    Arrow,
    Stop,
    /// A name without its closing quote; it was reported.
    Broken,
    /// A character that begins no token.
    Odd(char),
}

/// Takes the next token, its span, and whether it is the first on its line.
pub(super) fn next<'s>(
    builder: &mut Builder<'s>,
    at: &mut usize,
) -> Option<(Token<'s>, Span, bool)> {
    let text = builder.text();
    let mut first = *at == 0;
    loop {
        let rest = &text[*at..];
        let c = rest.chars().next()?;
        if c == '%' {
            *at = builder.comment(*at);
        } else if matches!(c, '\n' | '\r') {
            first = true;
            *at += 1;
        } else if c.is_ascii_whitespace() || c == '\u{b}' {
            *at += 1;
        } else if let Some(length) = (!c.is_ascii()).then(|| builder.odd_blank(*at)).flatten() {
            *at += length;
        } else {
            let start = *at;
            let (token, length) = token(builder, start, c);
            *at = start + length;
            return Some((token, Span::new(start, start + length), first));
        }
    }
}

fn token<'s>(builder: &mut Builder<'s>, start: usize, c: char) -> (Token<'s>, usize) {
    let rest = &builder.text()[start..];
    for (mark, token) in [
        (":-", Token::Arrow),
        ("<=", Token::Arrow),
        ("←", Token::Arrow),
        ("(", Token::Open),
        (")", Token::Close),
        (",", Token::Comma),
        ("&", Token::And),
        ("∧", Token::And),
        ("|", Token::Or),
        (";", Token::Or),
        ("∨", Token::Or),
        ("~", Token::Not),
        ("¬", Token::Not),
        (".", Token::Stop),
    ] {
        if rest.starts_with(mark) {
            return (token, mark.len());
        }
    }
    match c {
        '\'' => quoted(builder, start, ""),
        '?' if rest[1..].starts_with('\'') => quoted(builder, start, "?"),
        '?' => {
            let length = 1 + word_length(&rest[1..]);
            (Token::Name(Cow::Borrowed(&rest[..length])), length)
        }
        '-' if rest[1..].starts_with(|c: char| c.is_ascii_digit()) => {
            let length = 1 + word_length(&rest[1..]);
            (Token::Name(Cow::Borrowed(&rest[..length])), length)
        }
        c if c.is_alphanumeric() || c == '_' => {
            let length = word_length(rest);
            (Token::Name(spelt(&rest[..length])), length)
        }
        c => (Token::Odd(c), c.len_utf8()),
    }
}

fn word_length(text: &str) -> usize {
    text.find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len())
}

/// A bare word as prefix spells it: `Row` is `?row`, `_Row` is `?Row`, `row` is `row`.
fn spelt(word: &str) -> Cow<'_, str> {
    let first = word.chars().next().expect("a word is not empty");
    if word == "_" {
        Cow::Borrowed("")
    } else if first == '_' {
        Cow::Owned(format!("?{}", &word[1..]))
    } else if first.is_ascii_uppercase() {
        Cow::Owned(format!("?{}{}", first.to_ascii_lowercase(), &word[1..]))
    } else if first.is_uppercase() {
        Cow::Owned(format!("?{word}"))
    } else {
        Cow::Borrowed(word)
    }
}

/// A name in quotes, with `\'` and `\\`; `mark` is `?` for a variable.
fn quoted<'s>(builder: &mut Builder<'s>, start: usize, mark: &str) -> (Token<'s>, usize) {
    let rest = &builder.text()[start..];
    let mut name = mark.to_string();
    let mut chars = rest.char_indices().skip(1 + mark.len());
    while let Some((at, c)) = chars.next() {
        match c {
            '\n' | '\r' => return unclosed_quote(builder, start, at),
            '\'' => {
                let length = at + 1;
                let span = Span::new(start, start + length);
                check_quoted(builder, &name, mark, span);
                return (Token::Name(Cow::Owned(name)), length);
            }
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            c => name.push(c),
        }
    }
    unclosed_quote(builder, start, rest.len())
}

fn unclosed_quote<'s>(
    builder: &mut Builder<'s>,
    start: usize,
    length: usize,
) -> (Token<'s>, usize) {
    let span = Span::new(start, start + 1);
    builder.report(
        &reading::UNCLOSED_QUOTE,
        span,
        "this quoted name does not end on its line".into(),
        "close it with `'`",
    );
    (Token::Broken, length)
}

/// Reports a quoted name that prefix cannot write.
fn check_quoted(builder: &mut Builder<'_>, name: &str, mark: &str, span: Span) {
    let odd = |c: char| super::is_blank(c) || matches!(c, '(' | ')' | ';');
    let bare = &name[mark.len()..];
    let message = if bare.is_empty() {
        "a name cannot be empty"
    } else if bare.contains(odd) {
        "a name cannot hold blanks, parentheses or `;`"
    } else if name == "<=" {
        "`<=` cannot be a name"
    } else if mark.is_empty() && bare.starts_with('?') {
        "a name cannot start with `?`, the mark of variables in prefix"
    } else {
        return;
    };
    let help = "choose another name; the prefix form could not write this one";
    builder.report(&reading::UNEXPECTED_TOKEN, span, message.into(), help);
}
