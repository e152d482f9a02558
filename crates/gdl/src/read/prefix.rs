//! Prefix KIF: `;` comments, parentheses, and names that are any other run of
//! characters.
//!
//! A rule is never inside another form, so `(<=` below top level means that the form around
//! it was not closed: this is reported, the form is closed, and reading goes on.

use super::Builder;
use crate::catalogue::reading;
use crate::diagnostic::Label;
use crate::source::Span;
use crate::tree::Cell;

pub(super) fn read(builder: &mut Builder<'_>) {
    let mut reader = Prefix {
        builder,
        open: Vec::new(),
        skipped: 0,
        just_opened: None,
    };
    reader.forms();
}

struct Prefix<'b, 's> {
    builder: &'b mut Builder<'s>,
    /// Indices of the lists that are open, outermost first.
    open: Vec<u32>,
    /// How many parentheses are open beyond the depth limit.
    skipped: usize,
    /// Where the last parenthesis was opened, if nothing was read since.
    just_opened: Option<usize>,
}

impl Prefix<'_, '_> {
    fn forms(&mut self) {
        let text = self.builder.text();
        let bytes = text.as_bytes();
        let mut at = 0;
        while let Some(&byte) = bytes.get(at) {
            at = match byte {
                b' ' | b'\t'..=b'\r' => at + 1,
                b';' => self.builder.comment(at),
                b'(' => self.open_list(at),
                b')' => self.close_list(at),
                _ if !byte.is_ascii() => match self.builder.odd_blank(at) {
                    Some(length) => at + length,
                    None => self.name(at),
                },
                _ => self.name(at),
            };
        }
        self.close_all(text.len(), None);
    }

    fn name(&mut self, start: usize) -> usize {
        let text = self.builder.text();
        let length = text[start..]
            .find(|c: char| matches!(c, '(' | ')' | ';') || super::is_blank(c))
            .unwrap_or(text.len() - start);
        let end = start + length;
        let opened = self.just_opened.take();
        if let Some(at) = opened.filter(|_| &text[start..end] == "<=") {
            self.start_rule(at);
        }
        if self.skipped == 0 {
            let span = Span::new(start, end);
            let symbol = self.builder.name(&text[start..end], span);
            self.builder.cells.push(Cell::name(symbol, span));
        }
        end
    }

    fn open_list(&mut self, at: usize) -> usize {
        self.just_opened = Some(at);
        if self.open.len() < self.builder.limits.depth {
            self.open.push(self.builder.cells.len() as u32);
            let span = Span::new(at, at + 1);
            self.builder.cells.push(Cell::list(1, span));
            return at + 1;
        }
        if self.skipped == 0 {
            let limit = self.builder.limits.depth;
            self.builder.report(
                &reading::TOO_DEEP,
                Span::new(at, at + 1),
                format!("forms are nested more than {limit} deep here"),
                "what is nested deeper is skipped; `--max-depth` sets the limit",
            );
        }
        self.skipped += 1;
        at + 1
    }

    /// Starts the rule opened at `at`; below top level, the forms around it are reported and
    /// closed.
    fn start_rule(&mut self, at: usize) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if self.open.len() > 1 {
            self.open.pop();
            self.builder.cells.pop();
        } else {
            return;
        }
        self.close_all(at, Some(at));
        self.open_list(at);
        self.just_opened = None;
    }

    fn close_list(&mut self, at: usize) -> usize {
        self.just_opened = None;
        if self.skipped > 0 {
            self.skipped -= 1;
        } else if let Some(index) = self.open.pop() {
            self.finish(index, at + 1);
            if self.open.is_empty() {
                self.limit_size(index);
            }
        } else {
            self.builder.report(
                &reading::UNOPENED_PARENTHESIS,
                Span::new(at, at + 1),
                "this `)` closes nothing".into(),
                "remove it, or open the form it should close",
            );
        }
        at + 1
    }

    /// Closes all open lists at `end`, because the text ends or a rule starts.
    fn close_all(&mut self, end: usize, rule: Option<usize>) {
        let missing = self.open.len() + std::mem::take(&mut self.skipped);
        let Some(&outermost) = self.open.first() else {
            return;
        };
        let start = self.builder.cells[outermost as usize].span.start as usize;
        let span = Span::new(start, start + 1);
        let message = "this form is not closed".to_string();
        let help = match missing {
            1 => "add the missing `)` at its end".to_string(),
            n => format!("add the {n} missing `)` at its end"),
        };
        match rule {
            Some(at) => {
                let label = Label {
                    span: Span::new(at, at + 1),
                    text: "before this rule starts".into(),
                };
                let text = [message, help];
                let lint = &reading::UNCLOSED_PARENTHESIS;
                self.builder.report_with(lint, span, label, text);
            }
            None => {
                let lint = &reading::UNCLOSED_PARENTHESIS;
                self.builder.report(lint, span, message, &help);
            }
        }
        while let Some(index) = self.open.pop() {
            self.finish(index, end);
        }
    }

    /// Drops a clause that is too large.
    fn limit_size(&mut self, index: u32) {
        let limit = self.builder.limits.clause;
        if self.builder.cells.len() - index as usize <= limit {
            return;
        }
        let start = self.builder.cells[index as usize].span.start as usize;
        self.builder.cells.truncate(index as usize);
        self.builder.report(
            &reading::TOO_LARGE,
            Span::new(start, start + 1),
            format!("this clause has more than {limit} names and parentheses"),
            "split it into smaller clauses",
        );
    }

    fn finish(&mut self, index: u32, end: usize) {
        let cells = &mut self.builder.cells;
        let size = cells.len() - index as usize;
        let cell = &mut cells[index as usize];
        *cell = Cell::list(size, Span::new(cell.span.start as usize, end));
    }
}

#[cfg(test)]
mod tests {
    use crate::{ReadLimits, Source, Syntax, show};

    fn tree(text: &str) -> String {
        let tree = crate::read(
            Source::from(text),
            Some(Syntax::Prefix),
            &ReadLimits::default(),
        );
        show::tree(&tree)
    }

    #[test]
    fn names_are_any_run_of_characters() {
        let expected = "\
1:1  (
1:2    ?n++
1:7    8p
1:10   (
1:11     f
1:14 a
";
        assert_eq!(tree("(?n++ 8p (f))a;b"), expected);
    }

    #[test]
    fn a_rule_inside_a_form_closes_the_form() {
        let expected = "\
1:1  (
1:2    a
1:4    (
1:5      b
1:7  (
1:8    <=
1:11   c
1:13   d
";
        assert_eq!(tree("(a (b (<= c d)"), expected);
    }
}
