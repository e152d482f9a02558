//! `Network`: a model compiled for search. Immutable, shared by any number of solvers.
//!
//! Takes a [`Model`], gives its layout in memory: every word that search may change is a cell.
//! First come the words of all domains, then the sizes of wide domains (more than 64 values),
//! then the state of each table. Definitions become clauses, tables become bit sets of the
//! tuples that support each value, unary tables become domains.
//!
//! Invariants: cells of one variable's domain are contiguous; every literal names a cell of a
//! domain; supports of a value are within the words of their table.

mod clauses;
mod tables;

pub(crate) use clauses::{Clauses, Lit};
pub(crate) use tables::{Column, Compact, Support, TableKind, Tables};

use crate::domain::{Domain, WORD};
use crate::model::{Constraint, Invalid, Model, Variable};
use crate::table::Table;

/// No cell.
pub(crate) const NONE: u32 = u32::MAX;

/// Where the domain of a variable lies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Slot {
    /// The first of its cells.
    pub(crate) word: u32,
    /// How many cells it has.
    pub(crate) words: u32,
    /// The cell that holds how many values a wide domain has.
    pub(crate) size: u32,
}

/// A compiled model.
#[derive(Debug)]
pub struct Network {
    pub(crate) slots: Vec<Slot>,
    /// The variable of each cell of a domain.
    pub(crate) owners: Vec<u32>,
    /// For each cell of a domain, where the size of a wide domain is.
    pub(crate) sizes: Vec<u32>,
    /// The initial content of all cells.
    pub(crate) cells: Vec<u64>,
    pub(crate) tables: Tables,
    pub(crate) clauses: Clauses,
    /// How many constraints each variable is in.
    pub(crate) degrees: Vec<u32>,
    /// Whether a domain is empty, or a clause cannot be satisfied within the domains.
    pub(crate) is_contradiction: bool,
}

impl Network {
    /// Compiles a model.
    pub fn new(model: &Model) -> Result<Network, Invalid> {
        let domains = initial(model);
        let mut network = layout(&domains)?;
        for constraint in model.constraints() {
            network.count(constraint);
            match constraint {
                Constraint::Table { scope, table } if scope.len() > 1 => {
                    network.add_table(scope, table, &domains)?;
                }
                Constraint::Table { .. } => {}
                Constraint::Clause(literals) => network.add_clause(literals, &domains),
                Constraint::Definition { .. } => network.add_definition(constraint, &domains),
            }
        }
        network.tables.finish(&network.slots);
        network.clauses.finish();
        network.is_contradiction |= domains.iter().any(Domain::is_empty);
        debug_assert!(network.is_valid());
        Ok(network)
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there is no variable.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// All variables, in order.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = Variable> + use<> {
        (0..self.slots.len() as u32).map(Variable)
    }

    /// The size of the network in bytes.
    pub fn bytes(&self) -> usize {
        let words = self.cells.len() + self.tables.pool.len();
        words * 8 + self.tables.supports.len() * 12 + self.clauses.bytes()
    }

    fn count(&mut self, constraint: &Constraint) {
        for variable in constraint.scope() {
            self.degrees[variable.index()] += 1;
        }
    }

    fn add_definition(&mut self, constraint: &Constraint, domains: &[Domain]) {
        for clause in clauses::of_definition(constraint) {
            self.add_clause(&clause, domains);
        }
    }

    fn add_clause(&mut self, literals: &[crate::Literal], domains: &[Domain]) {
        self.is_contradiction |= !self.clauses.add(literals, domains, &self.slots);
    }

    fn add_table(
        &mut self,
        scope: &[Variable],
        table: &Table,
        domains: &[Domain],
    ) -> Result<(), Invalid> {
        let columns: Vec<&Domain> = scope.iter().map(|it| &domains[it.index()]).collect();
        match tables::suited(table, &columns) {
            tables::Suited::Clauses(table) => {
                for tuple in table.tuples() {
                    self.add_clause(&clauses::of_forbidden(scope, tuple), domains);
                }
                Ok(())
            }
            tables::Suited::Table(table) => {
                let room = tables::Room {
                    domains: &columns,
                    slots: &self.slots,
                    cells: &mut self.cells,
                };
                self.tables.add(scope, &table, room)
            }
        }
    }

    fn is_valid(&self) -> bool {
        let words = self.owners.len();
        let slots = self.slots.iter();
        let is_inside = |slot: &Slot| (slot.word + slot.words) as usize <= words;
        slots.clone().all(is_inside) && self.tables.is_valid() && self.cells.len() >= words
    }
}

/// The domains of a model, restricted by its unary tables.
fn initial(model: &Model) -> Vec<Domain> {
    let of = |variable| model.domain(variable).clone();
    let mut domains: Vec<Domain> = model.variables().map(of).collect();
    for constraint in model.constraints() {
        if let Constraint::Table { scope, table } = constraint
            && let [variable] = scope[..]
        {
            domains[variable.index()].retain(|value| table.holds(&[value]));
        }
    }
    domains
}

/// A network without constraints.
fn layout(domains: &[Domain]) -> Result<Network, Invalid> {
    let mut slots = Vec::with_capacity(domains.len());
    let (mut owners, mut cells) = (Vec::new(), Vec::new());
    for (variable, domain) in domains.iter().enumerate() {
        let (word, words) = (cells.len() as u32, domain.words().len() as u32);
        cells.extend_from_slice(domain.words());
        owners.resize(cells.len(), variable as u32);
        slots.push(Slot {
            word,
            words,
            size: NONE,
        });
        if cells.len() > Lit::MAX_WORD {
            return Err(Invalid::TooLarge);
        }
    }
    for (slot, domain) in slots.iter_mut().zip(domains) {
        if domain.capacity() as usize > WORD {
            slot.size = cells.len() as u32;
            cells.push(domain.len() as u64);
        }
    }
    let size = |&owner: &u32| slots[owner as usize].size;
    Ok(Network {
        sizes: owners.iter().map(size).collect(),
        degrees: vec![0; slots.len()],
        clauses: Clauses::new(&slots, domains),
        tables: Tables::default(),
        is_contradiction: false,
        slots,
        owners,
        cells,
    })
}
