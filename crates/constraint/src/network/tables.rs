//! Tables as bit sets: for each value of each column, which tuples support it.
//!
//! After Demeulenaere et al., *Compact-Table: efficiently filtering table constraints with
//! reversible sparse bit-sets* (CP 2016); short and forbidden tuples after Verhaeghe, Lecoutre
//! and Schaus (AAAI 2017). Takes tables, gives words in a
//! pool. Tuples are sorted by the widest column first, so that its values are supported within a
//! few words; a value keeps only the range of words in which it has support.
//!
//! A table of up to 512 tuples is one, two, four or eight words; the supports of its values are
//! contiguous and of the same number of words.

use super::Slot;
use crate::domain::{Domain, Value, WORD};
use crate::model::{Invalid, Variable};
use crate::table::{ANY, Polarity, Table};

/// A negative table is made positive if its domains have at most this many tuples.
const PLAIN: usize = 4096;
/// The same for short tables; `MOST_SHORT`: how many tuples these may have, as each tuple of the
/// domains is compared with each.
const PLAIN_SHORT: usize = 1 << 15;
const MOST_SHORT: usize = 512;

/// A table of up to this many words is propagated as a whole.
const DENSE: u32 = 8;

/// How a table is propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// Allowed tuples in up to [`DENSE`] words.
    Small,
    /// Allowed tuples in many words.
    Large,
    /// Forbidden tuples.
    Negative,
}

/// A table, and where its state lies in the cells.
#[derive(Clone, Debug)]
pub(crate) struct Compact {
    pub(crate) kind: TableKind,
    /// The range of its columns in [`Tables::columns`].
    pub(crate) columns: (u32, u32),
    /// Small: the first cell of the tuples left. Else: the cell with the number of words that are
    /// not zero; the words follow it.
    pub(crate) state: u32,
    /// Where its words begin in the order of words; `words`: how many it has.
    pub(crate) order: u32,
    pub(crate) words: u32,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) variable: u32,
    pub(crate) word: u32,
    pub(crate) words: u32,
    /// The first cell of the domain as it was when the table was last propagated.
    pub(crate) last: u32,
    /// Small: where in the pool the words of its values begin. Else: where its supports begin.
    pub(crate) supports: u32,
    /// The same without short tuples: the tuples lost when a value is removed.
    pub(crate) explicit: u32,
}

/// The words in which a value has support.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Support {
    pub(crate) pool: u32,
    pub(crate) low: u32,
    pub(crate) high: u32,
}

/// All tables of a network.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    pub(crate) all: Vec<Compact>,
    pub(crate) columns: Vec<Column>,
    pub(crate) supports: Vec<Support>,
    pub(crate) pool: Vec<u64>,
    /// How many words all tables but the small ones have.
    pub(crate) words: u32,
    /// The tables of each variable, one after the other, and where they start.
    watchers: Vec<u32>,
    starts: Vec<u32>,
}

/// Where a table is laid out.
pub(super) struct Room<'r> {
    /// The domain of each of its columns.
    pub(super) domains: &'r [&'r Domain],
    pub(super) slots: &'r [Slot],
    pub(super) cells: &'r mut Vec<u64>,
}

/// A column of a list of tuples, with values below `capacity`.
struct ColumnTuples<'t> {
    tuples: &'t [&'t [Value]],
    place: usize,
    capacity: usize,
}

/// The tuples that support a value: words that are not zero, with their numbers.
type Mask = Vec<(u32, u64)>;

/// The form in which a table is propagated best.
pub(super) enum Suited {
    Table(Table),
    /// Each tuple a clause.
    Clauses(Table),
}

/// Chooses the form of a table. Small negative tables are made positive. Other short negative
/// tables become clauses, whose propagation is weaker, so their limit is higher.
pub(super) fn suited(table: &Table, domains: &[&Domain]) -> Suited {
    let table = table.within(domains);
    if table.polarity() == Polarity::Allowed {
        return Suited::Table(table);
    }
    let is_light = table.is_short() && table.len() <= MOST_SHORT;
    let most = if is_light { PLAIN_SHORT } else { PLAIN };
    if let Some(plain) = table.plain(domains, most.max(table.len())) {
        return Suited::Table(plain);
    }
    match table.is_short() {
        true => Suited::Clauses(table),
        false => Suited::Table(table),
    }
}

