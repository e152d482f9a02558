//! The propagator of tables with up to 64 tuples: the tuples left are one word.
//!
//! Takes the domains of the columns that changed since it was last here, gives the removal of
//! every value that no tuple left supports.

use crate::domain::is_single;
use crate::network::{Column, Compact, Network};
use crate::store::{Conflict, Store};

pub(super) fn filter(
    store: &mut Store,
    (network, table): (&Network, &Compact),
    afresh: bool,
) -> Result<(), Conflict> {
    let columns = network.tables.columns(table);
    let state = table.state as usize;
    let old = store.cells[state];
    let (mut left, mut changed, mut last) = (old, 0, 0);
    for (place, column) in columns.iter().enumerate() {
        if let Some(mask) = mask(store, network, column) {
            left &= mask;
            changed += 1;
            last = place;
        }
    }
    if left == 0 {
        return Err(Conflict);
    }
    if left != old {
        store.set(state, left);
    } else if !afresh {
        return Ok(());
    }
    for (place, column) in columns.iter().enumerate() {
        if changed != 1 || place != last || afresh {
            prune(store, (network, column), left)?;
        }
    }
    Ok(())
}

/// The tuples that a column's domain leaves, if the domain has changed.
fn mask(store: &mut Store, network: &Network, column: &Column) -> Option<u64> {
    let (word, last, words) = (
        column.word as usize,
        column.last as usize,
        column.words as usize,
    );
    if store.cells[word..word + words] == store.cells[last..last + words] {
        return None;
    }
    let pool = &network.tables.pool[column.supports as usize..];
    let mut mask = 0;
    for place in 0..words {
        let mut domain = store.cells[word + place];
        if store.cells[last + place] != domain {
            store.set(last + place, domain);
        }
        while domain != 0 {
            mask |= pool[place * 64 + domain.trailing_zeros() as usize];
            domain &= domain - 1;
        }
    }
    Some(mask)
}

fn prune(
    store: &mut Store,
    (network, column): (&Network, &Column),
    left: u64,
) -> Result<(), Conflict> {
    let slot = network.slots[column.variable as usize];
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
            if pool[place * 64 + bit as usize] & left == 0 {
                gone |= 1 << bit;
            }
            domain &= domain - 1;
        }
        if gone != 0 {
            store.remove(word, gone, slot)?;
            store.set(column.last as usize + place, store.cells[word]);
        }
    }
    Ok(())
}
