//! `Table`: a relation as the list of its tuples, allowed or forbidden.
//!
//! A short tuple has [`ANY`] in a column and stands for one tuple per value. Takes tuples, gives
//! them sorted and distinct; intersection, projection, and the test for universal columns.
//! Tables know nothing of variables: columns are numbers.
//!
//! Invariant: tuples are sorted, distinct and of one length.

use crate::domain::{Domain, Value};

/// In a tuple: any value.
pub const ANY: Value = Value::MAX;

/// Whether a table lists allowed or forbidden tuples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polarity {
    /// The tuples listed are allowed, all others forbidden.
    Allowed,
    /// The tuples listed are forbidden, all others allowed.
    Forbidden,
}

/// A relation given by its tuples.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    polarity: Polarity,
    arity: usize,
    cells: Vec<Value>,
}

impl Table {
    /// The relation of these tuples. Panics if the length of one is not `arity`.
    pub fn allowed<T: AsRef<[Value]>>(arity: usize, tuples: impl IntoIterator<Item = T>) -> Table {
        Table::new(Polarity::Allowed, arity, tuples)
    }

    /// The relation of all but these tuples. Panics if the length of one is not `arity`.
    pub fn forbidden<T: AsRef<[Value]>>(
        arity: usize,
        tuples: impl IntoIterator<Item = T>,
    ) -> Table {
        Table::new(Polarity::Forbidden, arity, tuples)
    }

    /// A relation of either kind. Panics if the length of a tuple is not `arity`.
    pub fn new<T: AsRef<[Value]>>(
        polarity: Polarity,
        arity: usize,
        tuples: impl IntoIterator<Item = T>,
    ) -> Table {
        let mut cells = Vec::new();
        for tuple in tuples {
            assert_eq!(
                tuple.as_ref().len(),
                arity,
                "a tuple has as many values as columns"
            );
            cells.extend_from_slice(tuple.as_ref());
        }
        Table::from_cells(polarity, arity, cells)
    }

    /// A relation from concatenated tuples. Panics if the last is incomplete.
    pub fn from_cells(polarity: Polarity, arity: usize, cells: Vec<Value>) -> Table {
        assert!(
            arity > 0 && cells.len().is_multiple_of(arity),
            "tuples are whole"
        );
        let sorted = cells.chunks_exact(arity).is_sorted_by(|a, b| a < b);
        let cells = if sorted { cells } else { normal(arity, &cells) };
        Table {
            polarity,
            arity,
            cells,
        }
    }

    /// The relation of the tuples of these domains that pass a test.
    pub fn filled(domains: &[&Domain], mut test: impl FnMut(&[Value]) -> bool) -> Table {
        let mut cells = Vec::new();
        each_tuple(domains, |tuple| {
            if test(tuple) {
                cells.extend_from_slice(tuple);
            }
        });
        Table::from_cells(Polarity::Allowed, domains.len(), cells)
    }

    /// Whether the tuples are allowed or forbidden.
    pub fn polarity(&self) -> Polarity {
        self.polarity
    }

    /// How many columns there are.
    pub fn arity(&self) -> usize {
        self.arity
    }

    /// How many tuples are listed.
    pub fn len(&self) -> usize {
        self.cells.len() / self.arity
    }

    /// Whether no tuple is listed.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// The tuples listed, in order.
    pub fn tuples(&self) -> impl ExactSizeIterator<Item = &[Value]> + Clone {
        self.cells.chunks_exact(self.arity)
    }

    /// Whether a tuple is short.
    pub fn is_short(&self) -> bool {
        self.cells.contains(&ANY)
    }

    /// Whether it lists allowed tuples, none of them short.
    pub fn is_plain(&self) -> bool {
        self.polarity == Polarity::Allowed && !self.is_short()
    }

    /// Whether the relation holds of these values.
    pub fn holds(&self, values: &[Value]) -> bool {
        let is_listed = if self.is_short() {
            self.tuples().any(|tuple| matches(tuple, values))
        } else {
            self.find(values)
        };
        is_listed == (self.polarity == Polarity::Allowed)
    }

