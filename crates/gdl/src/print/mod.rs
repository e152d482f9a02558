//! Tree → text, in either syntax, comments kept.
//!
//! A form that fits is printed on one line; a rule with several conditions has one on each
//! line. Blank lines between clauses are kept, one at most. A comment at the end of a
//! line stays at the end of that line, after the parentheses that close there; a comment
//! on a line of its own stays inside its form. Printing is idempotent, and reading printed
//! text gives the same tree.

mod comments;
mod infix;
mod prefix;
mod spelling;

pub(crate) use spelling::spell;

use crate::read::Syntax;
use crate::source::Span;
use crate::tree::{Node, Tree};
use comments::Comments;

/// The width of lines, in characters, where they can be broken.
const WIDTH: usize = 80;

/// The deepest indentation, so that deeply nested forms are not mostly blanks.
const MAX_INDENT: usize = 48;

/// A form that the infix syntax cannot write: it does not start with a name, or uses `<=`
/// as one.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct NoInfixForm {
    /// Where it stands.
    pub span: Span,
}

/// Prints a tree in a syntax. A tree that is not whole is printed as far as it was read.
pub fn print(tree: &Tree, syntax: Syntax) -> Result<String, NoInfixForm> {
    if syntax == Syntax::Infix {
        infix::expressible(tree)?;
    }
    let mut writer = Writer::new(tree, syntax);
    let mut after: Option<u32> = None;
    for form in tree.forms() {
        after = writer.comments_between(Some(form.span().start), after);
        writer.separate(after, form.span().start);
        writer.measure(form);
        match syntax {
            Syntax::Prefix => prefix::clause(&mut writer, form),
            Syntax::Infix => infix::clause(&mut writer, form),
        }
        after = Some(form.span().end);
    }
    writer.comments_between(None, after);
    if !writer.text.is_empty() {
        writer.text.push('\n');
    }
    Ok(writer.text)
}

/// The text so far, and the state that both syntaxes share.
struct Writer<'t> {
    tree: &'t Tree,
    syntax: Syntax,
    text: String,
    column: usize,
    comments: Comments<'t>,
    /// Whether the line ends in a comment, so that nothing can follow on it.
    after_comment: bool,
    /// Widths of the nodes of the current clause, printed on one line.
    widths: Vec<u32>,
    first: u32,
}

/// The width of a form that cannot be printed on one line.
const BROKEN: u32 = u32::MAX;

impl<'t> Writer<'t> {
    fn new(tree: &'t Tree, syntax: Syntax) -> Writer<'t> {
        Writer {
            tree,
            syntax,
            text: String::new(),
            column: 0,
            comments: Comments::new(tree, syntax),
            after_comment: false,
            widths: Vec::new(),
            first: 0,
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += text.chars().count();
    }

    fn newline(&mut self, indent: usize) {
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n(' ', indent));
        self.column = indent;
        self.after_comment = false;
    }

    /// Starts a new line for the form or comment at `start`, with a blank line before it if
    /// the source has one after `after`.
    fn separate(&mut self, after: Option<u32>, start: u32) {
        let Some(after) = after else { return };
        let between = &self.tree.source().text()[after.min(start) as usize..start as usize];
        let ends = between.matches('\n').count();
        let ends = ends.max(between.matches('\r').count());
        if ends > 1 {
            self.text.push('\n');
        }
        self.newline(0);
    }

    /// Writes the comments before `until` at top level. Returns the end of the last one, else
    /// `after`.
    fn comments_between(&mut self, until: Option<u32>, mut after: Option<u32>) -> Option<u32> {
        while let Some(comment) = self.comments.next_before(until) {
            if comment.own_line || self.after_comment || after.is_none() {
                self.separate(after, comment.span.start);
            } else {
                self.push(" ");
            }
            self.comment();
            after = after.max(Some(comment.span.end));
        }
        after
    }

    /// Writes the comments before `until` inside a broken form.
    fn comments_inside(&mut self, until: u32, indent: usize) {
        while let Some(comment) = self.comments.next_before(Some(until)) {
            if comment.own_line || self.after_comment {
                self.newline(indent);
            } else {
                self.push(" ");
            }
            self.comment();
        }
    }

    /// Writes the comments up to the last one on its own line before `end`, if any.
    fn comments_at_end(&mut self, end: u32, indent: usize) {
        if let Some(last) = self.comments.last_own_line_before(end) {
            self.comments_inside(last.span.end, indent);
        }
    }

    fn comment(&mut self) {
        let text = self.comments.take();
        self.push(&text);
        self.after_comment = true;
    }

    /// Measures every node of a clause; forms with comments in them are broken.
    fn measure(&mut self, clause: Node<'t>) {
        self.first = clause.index();
        self.widths.clear();
        self.widths.resize(clause.size(), 0);
        for index in (0..clause.size() as u32).rev() {
            let node = self.tree.node(self.first + index);
            let width = if let Some(text) = node.text() {
                spell(text, self.syntax).chars().count() as u32
            } else if self.comments.break_up(node) {
                BROKEN
            } else {
                let parts = node.children().map(|child| self.width(child));
                match self.syntax {
                    Syntax::Prefix => prefix::width(parts),
                    Syntax::Infix => infix::width(node, parts),
                }
            };
            self.widths[index as usize] = width;
        }
    }

    fn width(&self, node: Node<'_>) -> u32 {
        self.widths[(node.index() - self.first) as usize]
    }

    /// Whether a node fits on the rest of the line, `tail` characters after it included.
    fn fits(&self, node: Node<'_>, tail: usize) -> bool {
        let width = self.width(node);
        width != BROKEN && self.column + width as usize + tail <= WIDTH
    }
}

/// The sum of widths; [`BROKEN`] if one is.
fn add(widths: impl Iterator<Item = u32>, extra: u32) -> u32 {
    widths.fold(extra, u32::saturating_add)
}
