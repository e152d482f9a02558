//! Ground terms, each stored once: roles, moves, fluents and percepts.
//!
//! Invariants: two ids are equal exactly if their terms are; an argument has a smaller
//! id than its term; a table only grows.

use hashbrown::HashTable;
use std::hash::BuildHasher;

/// A ground term of one [`Terms`] table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);

impl TermId {
    /// The number of the term, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn new(index: usize) -> TermId {
        TermId(u32::try_from(index).expect("fewer terms than fit in memory"))
    }
}

/// The name of a constant or function.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Name(pub(crate) u32);

#[derive(Copy, Clone, Debug)]
struct Entry {
    name: Name,
    start: u32,
    arity: u32,
    /// How many characters its text has.
    length: u32,
}

/// A table of ground terms.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    names: Vec<Box<str>>,
    name_index: HashTable<Name>,
    entries: Vec<Entry>,
    arguments: Vec<TermId>,
    index: HashTable<TermId>,
    hasher: foldhash::fast::FixedState,
}

impl Terms {
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// How many bytes the table takes, about.
    pub(crate) fn bytes(&self) -> usize {
        let entries = self.entries.capacity() * size_of::<Entry>();
        let arguments = self.arguments.capacity() * size_of::<TermId>();
        entries + arguments + self.index.capacity() * 6
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The name of a term's constant or function.
    pub fn name(&self, term: TermId) -> &str {
        self.name_text(self.entries[term.index()].name)
    }

    /// The arguments of a term; none for a constant.
    pub fn arguments(&self, term: TermId) -> &[TermId] {
        let Entry { start, arity, .. } = self.entries[term.index()];
        &self.arguments[start as usize..(start + arity) as usize]
    }

    pub(crate) fn functor(&self, term: TermId) -> (Name, usize) {
        let Entry { name, arity, .. } = self.entries[term.index()];
        (name, arity as usize)
    }

    pub(crate) fn name_text(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }

    pub(crate) fn intern_name(&mut self, text: &str) -> Name {
        let hash = self.hasher.hash_one(text);
        let names = &self.names;
        let same = |name: &Name| &*names[name.0 as usize] == text;
        if let Some(&name) = self.name_index.find(hash, same) {
            return name;
        }
        let name = Name(names.len() as u32);
        self.names.push(text.into());
        let (names, hasher) = (&self.names, &self.hasher);
        let rehash = |name: &Name| hasher.hash_one(&*names[name.0 as usize]);
        self.name_index.insert_unique(hash, name, rehash);
        name
    }

    /// The term with this name and these arguments, if it is in the table.
    pub(crate) fn find(&self, name: Name, arguments: &[TermId]) -> Option<TermId> {
        let hash = self.hasher.hash_one((name, arguments));
        let same = |&term: &TermId| {
            self.entries[term.index()].name == name && self.arguments(term) == arguments
        };
        self.index.find(hash, same).copied()
    }

    /// How many characters the text of a term has, in bytes.
    pub(crate) fn length_of(&self, name: Name, arguments: &[TermId]) -> usize {
        let length = |it: &TermId| 1 + self.entries[it.index()].length as usize;
        let parentheses = if arguments.is_empty() { 0 } else { 2 };
        let all: usize = arguments.iter().map(length).sum();
        self.name_text(name).len() + parentheses + all
    }

    pub(crate) fn intern(&mut self, name: Name, arguments: &[TermId]) -> TermId {
        if let Some(term) = self.find(name, arguments) {
            return term;
        }
        let length = self.length_of(name, arguments);
        let term = TermId::new(self.entries.len());
        self.entries.push(Entry {
            name,
            start: self.arguments.len() as u32,
            arity: arguments.len() as u32,
            length: u32::try_from(length).unwrap_or(u32::MAX),
        });
        self.arguments.extend_from_slice(arguments);
        let hash = self.hasher.hash_one((name, arguments));
        let (entries, all, hasher) = (&self.entries, &self.arguments, &self.hasher);
        let rehash = |term: &TermId| {
            let Entry {
                name, start, arity, ..
            } = entries[term.index()];
            hasher.hash_one((name, &all[start as usize..(start + arity) as usize]))
        };
        self.index.insert_unique(hash, term, rehash);
        term
    }

    /// Adds the missing terms of another table; both grew from the same one.
    pub(crate) fn catch_up(&mut self, other: &Terms) {
        for name in self.names.len()..other.names.len() {
            self.intern_name(&other.names[name]);
        }
        for index in self.len()..other.len() {
            let term = TermId::new(index);
            let added = self.intern(other.entries[index].name, other.arguments(term));
            debug_assert_eq!(added, term);
        }
    }

    /// A term as prefix text: `(cell 1 1 b)`.
    pub fn text(&self, term: TermId) -> String {
        let mut text = String::new();
        self.write(term, &mut text);
        text
    }

    /// Writes without recursion, as rules can nest terms deeply.
    fn write(&self, term: TermId, text: &mut String) {
        let mut open = vec![Piece::Term(term)];
        while let Some(piece) = open.pop() {
            let term = match piece {
                Piece::Term(term) => term,
                Piece::Text(part) => {
                    text.push(part);
                    continue;
                }
            };
            let arguments = self.arguments(term);
            if !arguments.is_empty() {
                text.push('(');
                open.push(Piece::Text(')'));
            }
            text.push_str(self.name(term));
            for &argument in arguments.iter().rev() {
                open.extend([Piece::Term(argument), Piece::Text(' ')]);
            }
        }
    }
}

/// A piece of text that is still to be written.
enum Piece {
    Term(TermId),
    Text(char),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_have_one_id() {
        let mut terms = Terms::default();
        let [f, a] = ["f", "a"].map(|name| terms.intern_name(name));
        let constant = terms.intern(a, &[]);
        let term = terms.intern(f, &[constant, constant]);
        assert_eq!(terms.intern(f, &[constant, constant]), term);
        assert_ne!(terms.intern(f, &[constant]), term);
        assert_eq!(terms.text(term), "(f a a)");
    }
}
