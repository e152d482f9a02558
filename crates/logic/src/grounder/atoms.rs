//! Ground atoms, numbered in the order they are found, and indices over the derived ones.

use super::plan::{Access, Key};
use crate::rules::PredicateId;
use crate::terms::{TermId, Terms};
use hashbrown::HashTable;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::hash::BuildHasher;

/// The number of a ground atom.
pub(super) type AtomId = u32;

type Hasher = foldhash::fast::FixedState;
pub(super) type IndexKey = SmallVec<[u32; 6]>;

/// Not derived yet.
pub(super) const NEVER: u32 = u32::MAX;

#[derive(Debug, Default)]
pub(super) struct Atoms {
    predicates: Vec<PredicateId>,
    starts: Vec<u32>,
    arguments: Vec<TermId>,
    index: HashTable<AtomId>,
    hasher: Hasher,
    /// When each atom was indexed, counted from 0; [`NEVER`] before.
    pub(super) taken: Vec<u32>,
    /// Whether each atom was derived.
    pub(super) derived: Vec<bool>,
    accesses: HashMap<Access, usize>,
    by_predicate: HashMap<PredicateId, Vec<usize>>,
    indices: Vec<Index>,
}

#[derive(Debug)]
struct Index {
    keys: Vec<Key>,
    atoms: HashMap<IndexKey, Vec<AtomId>, Hasher>,
}

impl Atoms {
    pub(super) fn len(&self) -> usize {
        self.predicates.len()
    }

    /// How many bytes they take, about.
    pub(super) fn bytes(&self) -> usize {
        // A hash table of some slack, and one or two indices each.
        const ATOM: usize = 80;
        ATOM * self.len() + 4 * self.arguments.capacity()
    }

    pub(super) fn predicate(&self, atom: AtomId) -> PredicateId {
        self.predicates[atom as usize]
    }

    pub(super) fn arguments(&self, atom: AtomId) -> &[TermId] {
        let start = self.starts[atom as usize] as usize;
        let end = self.starts.get(atom as usize + 1);
        &self.arguments[start..end.map_or(self.arguments.len(), |&end| end as usize)]
    }

    pub(super) fn find(&self, predicate: PredicateId, arguments: &[TermId]) -> Option<AtomId> {
        let hash = self.hasher.hash_one((predicate, arguments));
        let same =
            |&atom: &AtomId| self.predicate(atom) == predicate && self.arguments(atom) == arguments;
        self.index.find(hash, same).copied()
    }

    pub(super) fn intern(&mut self, predicate: PredicateId, arguments: &[TermId]) -> AtomId {
        if let Some(atom) = self.find(predicate, arguments) {
            return atom;
        }
        let hash = self.hasher.hash_one((predicate, arguments));
        let atom = self.len() as AtomId;
        self.predicates.push(predicate);
        self.starts.push(self.arguments.len() as u32);
        self.arguments.extend_from_slice(arguments);
        self.taken.push(NEVER);
        self.derived.push(false);
        let (predicates, starts, all, hasher) = (
            &self.predicates,
            &self.starts,
            &self.arguments,
            &self.hasher,
        );
        let rehash = |&atom: &AtomId| {
            let start = starts[atom as usize] as usize;
            let end = starts
                .get(atom as usize + 1)
                .map_or(all.len(), |&end| end as usize);
            hasher.hash_one((predicates[atom as usize], &all[start..end]))
        };
        self.index.insert_unique(hash, atom, rehash);
        atom
    }

    /// The number of the index for an access, made if there is none.
    pub(super) fn index(&mut self, access: &Access) -> usize {
        if let Some(&index) = self.accesses.get(access) {
            return index;
        }
        let number = self.indices.len();
        self.indices.push(Index {
            keys: access.keys.clone(),
            atoms: HashMap::default(),
        });
        self.accesses.insert(access.clone(), number);
        self.by_predicate
            .entry(access.predicate)
            .or_default()
            .push(number);
        number
    }

    /// Adds an atom to all indices.
    pub(super) fn take_up(&mut self, atom: AtomId, time: u32, terms: &Terms) {
        self.taken[atom as usize] = time;
        let Some(numbers) = self.by_predicate.get(&self.predicate(atom)) else {
            return;
        };
        for &number in numbers {
            let start = self.starts[atom as usize] as usize;
            let end = self.starts.get(atom as usize + 1);
            let end = end.map_or(self.arguments.len(), |&end| end as usize);
            let index = &mut self.indices[number];
            if let Some(key) = key_of(&index.keys, &self.arguments[start..end], terms) {
                index.atoms.entry(key).or_default().push(atom);
            }
        }
    }

    /// The atoms that an index holds under a key.
    pub(super) fn lookup(&self, index: usize, key: &IndexKey) -> &[AtomId] {
        let found = self.indices[index].atoms.get(key);
        found.map_or(&[], Vec::as_slice)
    }
}

fn key_of(keys: &[Key], arguments: &[TermId], terms: &Terms) -> Option<IndexKey> {
    let mut found = IndexKey::new();
    for key in keys {
        match *key {
            Key::Whole(column) => found.push(arguments[column as usize].index() as u32),
            Key::Functor(column, name, arity) => {
                if terms.functor(arguments[column as usize]) != (name, arity as usize) {
                    return None;
                }
            }
            Key::Part(column, part) => {
                let parts = terms.arguments(arguments[column as usize]);
                found.push(parts[part as usize].index() as u32);
            }
        }
    }
    Some(found)
}
