//! The layout of the infix syntax.

use super::{BROKEN, MAX_INDENT, NoInfixForm, WIDTH, Writer};
use crate::symbols::Keyword;
use crate::tree::{Node, Tree};

const INDENT: usize = 4;

/// Checks that every list starts with a name other than `<=`.
pub(super) fn expressible(tree: &Tree) -> Result<(), NoInfixForm> {
    for form in tree.forms() {
        let arrow = is_rule(form).then(|| form.index() + 1);
        for node in form.descendants() {
            let is_arrow = node.text() == Some("<=") && Some(node.index()) != arrow;
            if node.head().is_none() || is_arrow {
                return Err(NoInfixForm { span: node.span() });
            }
        }
    }
    Ok(())
}

/// Whether a form at top level is written with `:-`.
pub(super) fn is_rule(form: Node<'_>) -> bool {
    form.is_list() && form.keyword() == Some(Keyword::Arrow) && form.arguments().next().is_some()
}

/// `(not x)`, written `~x`.
fn negated(form: Node<'_>) -> Option<Node<'_>> {
    let mut children = form.children();
    let name = children.next()?;
    let inner = children.next()?;
    (name.text() == Some("not") && children.next().is_none()).then_some(inner)
}

pub(super) fn width(form: Node<'_>, mut parts: impl Iterator<Item = u32>) -> u32 {
    if negated(form).is_some() {
        return super::add(parts.skip(1), 1);
    }
    let name = parts.next().unwrap_or(0);
    let mut count = 0;
    let arguments = super::add(parts.inspect(|_| count += 2), name.saturating_add(2));
    super::add([arguments].into_iter(), u32::saturating_sub(count, 2))
}

pub(super) fn clause(writer: &mut Writer<'_>, form: Node<'_>) {
    if is_rule(form) {
        rule(writer, form);
    } else {
        outer(writer, form, 1);
        writer.push(".");
    }
}

fn rule(writer: &mut Writer<'_>, form: Node<'_>) {
    let mut parts = form.arguments();
    let head = parts.next().expect("a rule has a head");
    let count = parts.clone().count();
    let fits = count <= 1 && {
        let width = super::add(form.arguments().map(|part| writer.width(part)), 5);
        writer.width(form) != BROKEN && width as usize <= WIDTH
    };
    outer(writer, head, 3);
    writer.push(" :-");
    if count == 0 {
        return writer.push(" .");
    }
    for (index, part) in parts.enumerate() {
        writer.comments_inside(part.span().start, INDENT);
        if fits && !writer.after_comment {
            writer.push(" ");
        } else {
            writer.newline(INDENT);
        }
        node(writer, part, INDENT, 1);
        writer.push(if index + 1 == count { "." } else { "," });
    }
}

/// Prints a head or a fact; a negation as `not(…)`, so that it is read as one form.
fn outer(writer: &mut Writer<'_>, form: Node<'_>, tail: usize) {
    if negated(form).is_some() {
        broken(writer, form, 0);
    } else {
        node(writer, form, 0, tail);
    }
}

/// Prints a form; `tail` characters follow it on the same line.
fn node(writer: &mut Writer<'_>, form: Node<'_>, indent: usize, tail: usize) {
    if let Some(text) = form.text() {
        name(writer, text);
    } else if writer.fits(form, tail) {
        flat(writer, form);
    } else if let Some(inner) = negated(form)
        && !writer
            .comments
            .stand_between(form.span().start, inner.span().start)
    {
        writer.push("~");
        node(writer, inner, indent, tail);
    } else {
        broken(writer, form, indent);
    }
}

fn name(writer: &mut Writer<'_>, text: &str) {
    let spelt = super::spell(text, writer.syntax);
    writer.push(&spelt);
}

fn flat(writer: &mut Writer<'_>, form: Node<'_>) {
    if let Some(text) = form.text() {
        return name(writer, text);
    }
    if let Some(inner) = negated(form) {
        writer.push("~");
        return flat(writer, inner);
    }
    let mut children = form.children();
    let first = children.next().and_then(Node::text);
    name(writer, first.expect("every list has a name"));
    writer.push("(");
    for (index, child) in children.enumerate() {
        if index > 0 {
            writer.push(", ");
        }
        flat(writer, child);
    }
    writer.push(")");
}

/// Prints the name and one argument a line.
fn broken(writer: &mut Writer<'_>, form: Node<'_>, indent: usize) {
    let mut children = form.children();
    let first = children.next().and_then(Node::text);
    name(writer, first.expect("every list has a name"));
    writer.push("(");
    let inner = (indent + INDENT).min(MAX_INDENT.max(indent));
    let count = children.clone().count();
    for (index, child) in children.enumerate() {
        writer.comments_inside(child.span().start, inner);
        writer.newline(inner);
        node(writer, child, inner, 1);
        if index + 1 < count {
            writer.push(",");
        }
    }
    writer.comments_at_end(form.span().end, inner);
    if count > 0 || writer.after_comment {
        writer.newline(indent);
    }
    writer.push(")");
}
