//! The relations of actions and of next fluents: what their values need, or are equivalent to.

use super::cover::{Cover, Kind, Relation, variables};
use constraint::{Literal, Value, Variable};
use std::collections::BTreeMap;

/// Of an action with more values than this it is listed what is forbidden: as there is a table for
/// most values, what is allowed would take the square of their number.
const MOVES: usize = 128;

/// Values, and what each needs.
type Rows = Vec<(Value, Literal)>;

impl Cover<'_> {
    /// Adds what the values of an action need; those with one cut in one table.
    pub(super) fn add_action(&mut self, (output, rows): (Variable, &[(Value, Literal)])) {
        let values = self.values(output);
        let mut tables: BTreeMap<(bool, Vec<Variable>), Rows> = BTreeMap::new();
        for &(value, literal) in rows {
            let mut cut = self.cut(literal.variable);
            let mut short = self.is_short(&cut, values);
            if !short && !self.stays[literal.variable.index()] {
                self.stays[literal.variable.index()] = true;
                cut = vec![literal.variable];
                short = self.is_short(&cut, values);
            }
            tables
                .entry((short, cut))
                .or_default()
                .push((value, literal));
        }
        for ((short, cut), rows) in tables {
            self.outputs.push(Relation {
                output,
                rows,
                kind: if short { Kind::Only } else { Kind::Not },
                cut,
            });
        }
    }

    /// Whether what is allowed is listed for an action with so many values.
    fn is_short(&self, cut: &[Variable], values: usize) -> bool {
        values <= MOVES && self.product(cut).saturating_mul(values) <= self.longest
    }

    /// Adds what the values of a next fluent variable follow from: all in one table, or each in
    /// its own.
    pub(super) fn add_next(&mut self, (output, rows): (Variable, &[(Value, Literal)])) {
        let literals: Vec<Literal> = rows.iter().map(|row| row.1).collect();
        if let Some(cut) = self.join(&variables(&literals), self.longest) {
            self.outputs.push(Relation {
                output,
                rows: rows.to_vec(),
                kind: Kind::Exactly,
                cut,
            });
            return;
        }
        let most = self.longest / self.values(output).max(1);
        for &(value, literal) in rows {
            let cut = self.join(&[literal.variable], most);
            let (literal, cut) = match cut {
                Some(cut) => (literal, Some(cut)),
                None => {
                    let flag = self.channel(literal);
                    (flag, (2 <= most).then(|| vec![flag.variable]))
                }
            };
            self.outputs.push(Relation {
                output,
                rows: vec![(value, literal)],
                kind: cut.as_ref().map_or(Kind::Left, |_| Kind::Exactly),
                cut: cut.unwrap_or_else(|| vec![literal.variable]),
            });
        }
    }
}
