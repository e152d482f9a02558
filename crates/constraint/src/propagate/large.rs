//! Compact-Table: the propagator of tables with many tuples.
//!
//! The tuples left are a reversible sparse bit set: the words that are not zero come first in an
//! order, and their number is restored on backtracking. A word that becomes zero is swapped
//! behind the others and keeps its old content. A column that changed either keeps the tuples of
//! its values (a reset) or drops those of the values it lost (a delta), whichever are fewer. Then
//! every value is checked for support, first in the word where it had support before.
//!
//! Takes changed domains, gives the removal of values without support.

use super::{Memory, Revision};
use crate::domain::bits;
use crate::network::{Column, Compact, Network, Support};
use crate::store::{Conflict, Store};

pub(super) fn filter(
    store: &mut Store,
    memory: &mut Memory,
    revision: Revision<'_>,
) -> Result<(), Conflict> {
    let Revision {
        network,
        table,
        afresh,
    } = revision;
    let columns = network.tables.columns(table);
    let before = store.cells[table.state as usize];
    let mut words = Words {
        memory,
        network,
        table,
        left: before as usize,
        is_changed: false,
    };
    let (mut changed, mut last) = (0, 0);
    for (place, column) in columns.iter().enumerate() {
        if words.update(store, column) {
            changed += 1;
            last = place;
        }
        if words.left == 0 {
            return Err(Conflict);
        }
    }
    if !words.is_changed && !afresh {
        return Ok(());
    }
    if words.left as u64 != before {
        store.set(table.state as usize, words.left as u64);
    }
    for (place, column) in columns.iter().enumerate() {
        if changed != 1 || place != last || afresh {
            words.prune(store, column)?;
        }
    }
    Ok(())
}

/// The tuples that are left of a table.
pub(super) struct Words<'m> {
    pub(super) memory: &'m mut Memory,
    pub(super) network: &'m Network,
    pub(super) table: &'m Compact,
    /// How many words are not zero.
    pub(super) left: usize,
    pub(super) is_changed: bool,
}

