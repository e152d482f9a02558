//! The text of a rule sheet; converts byte offsets to lines and columns.
//!
//! Invariants: the text is at most [`Source::MAX_BYTES`] long, so every offset fits
//! in 32 bits; a byte that was not UTF-8 is replaced by one `\u{1a}`, so offsets into
//! the text are offsets into the file.

use std::ops::Range;
use std::sync::OnceLock;

/// A range of bytes in a [`Source`].
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        debug_assert!(start <= end && end <= Source::MAX_BYTES);
        Span {
            start: start as u32,
            end: end as u32,
        }
    }

    /// The span as a range that indexes the text.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A line and a column, both from 1; columns count characters.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

/// The text of one rule sheet.
#[derive(Debug, Default)]
pub struct Source {
    text: String,
    invalid: Vec<Span>,
    lines: OnceLock<Vec<u32>>,
    /// How many characters are before each block of [`BLOCK`] bytes.
    blocks: OnceLock<Vec<u32>>,
}

const BLOCK: usize = 1024;

impl Source {
    /// The longest text that can be read: offsets have 32 bits, and one is spare.
    pub const MAX_BYTES: usize = u32::MAX as usize / 2;

    /// Takes the bytes of a file. Bytes that are not UTF-8 are replaced, one for one,
    /// and remembered in [`Source::invalid`].
    ///
    /// # Panics
    /// If there are more than [`Source::MAX_BYTES`].
    pub fn from_bytes(mut bytes: Vec<u8>) -> Source {
        assert!(
            bytes.len() <= Source::MAX_BYTES,
            "text too long for a Source"
        );
        let mut invalid: Vec<Span> = Vec::new();
        let mut from = 0;
        while let Err(error) = std::str::from_utf8(&bytes[from..]) {
            let start = from + error.valid_up_to();
            let end = error.error_len().map_or(bytes.len(), |n| start + n);
            bytes[start..end].fill(0x1a);
            match invalid.last_mut() {
                Some(last) if last.end as usize == start => last.end = end as u32,
                _ => invalid.push(Span::new(start, end)),
            }
            from = end;
        }
        let text = String::from_utf8(bytes).expect("every invalid byte was replaced");
        Source {
            text,
            invalid,
            lines: OnceLock::new(),
            blocks: OnceLock::new(),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the file was not UTF-8, in order.
    pub fn invalid(&self) -> &[Span] {
        &self.invalid
    }

    /// The text of a span, shortened in the middle if it is long: for messages.
    pub fn excerpt(&self, span: Span) -> String {
        shorten(&self.text[span.range()])
    }

    /// Line and column of an offset.
    pub fn position(&self, offset: u32) -> LineColumn {
        let line = self.lines().partition_point(|&start| start <= offset);
        let start = self.lines()[line - 1] as usize;
        let column = self.characters_before(offset as usize) - self.characters_before(start) + 1;
        LineColumn { line, column }
    }

    fn characters_before(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let blocks = self.blocks.get_or_init(|| {
            let sum = |total: &mut u32, block: &[u8]| {
                let before = *total;
                *total += characters(block) as u32;
                Some(before)
            };
            // An empty block at the end is for the offset after the last byte.
            let blocks = bytes.chunks(BLOCK).chain(std::iter::once(&[][..]));
            blocks.scan(0, sum).collect()
        });
        let block = offset / BLOCK;
        blocks[block] as usize + characters(&bytes[block * BLOCK..offset])
    }

    /// The bytes of a line (counted from 1), without its end.
    pub fn line(&self, line: usize) -> Range<usize> {
        let lines = self.lines();
        let start = lines[line - 1] as usize;
        let end = lines.get(line).map_or(self.text.len(), |&n| n as usize);
        let text = self.text[start..end].trim_end_matches(['\n', '\r']);
        start..start + text.len()
    }

    fn lines(&self) -> &[u32] {
        self.lines.get_or_init(|| {
            let bytes = self.text.as_bytes();
            let ends_line = |&(at, byte): &(usize, &u8)| {
                *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
            };
            let ends = bytes.iter().enumerate().filter(ends_line);
            std::iter::once(0)
                .chain(ends.map(|(at, _)| at as u32 + 1))
                .collect()
        })
    }
}

/// How many characters start in these bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

impl From<&str> for Source {
    fn from(text: &str) -> Source {
        Source::from_bytes(text.as_bytes().to_vec())
    }
}

/// At most about forty characters of `text`, on one line.
pub(crate) fn shorten(text: &str) -> String {
    const KEEP: usize = 40;
    let mut short: String = text.chars().take(KEEP + 1).collect();
    if short.chars().count() > KEEP {
        short = short.chars().take(KEEP - 1).collect();
        short.push('…');
    }
    short.replace(|c: char| c.is_control(), "·")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_and_every_kind_of_line_end() {
        let source = Source::from("é(\r\nab\rc\n");
        let at = |offset| {
            let LineColumn { line, column } = source.position(offset);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 2));
        assert_eq!(at(5), (2, 1));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(10), (4, 1));
        assert_eq!(&source.text()[source.line(1)], "é(");
        assert_eq!(&source.text()[source.line(2)], "ab");
    }

    #[test]
    fn long_lines_are_counted_by_blocks() {
        let source = Source::from("é".repeat(3 * BLOCK).as_str());
        for offset in [0, 2, 1022, 1024, 2048, 6 * BLOCK - 2, 6 * BLOCK] {
            let place = source.position(offset as u32);
            assert_eq!((place.line, place.column), (1, offset / 2 + 1));
        }
    }

    #[test]
    fn invalid_bytes_are_replaced_one_for_one() {
        let source = Source::from_bytes(b"a\xff\xfeb\xc3".to_vec());
        assert_eq!(source.text(), "a\u{1a}\u{1a}b\u{1a}");
        assert_eq!(source.invalid(), [Span::new(1, 3), Span::new(4, 5)]);
    }
}