impl Tables {
    pub(super) fn add(
        &mut self,
        scope: &[Variable],
        table: &Table,
        room: Room<'_>,
    ) -> Result<(), Invalid> {
        let Room {
            domains,
            slots,
            cells,
        } = room;
        let tuples = sorted(table, domains);
        let mut words = tuples.len().div_ceil(WORD).max(1) as u32;
        let kind = match table.polarity() {
            Polarity::Forbidden => TableKind::Negative,
            Polarity::Allowed if words <= DENSE => TableKind::Small,
            Polarity::Allowed => TableKind::Large,
        };
        if kind == TableKind::Small {
            words = words.next_power_of_two();
        }
        let state = cells.len() as u32;
        if kind != TableKind::Small {
            cells.push(words.into());
        }
        cells.extend((0..words as usize).map(|word| full(tuples.len(), word)));
        let first = self.columns.len() as u32;
        for (place, &variable) in scope.iter().enumerate() {
            let slot = slots[variable.index()];
            let last = cells.len() as u32;
            cells.extend_from_slice(domains[place].words());
            let capacity = domains[place].capacity() as usize;
            let of = ColumnTuples {
                tuples: &tuples,
                place,
                capacity,
            };
            let masks = of.masks(true);
            let supports = self.supports(kind, words, &masks);
            let is_short = tuples.iter().any(|tuple| tuple[place] == ANY);
            let explicit = match is_short {
                true => self.supports(kind, words, &of.masks(false)),
                false => supports,
            };
            let Slot { word, words, .. } = slot;
            let variable = variable.0;
            self.columns.push(Column {
                variable,
                word,
                words,
                last,
                supports,
                explicit,
            });
        }
        let columns = (first, self.columns.len() as u32);
        let order = self.words;
        if kind != TableKind::Small {
            self.words += words;
        }
        self.all.push(Compact {
            kind,
            columns,
            state,
            order,
            words,
        });
        let largest = self.pool.len().max(cells.len()).max(self.supports.len());
        u32::try_from(largest)
            .map(|_| ())
            .map_err(|_| Invalid::TooLarge)
    }

    /// Stores the supports of a column's values; returns where they begin.
    fn supports(&mut self, kind: TableKind, words: u32, masks: &[Mask]) -> u32 {
        match kind {
            TableKind::Small => self.small_supports(masks, words),
            _ => self.large_supports(masks),
        }
    }

    fn small_supports(&mut self, masks: &[Mask], words: u32) -> u32 {
        let start = self.pool.len();
        self.pool.resize(start + masks.len() * words as usize, 0);
        for (value, mask) in masks.iter().enumerate() {
            for &(word, bits) in mask {
                self.pool[start + value * words as usize + word as usize] = bits;
            }
        }
        start as u32
    }

    fn large_supports(&mut self, masks: &[Mask]) -> u32 {
        let start = self.supports.len() as u32;
        for mask in masks {
            let pool = self.pool.len() as u32;
            let low = mask.first().map_or(0, |&(word, _)| word);
            let high = mask.last().map_or(0, |&(word, _)| word + 1);
            self.pool.resize(self.pool.len() + (high - low) as usize, 0);
            for &(word, bits) in mask {
                self.pool[(pool + word - low) as usize] = bits;
            }
            self.supports.push(Support { pool, low, high });
        }
        start
    }

    /// Lists the tables each variable is in.
    pub(super) fn finish(&mut self, slots: &[Slot]) {
        let mut pairs = Vec::with_capacity(self.columns.len());
        for (number, table) in self.all.iter().enumerate() {
            let columns = &self.columns[table.columns.0 as usize..table.columns.1 as usize];
            pairs.extend(
                columns
                    .iter()
                    .map(|column| (column.variable, number as u32)),
            );
        }
        pairs.sort_unstable();
        self.starts = vec![0; slots.len() + 1];
        for &(variable, _) in &pairs {
            self.starts[variable as usize + 1] += 1;
        }
        for variable in 0..slots.len() {
            self.starts[variable + 1] += self.starts[variable];
        }
        self.watchers = pairs.into_iter().map(|(_, table)| table).collect();
    }

    /// The tables a variable is in.
    pub(crate) fn of(&self, variable: u32) -> &[u32] {
        let variable = variable as usize;
        &self.watchers[self.starts[variable] as usize..self.starts[variable + 1] as usize]
    }

    /// The columns of a table.
    pub(crate) fn columns(&self, table: &Compact) -> &[Column] {
        &self.columns[table.columns.0 as usize..table.columns.1 as usize]
    }

    pub(super) fn is_valid(&self) -> bool {
        let is_inside = |it: &Support| (it.pool + it.high - it.low) as usize <= self.pool.len();
        self.supports.iter().all(is_inside)
    }
}

impl ColumnTuples<'_> {
    /// The supports of each value; short tuples support every value, if they count.
    fn masks(&self, with_short: bool) -> Vec<Mask> {
        let mut masks: Vec<Mask> = vec![Vec::new(); self.capacity];
        let mut add = |value: usize, tuple: usize| {
            let (word, bit) = ((tuple / WORD) as u32, 1 << (tuple % WORD));
            match masks[value].last_mut() {
                Some((last, mask)) if *last == word => *mask |= bit,
                _ => masks[value].push((word, bit)),
            }
        };
        for (number, tuple) in self.tuples.iter().enumerate() {
            match tuple[self.place] {
                ANY if with_short => (0..self.capacity).for_each(|value| add(value, number)),
                ANY => {}
                value => add(value as usize, number),
            }
        }
        masks
    }
}

/// The tuples, by the widest column first.
fn sorted<'t>(table: &'t Table, domains: &[&Domain]) -> Vec<&'t [Value]> {
    let mut tuples: Vec<&[Value]> = table.tuples().collect();
    let widest = (0..domains.len())
        .rev()
        .max_by_key(|&column| domains[column].len());
    if let Some(column) = widest {
        tuples.sort_by_key(|tuple| tuple[column]);
    }
    tuples
}

/// A word of the set of the first `bits` bits.
fn full(bits: usize, word: usize) -> u64 {
    match bits.saturating_sub(word * WORD) {
        0 => 0,
        left @ 1..WORD => (1 << left) - 1,
        _ => u64::MAX,
    }
}