impl Words<'_> {
    /// Drops the tuples that a column's domain excludes. Returns whether the domain has changed.
    pub(super) fn update(&mut self, store: &mut Store, column: &Column) -> bool {
        let (word, last, words) = (
            column.word as usize,
            column.last as usize,
            column.words as usize,
        );
        if (0..words).all(|place| store.cells[word + place] == store.cells[last + place]) {
            return false;
        }
        let slot = self.network.slots[column.variable as usize];
        let kept = store.size(slot);
        let lost = |place: usize| store.cells[last + place] & !store.cells[word + place];
        match kept {
            1 => self.keep_one(store, column),
            _ if kept <= (0..words).map(|place| lost(place).count_ones()).sum() => {
                self.keep(store, column);
            }
            _ => self.drop(store, column),
        }
        for place in 0..column.words as usize {
            let domain = store.cells[column.word as usize + place];
            if store.cells[column.last as usize + place] != domain {
                store.set(column.last as usize + place, domain);
            }
        }
        true
    }

    fn keep_one(&mut self, store: &mut Store, column: &Column) {
        let words = &store.cells[column.word as usize..][..column.words as usize];
        let Some(place) = words.iter().position(|&word| word != 0) else {
            return;
        };
        let value = place * 64 + words[place].trailing_zeros() as usize;
        let tables = &self.network.tables;
        let support = tables.supports[column.supports as usize + value];
        let pool = &tables.pool[support.pool as usize..][..(support.high - support.low) as usize];
        self.intersect(store, |_, word| {
            let inside = word.wrapping_sub(support.low) as usize;
            pool.get(inside).copied().unwrap_or(0)
        });
    }

    fn keep(&mut self, store: &mut Store, column: &Column) {
        self.memory.masks[..self.left].fill(0);
        for place in 0..column.words as usize {
            for bit in bits(store.cells[column.word as usize + place]) {
                self.collect(column.supports as usize + place * 64 + bit as usize);
            }
        }
        self.intersect(store, |mask, _| mask);
    }

    fn drop(&mut self, store: &mut Store, column: &Column) {
        self.memory.masks[..self.left].fill(0);
        for place in 0..column.words as usize {
            let domain = store.cells[column.word as usize + place];
            let old = store.cells[column.last as usize + place];
            for bit in bits(old & !domain) {
                self.collect(column.explicit as usize + place * 64 + bit as usize);
            }
        }
        self.intersect(store, |mask, _| !mask);
    }

    /// Adds the tuples of a value to the masks of the words left.
    fn collect(&mut self, support: usize) {
        let tables = &self.network.tables;
        let Support { pool, low, high } = tables.supports[support];
        let pool = &tables.pool[pool as usize..][..(high - low) as usize];
        let start = self.table.order as usize;
        let order = &self.memory.order[start..start + self.left];
        if pool.len() < self.left {
            let places = &self.memory.places[start + low as usize..start + high as usize];
            for (&place, &bits) in places.iter().zip(pool) {
                if (place as usize) < self.left {
                    self.memory.masks[place as usize] |= bits;
                }
            }
            return;
        }
        for (mask, &word) in self.memory.masks.iter_mut().zip(order) {
            let inside = word.wrapping_sub(low) as usize;
            *mask |= pool.get(inside).copied().unwrap_or(0);
        }
    }

    /// Intersects each word with its mask; drops words that become zero.
    #[inline]
    fn intersect(&mut self, store: &mut Store, mask: impl Fn(u64, u32) -> u64) {
        let (start, base) = (self.table.order as usize, self.table.state as usize + 1);
        for place in (0..self.left).rev() {
            let word = self.memory.order[start + place];
            let cell = base + word as usize;
            let old = store.cells[cell];
            let new = old & mask(self.memory.masks[place], word);
            if new == old {
                continue;
            }
            self.is_changed = true;
            if new != 0 {
                store.set(cell, new);
                continue;
            }
            self.left -= 1;
            let other = self.memory.order[start + self.left];
            self.memory.order[start + place] = other;
            self.memory.order[start + self.left] = word;
            self.memory.places[start + other as usize] = place as u32;
            self.memory.places[start + word as usize] = self.left as u32;
        }
    }

    /// Removes the values of a column that have no support.
    fn prune(&mut self, store: &mut Store, column: &Column) -> Result<(), Conflict> {
        let slot = self.network.slots[column.variable as usize];
        if store.size(slot) == 1 {
            return Ok(());
        }
        for place in 0..column.words as usize {
            let word = column.word as usize + place;
            let mut gone = 0;
            for bit in bits(store.cells[word]) {
                let support = column.supports as usize + place * 64 + bit as usize;
                gone |= u64::from(!self.has_support(store, support)) << bit;
            }
            if gone != 0 {
                store.remove(word, gone, slot)?;
                store.set(column.last as usize + place, store.cells[word]);
            }
        }
        Ok(())
    }

    fn has_support(&mut self, store: &Store, number: usize) -> bool {
        let tables = &self.network.tables;
        let Support { pool, low, high } = tables.supports[number];
        let pool = &tables.pool[pool as usize..][..(high - low) as usize];
        let start = self.table.order as usize;
        let cells = &store.cells[self.table.state as usize + 1..][..self.table.words as usize];
        let places = &self.memory.places[start..start + self.table.words as usize];
        let has = |word: u32| {
            let inside = word.wrapping_sub(low) as usize;
            pool.get(inside)
                .is_some_and(|bits| bits & cells[word as usize] != 0)
        };
        let is_left = |word: u32| (places[word as usize] as usize) < self.left;
        let residue = self.memory.residues[number];
        if is_left(residue) && has(residue) {
            return true;
        }
        let found = match pool.len() < self.left {
            true => (low..high).find(|&word| is_left(word) && has(word)),
            false => {
                let order = &self.memory.order[start..start + self.left];
                order.iter().copied().find(|&word| has(word))
            }
        };
        if let Some(word) = found {
            self.memory.residues[number] = word;
        }
        found.is_some()
    }

    /// How many of the tuples left have a value.
    pub(super) fn count(&self, store: &Store, number: usize) -> u64 {
        let tables = &self.network.tables;
        let Support { pool, low, high } = tables.supports[number];
        let start = self.table.order as usize;
        let words = (low..high)
            .filter(|&word| (self.memory.places[start + word as usize] as usize) < self.left);
        let cell = |word: u32| store.cells[self.table.state as usize + 1 + word as usize];
        let both = words.map(|word| tables.pool[(pool + word - low) as usize] & cell(word));
        both.map(|bits| u64::from(bits.count_ones())).sum()
    }
}
