//! Messages of a manager, in both dialects.
//!
//! [`peek`] reads the first words alone, as the rest may be megabytes; the other readers take the
//! whole message. Kinds of messages may be in any case.

use game::{Scratch, TermId};
use std::time::Duration;

/// The kind of a message.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum MessageKind {
    Info,
    Ping,
    Preview,
    Start,
    Play,
    Stop,
    Abort,
}

const KINDS: &[(&str, MessageKind)] = &[
    ("info", MessageKind::Info),
    ("ping", MessageKind::Ping),
    ("preview", MessageKind::Preview),
    ("start", MessageKind::Start),
    ("play", MessageKind::Play),
    ("stop", MessageKind::Stop),
    ("abort", MessageKind::Abort),
];

/// The kind of a message, and the match it is about, if it names one.
pub(crate) fn peek(message: &str) -> Option<(MessageKind, Option<&str>)> {
    let inside = message.trim_start();
    let inside = inside.strip_prefix('(').unwrap_or(inside);
    let is_end = |it: char| it.is_whitespace() || it == '(' || it == ')';
    let mut words = inside.split(is_end).filter(|word| !word.is_empty());
    let first = words.next()?;
    let kind = KINDS
        .iter()
        .find(|(name, _)| first.eq_ignore_ascii_case(name))?;
    Some((kind.1, words.next()))
}

/// A message to start a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start<'m> {
    pub(crate) role: &'m str,
    /// The text of the rules.
    pub(crate) rules: &'m str,
    pub(crate) start_clock: Duration,
    pub(crate) play_clock: Duration,
}

/// The last turn, as a PLAY or STOP message has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Turn {
    /// The joint move or the percepts; none before the first turn.
    pub(crate) told: Option<Vec<String>>,
    /// The player's own move, in the later form of GDL-II.
    pub(crate) own: Option<String>,
}

/// The elements of a list, each a word or a list; none if the text is not a closed list. The rules
/// inside a message are one element; the reader of rules reads them later.
pub(crate) fn parts(text: &str) -> Option<Vec<&str>> {
    let inside = text.trim().strip_prefix('(')?;
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, None);
    for (place, symbol) in inside.char_indices() {
        let is_blank = symbol.is_whitespace();
        let ends = depth == 0 && (is_blank || symbol == '(' || symbol == ')');
        if let Some(from) = start.filter(|_| ends) {
            parts.push(&inside[from..place]);
            start = None;
        }
        match symbol {
            ')' if depth == 0 => return Some(parts),
            ')' => {
                depth -= 1;
                if let Some(from) = start.filter(|_| depth == 0) {
                    parts.push(&inside[from..=place]);
                    start = None;
                }
            }
            '(' => {
                start = start.or(Some(place));
                depth += 1;
            }
            _ if !is_blank => start = start.or(Some(place)),
            _ => {}
        }
    }
    None
}

/// Reads a START message; none if it is malformed.
pub(crate) fn start(message: &str) -> Option<Start<'_>> {
    let parts = parts(message)?;
    let [_, _, role, rules, start, play, ..] = parts[..] else {
        return None;
    };
    let clock = |text: &str| Duration::try_from_secs_f64(text.parse().ok()?).ok();
    let inside = rules.strip_prefix('(')?.strip_suffix(')')?;
    Some(Start {
        role,
        rules: inside,
        start_clock: clock(start)?,
        play_clock: clock(play)?,
    })
}

/// Reads a PLAY or STOP message; none if it is malformed.
pub(crate) fn turn(message: &str) -> Option<Turn> {
    let list = |text: &str| {
        let parts = parts(text)?;
        Some(parts.into_iter().map(words).collect())
    };
    match parts(message)?[..] {
        [_, _, told] => Some(Turn {
            told: list(told),
            own: None,
        }),
        [_, _, number, own, seen, ..] => {
            let is_first = number == "0";
            let is_nil = own.eq_ignore_ascii_case("nil");
            Some(Turn {
                told: match list(seen) {
                    _ if is_first => None,
                    None => Some(Vec::new()),
                    seen => seen,
                },
                own: (!is_first && !is_nil).then(|| words(own)),
            })
        }
        _ => None,
    }
}

/// A term with single blanks, as terms are compared.
pub(crate) fn words(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut blank = false;
    for symbol in text.trim().chars() {
        match symbol {
            _ if symbol.is_whitespace() => blank = true,
            ')' => {
                result.push(')');
                blank = false;
            }
            '(' => {
                if !result.is_empty() && !result.ends_with('(') {
                    result.push(' ');
                }
                result.push('(');
                blank = false;
            }
            _ => {
                let joins = result.is_empty() || result.ends_with('(');
                if !joins && (blank || result.ends_with(')')) {
                    result.push(' ');
                }
                result.push(symbol);
                blank = false;
            }
        }
    }
    result
}

