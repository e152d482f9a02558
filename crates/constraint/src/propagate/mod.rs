//! `Engine`: domains, and the propagators that make them consistent.
//!
//! Takes removed values from the store and wakes the clauses and tables that watch them, up to
//! the fixed point: then every table and clause is generalised arc consistent. Clauses come
//! first, as they are cheap; tables wait in a queue, each at most once. With
//! [`Strength::Forward`] a table waits until at most one of its variables is open, which is
//! forward checking.
//!
//! Invariant: between calls there are no events and no table waits.

mod clauses;
mod large;
mod naive;
mod negative;
mod small;

pub use naive::revise;

use crate::domain::Value;
use crate::model::Variable;
use crate::network::{Column, Compact, Network, TableKind};
use crate::store::{Conflict, Event, Store};
use clauses::Watches;

/// How much is propagated after each decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Strength {
    /// Generalised arc consistency: search with it is MAC.
    #[default]
    Arc,
    /// Forward checking: a constraint is propagated when at most one of its variables is open.
    Forward,
}

/// Domains with propagators.
#[derive(Clone, Debug)]
pub(crate) struct Engine<'n> {
    pub(crate) network: &'n Network,
    pub(crate) store: Store,
    pub(crate) strength: Strength,
    watches: Watches,
    memory: Memory,
    queue: Queue,
    /// For each variable its degree, plus one for each failure of a constraint it is in.
    pub(crate) weights: Vec<u64>,
}

/// The state of tables that is not restored on backtracking.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    /// The words of each large table, those that are not zero first.
    order: Vec<u32>,
    /// Where in that order each word is.
    places: Vec<u32>,
    /// For each value of a column, a word in which it had support.
    residues: Vec<u32>,
    masks: Vec<u64>,
}

/// A call of the propagator of a table.
#[derive(Clone, Copy)]
struct Revision<'n> {
    network: &'n Network,
    table: &'n Compact,
    /// Whether to check every value, even if no tuple was lost.
    afresh: bool,
}

/// The queue of tables to be propagated, first in, first out.
#[derive(Clone, Debug)]
struct Queue {
    waiting: std::collections::VecDeque<u32>,
    is_waiting: Vec<bool>,
}

impl Queue {
    fn push(&mut self, table: u32) {
        if !std::mem::replace(&mut self.is_waiting[table as usize], true) {
            self.waiting.push_back(table);
        }
    }

    fn pop(&mut self) -> Option<u32> {
        let table = self.waiting.pop_front()?;
        self.is_waiting[table as usize] = false;
        Some(table)
    }

    fn clear(&mut self) {
        while self.pop().is_some() {}
    }
}

impl<'n> Engine<'n> {
    /// Domains as posed, not propagated.
    pub(crate) fn new(network: &'n Network, strength: Strength) -> Engine<'n> {
        let tables = network.tables.all.len();
        let waiting = std::collections::VecDeque::with_capacity(tables);
        Engine {
            network,
            strength,
            store: Store::new(network),
            watches: Watches::new(network),
            memory: Memory::new(network),
            queue: Queue {
                waiting,
                is_waiting: vec![false; tables],
            },
            weights: network
                .degrees
                .iter()
                .map(|&it| u64::from(it).max(1))
                .collect(),
        }
    }

    /// Propagates everything once.
    pub(crate) fn start(&mut self) -> Result<(), Conflict> {
        if self.network.is_contradiction {
            return Err(Conflict);
        }
        for &unit in &self.network.clauses.units {
            let slot = self.slot_of(unit.word());
            self.store.make(unit, slot)?;
        }
        (0..self.network.tables.all.len() as u32).for_each(|it| self.queue.push(it));
        self.propagate()
    }

    pub(crate) fn slot(&self, variable: Variable) -> crate::network::Slot {
        self.network.slots[variable.index()]
    }

    fn slot_of(&self, word: usize) -> crate::network::Slot {
        self.network.slots[self.network.owners[word] as usize]
    }

    /// Assigns a value to a variable, without propagation.
    pub(crate) fn assign(&mut self, variable: Variable, value: Value) -> Result<(), Conflict> {
        let slot = self.slot(variable);
        let (word, bit) = (value / 64, value % 64);
        if word >= slot.words {
            return Err(Conflict);
        }
        self.store
            .assign((slot.word + word) as usize, 1 << bit, slot)
    }

    /// Removes a value of a variable, without propagation.
    pub(crate) fn remove(&mut self, variable: Variable, value: Value) -> Result<(), Conflict> {
        let slot = self.slot(variable);
        let (word, bit) = (value / 64, value % 64);
        match word < slot.words {
            true => self
                .store
                .remove((slot.word + word) as usize, 1 << bit, slot),
            false => Ok(()),
        }
    }

    /// Propagates to the fixed point.
    pub(crate) fn propagate(&mut self) -> Result<(), Conflict> {
        let mut head = 0;
        loop {
            while head < self.store.events.len() {
                let event = self.store.events[head];
                head += 1;
                self.wake(event);
                if self.tell_clauses(event).is_err() {
                    return self.give_up();
                }
            }
            self.store.events.clear();
            head = 0;
            let Some(number) = self.queue.pop() else {
                return Ok(());
            };
            if self.filter(number as usize).is_err() {
                self.blame_table(number as usize);
                return self.give_up();
            }
        }
    }

    fn wake(&mut self, event: Event) {
        let network = self.network;
        for &table in network.tables.of(network.owners[event.word as usize]) {
            self.queue.push(table);
        }
    }

    fn filter(&mut self, number: usize) -> Result<(), Conflict> {
        let network = self.network;
        let table = &network.tables.all[number];
        if self.strength == Strength::Forward && self.open(table) > 1 {
            return Ok(());
        }
        let revision = Revision {
            network,
            table,
            // At the root, and after forward checking, the table may not be consistent yet.
            afresh: self.store.level() == 0 || self.strength == Strength::Forward,
        };
        let (store, memory) = (&mut self.store, &mut self.memory);
        match table.kind {
            TableKind::Small => small::filter(store, revision),
            TableKind::Large => large::filter(store, memory, revision),
            TableKind::Negative => negative::filter(store, memory, revision),
        }
    }

    /// How many variables of a table have more than one value, counted up to two.
    fn open(&self, table: &Compact) -> usize {
        let columns = self.network.tables.columns(table).iter();
        let is_open = |column: &&Column| {
            self.store
                .size(self.network.slots[column.variable as usize])
                > 1
        };
        columns.filter(is_open).take(2).count()
    }

    fn blame_table(&mut self, number: usize) {
        let tables = &self.network.tables;
        for column in tables.columns(&tables.all[number]) {
            self.weights[column.variable as usize] += 1;
        }
    }

    fn give_up(&mut self) -> Result<(), Conflict> {
        self.store.events.clear();
        self.queue.clear();
        Err(Conflict)
    }

    /// Backtracks to a level.
    pub(crate) fn pop_to(&mut self, level: usize) {
        self.store.pop_to(level);
        self.queue.clear();
    }
}

impl Memory {
    fn new(network: &Network) -> Memory {
        let tables = &network.tables;
        let large = tables.all.iter().filter(|it| it.kind != TableKind::Small);
        let order: Vec<u32> = large.clone().flat_map(|table| 0..table.words).collect();
        let residues = tables.supports.iter().map(|it| it.low).collect();
        let widest = large.map(|table| table.words).max().unwrap_or(0);
        Memory {
            places: order.clone(),
            order,
            residues,
            masks: vec![0; widest as usize],
        }
    }
}
