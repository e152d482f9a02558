//! The tree of a rule sheet: forms, names and spans, comments aside.
//!
//! All nodes are in one vector in preorder, twelve bytes each: a name with its
//! symbol, or a list with the number of nodes in it. Nothing is nested in memory, so
//! depth costs no stack and dropping a tree is two frees.
//!
//! Invariants: a list's size counts itself and all nodes in it, and ends within its
//! parent's; spans of children lie inside their parent's; comments are in order.

use crate::diagnostic::Findings;
use crate::read::Syntax;
use crate::source::{Source, Span};
use crate::symbols::{Keyword, Symbol, Symbols, Word};

/// A comment: from `;` (prefix) or `%` (infix) to the end of the line.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// Where it stands, its mark included.
    pub span: Span,
    /// Whether nothing but blanks stands before it on its line.
    pub own_line: bool,
}

/// A sheet as it was read, not yet checked.
#[derive(Debug, Default)]
pub struct Tree {
    pub(crate) source: Source,
    pub(crate) syntax: Syntax,
    pub(crate) symbols: Symbols,
    pub(crate) cells: Vec<Cell>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) findings: Findings,
}

/// One node as stored: a list if the top bit of `word` is set.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) span: Span,
    word: u32,
}

const LIST: u32 = 1 << 31;

impl Cell {
    pub(crate) fn name(symbol: Symbol, span: Span) -> Cell {
        let word = symbol.index() as u32;
        Cell { span, word }
    }

    pub(crate) fn list(size: usize, span: Span) -> Cell {
        let word = LIST | size as u32;
        Cell { span, word }
    }

    fn size(self) -> usize {
        if self.word & LIST == 0 {
            1
        } else {
            (self.word & !LIST) as usize
        }
    }
}

impl Tree {
    /// The text it was read from.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The syntax it was read in.
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// The comments, in order.
    pub fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Whether reading met no error: only then is the tree the whole sheet.
    pub fn is_whole(&self) -> bool {
        !self.findings.any_fatal()
    }

    /// The forms at top level, in order.
    pub fn forms(&self) -> impl Iterator<Item = Node<'_>> {
        self.siblings(0, self.cells.len())
    }

    /// The text of a symbol.
    pub fn text(&self, symbol: Symbol) -> &str {
        self.symbols.text(symbol)
    }

    /// The kind of word a symbol is.
    pub fn word(&self, symbol: Symbol) -> Word {
        self.symbols.word(symbol)
    }

    pub(crate) fn node(&self, index: u32) -> Node<'_> {
        debug_assert!((index as usize) < self.cells.len());
        Node { tree: self, index }
    }

    fn siblings(&self, from: usize, to: usize) -> Children<'_> {
        let (tree, next, end) = (self, from, to);
        Children { tree, next, end }
    }

    pub(crate) fn is_valid(&self) -> bool {
        let mut ends = vec![self.cells.len()];
        for (index, cell) in self.cells.iter().enumerate() {
            while ends.last() == Some(&index) && ends.len() > 1 {
                ends.pop();
            }
            let end = index + cell.size();
            if cell.size() == 0 || ends.last().is_none_or(|&outer| end > outer) {
                return false;
            }
            if end > index + 1 {
                ends.push(end);
            }
        }
        self.comments.is_sorted_by_key(|comment| comment.span)
    }
}

/// A form in a tree: a name, or a list of forms.
#[derive(Copy, Clone)]
pub struct Node<'t> {
    tree: &'t Tree,
    index: u32,
}

impl<'t> Node<'t> {
    /// The tree it stands in.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Where it stands.
    pub fn span(self) -> Span {
        self.cell().span
    }

    /// The symbol, if it is a name.
    pub fn symbol(self) -> Option<Symbol> {
        (self.cell().word & LIST == 0).then(|| Symbol::from_index(self.cell().word as usize))
    }

    /// Its text, if it is a name.
    pub fn text(self) -> Option<&'t str> {
        self.symbol().map(|symbol| self.tree.text(symbol))
    }

    /// Whether it is a list.
    pub fn is_list(self) -> bool {
        self.symbol().is_none()
    }

    /// The forms in it, none for a name.
    pub fn children(self) -> impl Iterator<Item = Node<'t>> + Clone {
        let index = self.index as usize;
        self.tree.siblings(index + 1, index + self.size())
    }

    /// The name: itself for a name, the first form for a list that starts with a name.
    pub fn head(self) -> Option<Symbol> {
        match self.symbol() {
            Some(symbol) => Some(symbol),
            None => self.children().next()?.symbol(),
        }
    }

    /// The forms after the name: none for a name alone.
    pub fn arguments(self) -> impl Iterator<Item = Node<'t>> + Clone {
        self.children().skip(1)
    }

    /// The keyword it starts with, if any.
    pub fn keyword(self) -> Option<Keyword> {
        match self.tree.word(self.head()?) {
            Word::Keyword(keyword) => Some(keyword),
            _ => None,
        }
    }

    /// Whether it is a variable.
    pub fn is_variable(self) -> bool {
        self.symbol()
            .is_some_and(|symbol| self.tree.word(symbol) == Word::Variable)
    }

    /// Itself and every node in it, in preorder.
    pub fn descendants(self) -> impl DoubleEndedIterator<Item = Node<'t>> {
        let tree = self.tree;
        (self.index..self.index + self.size() as u32).map(move |index| Node { tree, index })
    }

    /// Itself and every term in it, in preorder: every node but the names of functions.
    pub(crate) fn subterms(self) -> impl Iterator<Item = Node<'t>> {
        let mut after_list = false;
        self.descendants().filter(move |node| {
            let is_name = std::mem::replace(&mut after_list, node.is_list()) && !node.is_list();
            !is_name
        })
    }

    pub(crate) fn index(self) -> u32 {
        self.index
    }

    pub(crate) fn size(self) -> usize {
        self.cell().size()
    }

    fn cell(self) -> Cell {
        self.tree.cells[self.index as usize]
    }
}

#[derive(Clone)]
struct Children<'t> {
    tree: &'t Tree,
    next: usize,
    end: usize,
}

impl<'t> Iterator for Children<'t> {
    type Item = Node<'t>;

    fn next(&mut self) -> Option<Node<'t>> {
        if self.next >= self.end {
            return None;
        }
        let node = self.tree.node(self.next as u32);
        self.next += node.size();
        Some(node)
    }
}
