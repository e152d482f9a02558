//! The propagator of tables with few tuples: one, two, four or eight words of them.
//!
//! All words are visited each time, in loops of a length known to the compiler. Takes the domains
//! of the columns that changed since the last call, removes every value that no tuple left
//! supports.

use super::Revision;
use crate::domain::is_single;
use crate::network::{Column, Network};
use crate::store::{Conflict, Store};

pub(super) fn filter(store: &mut Store, revision: Revision<'_>) -> Result<(), Conflict> {
    match revision.table.words {
        1 => words::<1>(store, revision),
        2 => words::<2>(store, revision),
        4 => words::<4>(store, revision),
        _ => words::<8>(store, revision),
    }
}

fn words<const W: usize>(store: &mut Store, revision: Revision<'_>) -> Result<(), Conflict> {
    let Revision {
        network,
        table,
        afresh,
    } = revision;
    let columns = network.tables.columns(table);
    let state = table.state as usize;
    let old: [u64; W] = at(&store.cells, state);
    let (mut left, mut changed, mut last) = (old, 0, 0);
    for (place, column) in columns.iter().enumerate() {
        if let Some(mask) = mask::<W>(store, network, column) {
            left.iter_mut()
                .zip(mask)
                .for_each(|(left, mask)| *left &= mask);
            changed += 1;
            last = place;
        }
    }
    if left == [0; W] {
        return Err(Conflict);
    }
    if left == old && !afresh {
        return Ok(());
    }
    for word in 0..W {
        if left[word] != old[word] {
            store.set(state + word, left[word]);
        }
    }
    let left = Left {
        network,
        words: left,
    };
    for (place, column) in columns.iter().enumerate() {
        if changed != 1 || place != last || afresh {
            left.prune(store, column)?;
        }
    }
    Ok(())
}

/// Some words of a vector.
#[inline]
fn at<const W: usize>(words: &[u64], start: usize) -> [u64; W] {
    let words = words[start..].first_chunk();
    *words.expect("tables have as many words as they say")
}

/// The tuples that a column's domain allows; `None` if the domain has not changed.
#[inline]
fn mask<const W: usize>(store: &mut Store, network: &Network, column: &Column) -> Option<[u64; W]> {
    let (word, last, words) = (
        column.word as usize,
        column.last as usize,
        column.words as usize,
    );
    if (0..words).all(|place| store.cells[word + place] == store.cells[last + place]) {
        return None;
    }
    let pool = &network.tables.pool[column.supports as usize..];
    let mut mask = [0; W];
    for place in 0..words {
        let mut domain = store.cells[word + place];
        if store.cells[last + place] != domain {
            store.set(last + place, domain);
        }
        while domain != 0 {
            let value = place * 64 + domain.trailing_zeros() as usize;
            let support: [u64; W] = at(pool, value * W);
            mask.iter_mut()
                .zip(support)
                .for_each(|(mask, support)| *mask |= support);
            domain &= domain - 1;
        }
    }
    Some(mask)
}

/// The tuples that are left of a table.
struct Left<'n, const W: usize> {
    network: &'n Network,
    words: [u64; W],
}

impl<const W: usize> Left<'_, W> {
    /// Removes the values of a column that no tuple left supports.
    #[inline]
    fn prune(&self, store: &mut Store, column: &Column) -> Result<(), Conflict> {
        let network = self.network;
        let pool = &network.tables.pool[column.supports as usize..];
        for place in 0..column.words as usize {
            let word = column.word as usize + place;
            let mut domain = store.cells[word];
            if column.words == 1 && is_single(domain) {
                return Ok(());
            }
            let mut gone = 0;
            while domain != 0 {
                let bit = domain.trailing_zeros();
                let support: [u64; W] = at(pool, (place * 64 + bit as usize) * W);
                let common = support
                    .iter()
                    .zip(&self.words)
                    .fold(0, |all, (one, two)| all | (one & two));
                gone |= u64::from(common == 0) << bit;
                domain &= domain - 1;
            }
            if gone != 0 {
                store.remove(word, gone, network.slots[column.variable as usize])?;
                store.set(column.last as usize + place, store.cells[word]);
            }
        }
        Ok(())
    }
}
