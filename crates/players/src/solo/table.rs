//! What a deepening search knows of states, in bounded memory.
//!
//! A state goes by a hash of 128 bits: among ten million states two have the same with a chance
//! below 1e-24. The table starts small and doubles while memory and time allow; then new entries take
//! the place of others in their bucket: of searches from earlier roots first, then of the deepest
//! states, which are searched again at the least cost.

use crate::kit::Clock;
use foldhash::fast::FixedState;
use game::Bits;
use std::hash::{BuildHasher, Hasher};

/// Entries that share a place.
const BUCKET: usize = 4;
/// Entries of a table at first.
const FIRST: usize = 1 << 12;

/// What a state goes by.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hash(u64, u64);

/// What is known of a state.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Entry {
    pub(super) hash: Hash,
    /// Which search it was last met in, from 1; 0 if the entry is free.
    pub(super) root: u32,
    /// In which iteration of it.
    pub(super) iteration: u16,
    /// The least number of moves from that root; [`Entry::EXHAUSTED`] if all lines from the state
    /// were seen.
    pub(super) depth: u16,
}

impl Entry {
    /// The depth of a state that need not be visited again, from whichever root.
    pub(super) const EXHAUSTED: u16 = u16::MAX;

    pub(super) fn is_exhausted(&self) -> bool {
        self.depth == Entry::EXHAUSTED
    }
}

/// The table.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
    used: usize,
    /// How many bytes it may take.
    memory: usize,
    hashers: [FixedState; 2],
}

impl Table {
    pub(super) fn new(memory: usize) -> Table {
        Table {
            entries: vec![Entry::default(); FIRST],
            used: 0,
            memory,
            hashers: [1, 2].map(FixedState::with_seed),
        }
    }

    /// The hash of a state without the fluents in `hidden`, which is empty or as long as the state.
    pub(super) fn hash(&self, state: &Bits, hidden: &[u64]) -> Hash {
        let [mut one, mut other] = self.hashers.each_ref().map(BuildHasher::build_hasher);
        for (place, &word) in state.words().iter().enumerate() {
            let word = word & !hidden.get(place).copied().unwrap_or(0);
            one.write_u64(word);
            other.write_u64(word);
        }
        Hash(one.finish(), other.finish())
    }

    fn bucket(&self, hash: Hash) -> usize {
        hash.0 as usize % (self.entries.len() / BUCKET) * BUCKET
    }

    /// What is known of a state.
    pub(super) fn find(&self, hash: Hash) -> Option<Entry> {
        let bucket = &self.entries[self.bucket(hash)..][..BUCKET];
        let found = bucket.iter().find(|it| it.root > 0 && it.hash == hash);
        found.copied()
    }

    /// Notes what is known of a state, in the place of what was known before.
    pub(super) fn note(&mut self, entry: Entry) {
        let hash = entry.hash;
        let bucket = self.bucket(hash);
        let bucket = &mut self.entries[bucket..][..BUCKET];
        let same = bucket.iter().position(|it| it.root > 0 && it.hash == hash);
        let place = same.unwrap_or_else(|| worst(bucket));
        self.used += usize::from(bucket[place].root == 0);
        bucket[place] = entry;
    }

    /// Doubles the table if it is half full, and there is memory and time for that.
    pub(super) fn make_room(&mut self, clock: &Clock) {
        let bytes = size_of_val(&*self.entries);
        // Both tables are there while entries move.
        let fits = 3 * bytes <= self.memory && clock.has_time_for(3 * bytes);
        if 2 * self.used < self.entries.len() || !fits {
            return;
        }
        let twice = vec![Entry::default(); 2 * self.entries.len()];
        let old = std::mem::replace(&mut self.entries, twice);
        self.used = 0;
        for entry in old.into_iter().filter(|it| it.root > 0) {
            self.note(entry);
        }
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.entries)
    }
}

/// The entry of a bucket that is missed least.
fn worst(bucket: &[Entry]) -> usize {
    let loss = |&place: &usize| {
        let Entry { root, depth, .. } = bucket[place];
        // What is exhausted saves a whole subtree.
        let depth = if depth == Entry::EXHAUSTED { 0 } else { depth };
        (root, u16::MAX - depth)
    };
    (0..bucket.len()).min_by_key(loss).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Budget;
    use game::BitsBuf;

    fn state(number: u64) -> BitsBuf {
        BitsBuf::from(vec![number, 7])
    }

    fn entry(hash: Hash, depth: u16) -> Entry {
        Entry {
            hash,
            root: 1,
            depth,
            ..Entry::default()
        }
    }

    #[test]
    fn hidden_fluents_make_no_difference() {
        let table = Table::new(1 << 20);
        let hash = |number, hidden: &[u64]| table.hash(&state(number), hidden);
        assert_ne!(hash(5, &[]), hash(4, &[]));
        assert_eq!(hash(5, &[1, 0]), hash(4, &[1, 0]));
        assert_ne!(hash(5, &[1, 0]), hash(6, &[1, 0]));
    }

    #[test]
    fn the_table_grows_to_its_limit_and_then_forgets_the_deepest() {
        let clock = Clock::new(&Budget::Iterations(1));
        let memory = 1 << 20;
        let mut table = Table::new(memory);
        for number in 0..100_000 {
            let hash = table.hash(&state(number), &[]);
            table.note(entry(hash, (number / 1000) as u16));
            table.make_room(&clock);
        }
        assert!(table.bytes() <= memory);
        let known = |number| table.find(table.hash(&state(number), &[])).is_some();
        let count = |range: std::ops::Range<u64>| range.filter(|&it| known(it)).count();
        // Some are lost where a bucket overflows before the table grows.
        assert!(count(0..5_000) > 4_500);
        // The newest has a place until the next one comes.
        assert!(count(60_000..65_000) < 500);
    }
}
