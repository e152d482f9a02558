//! The layout of the prefix syntax.

use super::{MAX_INDENT, Writer};
use crate::symbols::Keyword;
use crate::tree::Node;

/// The arguments of a broken form stand under the first, if its name is no longer than
/// this.
const SHORT_NAME: usize = 12;

pub(super) fn width(parts: impl Iterator<Item = u32>) -> u32 {
    let mut count = 0;
    let parts = super::add(parts.inspect(|_| count += 1), 2);
    super::add([parts].into_iter(), u32::saturating_sub(count, 1))
}

pub(super) fn clause(writer: &mut Writer<'_>, form: Node<'_>) {
    let is_rule = form.keyword() == Some(Keyword::Arrow);
    if is_rule && form.arguments().count() > 2 {
        broken(writer, form, 0, 0);
    } else {
        node(writer, form, 0, 0);
    }
}

/// Prints a form; `tail` parentheses follow it on the same line.
fn node(writer: &mut Writer<'_>, form: Node<'_>, indent: usize, tail: usize) {
    if let Some(text) = form.text() {
        writer.push(text);
    } else if writer.fits(form, tail) {
        flat(writer, form);
    } else {
        broken(writer, form, indent, tail);
    }
}

fn flat(writer: &mut Writer<'_>, form: Node<'_>) {
    if let Some(text) = form.text() {
        return writer.push(text);
    }
    writer.push("(");
    for (index, child) in form.children().enumerate() {
        if index > 0 {
            writer.push(" ");
        }
        flat(writer, child);
    }
    writer.push(")");
}

/// Prints the name and one form a line.
fn broken(writer: &mut Writer<'_>, form: Node<'_>, indent: usize, tail: usize) {
    debug_assert!(form.is_list());
    writer.push("(");
    let count = form.children().count();
    let name = form.children().next().and_then(Node::text);
    let length = name.map_or(0, |name| name.chars().count());
    let under_first = name.is_some() && length <= SHORT_NAME;
    let inner = if under_first { length + 2 } else { 2 };
    let inner = (indent + inner).min(MAX_INDENT.max(indent));
    for (index, child) in form.children().enumerate() {
        if index > 0 || child.is_list() {
            writer.comments_inside(child.span().start, inner);
        }
        if index == 1 && under_first && !writer.after_comment {
            writer.push(" ");
        } else if index > 0 || writer.after_comment {
            writer.newline(inner);
        }
        let closing = if index + 1 == count { tail + 1 } else { 0 };
        node(writer, child, inner, closing);
    }
    writer.comments_at_end(form.span().end, inner);
    if writer.after_comment {
        writer.newline(inner);
    }
    writer.push(")");
}
