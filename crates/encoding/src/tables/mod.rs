//! `Tables`: the stage with its relations in extension, as P1 has them (§3.2).
//!
//! It has the fluents, actions and next fluents of [`Encoding`], and of its defined variables only
//! those that are needed to keep tables small. A table lists the allowed tuples of what something
//! depends on and of the variable that depends on it. Where moves are so many that even a table of
//! two variables is too long, it lists what is forbidden; where that is not possible either, a
//! definition stays.
//!
//! | file | what it does |
//! |---|---|
//! | `parts.rs` | constraints of a stage → which literal decides which value |
//! | `cover.rs`, `outputs.rs` | → which variables stay, and which of them each depends on |
//! | `fill.rs` | → tuples |
//!
//! Invariant: what follows from the fluents, and then from the actions, follows table by table
//! with one open variable each: so forward checking finds it, too.

mod cover;
mod fill;
mod outputs;
mod parts;

use crate::stage::{Encoding, Size};
use crate::{NotEncoded, tables::cover::Cover};
use constraint::{Conflict, Constraint, Model, Network, Variable};
use fill::Filler;
use logic::Bits;
use parts::Parts;

/// Limits of tables.
#[derive(Copy, Clone, Debug)]
pub struct TableLimits {
    /// Most tuples of one table.
    pub tuples: usize,
    /// Most tuples of all tables together. If there were more, tables are made shorter, which
    /// takes more variables.
    pub total: usize,
}

impl Default for TableLimits {
    fn default() -> TableLimits {
        TableLimits {
            tuples: 1024,
            total: 1_000_000,
        }
    }
}

/// Tables are not made shorter than this.
const SHORTEST: usize = 16;

/// How many relations are in extension.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
    /// How many tables there are.
    pub tables: usize,
    /// How many tuples they have together.
    pub tuples: usize,
    /// How many definitions stayed.
    pub definitions: usize,
}

/// A round of a game as a network of tables.
#[derive(Debug)]
pub struct Tables {
    model: Model,
    pub(crate) network: Network,
    pub(crate) actions: Vec<Variable>,
    pub(crate) next: Vec<Variable>,
}

impl Tables {
    /// The tables of an encoding.
    pub fn new(encoding: &Encoding, limits: &TableLimits) -> Result<Tables, NotEncoded> {
        let parts = Parts::of(encoding)?;
        let mut longest = limits.tuples;
        let cover = loop {
            let cover = Cover::new(&parts, longest);
            if cover.tuples() <= limits.total {
                break cover;
            }
            if longest <= SHORTEST {
                let limit = limits.total;
                return Err(NotEncoded::TooManyTuples { limit });
            }
            longest /= 2;
        };
        Tables::filled(encoding, &cover)
    }

    fn filled(encoding: &Encoding, cover: &Cover<'_>) -> Result<Tables, NotEncoded> {
        let mut filler = Filler::new(cover);
        for relation in &cover.relations() {
            filler.add(relation)?;
        }
        let of = |variables: &[Variable]| -> Vec<Variable> {
            variables.iter().map(|&it| filler.place(it)).collect()
        };
        let (actions, next) = (of(&encoding.actions), of(&encoding.next));
        debug_assert_eq!(of(&encoding.now), encoding.now, "fluents come first");
        let model = filler.model;
        Ok(Tables {
            network: Network::new(&model)?,
            model,
            actions,
            next,
        })
    }

    /// The variables and constraints, with their names.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The model of the µSCSP of a state, see [`Encoding::of_state`].
    pub fn of_state(&self, encoding: &Encoding, state: &Bits) -> Result<Model, Conflict> {
        let mut model = self.model.clone();
        for (variable, value) in encoding.given(state)? {
            model.domain_mut(variable).retain(|it| it == value);
        }
        Ok(model)
    }

    /// How large it is.
    pub fn size(&self) -> Size {
        Size::of(&self.model)
    }

    /// How many relations are in extension.
    pub fn counts(&self) -> TableCounts {
        let mut counts = TableCounts::default();
        for constraint in self.model.constraints() {
            match constraint {
                Constraint::Table { table, .. } => {
                    counts.tables += 1;
                    counts.tuples += table.len();
                }
                _ => counts.definitions += 1,
            }
        }
        counts
    }
}
