//! Diagnostics for editors: one JSON array, one object each.

use gdl::{Diagnostic, Label, Source, Span};
use serde::Serialize;

/// One diagnostic. Lines and columns count from 1, columns in characters; offsets count
/// bytes from 0. The end is the place after the last character.
#[derive(Serialize)]
pub(crate) struct Entry {
    file: String,
    code: &'static str,
    name: &'static str,
    severity: &'static str,
    message: String,
    help: String,
    #[serde(flatten)]
    place: Place,
    related: Vec<Related>,
    /// How many more of the same check were left out.
    more: usize,
}

#[derive(Serialize)]
struct Place {
    line: usize,
    column: usize,
    end_line: usize,
    end_column: usize,
    start_offset: u32,
    end_offset: u32,
}

#[derive(Serialize)]
struct Related {
    message: String,
    #[serde(flatten)]
    place: Place,
}

impl Entry {
    pub(crate) fn new(diagnostic: &Diagnostic, source: &Source, file: &str) -> Entry {
        Entry {
            file: file.to_string(),
            code: diagnostic.lint.code,
            name: diagnostic.lint.name,
            severity: diagnostic.severity.text(),
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            place: place(source, diagnostic.span),
            related: diagnostic
                .labels
                .iter()
                .map(|label| related(source, label))
                .collect(),
            more: diagnostic.more,
        }
    }
}

fn related(source: &Source, label: &Label) -> Related {
    Related {
        message: label.text.clone(),
        place: place(source, label.span),
    }
}

fn place(source: &Source, span: Span) -> Place {
    let (start, end) = (source.position(span.start), source.position(span.end));
    Place {
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        start_offset: span.start,
        end_offset: span.end,
    }
}
