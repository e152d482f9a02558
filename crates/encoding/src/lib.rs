//! Ground program → stochastic constraint network, one stage a round → the network of a state.
//!
//! As in P1, §3.2 and §3.3: a round has fluent variables `{f_t}`, an action variable for each
//! role, one for chance, and fluent variables `{f_{t+1}}`; what rules derive are variables too,
//! so that no constraint is large. The µSCSP of a state is the stage with `{f_t}` given.
//!
//! | part | what it is |
//! |---|---|
//! | [`Grouping`] | which fluents are values of one variable: proven, not just seen |
//! | [`Encoding`] | the stage |
//! | [`Micro`] | the µSCSP of a state, and its solutions |
//! | [`scsp`] | the round with chance and goals, to be shown |
//!
//! Where the paper has tables, definitions stand here (`head ⇔ l₁ ∧ … ∧ lₙ`, or ∨): they
//! mean the same, and a table of them would be exponential.

mod definitions;
mod groups;
mod micro;
mod proof;
mod seen;
mod stage;
mod whole;

pub use groups::{Group, Grouping};
pub use micro::{Micro, Move};
pub use stage::{Encoding, Size};
pub use whole::scsp;

/// How large an encoding may become, and how much may be spent on proofs.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// How many variables there may be.
    pub variables: usize,
    /// How many literals all constraints may have together.
    pub literals: usize,
    /// How many values a search may try before a group of fluents counts as not proven.
    pub nodes: u64,
    /// How many values all proofs may try together.
    pub proofs: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            variables: 500_000,
            literals: 5_000_000,
            nodes: 100,
            proofs: 10_000,
        }
    }
}

/// Why there is no encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotEncoded {
    /// More variables than the limit.
    #[error("the network has more than {limit} variables")]
    TooManyVariables {
        /// The limit.
        limit: usize,
    },
    /// More literals than the limit.
    #[error("the constraints have more than {limit} literals")]
    TooManyLiterals {
        /// The limit.
        limit: usize,
    },
    /// A constraint that the network does not take: a fault of ours.
    #[error(transparent)]
    Invalid(#[from] constraint::Invalid),
}