    fn find(&self, values: &[Value]) -> bool {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = usize::midpoint(low, high);
            let tuple = &self.cells[middle * self.arity..][..self.arity];
            match tuple.cmp(values) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return true,
            }
        }
        false
    }

    /// The same relation over these domains as a plain list; `None` if the list, or the number of
    /// tuples to try, exceeds the limit.
    pub fn plain(&self, domains: &[&Domain], limit: usize) -> Option<Table> {
        if self.is_plain() {
            return Some(self.within(domains));
        }
        let sizes = domains.iter().map(|domain| domain.len());
        let product = sizes.fold(1usize, usize::saturating_mul);
        (product <= limit).then(|| Table::filled(domains, |tuple| self.holds(tuple)))
    }

    /// The tuples whose values are all in the domains.
    pub fn within(&self, domains: &[&Domain]) -> Table {
        let is_in = |tuple: &&[Value]| {
            let mut pairs = tuple.iter().zip(domains);
            pairs.all(|(&value, domain)| value == ANY || domain.contains(value))
        };
        Table::new(self.polarity, self.arity, self.tuples().filter(is_in))
    }

    /// The intersection; both have to be plain, or both forbidden.
    ///
    /// Panics if the numbers of columns differ, or one is short or of the other kind.
    pub fn intersection(&self, other: &Table) -> Table {
        assert_eq!(self.arity, other.arity, "relations over the same columns");
        assert_eq!(self.polarity, other.polarity, "relations of one kind");
        if self.polarity == Polarity::Forbidden {
            return Table::new(
                self.polarity,
                self.arity,
                self.tuples().chain(other.tuples()),
            );
        }
        assert!(
            self.is_plain() && other.is_plain(),
            "short tables are made plain first"
        );
        Table::allowed(self.arity, self.tuples().filter(|tuple| other.find(tuple)))
    }

    /// The listed tuples with only these columns, in this order.
    pub fn project(&self, columns: &[usize]) -> Table {
        let pick = |tuple: &[Value]| columns.iter().map(|&column| tuple[column]).collect();
        let tuples = self.tuples().map(|tuple| -> Vec<Value> { pick(tuple) });
        Table::new(self.polarity, columns.len(), tuples)
    }

    /// Whether a column is universal (P1 §4.1): the number of tuples is the number of the column's
    /// values times the number of distinct tuples without the column.
    ///
    /// The table has to be plain, and within the domains of its columns.
    pub fn is_universal(&self, column: usize, domain: &Domain) -> bool {
        if self.arity == 1 {
            return self.len() == domain.len();
        }
        let others: Vec<usize> = (0..self.arity).filter(|&it| it != column).collect();
        self.len() == domain.len() * self.project(&others).len()
    }
}

/// Whether a tuple, which may be short, stands for these values.
pub(crate) fn matches(tuple: &[Value], values: &[Value]) -> bool {
    let mut pairs = tuple.iter().zip(values);
    pairs.all(|(&cell, &value)| cell == ANY || cell == value)
}

/// Calls a function with every tuple of some domains, in order.
pub fn each_tuple(domains: &[&Domain], mut call: impl FnMut(&[Value])) {
    let values: Vec<Vec<Value>> = domains.iter().map(|it| it.values().collect()).collect();
    if values.iter().any(Vec::is_empty) {
        return;
    }
    let mut places = vec![0; values.len()];
    let mut tuple: Vec<Value> = values.iter().map(|it| it[0]).collect();
    loop {
        call(&tuple);
        let Some(column) = (0..places.len())
            .rev()
            .find(|&it| places[it] + 1 < values[it].len())
        else {
            return;
        };
        places[column] += 1;
        places[column + 1..].fill(0);
        for later in column..places.len() {
            tuple[later] = values[later][places[later]];
        }
    }
}

fn normal(arity: usize, cells: &[Value]) -> Vec<Value> {
    let mut tuples: Vec<&[Value]> = cells.chunks_exact(arity).collect();
    tuples.sort_unstable();
    tuples.dedup();
    tuples.concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_sorted_and_each_once() {
        let table = Table::allowed(2, [[1, 0], [0, 1], [1, 0]]);
        assert!(table.tuples().eq([[0, 1], [1, 0]]));
        assert!(table.holds(&[1, 0]) && !table.holds(&[1, 1]));
        assert!(!Table::forbidden(2, [[1, 0]]).holds(&[1, 0]));
    }

    #[test]
    fn short_tuples_stand_for_every_value() {
        let table = Table::allowed(2, [[ANY, 1], [0, 0]]);
        assert!(table.holds(&[2, 1]) && table.holds(&[0, 0]) && !table.holds(&[1, 0]));
        let domains = [&Domain::full(3), &Domain::full(2)];
        let plain = table.plain(&domains, 6).unwrap();
        assert!(plain.tuples().eq([[0, 0], [0, 1], [1, 1], [2, 1]]));
        assert_eq!(table.plain(&domains, 5), None);
    }

    #[test]
    fn columns_that_do_not_matter_are_found() {
        let domain = Domain::full(2);
        let table = Table::allowed(2, [[0, 0], [0, 1]]);
        assert!(!table.is_universal(0, &domain));
        assert!(table.is_universal(1, &domain));
        assert!(table.project(&[0]).tuples().eq([[0]]));
    }

    #[test]
    fn what_holds_in_both_is_the_intersection() {
        let (one, two) = (Table::allowed(1, [[0], [1]]), Table::allowed(1, [[1], [2]]));
        assert_eq!(one.intersection(&two), Table::allowed(1, [[1]]));
        let (one, two) = (Table::forbidden(1, [[0]]), Table::forbidden(1, [[2]]));
        assert_eq!(one.intersection(&two), Table::forbidden(1, [[0], [2]]));
    }
}