/// A text on one line, as logs and records have it: cut if it is long.
pub(crate) fn shorten(text: &str) -> String {
    const SHOWN: usize = 200;
    let tame = |it: char| if it.is_control() { ' ' } else { it };
    cut(text, SHOWN).chars().map(tame).collect()
}

/// At most so many bytes of a text, and how many there were if that is not all.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_string();
    }
    let kept = &text[..text.floor_char_boundary(most)];
    format!("{kept}… ({} bytes)", text.len())
}

/// The term of a text, in any case and spacing.
pub(crate) fn find(scratch: &Scratch, terms: &[TermId], text: &str) -> Option<TermId> {
    let text = words(text);
    let same = |term: &&TermId| scratch.terms().text(**term).eq_ignore_ascii_case(&text);
    terms.iter().find(same).copied()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn kinds_are_told_in_any_case_and_spacing() {
        assert_eq!(peek("( INFO )"), Some((MessageKind::Info, None)));
        assert_eq!(peek("(info)"), Some((MessageKind::Info, None)));
        assert_eq!(
            peek(" \n(  Play\tm.1 NIL)"),
            Some((MessageKind::Play, Some("m.1")))
        );
        assert_eq!(
            peek("(START M1 WHITE((ROLE"),
            Some((MessageKind::Start, Some("M1")))
        );
        assert_eq!(peek("(ping)"), Some((MessageKind::Ping, None)));
        assert_eq!(peek("hello"), None);
        assert_eq!(peek(""), None);
    }

    #[test]
    fn a_start_has_a_role_rules_and_clocks() {
        let wanted = Start {
            role: "WHITE",
            rules: "(ROLE WHITE)(<= (A 1)(B))",
            start_clock: Duration::from_secs(30),
            play_clock: Duration::from_secs(5),
        };
        let text = "(START M1 WHITE((ROLE WHITE)(<= (A 1)(B)))30 5)";
        assert_eq!(start(text).unwrap(), wanted);
        let text = "( start  M1 WHITE ((ROLE WHITE)(<= (A 1)(B))) 30 5 more )";
        assert_eq!(start(text).unwrap(), wanted);
        assert!(start("(START M1 WHITE ((<= (a) (b))) 30 5").is_none());
        assert!(start("(START M1 WHITE)").is_none());
        assert!(start("(START M1 WHITE ((ROLE WHITE)) x 5)").is_none());
        assert!(start("(START M1 WHITE ((ROLE WHITE)) -1 5)").is_none());
        assert!(start("(START M1 WHITE nil 1 5)").is_none());
    }

    #[test]
    fn turns_come_in_three_forms() {
        let told = |text: &str| turn(text).unwrap();
        assert_eq!(told("(PLAY m NIL)"), Turn::default());
        assert_eq!(
            told("(PLAY m ((mark 1 1)noop))").told.unwrap(),
            ["(mark 1 1)", "noop"]
        );
        let first = told("(PLAY m 0 NIL NIL)");
        assert!(first.told.is_none() && first.own.is_none());
        let later = told("( PLAY m 3 ( mark  1 1 ) ((see a) b) )");
        assert_eq!(later.own.unwrap(), "(mark 1 1)");
        assert_eq!(later.told.unwrap(), ["(see a)", "b"]);
        let nothing = told("(PLAY m 3 noop NIL)");
        assert_eq!(nothing.told.unwrap(), Vec::<String>::new());
        assert!(turn("(PLAY)").is_none());
    }

    #[test]
    fn words_have_one_blank_between_them() {
        assert_eq!(words("( move  1(f a )b )"), "(move 1 (f a) b)");
        assert_eq!(words("  noop\n"), "noop");
        assert_eq!(words(""), "");
    }

    proptest! {
        #[test]
        fn nothing_that_is_said_breaks_the_reader(text in "[()a-zé?; \\n\"0-9-]{0,60}") {
            let _ = (peek(&text), start(&text), turn(&text), parts(&text));
            let once = words(&text);
            prop_assert_eq!(words(&once), once);
        }

        #[test]
        fn a_term_is_read_back_however_it_is_spaced(names in vec("[a-z0-9]{1,4}", 1..6), gap in "[ \\t\\n]{1,3}") {
            let tight = format!("({} ({}))", names.join(" "), names.join(" "));
            let loose = tight.replace('(', &format!("{gap}({gap}")).replace(')', &format!("{gap}){gap}"));
            prop_assert_eq!(words(&loose), tight);
        }
    }
}
