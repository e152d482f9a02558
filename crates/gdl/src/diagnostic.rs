//! Diagnostics: the findings of the checks, and their severity under a policy.

use crate::catalogue::Lint;
use crate::source::Span;
use std::collections::HashMap;

/// How a finding is treated.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported for information.
    Note,
    /// Reported; the rules still load.
    Warn,
    /// Reported; the rules are refused.
    Deny,
}

/// How grave a reported diagnostic is.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// An oddity; the rules load.
    Warning,
    /// The rules are refused.
    Error,
}

impl Severity {
    /// Its name in messages.
    pub fn text(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A second place that belongs to a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// Its explanation.
    pub text: String,
}

/// One problem, ready to be shown.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The check that found it.
    pub lint: &'static Lint,
    /// Its severity under the policy.
    pub severity: Severity,
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: String,
    /// Other places that belong to it.
    pub labels: Vec<Label>,
    /// How many more of the same check were found and left out after this one.
    pub more: usize,
}

/// Which findings are errors, warnings or nothing.
#[derive(Clone, Debug, Default)]
pub struct Policy {
    strict: bool,
    deny_warnings: bool,
    chosen: HashMap<&'static str, Level>,
}

impl Policy {
    /// Public rule sheets load, oddities warn.
    pub fn lenient() -> Policy {
        Policy::default()
    }

    /// The specification, to the letter.
    pub fn strict() -> Policy {
        Policy {
            strict: true,
            ..Policy::default()
        }
    }

    /// Makes every warning an error.
    pub fn deny_warnings(&mut self) {
        self.deny_warnings = true;
    }

    /// Makes a check's findings errors.
    pub fn deny(&mut self, lint: &'static Lint) {
        self.chosen.insert(lint.code, Level::Deny);
    }

    /// Silences a check. False, and nothing changes, if its findings leave the rules
    /// without a meaning.
    pub fn allow(&mut self, lint: &'static Lint) -> bool {
        let allowed = !lint.is_fatal();
        if allowed {
            self.chosen.insert(lint.code, Level::Allow);
        }
        allowed
    }

    /// How a check's findings are treated.
    pub fn level(&self, lint: &Lint) -> Level {
        if let Some(&level) = self.chosen.get(lint.code) {
            return level;
        }
        match if self.strict {
            lint.strict
        } else {
            lint.default
        } {
            Level::Warn if self.deny_warnings => Level::Deny,
            level => level,
        }
    }
}

/// A finding, before the policy decides its severity.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) lint: &'static Lint,
    pub(crate) span: Span,
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) labels: Vec<Label>,
}

/// Findings as they are made: all are counted, the first of each check are kept. Checks that
/// need a game collect theirs elsewhere.
#[derive(Debug, Default)]
pub struct Findings {
    found: Vec<Found>,
    counts: HashMap<&'static str, usize>,
    keep: usize,
}

impl Findings {
    /// Keeps at most `keep` findings of each check.
    pub fn new(keep: usize) -> Findings {
        Findings {
            keep,
            ..Findings::default()
        }
    }

    /// Records a finding; `text` gives message and help and is asked only if it is kept.
    pub fn add(
        &mut self,
        lint: &'static Lint,
        span: Span,
        text: impl FnOnce() -> (String, String),
    ) {
        self.add_with(lint, span, Vec::new(), text);
    }

    /// Records a finding that points at other places too.
    pub(crate) fn add_with(
        &mut self,
        lint: &'static Lint,
        span: Span,
        labels: Vec<Label>,
        text: impl FnOnce() -> (String, String),
    ) {
        let count = self.counts.entry(lint.code).or_default();
        *count += 1;
        if *count > self.keep {
            return;
        }
        let (message, help) = text();
        self.found.push(Found {
            lint,
            span,
            message,
            help,
            labels,
        });
    }

    /// Whether any finding leaves the rules without a meaning.
    pub(crate) fn any_fatal(&self) -> bool {
        self.found.iter().any(|found| found.lint.is_fatal())
    }

    /// The findings under a policy, in the order of the text.
    pub fn judge(mut self, policy: &Policy) -> Vec<Diagnostic> {
        self.found
            .sort_by_key(|found| (found.span, found.lint.code));
        let mut left: HashMap<&str, usize> = HashMap::new();
        for found in &self.found {
            *left.entry(found.lint.code).or_default() += 1;
        }
        let mut diagnostics = Vec::with_capacity(self.found.len());
        for found in self.found {
            let severity = match policy.level(found.lint) {
                Level::Allow => continue,
                Level::Note => Severity::Note,
                Level::Warn => Severity::Warning,
                Level::Deny => Severity::Error,
            };
            let left = left.get_mut(found.lint.code).expect("counted above");
            *left -= 1;
            let last = *left == 0;
            let more = self.counts[found.lint.code].saturating_sub(self.keep);
            diagnostics.push(Diagnostic {
                lint: found.lint,
                severity,
                span: found.span,
                message: found.message,
                help: found.help,
                labels: found.labels,
                more: if last { more } else { 0 },
            });
        }
        diagnostics
    }
}
