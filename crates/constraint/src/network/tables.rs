//! Tables as bit sets: for each value of each column, which tuples support it.
//!
//! After Demeulenaere et al., *Compact-Table: efficiently filtering table constraints with
//! reversible sparse bit-sets* (CP 2016); short tuples after Verhaeghe, Lecoutre and Schaus
//! (AAAI 2017), who also count the tuples of negative tables. Takes tables, gives words in a
//! pool. Tuples are sorted by the widest column first, so that its values are supported within a
//! few words; a value keeps only the range of words in which it has support.
//!
//! A table of up to 512 tuples is one, two, four or eight words, and its supports stand one after
//! the other, as many words each.

use super::Slot;
use crate::domain::{Domain, Value, WORD};
use crate::model::{Invalid, Variable};
use crate::table::{ANY, Polarity, Table};

/// A negative table whose domains have at most this many tuples is made positive.
const PLAIN: usize = 4096;
/// The same for short tables, and how many tuples these may have: each is tried with each.
const PLAIN_SHORT: usize = 1 << 15;
const MOST_SHORT: usize = 512;

/// Up to this many words a table is looked at as a whole.
const DENSE: u32 = 8;

/// How a table is propagated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Allowed tuples in up to [`DENSE`] words.
    Small,
    /// Allowed tuples in many words.
    Large,
    /// Forbidden tuples.
    Negative,
}

/// A table with what it remembers in cells.
#[derive(Clone, Debug)]
pub(crate) struct Compact {
    pub(crate) kind: Kind,
    /// Its columns among all.
    pub(crate) columns: (u32, u32),
    /// Small: the first cell with the tuples left. Else: the cell with how many words are left;
    /// the words follow.
    pub(crate) state: u32,
    /// Where its words begin in the order of words; how many there are.
    pub(crate) order: u32,
    pub(crate) words: u32,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    pub(crate) variable: u32,
    pub(crate) word: u32,
    pub(crate) words: u32,
    /// The cells with the domain as the table saw it last.
    pub(crate) last: u32,
    /// Small: where in the pool the words of its values begin. Else: where its supports begin.
    pub(crate) supports: u32,
    /// The same without short tuples: what a removed value takes with it.
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
    /// How many words there are in the order of words.
    pub(crate) words: u32,
    /// The tables of each variable, one after the other, and where they start.
    watchers: Vec<u32>,
    starts: Vec<u32>,
}

/// What a table is best made into.
pub(super) enum Suited {
    Table(Table),
    /// Each tuple a clause.
    Clauses(Table),
}

/// Negative tables are made positive if they are small. Short ones become clauses, which see
/// less: so of these larger ones are made positive, too.
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
        (domains, slots, cells): (&[&Domain], &[Slot], &mut Vec<u64>),
    ) -> Result<(), Invalid> {
        let tuples = sorted(table, domains);
        let mut words = tuples.len().div_ceil(WORD).max(1) as u32;
        let kind = match table.polarity() {
            Polarity::Forbidden => Kind::Negative,
            Polarity::Allowed if words <= DENSE => Kind::Small,
            Polarity::Allowed => Kind::Large,
        };
        if kind == Kind::Small {
            words = words.next_power_of_two();
        }
        let state = cells.len() as u32;
        if kind != Kind::Small {
            cells.push(words.into());
        }
        cells.extend((0..words as usize).map(|word| full(tuples.len(), word)));
        let first = self.columns.len() as u32;
        for (place, &variable) in scope.iter().enumerate() {
            let slot = slots[variable.index()];
            let last = cells.len() as u32;
            cells.extend_from_slice(domains[place].words());
            let capacity = domains[place].capacity() as usize;
            let supports = self.supports((kind, words), &tuples, (place, capacity), true);
            let is_short = tuples.iter().any(|tuple| tuple[place] == ANY);
            let explicit = match is_short {
                true => self.supports((kind, words), &tuples, (place, capacity), false),
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
        if kind != Kind::Small {
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

    /// Makes the supports of a column's values; gives where they begin.
    fn supports(
        &mut self,
        (kind, words): (Kind, u32),
        tuples: &[&[Value]],
        (place, capacity): (usize, usize),
        with_short: bool,
    ) -> u32 {
        let mut masks: Vec<Vec<(u32, u64)>> = vec![Vec::new(); capacity];
        let mut add = |value: usize, tuple: usize| {
            let (word, bit) = ((tuple / WORD) as u32, 1 << (tuple % WORD));
            match masks[value].last_mut() {
                Some((last, mask)) if *last == word => *mask |= bit,
                _ => masks[value].push((word, bit)),
            }
        };
        for (number, tuple) in tuples.iter().enumerate() {
            match tuple[place] {
                ANY if with_short => (0..capacity).for_each(|value| add(value, number)),
                ANY => {}
                value => add(value as usize, number),
            }
        }
        match kind {
            Kind::Small => self.small_supports(&masks, words),
            _ => self.large_supports(&masks),
        }
    }

    fn small_supports(&mut self, masks: &[Vec<(u32, u64)>], words: u32) -> u32 {
        let start = self.pool.len();
        self.pool.resize(start + masks.len() * words as usize, 0);
        for (value, mask) in masks.iter().enumerate() {
            for &(word, bits) in mask {
                self.pool[start + value * words as usize + word as usize] = bits;
            }
        }
        start as u32
    }

    fn large_supports(&mut self, masks: &[Vec<(u32, u64)>]) -> u32 {
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

    /// Notes which tables each variable is in.
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

/// A word of a set of the first so many bits.
fn full(bits: usize, word: usize) -> u64 {
    match bits.saturating_sub(word * WORD) {
        0 => 0,
        left @ 1..WORD => (1 << left) - 1,
        _ => u64::MAX,
    }
}
