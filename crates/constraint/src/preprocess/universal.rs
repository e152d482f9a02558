//! Universal variables, those whose value never matters, leave the scopes of tables.

use crate::domain::Domain;
use crate::model::{Constraint, Model, Variable};
use crate::table::Table;

/// Drops universal variables from plain tables; a table whose variables are all universal is
/// dropped.
pub fn universal(model: &Model) -> Model {
    let narrow = |constraint: &Constraint| match constraint {
        Constraint::Table { scope, table } if table.is_plain() => narrow(model, scope, table),
        other => Some(other.clone()),
    };
    let constraints = model.constraints().iter().filter_map(narrow).collect();
    model
        .with(constraints)
        .expect("scopes and columns are those of the model")
}

fn narrow(model: &Model, scope: &[Variable], table: &Table) -> Option<Constraint> {
    let domains: Vec<&Domain> = scope.iter().map(|&it| model.domain(it)).collect();
    let (mut scope, mut table) = (scope.to_vec(), table.within(&domains));
    let mut column = 0;
    while column < scope.len() {
        if table.is_empty() || !table.is_universal(column, model.domain(scope[column])) {
            column += 1;
            continue;
        }
        if scope.len() == 1 {
            return None;
        }
        let others: Vec<usize> = (0..scope.len()).filter(|&it| it != column).collect();
        table = table.project(&others);
        scope.remove(column);
    }
    Some(Constraint::Table { scope, table })
}
