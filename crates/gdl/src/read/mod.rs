//! Text → tree, from prefix or infix.
//!
//! Both readers run in linear time without recursion, go on after an error, and feed
//! the same [`Builder`].

mod infix;
mod parts;
mod prefix;
mod tokens;

use crate::catalogue::{Lint, names, reading};
use crate::diagnostic::{Findings, Label};
use crate::source::{Source, Span, shorten};
use crate::symbols::{Symbol, Symbols};
use crate::tree::{Cell, Comment, Tree};

/// How rules are written.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// `(<= (legal ?p noop) (role ?p))`
    #[default]
    Prefix,
    /// `legal(P, noop) :- role(P).`
    Infix,
}

/// Limits of reading a rule sheet.
#[derive(Copy, Clone, Debug)]
pub struct ReadLimits {
    /// How deep forms may nest, at most [`ReadLimits::MAX_DEPTH`].
    pub depth: usize,
    /// How many names and parentheses one clause may have.
    pub clause: usize,
    /// How many findings of one check are kept; the others are only counted.
    pub reports: usize,
}

impl ReadLimits {
    /// Later stages recurse over terms; this depth is safe for all of them.
    pub const MAX_DEPTH: usize = 2000;
}

impl Default for ReadLimits {
    fn default() -> ReadLimits {
        ReadLimits {
            depth: 1000,
            clause: 1_000_000,
            reports: 100,
        }
    }
}

/// Reads a rule sheet. Without a syntax, it is detected. Problems stay in the tree until
/// [`crate::check()`] reports them.
pub fn read(source: Source, syntax: Option<Syntax>, limits: &ReadLimits) -> Tree {
    let syntax = syntax.unwrap_or_else(|| detect(source.text()));
    let mut builder = Builder::new(&source, limits);
    match syntax {
        Syntax::Prefix => prefix::read(&mut builder),
        Syntax::Infix => infix::read(&mut builder),
    }
    builder.report_invalid_bytes();
    let Builder {
        symbols,
        cells,
        comments,
        findings,
        ..
    } = builder;
    let tree = Tree {
        source,
        syntax,
        symbols,
        cells,
        comments,
        findings,
    };
    debug_assert!(tree.is_valid());
    tree
}

/// Detects the syntax by the first character that is neither blank nor in a prefix comment.
fn detect(text: &str) -> Syntax {
    let mut rest = text.trim_start_matches(is_blank);
    while rest.starts_with(';') {
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        rest = rest[end..].trim_start_matches(is_blank);
    }
    if rest.starts_with('%') {
        return Syntax::Infix;
    }
    let name = rest.find(|c: char| is_blank(c) || "();.:←<,%".contains(c));
    let Some(name) = name.filter(|&length| length > 0) else {
        return Syntax::Prefix;
    };
    let after = rest[name..].trim_start_matches([' ', '\t']);
    let call = rest[name..].starts_with(['(', '.']);
    let arrow = [":-", "<=", "←"].iter().any(|mark| after.starts_with(mark));
    if call || arrow {
        Syntax::Infix
    } else {
        Syntax::Prefix
    }
}

/// Unicode white space, byte order marks and zero-width characters.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}' || c == '\u{200b}'
}

/// The tree while it is built, by either reader.
struct Builder<'s> {
    source: &'s Source,
    limits: ReadLimits,
    symbols: Symbols,
    cells: Vec<Cell>,
    comments: Vec<Comment>,
    findings: Findings,
}

impl<'s> Builder<'s> {
    fn new(source: &'s Source, limits: &ReadLimits) -> Builder<'s> {
        let depth = limits.depth.min(ReadLimits::MAX_DEPTH);
        Builder {
            source,
            limits: ReadLimits { depth, ..*limits },
            symbols: Symbols::default(),
            cells: Vec::new(),
            comments: Vec::new(),
            findings: Findings::new(limits.reports),
        }
    }

    fn text(&self) -> &'s str {
        self.source.text()
    }

    /// Interns a name that stands at `span`.
    fn name(&mut self, text: &str, span: Span) -> Symbol {
        let control = |c: char| c.is_control();
        if text.contains(control) && !self.is_invalid(span) {
            self.findings.add(&reading::CONTROL_CHARACTER, span, || {
                (
                    format!("`{}` holds a control character", shorten(text)),
                    "remove it; if the whole file looks so, it is damaged or not text".into(),
                )
            });
        }
        self.symbols.intern(text)
    }

    /// Records the comment from `start` to the end of its line; returns that end.
    fn comment(&mut self, start: usize) -> usize {
        let text = self.text();
        let length = text[start..].find(['\n', '\r']);
        let end = length.map_or(text.len(), |n| start + n);
        let before = text[..start].trim_end_matches([' ', '\t']);
        let own_line = before.is_empty() || before.ends_with(['\n', '\r', '\u{feff}']);
        let span = Span::new(start, start + text[start..end].trim_end().len());
        self.comments.push(Comment { span, own_line });
        end
    }

    /// Reports a blank at `at` that is not ASCII, if there is one. Returns its length.
    fn odd_blank(&mut self, at: usize) -> Option<usize> {
        let blank = self.text()[at..].chars().next().filter(|&c| is_blank(c))?;
        let length = blank.len_utf8();
        if at > 0 || blank != '\u{feff}' {
            let span = Span::new(at, at + length);
            self.findings.add(&names::UNUSUAL_CHARACTER, span, || {
                (
                    format!("an unusual blank (U+{:04X})", u32::from(blank)),
                    "write an ordinary space".into(),
                )
            });
        }
        Some(length)
    }

    fn report(&mut self, lint: &'static Lint, span: Span, message: String, help: &str) {
        self.findings.add(lint, span, || (message, help.into()));
    }

    fn report_with(&mut self, lint: &'static Lint, span: Span, label: Label, text: [String; 2]) {
        let [message, help] = text;
        self.findings
            .add_with(lint, span, vec![label], || (message, help));
    }

    /// Whether any byte of the span was not UTF-8.
    fn is_invalid(&self, span: Span) -> bool {
        let invalid = self.source.invalid();
        let next = invalid.partition_point(|other| other.end <= span.start);
        invalid
            .get(next)
            .is_some_and(|other| other.start < span.end)
    }

    fn report_invalid_bytes(&mut self) {
        let utf_16 = self.source.invalid().first() == Some(&Span { start: 0, end: 2 });
        for &span in self.source.invalid() {
            let next = (self.comments).partition_point(|comment| comment.span.end <= span.start);
            let comment = self.comments.get(next);
            if comment.is_some_and(|comment| comment.span.start < span.start) {
                self.findings.add(&reading::NOT_UTF_8_COMMENT, span, || {
                    (
                        "this comment is not UTF-8".into(),
                        "save the file as UTF-8".into(),
                    )
                });
                continue;
            }
            self.findings.add(&reading::NOT_UTF_8, span, || {
                let help = if utf_16 {
                    "it looks like UTF-16: save the file as UTF-8"
                } else {
                    "save the file as UTF-8"
                };
                ("the file is not UTF-8 here".into(), help.into())
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_tells_the_syntax() {
        for prefix in [
            "",
            "(role x)",
            "; c\n\n(role x)",
            "terminal (role x)",
            "a b",
            "\u{feff}(a",
        ] {
            assert_eq!(detect(prefix), Syntax::Prefix, "{prefix:?}");
        }
        for infix in [
            "role(x).",
            "% c",
            "terminal :- a.",
            "won.",
            "p ← q.",
            "p <= q",
            "'X'(a).",
        ] {
            assert_eq!(detect(infix), Syntax::Infix, "{infix:?}");
        }
    }
}
