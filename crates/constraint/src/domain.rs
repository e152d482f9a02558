//! `Domain`: which values a variable may take, as a bit set.
//!
//! The values are the numbers below the capacity of the domain, except those removed. Takes
//! values, gives membership. Invariant: bits past the capacity are zero.

/// A value of a variable: its place among the values the variable was created with.
pub type Value = u32;

/// How many values a word of a domain holds.
pub(crate) const WORD: usize = 64;

/// A set of values below a capacity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    words: Vec<u64>,
    capacity: u32,
}

impl Domain {
    /// All values below a capacity.
    pub fn full(capacity: u32) -> Domain {
        let mut domain = Domain::empty(capacity);
        domain.words.fill(u64::MAX);
        let rest = capacity as usize % WORD;
        if let (Some(last), 1..) = (domain.words.last_mut(), rest) {
            *last = (1 << rest) - 1;
        }
        domain
    }

    /// No value at all.
    pub fn empty(capacity: u32) -> Domain {
        let words = vec![0; (capacity as usize).div_ceil(WORD)];
        Domain { words, capacity }
    }

    /// How many values the variable was created with.
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.words
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Whether a value is in it; values past the capacity are not.
    pub fn contains(&self, value: Value) -> bool {
        let word = self.words.get(value as usize / WORD);
        word.is_some_and(|word| word >> (value as usize % WORD) & 1 == 1)
    }

    /// Adds a value. Panics if it is past the capacity.
    pub fn insert(&mut self, value: Value) {
        assert!(value < self.capacity, "{value} is past the capacity");
        self.words[value as usize / WORD] |= 1 << (value as usize % WORD);
    }

    /// Removes a value. Returns whether it was in the domain.
    pub fn remove(&mut self, value: Value) -> bool {
        let was = self.contains(value);
        if was {
            self.words[value as usize / WORD] &= !(1 << (value as usize % WORD));
        }
        was
    }

    /// Keeps the values that pass a test.
    pub fn retain(&mut self, mut keep: impl FnMut(Value) -> bool) {
        let gone: Vec<Value> = self.values().filter(|&value| !keep(value)).collect();
        for value in gone {
            self.remove(value);
        }
    }

    /// The values, in order.
    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        let words = self.words.iter().enumerate();
        words.flat_map(|(place, &word)| {
            let base = (place * WORD) as Value;
            bits(word).map(move |bit| base + bit)
        })
    }

    /// The value, if there is exactly one.
    pub fn single(&self) -> Option<Value> {
        let mut values = self.values();
        let first = values.next()?;
        values.next().is_none().then_some(first)
    }

    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }
}

/// Whether exactly one bit is set; faster than counting where there is no instruction for it.
#[inline]
pub(crate) fn is_single(word: u64) -> bool {
    word != 0 && word & (word - 1) == 0
}

/// The places of the bits that are set, in order.
pub(crate) fn bits(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let bit = word.trailing_zeros();
            word &= word - 1;
            bit
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_domain_has_all_values_and_no_more() {
        for capacity in [0, 1, 63, 64, 65, 200] {
            let domain = Domain::full(capacity);
            assert_eq!(domain.len(), capacity as usize);
            assert!(domain.values().eq(0..capacity));
            assert!(!domain.contains(capacity));
        }
    }

    #[test]
    fn values_come_and_go() {
        let mut domain = Domain::empty(100);
        domain.insert(3);
        domain.insert(99);
        assert_eq!(domain.single(), None);
        assert!(domain.remove(3) && !domain.remove(3));
        assert_eq!(domain.single(), Some(99));
        domain.retain(|value| value < 99);
        assert!(domain.is_empty());
    }
}
