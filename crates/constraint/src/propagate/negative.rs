//! The propagator of tables of forbidden tuples.
//!
//! The forbidden tuples within the domains are kept as Compact-Table keeps allowed ones. A value
//! has no support when the number of forbidden tuples with it equals the number of all tuples of
//! the other columns (Verhaeghe, Lecoutre and Schaus, AAAI 2017). Removing a value drops tuples
//! and makes the counts obsolete: the propagator stops at the first column that lost a value, and
//! its own events wake it again.

use super::large::Words;
use super::{Memory, Revision};
use crate::domain::bits;
use crate::network::{Column, Network};
use crate::store::{Conflict, Store};

pub(super) fn filter(
    store: &mut Store,
    memory: &mut Memory,
    revision: Revision<'_>,
) -> Result<(), Conflict> {
    let Revision { network, table, .. } = revision;
    let columns = network.tables.columns(table);
    let before = store.cells[table.state as usize];
    let mut words = Words {
        memory,
        network,
        table,
        left: before as usize,
        is_changed: false,
    };
    for column in columns {
        words.update(store, column);
    }
    if words.left as u64 != before {
        store.set(table.state as usize, words.left as u64);
    }
    let most = words.left as u64 * 64;
    for (place, column) in columns.iter().enumerate() {
        let others = columns
            .iter()
            .enumerate()
            .filter(|&(other, _)| other != place);
        let sizes = others.map(|(_, other)| size(store, network, other));
        let others = sizes.fold(1u64, u64::saturating_mul);
        if others <= most && prune(store, &words, (column, others))? {
            break;
        }
    }
    Ok(())
}

fn size(store: &Store, network: &Network, column: &Column) -> u64 {
    store.size(network.slots[column.variable as usize]).into()
}

/// Removes the values without support. Returns whether there were any. `others` is the number of
/// tuples of the other columns.
fn prune(
    store: &mut Store,
    words: &Words,
    (column, others): (&Column, u64),
) -> Result<bool, Conflict> {
    let slot = words.network.slots[column.variable as usize];
    let mut any = false;
    for place in 0..column.words as usize {
        let word = column.word as usize + place;
        let mut gone = 0;
        for bit in bits(store.cells[word]) {
            let number = column.supports as usize + place * 64 + bit as usize;
            gone |= u64::from(words.count(store, number) == others) << bit;
        }
        any |= gone != 0;
        store.remove(word, gone, slot)?;
    }
    Ok(any)
}
