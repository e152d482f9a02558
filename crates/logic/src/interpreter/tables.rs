//! Answers by call, and indices into facts.

use crate::rules::{PredicateId, Volatility};
use crate::terms::TermId;
use hashbrown::HashTable;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::hash::BuildHasher;

/// A predicate with the arguments that are known.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Call {
    pub(super) predicate: PredicateId,
    pub(super) arguments: Arguments,
}

pub(crate) type Arguments = SmallVec<[Option<TermId>; 6]>;
/// The arguments of one answer.
pub(crate) type Tuple = SmallVec<[TermId; 6]>;
type Hasher = foldhash::fast::FixedState;

/// The number of a table.
pub(super) type TableId = u32;

/// Whether a table has all answers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum AnswerStatus {
    /// It has all answers.
    Complete,
    /// Its call is being evaluated, at this depth.
    Active(usize),
    /// Its call was evaluated in this round, but depends on an incomplete call at this depth.
    Partial { depth: usize, round: u64 },
}

/// The answers to a call.
#[derive(Clone, Debug)]
pub(super) struct AnswerTable {
    pub(super) status: AnswerStatus,
    arity: usize,
    /// Answers one after the other, all arguments of each.
    tuples: Vec<TermId>,
    /// The numbers of the answers, by their arguments.
    index: HashTable<u32>,
    /// How many answers there are: a predicate without arguments has at most one.
    pub(super) count: usize,
}

impl AnswerTable {
    fn new(arity: usize, depth: usize) -> AnswerTable {
        AnswerTable {
            status: AnswerStatus::Active(depth),
            arity,
            tuples: Vec::new(),
            index: HashTable::new(),
            count: 0,
        }
    }

    /// Adds an answer; whether it is new.
    fn add(&mut self, tuple: &[TermId], hasher: &Hasher) -> bool {
        debug_assert_eq!(tuple.len(), self.arity);
        let (arity, tuples) = (self.arity, &self.tuples);
        let at = |number: u32| &tuples[number as usize * arity..(number as usize + 1) * arity];
        let hash = hasher.hash_one(tuple);
        if self.index.find(hash, |&it| at(it) == tuple).is_some() {
            return false;
        }
        let rehash = |&number: &u32| hasher.hash_one(at(number));
        self.index.insert_unique(hash, self.count as u32, rehash);
        self.tuples.extend_from_slice(tuple);
        self.count += 1;
        true
    }

    /// How many bytes it takes, about: vectors and indices have room to grow.
    fn bytes(&self) -> usize {
        const TABLE: usize = 256;
        TABLE + self.count * answer_bytes(self.arity)
    }

    pub(super) fn tuple(&self, index: usize) -> &[TermId] {
        &self.tuples[index * self.arity..(index + 1) * self.arity]
    }
}

/// How many bytes a fact takes in an index, about.
const FACT: usize = 64;

/// How many bytes an answer takes, about.
fn answer_bytes(arity: usize) -> usize {
    8 * arity + 12
}

/// Facts of a predicate by the arguments that a call knows.
type FactIndex = HashMap<Tuple, Vec<u32>, Hasher>;

/// All tables of a scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct AnswerTables {
    pub(super) all: Vec<AnswerTable>,
    calls: [HashMap<Call, TableId, Hasher>; 3],
    /// Empty tables, to be reused.
    free: Vec<TableId>,
    facts: HashMap<(PredicateId, u64), FactIndex, Hasher>,
    hasher: Hasher,
    bytes: usize,
}

impl AnswerTables {
    /// How many bytes all tables take, about.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Drops the tables of this volatility and above.
    pub(super) fn forget(&mut self, volatility: Volatility) {
        for calls in &mut self.calls[volatility as usize..] {
            for (_, id) in calls.drain() {
                let table = &mut self.all[id as usize];
                self.bytes -= table.bytes();
                *table = AnswerTable::new(0, 0);
                self.free.push(id);
            }
        }
    }

    /// Adds an answer to a table; whether it is new.
    pub(super) fn add(&mut self, table: TableId, tuple: &[TermId]) -> bool {
        let is_new = self.all[table as usize].add(tuple, &self.hasher);
        if is_new {
            self.bytes += answer_bytes(tuple.len());
        }
        is_new
    }

    pub(super) fn find(&self, call: &Call, volatility: Volatility) -> Option<TableId> {
        self.calls[volatility as usize].get(call).copied()
    }

    /// Opens a table for a new call.
    pub(super) fn open(&mut self, call: Call, volatility: Volatility, depth: usize) -> TableId {
        let arity = call.arguments.len();
        let id = match self.free.pop() {
            Some(id) => {
                self.all[id as usize] = AnswerTable::new(arity, depth);
                id
            }
            None => {
                self.all.push(AnswerTable::new(arity, depth));
                self.all.len() as TableId - 1
            }
        };
        self.bytes += self.all[id as usize].bytes();
        self.calls[volatility as usize].insert(call, id);
        id
    }

    /// The facts, by number, that agree with the known arguments of a call.
    pub(super) fn facts(&mut self, call: &Call, facts: &[TermId]) -> Vec<u32> {
        let arity = call.arguments.len();
        let known = call.arguments.iter().enumerate();
        let mask = known.fold(0, |mask, (place, argument)| {
            mask | (u64::from(argument.is_some() && place < 64) << place)
        });
        let index = self.facts.entry((call.predicate, mask)).or_insert_with(|| {
            let mut index = FactIndex::default();
            self.bytes += facts.len() / arity.max(1) * FACT;
            for (number, fact) in facts.chunks_exact(arity).enumerate() {
                let key = fact.iter().enumerate();
                let key = key.filter(|(place, _)| *place < 64 && mask >> place & 1 == 1);
                let key: Tuple = key.map(|(_, &term)| term).collect();
                index.entry(key).or_default().push(number as u32);
            }
            index
        });
        let key: Tuple = call
            .arguments
            .iter()
            .take(64)
            .filter_map(|it| *it)
            .collect();
        index.get(&key).cloned().unwrap_or_default()
    }
}
