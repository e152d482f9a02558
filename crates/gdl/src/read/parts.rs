//! The parts of a clause while it is read: linked, so that a part is wrapped in constant
//! time.

use crate::source::Span;
use crate::symbols::{Symbol, Symbols};
use crate::tree::Cell;
use std::collections::HashSet;
use std::ops::{Index, IndexMut};

/// A node of the current clause; lists link their children. Kept small, as a hostile
/// clause has a part for every byte or two.
pub(super) struct Part {
    pub(super) span: Span,
    pub(super) content: Content,
    pub(super) depth: u16,
    /// The part after it in its chain, or [`NONE`].
    pub(super) next: u32,
}

pub(super) const NONE: u32 = u32::MAX;

#[derive(Copy, Clone)]
pub(super) enum Content {
    Name(Symbol),
    Anonymous,
    List(Chain),
}

/// Parts linked one after the other: the first and the last, or [`NONE`].
#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) first: u32,
    pub(super) last: u32,
}

impl Chain {
    pub(super) const EMPTY: Chain = Chain {
        first: NONE,
        last: NONE,
    };

    pub(super) fn is_empty(self) -> bool {
        self.first == NONE
    }
}

/// All parts of a clause, by number.
#[derive(Default)]
pub(super) struct Parts(Vec<Part>);

impl Index<u32> for Parts {
    type Output = Part;

    fn index(&self, part: u32) -> &Part {
        &self.0[part as usize]
    }
}

impl IndexMut<u32> for Parts {
    fn index_mut(&mut self, part: u32) -> &mut Part {
        &mut self.0[part as usize]
    }
}

impl Parts {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    pub(super) fn add(&mut self, span: Span, content: Content, depth: u16) -> u32 {
        self.0.push(Part {
            span,
            content,
            depth,
            next: NONE,
        });
        self.0.len() as u32 - 1
    }

    pub(super) fn append(&mut self, chain: &mut Chain, part: u32) {
        if chain.is_empty() {
            chain.first = part;
        } else {
            self[chain.last].next = part;
        }
        chain.last = part;
    }

    /// The greatest depth among a part and those linked after it.
    pub(super) fn deepest(&self, first: u32) -> u16 {
        let link = |part: &&Part| self.0.get(part.next as usize);
        let chain = std::iter::successors(self.0.get(first as usize), link);
        chain.map(|part| part.depth).max().unwrap_or(0)
    }

    /// Whether a list has no arguments.
    pub(super) fn is_bare(&self, list: u32) -> bool {
        matches!(self[list].content, Content::List(chain) if chain.first == chain.last)
    }

    /// Gives each `_` a name of its own that the clause does not use.
    pub(super) fn name_the_anonymous(&mut self, symbols: &mut Symbols) {
        let anonymous = |part: &Part| matches!(part.content, Content::Anonymous);
        if !self.0.iter().any(anonymous) {
            return;
        }
        let named = self.0.iter().filter_map(|part| match part.content {
            Content::Name(symbol) => Some(symbol),
            _ => None,
        });
        let taken: HashSet<Symbol> = named.collect();
        let mut number = 0;
        for part in &mut self.0 {
            while matches!(part.content, Content::Anonymous) {
                number += 1;
                let symbol = symbols.intern(&format!("?_{number}"));
                if !taken.contains(&symbol) {
                    part.content = Content::Name(symbol);
                }
            }
        }
    }

    /// Writes a part and all in it to a tree, in preorder.
    pub(super) fn write(&self, root: u32, cells: &mut Vec<Cell>) {
        let mut open: Vec<(usize, u32)> = Vec::new();
        let mut next = root;
        loop {
            if next != NONE {
                let part = &self[next];
                next = if open.is_empty() { NONE } else { part.next };
                match part.content {
                    Content::List(chain) => {
                        open.push((cells.len(), next));
                        cells.push(Cell::list(1, part.span));
                        next = chain.first;
                    }
                    Content::Name(symbol) => cells.push(Cell::name(symbol, part.span)),
                    Content::Anonymous => unreachable!("anonymous variables were named"),
                }
            } else if let Some((list, after)) = open.pop() {
                cells[list] = Cell::list(cells.len() - list, cells[list].span);
                next = after;
            } else {
                return;
            }
        }
    }
}
