//! The queue of comments to be printed.

use crate::read::Syntax;
use crate::tree::{Comment, Node, Tree};

pub(super) struct Comments<'t> {
    tree: &'t Tree,
    syntax: Syntax,
    next: usize,
    /// For each comment, how many before it are on a line of their own.
    own_lines: Vec<u32>,
}

impl<'t> Comments<'t> {
    pub(super) fn new(tree: &'t Tree, syntax: Syntax) -> Comments<'t> {
        let count = |total: &mut u32, comment: &Comment| {
            *total += u32::from(comment.own_line);
            Some(*total)
        };
        let counts = tree.comments().iter().scan(0, count);
        Comments {
            tree,
            syntax,
            next: 0,
            own_lines: std::iter::once(0).chain(counts).collect(),
        }
    }

    /// The next comment, if it starts before `until` or there is no bound.
    pub(super) fn next_before(&self, until: Option<u32>) -> Option<Comment> {
        let next = self.tree.comments().get(self.next).copied();
        next.filter(|comment| until.is_none_or(|until| comment.span.start < until))
    }

    /// The last comment before `end` that is on a line of its own and not yet printed.
    pub(super) fn last_own_line_before(&self, end: u32) -> Option<Comment> {
        let rest = &self.tree.comments()[self.next..];
        let inside = &rest[..rest.partition_point(|comment| comment.span.start < end)];
        inside.iter().rfind(|comment| comment.own_line).copied()
    }

    /// The text of the next comment, with the mark of the syntax printed.
    pub(super) fn take(&mut self) -> String {
        let comment = self.tree.comments()[self.next];
        self.next += 1;
        let text = &self.tree.source().text()[comment.span.range()];
        let (old, new) = match self.syntax {
            Syntax::Prefix => ('%', ";"),
            Syntax::Infix => (';', "%"),
        };
        if self.tree.syntax() == self.syntax {
            return text.to_string();
        }
        let rest = text.trim_start_matches(old);
        format!("{}{rest}", new.repeat(text.len() - rest.len()))
    }

    /// Whether comments prevent printing a list on one line: one before its last name, or
    /// one on its own line before its end.
    pub(super) fn break_up(&self, list: Node<'t>) -> bool {
        let last = last_name(list).span().start;
        let end = match super::infix::is_rule(list) && self.syntax == Syntax::Infix {
            // A comment after the last condition is printed after the full stop.
            true => list
                .children()
                .last()
                .map_or(last, |child| child.span().end),
            false => list.span().end,
        };
        let from = self.count_before(list.span().start);
        let to = self.count_before(end);
        let own_line = |at: usize| self.own_lines[at];
        from < self.count_before(last) || own_line(from) < own_line(to)
    }

    /// Whether a comment starts between two offsets.
    pub(super) fn stand_between(&self, from: u32, to: u32) -> bool {
        self.count_before(from) < self.count_before(to)
    }

    fn count_before(&self, offset: u32) -> usize {
        let comments = self.tree.comments();
        comments.partition_point(|comment| comment.span.start < offset)
    }
}

/// The last name in a list, or the list that starts with it: a comment between a
/// parenthesis and its name is printed after the name.
fn last_name(list: Node<'_>) -> Node<'_> {
    let mut nodes = list.descendants().rev();
    let last = nodes.next().expect("a list is among its nodes");
    match nodes.next() {
        Some(before) if before.is_list() && !last.is_list() => before,
        _ => last,
    }
}
