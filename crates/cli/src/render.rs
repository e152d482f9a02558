//! Diagnostics for people: the line, the place in it, and what to do.

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};
use gdl::{Diagnostic, Severity, Source, Span};
use std::ops::Range;

/// Longer lines are shown in part.
const LINE: usize = 160;
/// What is shown of a long line before the place.
const BEFORE: usize = 40;
/// Marks further apart than this many bytes are shown apart.
const NEAR: usize = 4096;

/// A diagnostic as text, in colours; `title` is what the file is called.
pub(crate) fn diagnostic(diagnostic: &Diagnostic, source: &Source, title: &str) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let mut marks = vec![Mark {
        span: diagnostic.span,
        kind: AnnotationKind::Primary,
        label: None,
    }];
    marks.extend(diagnostic.labels.iter().map(|label| Mark {
        span: label.span,
        kind: AnnotationKind::Context,
        label: Some(&label.text),
    }));
    let title = level
        .primary_title(diagnostic.message.as_str())
        .id(diagnostic.lint.code)
        .elements(snippets(source, title, &marks));
    let mut report = title.element(Level::HELP.message(diagnostic.help.as_str()));
    if diagnostic.more > 0 {
        let more = diagnostic.more;
        let more = format!("and {more} more like this (--max-reports shows more)");
        report = report.element(Level::NOTE.message(more));
    }
    let report: &[Group<'_>] = &[report];
    Renderer::styled().render(report)
}

/// A place to mark in the source.
struct Mark<'d> {
    span: Span,
    kind: AnnotationKind,
    label: Option<&'d str>,
}

impl<'d> Mark<'d> {
    /// The mark, for a snippet that shows this part of the source.
    fn inside(&self, shown: &Range<usize>) -> Annotation<'d> {
        let within = |offset: u32| (offset as usize).clamp(shown.start, shown.end) - shown.start;
        let (start, end) = (within(self.span.start), within(self.span.end));
        self.kind.span(start..end.max(start)).label(self.label)
    }
}

/// The lines of the marks: in one snippet if they are near each other, else each in its own.
fn snippets<'s>(source: &'s Source, title: &'s str, marks: &[Mark<'s>]) -> Vec<Element<'s>> {
    let line = |mark: &Mark<'_>| source.position(mark.span.start).line;
    let first = marks.iter().map(line).min().expect("there is a mark");
    let last = marks.iter().map(line).max().expect("there is a mark");
    let lines = source.line(first).start..source.line(last).end;
    if lines.len() <= NEAR && longest(source, first..=last) <= LINE {
        // A mark over several lines shows where it starts: the rest is the same clause.
        let annotations = marks.iter().map(|mark| {
            let end = source.line(line(mark)).end;
            mark.inside(&(lines.start..end))
        });
        let snippet = Snippet::source(&source.text()[lines.clone()]).line_start(first);
        return vec![snippet.path(title).annotations(annotations).into()];
    }
    let mut elements = Vec::new();
    for mark in marks {
        let place = source.position(mark.span.start);
        let origin = Origin::path(title)
            .line(place.line)
            .char_column(place.column);
        let shown = window(
            source.text(),
            source.line(place.line),
            mark.span.start as usize,
        );
        let snippet = Snippet::source(&source.text()[shown.clone()]).line_start(place.line);
        elements.push(origin.into());
        elements.push(snippet.annotation(mark.inside(&shown)).into());
    }
    elements
}

fn longest(source: &Source, mut lines: std::ops::RangeInclusive<usize>) -> usize {
    let too_long = |&line: &usize| source.line(line).len() > LINE;
    lines
        .find(too_long)
        .map_or(0, |line| source.line(line).len())
}

/// The part of a long line around a place.
fn window(text: &str, line: Range<usize>, at: usize) -> Range<usize> {
    if line.len() <= LINE {
        return line;
    }
    let start = text.floor_char_boundary(at.saturating_sub(BEFORE).max(line.start));
    let end = text.floor_char_boundary((start + LINE).min(line.end));
    start..end
}
