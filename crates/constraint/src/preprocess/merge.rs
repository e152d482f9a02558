//! Hard constraints with the same scope become one, their intersection.

use crate::model::{Constraint, Model, Variable};
use crate::table::{Polarity, Table};
use std::collections::BTreeMap;

/// Merges tables over the same variables, in any order of columns. Short tables of allowed
/// tuples are merged only with a plain table.
pub fn merge(model: &Model) -> Model {
    let mut groups: BTreeMap<Vec<Variable>, Vec<Table>> = BTreeMap::new();
    let mut constraints = Vec::new();
    for constraint in model.constraints() {
        match constraint {
            Constraint::Table { scope, table } => {
                let (scope, table) = in_order(scope, table);
                groups.entry(scope).or_default().push(table);
            }
            other => constraints.push(other.clone()),
        }
    }
    for (scope, tables) in groups {
        let merged = intersect(tables).into_iter();
        constraints.extend(merged.map(|table| Constraint::Table {
            scope: scope.clone(),
            table,
        }));
    }
    model
        .with(constraints)
        .expect("scopes and columns are those of the model")
}

/// The same constraint with its scope in order.
fn in_order(scope: &[Variable], table: &Table) -> (Vec<Variable>, Table) {
    let mut columns: Vec<usize> = (0..scope.len()).collect();
    columns.sort_by_key(|&column| scope[column]);
    let scope = columns.iter().map(|&column| scope[column]).collect();
    (scope, table.project(&columns))
}

fn intersect(mut tables: Vec<Table>) -> Vec<Table> {
    let smallest = (0..tables.len())
        .filter(|&it| tables[it].is_plain())
        .min_by_key(|&it| tables[it].len());
    if let Some(place) = smallest {
        let first = tables.swap_remove(place);
        let holds = |tuple: &&[u32]| tables.iter().all(|table| table.holds(tuple));
        return vec![Table::allowed(first.arity(), first.tuples().filter(holds))];
    }
    let is_forbidden = |table: &Table| table.polarity() == Polarity::Forbidden;
    let (forbidden, mut rest): (Vec<Table>, Vec<Table>) =
        tables.into_iter().partition(is_forbidden);
    let all = forbidden
        .into_iter()
        .reduce(|one, two| one.intersection(&two));
    rest.extend(all);
    rest
}
