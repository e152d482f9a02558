//! `Store`: the reversible state of a search, and the trail that restores it.
//!
//! All reversible state is in one vector of cells: domains, sizes of wide domains, the state of
//! tables. The old value of a cell is saved once per level; backtracking writes old values in
//! reverse. Takes removals and assignments of values, gives domains and the events for
//! propagation.
//!
//! Invariants: the trail of a level begins at its mark; after a conflict a domain may be empty,
//! and the level has to be undone first.

use crate::domain::{Domain, Value, WORD, is_single};
use crate::network::{Lit, NONE, Network, Slot};

/// No solution from here: a domain became empty, or a constraint cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no solution from here")]
pub struct Conflict;

/// Values that left a domain.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    pub(crate) word: u32,
    pub(crate) removed: u64,
}

/// Where a level begins.
#[derive(Clone, Copy, Debug)]
struct Mark {
    trail: usize,
    stamp: u32,
}

/// Cells, trail and events.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub(crate) cells: Vec<u64>,
    /// For each cell, the stamp of the level at which it was last saved.
    stamps: Vec<u32>,
    trail: Vec<(u32, u64)>,
    marks: Vec<Mark>,
    /// The stamp of the level on top; 0 at the root, where nothing is saved.
    stamp: u32,
    /// The last stamp given out.
    issued: u32,
    pub(crate) events: Vec<Event>,
}

impl Store {
    pub(crate) fn new(network: &Network) -> Store {
        let cells = network.cells.clone();
        Store {
            stamps: vec![0; cells.len()],
            cells,
            trail: Vec::new(),
            marks: Vec::new(),
            stamp: 0,
            issued: 0,
            events: Vec::new(),
        }
    }

    /// How many levels there are above the root.
    pub(crate) fn level(&self) -> usize {
        self.marks.len()
    }

    /// Starts a level.
    pub(crate) fn push(&mut self) {
        let (trail, stamp) = (self.trail.len(), self.stamp);
        self.marks.push(Mark { trail, stamp });
        if self.issued == u32::MAX {
            self.renumber();
        }
        self.issued += 1;
        self.stamp = self.issued;
    }

    /// Resets the stamps. Cells may be saved twice at a level, which does no harm.
    fn renumber(&mut self) {
        self.stamps.fill(0);
        for (level, mark) in self.marks.iter_mut().enumerate() {
            mark.stamp = level as u32;
        }
        self.issued = self.marks.len() as u32;
    }

    /// Backtracks to a level.
    pub(crate) fn pop_to(&mut self, level: usize) {
        self.events.clear();
        let Some(&mark) = self.marks.get(level) else {
            return;
        };
        while self.trail.len() > mark.trail {
            if let Some((cell, old)) = self.trail.pop() {
                self.cells[cell as usize] = old;
            }
        }
        self.stamp = mark.stamp;
        self.marks.truncate(level);
    }

    /// Sets a cell, saving its old value.
    #[inline]
    pub(crate) fn set(&mut self, cell: usize, value: u64) {
        if self.stamps[cell] != self.stamp {
            self.stamps[cell] = self.stamp;
            self.trail.push((cell as u32, self.cells[cell]));
        }
        self.cells[cell] = value;
    }

    /// How many values a domain has.
    #[inline]
    pub(crate) fn size(&self, slot: Slot) -> u32 {
        match slot.size {
            NONE if is_single(self.cells[slot.word as usize]) => 1,
            NONE => self.cells[slot.word as usize].count_ones(),
            size => self.cells[size as usize] as u32,
        }
    }

    /// The words of a domain.
    pub(crate) fn words(&self, slot: Slot) -> &[u64] {
        &self.cells[slot.word as usize..(slot.word + slot.words) as usize]
    }

    /// The least value of a domain that is at least `from`.
    pub(crate) fn next(&self, slot: Slot, from: Value) -> Option<Value> {
        let start = from as usize / WORD;
        let words = self.words(slot).iter().enumerate().skip(start);
        for (place, &word) in words {
            let word = match place == start {
                true => word & (u64::MAX << (from as usize % WORD)),
                false => word,
            };
            if word != 0 {
                return Some((place * WORD) as Value + word.trailing_zeros());
            }
        }
        None
    }

    /// The domain as a set.
    pub(crate) fn domain(&self, slot: Slot, capacity: u32) -> Domain {
        let mut domain = Domain::empty(capacity);
        let mut from = 0;
        while let Some(value) = self.next(slot, from) {
            domain.insert(value);
            from = value + 1;
        }
        domain
    }

    /// Removes values from a cell of a domain.
    #[inline]
    pub(crate) fn remove(&mut self, word: usize, mask: u64, slot: Slot) -> Result<(), Conflict> {
        let old = self.cells[word];
        let removed = old & mask;
        if removed == 0 {
            return Ok(());
        }
        self.set(word, old & !mask);
        self.events.push(Event {
            word: word as u32,
            removed,
        });
        let is_empty = match slot.size {
            NONE => old == removed,
            size => {
                let left = self.cells[size as usize] - u64::from(removed.count_ones());
                self.set(size as usize, left);
                left == 0
            }
        };
        if is_empty { Err(Conflict) } else { Ok(()) }
    }

    /// Removes all values of a domain but one.
    pub(crate) fn assign(&mut self, word: usize, mask: u64, slot: Slot) -> Result<(), Conflict> {
        if self.cells[word] & mask == 0 {
            return Err(Conflict);
        }
        if slot.size != NONE {
            for other in slot.word as usize..(slot.word + slot.words) as usize {
                if other != word {
                    self.remove(other, u64::MAX, slot)?;
                }
            }
        }
        self.remove(word, !mask, slot)
    }

    /// Makes a literal true.
    #[inline]
    pub(crate) fn make(&mut self, lit: Lit, slot: Slot) -> Result<(), Conflict> {
        match lit.is_equal() {
            true => self.assign(lit.word(), lit.mask(), slot),
            false => self.remove(lit.word(), lit.mask(), slot),
        }
    }
}
