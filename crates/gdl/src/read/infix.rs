//! The infix form: `head :- condition, condition.`
//!
//! An operator-precedence parser with its own stack of [`Frame`]s. A clause is built
//! from linked [`Parts`], so that a finished part is wrapped in constant time, and written to
//! the tree in preorder when it ends. `~` binds closest, then `&` and `,`, then `|`.
//! The full stop may be left out where the next clause starts a line.

use super::Builder;
use super::parts::{Chain, Content, NONE, Parts};
use super::tokens::{self, Token};
use crate::catalogue::{Lint, reading};
use crate::source::Span;
use crate::symbols::{Keyword, Word};

pub(super) fn read(builder: &mut Builder<'_>) {
    let mut reader = Infix {
        builder,
        parts: Parts::default(),
        frames: vec![Frame::new(FrameKind::Clause)],
        clause: Clause::default(),
        skipping: false,
    };
    let mut at = 0;
    while let Some((token, span, first)) = tokens::next(reader.builder, &mut at) {
        reader.token(token, span, first);
    }
    reader.end_of_text(at);
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum FrameKind {
    /// The clause itself.
    Clause,
    /// `( … )`, opened at this offset.
    Group(u32),
    /// `name( … )`: its list, and the offset where it was opened.
    Call(u32, u32),
}

/// An open parenthesis, or the clause, with what was read in it.
struct Frame {
    kind: FrameKind,
    /// Finished alternatives before the last `|`.
    alternatives: Chain,
    /// Finished conditions before the last `&`.
    conditions: Chain,
    /// The places of the `~` before the operand.
    negations: Vec<Span>,
    operand: Option<u32>,
}

impl Frame {
    fn new(kind: FrameKind) -> Frame {
        Frame {
            kind,
            alternatives: Chain::EMPTY,
            conditions: Chain::EMPTY,
            negations: Vec::new(),
            operand: None,
        }
    }

    /// Whether nothing was read in it yet.
    fn is_fresh(&self) -> bool {
        self.operand.is_none()
            && self.negations.is_empty()
            && self.conditions.is_empty()
            && self.alternatives.is_empty()
    }
}

#[derive(Default)]
struct Clause {
    head: Option<u32>,
    arrow: Option<Span>,
    /// The last `,`, `&` or `|` between its conditions, and whether a new line follows it.
    joint: Option<(Span, bool)>,
}

struct Infix<'b, 's> {
    builder: &'b mut Builder<'s>,
    parts: Parts,
    frames: Vec<Frame>,
    clause: Clause,
    /// Whether the rest of the clause is skipped, after an error.
    skipping: bool,
}

impl Infix<'_, '_> {
    fn token(&mut self, token: Token<'_>, span: Span, first: bool) {
        if self.skipping {
            self.skipping = !self.clause_ends(&token, span, first);
            if self.skipping || token == Token::Stop {
                return;
            }
        }
        if self.parts.len() > self.builder.limits.clause {
            let limit = self.builder.limits.clause;
            let message = format!("this clause has more than {limit} names and parentheses");
            return self.fail(
                &reading::TOO_LARGE,
                span,
                message,
                "split it into smaller clauses",
            );
        }
        match self.frame().operand {
            None => {
                self.note_line(first);
                self.operand(token, span);
            }
            Some(operand) => self.operator(token, span, first, operand),
        }
    }

    /// A token where an operand can start.
    fn operand(&mut self, token: Token<'_>, span: Span) {
        match token {
            Token::Name(name) => {
                let content = match &*name {
                    "" => Content::Anonymous,
                    name => Content::Name(self.builder.name(name, span)),
                };
                let part = self.parts.add(span, content, 0);
                self.frame().operand = Some(part);
            }
            Token::Not => self.negate(span),
            Token::Open => self.open(FrameKind::Group(span.start), span),
            Token::Close => {
                let (fresh, kind) = (self.frame().is_fresh(), self.frame().kind);
                match kind {
                    FrameKind::Call(list, _) if fresh && self.parts.is_bare(list) => {
                        self.close_call(list, span);
                    }
                    _ => self.close_early(span),
                }
            }
            Token::Stop if self.clause.arrow.is_some() && self.is_empty_body() => {
                self.finish_clause(span.end);
            }
            Token::Stop => self.stop_early(span),
            Token::Broken => self.give_up(),
            _ => self.unexpected(span, "a name, a variable or `(`"),
        }
    }

    /// A token after an operand.
    fn operator(&mut self, token: Token<'_>, span: Span, first: bool, operand: u32) {
        let bare = matches!(self.parts[operand].content, Content::Name(_));
        let kind = self.frame().kind;
        let in_head = kind == FrameKind::Clause && self.clause.arrow.is_none();
        match token {
            Token::Open if bare => self.open_call(operand, span),
            Token::Name(_) | Token::Not if self.is_not(operand) => {
                let at = self.parts[operand].span;
                self.frame().operand = None;
                self.negate(at);
                if !self.skipping {
                    self.operand(token, span);
                }
            }
            Token::Comma if matches!(kind, FrameKind::Call(..)) => self.end_argument(),
            Token::Comma | Token::And if !in_head => {
                self.note_joint(span);
                self.end_condition();
            }
            Token::Or if !in_head => {
                self.note_joint(span);
                self.end_alternative();
            }
            Token::Close => match kind {
                FrameKind::Clause => self.close_early(span),
                FrameKind::Group(_) => {
                    let inner = self.finish_frame();
                    self.frames.pop();
                    self.frame().operand = inner;
                }
                FrameKind::Call(list, _) => {
                    self.end_argument();
                    self.close_call(list, span);
                }
            },
            Token::Arrow if in_head && self.frame().negations.is_empty() => {
                self.clause.head = self.frame().operand.take();
                self.clause.arrow = Some(span);
            }
            Token::Stop if kind == FrameKind::Clause => self.finish_clause(span.end),
            Token::Stop => self.stop_early(span),
            Token::Name(_) if first && kind == FrameKind::Clause => {
                let end = self.parts[operand].span.end;
                self.finish_clause(end);
                self.operand(token, span);
            }
            Token::Broken => self.give_up(),
            Token::Arrow if !in_head => self.second_arrow(span),
            _ if in_head => self.unexpected(span, "`:-` or a full stop"),
            _ if kind == FrameKind::Clause => self.unexpected(span, "`,`, `|` or a full stop"),
            _ => self.unexpected(span, "`,`, `|` or `)`"),
        }
    }

    /// Notes what joins two conditions of the clause.
    fn note_joint(&mut self, span: Span) {
        if self.frames.len() == 1 {
            self.clause.joint = Some((span, false));
        }
    }

    /// Notes that what follows the last joint stands on a new line.
    fn note_line(&mut self, first: bool) {
        let fresh = self.frames.len() == 1 && self.frame().negations.is_empty();
        if let Some(joint) = self.clause.joint.as_mut().filter(|_| fresh && first) {
            joint.1 = true;
        }
    }

    fn negate(&mut self, mark: Span) {
        if self.frame().negations.len() > self.builder.limits.depth {
            return self.too_deep(mark);
        }
        self.frame().negations.push(mark);
    }

    fn open(&mut self, kind: FrameKind, span: Span) {
        if self.frames.len() > self.builder.limits.depth {
            return self.too_deep(span);
        }
        self.frames.push(Frame::new(kind));
    }

    /// `name(`: the operand becomes a list, its name the first part.
    fn open_call(&mut self, name: u32, span: Span) {
        let mut chain = Chain::EMPTY;
        self.parts.append(&mut chain, name);
        let start = self.parts[name].span;
        let list = self.parts.add(start, Content::List(chain), 1);
        self.frame().operand = None;
        self.open(FrameKind::Call(list, span.start), span);
    }

    fn close_call(&mut self, list: u32, close: Span) {
        self.parts[list].span.end = close.end;
        self.frames.pop();
        self.frame().operand = Some(list);
    }

    fn end_argument(&mut self) {
        let FrameKind::Call(list, _) = self.frame().kind else {
            return;
        };
        let argument = self.finish_frame();
        let Content::List(mut chain) = self.parts[list].content else {
            return;
        };
        if let Some(argument) = argument {
            self.parts.append(&mut chain, argument);
            let depth = self.parts[argument].depth.saturating_add(1);
            let part = &mut self.parts[list];
            part.content = Content::List(chain);
            part.depth = part.depth.max(depth);
        }
    }

    fn end_condition(&mut self) {
        if let Some(operand) = self.take_operand() {
            let mut chain = self.frame().conditions;
            self.parts.append(&mut chain, operand);
            self.frame().conditions = chain;
        }
    }

    fn end_alternative(&mut self) {
        self.end_condition();
        let conditions = std::mem::replace(&mut self.frame().conditions, Chain::EMPTY);
        if let Some(part) = self.join(conditions, Keyword::And) {
            let mut chain = self.frame().alternatives;
            self.parts.append(&mut chain, part);
            self.frame().alternatives = chain;
        }
    }

    /// The operand with its negations around it.
    fn take_operand(&mut self) -> Option<u32> {
        let mut operand = self.frame().operand.take()?;
        while let Some(mark) = self.frame().negations.pop() {
            let name = self.keyword(Keyword::Not, mark);
            let span = Span {
                start: mark.start,
                end: self.parts[operand].span.end,
            };
            operand = self.list(span, &[name, operand]);
        }
        Some(operand)
    }

    /// The content of the frame as one part; the frame is fresh afterwards.
    fn finish_frame(&mut self) -> Option<u32> {
        if self.frame().alternatives.is_empty() {
            self.end_condition();
            let conditions = std::mem::replace(&mut self.frame().conditions, Chain::EMPTY);
            return self.join(conditions, Keyword::And);
        }
        self.end_alternative();
        let alternatives = std::mem::replace(&mut self.frame().alternatives, Chain::EMPTY);
        self.join(alternatives, Keyword::Or)
    }

    /// A single part as it is; several parts under a connective.
    fn join(&mut self, chain: Chain, connective: Keyword) -> Option<u32> {
        let Chain { first, last } = chain;
        if first == last {
            return (first != NONE).then_some(first);
        }
        let span = Span {
            start: self.parts[first].span.start,
            end: self.parts[last].span.end,
        };
        let at = Span {
            start: span.start,
            end: span.start,
        };
        let name = self.keyword(connective, at);
        self.parts[name].next = first;
        let depth = self.parts.deepest(first).saturating_add(1);
        let chain = Chain { first: name, last };
        Some(self.parts.add(span, Content::List(chain), depth))
    }

    fn finish_clause(&mut self, end: u32) {
        let Some(arrow) = self.clause.arrow else {
            let fact = self.take_operand();
            return self.write(fact);
        };
        let head = self.clause.head.expect("an arrow follows a head");
        let name = self.keyword(Keyword::Arrow, arrow);
        let mut chain = Chain::EMPTY;
        self.parts.append(&mut chain, name);
        self.parts.append(&mut chain, head);
        let body = if self.frame().alternatives.is_empty() {
            self.end_condition();
            std::mem::replace(&mut self.frame().conditions, Chain::EMPTY)
        } else {
            let mut chain = Chain::EMPTY;
            if let Some(whole) = self.finish_frame() {
                self.parts.append(&mut chain, whole);
            }
            chain
        };
        if !body.is_empty() {
            self.parts[head].next = body.first;
            chain.last = body.last;
        }
        let span = Span {
            start: self.parts[head].span.start,
            end,
        };
        let depth = self.parts.deepest(name).saturating_add(1);
        let rule = self.parts.add(span, Content::List(chain), depth);
        self.write(Some(rule));
    }

    /// Writes the clause to the tree and starts the next.
    fn write(&mut self, clause: Option<u32>) {
        if let Some(root) = clause {
            let part = &self.parts[root];
            if part.depth as usize > self.builder.limits.depth {
                let span = part.span;
                self.too_deep(span);
                self.skipping = false;
            } else {
                let symbols = &mut self.builder.symbols;
                self.parts.name_the_anonymous(symbols);
                self.parts.write(root, &mut self.builder.cells);
            }
        }
        self.reset();
    }

    fn frame(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the clause's frame stays")
    }

    fn keyword(&mut self, keyword: Keyword, span: Span) -> u32 {
        let symbol = self.builder.symbols.intern(keyword.text());
        self.parts.add(span, Content::Name(symbol), 0)
    }

    fn list(&mut self, span: Span, children: &[u32]) -> u32 {
        let mut chain = Chain::EMPTY;
        for &child in children {
            self.parts.append(&mut chain, child);
        }
        let depth = self.parts.deepest(children[0]).saturating_add(1);
        self.parts.add(span, Content::List(chain), depth)
    }

    fn is_not(&self, part: u32) -> bool {
        let not = Word::Keyword(Keyword::Not);
        matches!(self.parts[part].content,
            Content::Name(symbol) if self.builder.symbols.word(symbol) == not)
    }

    fn is_empty_body(&mut self) -> bool {
        self.frames.len() == 1 && self.frame().is_fresh()
    }

    fn reset(&mut self) {
        self.parts.clear();
        self.frames.clear();
        self.frames.push(Frame::new(FrameKind::Clause));
        self.clause = Clause::default();
    }

    /// Whether a clause that was given up ends at this token.
    fn clause_ends(&self, token: &Token<'_>, span: Span, first: bool) -> bool {
        let start = span.start as usize;
        let before = self.builder.text()[..start].chars().next_back();
        let at_margin = first && matches!(before, None | Some('\n' | '\r'));
        *token == Token::Stop || (at_margin && matches!(token, Token::Name(_)))
    }

    fn fail(&mut self, lint: &'static Lint, span: Span, message: String, help: &str) {
        self.builder.report(lint, span, message, help);
        self.give_up();
    }

    /// Skips the rest of the clause.
    fn give_up(&mut self) {
        self.skipping = true;
        self.reset();
    }

    fn unexpected(&mut self, span: Span, expected: &str) {
        let found = self.builder.source.excerpt(span);
        let message = format!("`{found}` stands where {expected} belongs");
        let help = "the reader goes on after the next full stop";
        self.fail(&reading::UNEXPECTED_TOKEN, span, message, help);
    }

    /// A `:-` in a body: most likely the clause before has no end.
    fn second_arrow(&mut self, span: Span) {
        match (self.frame().kind, self.clause.joint) {
            (FrameKind::Group(at) | FrameKind::Call(_, at), _) => self.unclosed(at),
            (FrameKind::Clause, Some((joint, true))) => self.dangling(joint),
            (FrameKind::Clause, _) => self.fail(
                &reading::UNEXPECTED_TOKEN,
                span,
                "this clause has a second `:-`".to_string(),
                "end the clause before with a full stop",
            ),
        }
    }

    /// A `,`, `&` or `|` after which the clause ends.
    fn dangling(&mut self, joint: Span) {
        let sign = self.builder.source.excerpt(joint);
        let message = format!("no condition follows this `{sign}`");
        let help = "add the condition, or end the clause with a full stop";
        self.fail(&reading::UNEXPECTED_TOKEN, joint, message, help);
    }

    fn too_deep(&mut self, span: Span) {
        let limit = self.builder.limits.depth;
        let message = format!("forms are nested more than {limit} deep here");
        let help = "the clause is skipped; `--max-depth` sets the limit";
        self.fail(&reading::TOO_DEEP, span, message, help);
    }

    /// `)` where an operand should be, or where nothing is open.
    fn close_early(&mut self, span: Span) {
        if self.frames.len() > 1 {
            return self.unexpected(span, "a name, a variable or `(`");
        }
        self.builder.report(
            &reading::UNOPENED_PARENTHESIS,
            span,
            "this `)` closes nothing".into(),
            "remove it, or open the form it should close",
        );
    }

    /// `.` where an operand should be, or where something is open.
    fn stop_early(&mut self, span: Span) {
        match (self.frame().kind, self.clause.joint) {
            (FrameKind::Clause, Some((joint, _))) => self.dangling(joint),
            (FrameKind::Clause, None) => self.unexpected(span, "a clause or a condition"),
            (FrameKind::Group(at) | FrameKind::Call(_, at), _) => self.unclosed(at),
        }
        self.skipping = false;
    }

    fn unclosed(&mut self, at: u32) {
        let span = Span {
            start: at,
            end: at + 1,
        };
        let message = "this parenthesis is not closed".to_string();
        let help = "add the missing `)` before the clause ends";
        self.fail(&reading::UNCLOSED_PARENTHESIS, span, message, help);
    }

    fn end_of_text(&mut self, end: usize) {
        if self.skipping || (self.is_empty_body() && self.clause.arrow.is_none()) {
            return;
        }
        match (self.frame().kind, self.frame().operand) {
            (FrameKind::Group(at) | FrameKind::Call(_, at), _) => self.unclosed(at),
            (FrameKind::Clause, Some(operand)) => {
                let end = self.parts[operand].span.end;
                self.finish_clause(end);
            }
            (FrameKind::Clause, None) if self.is_empty_body() => self.finish_clause(end as u32),
            (FrameKind::Clause, None) => self.end_in_clause(end),
        }
    }

    fn end_in_clause(&mut self, end: usize) {
        if let Some((joint, _)) = self.clause.joint {
            return self.dangling(joint);
        }
        let message = "the text ends in the middle of a clause".to_string();
        let span = Span::new(end, end);
        self.fail(
            &reading::UNEXPECTED_TOKEN,
            span,
            message,
            "finish the clause",
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::{ReadLimits, Source, Syntax, print};

    fn to_prefix(text: &str) -> String {
        let tree = crate::read(
            Source::from(text),
            Some(Syntax::Infix),
            &ReadLimits::default(),
        );
        assert!(tree.is_whole(), "{text}");
        print(&tree, Syntax::Prefix).expect("prefix can print every tree")
    }

    #[test]
    fn every_spelling_means_the_same() {
        let expected = "(<= (p ?x)\n    (q ?x)\n    (not (r ?x a)))\n";
        for text in [
            "p(X) :- q(X), not(r(X, a)).",
            "p(X) <= q(X) & ~r(X,a).",
            "p(X) ← q(X) ∧ not r(X, a)",
            "p(X) :- (q(X)) & (~(r(X, a))).",
        ] {
            assert_eq!(to_prefix(text), expected, "{text}");
        }
    }

    #[test]
    fn operators_bind_as_usual() {
        assert_eq!(
            to_prefix("p :- a & b | ~c ; d."),
            "(<= p (or (and a b) (not c) d))\n"
        );
        assert_eq!(
            to_prefix("p :- or(a & b, c | d)."),
            "(<= p (or (and a b) (or c d)))\n"
        );
        assert_eq!(
            to_prefix("p :- (a | b) & c."),
            "(<= p\n    (or a b)\n    c)\n"
        );
    }

    #[test]
    fn names_and_variables_are_spelt_as_in_prefix() {
        let text = "p('Xplayer', Row, _Row, ?'n++', f(), -5, 8p).";
        assert_eq!(to_prefix(text), "(p Xplayer ?row ?Row ?n++ (f) -5 8p)\n");
        assert_eq!(to_prefix("p(_, _, __2)."), "(p ?_1 ?_3 ?_2)\n");
    }

    #[test]
    fn full_stops_may_be_left_out_between_lines() {
        assert_eq!(
            to_prefix("role(x)\nrole(y)\np :- q &\n  r\ns"),
            "(role x)\n(role y)\n(<= p\n    q\n    r)\ns\n"
        );
        assert_eq!(to_prefix("p :- .\nq :- "), "(<= p)\n(<= q)\n");
    }
}
