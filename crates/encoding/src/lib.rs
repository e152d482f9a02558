//! Ground program → stochastic constraint network, one stage a round → the network of a state.
//!
//! As in P1 (`docs/papers.md`), §3.2 and §3.3: a round has fluent variables `{f_t}`, an action
//! variable for each role, one for chance, and fluent variables `{f_{t+1}}`; derived nodes are
//! variables too, so no constraint is large. The µSCSP of a state is the stage with `{f_t}` given.
//!
//! | part | what it is |
//! |---|---|
//! | [`Grouping`] | which fluents are values of one variable: proven, not just seen |
//! | [`Encoding`] | the stage |
//! | [`Tables`] | the same in extension, as the paper has it |
//! | [`Micro`] | the µSCSP of a state, and its solutions |
//! | [`Ahead`], [`Scout`] | the stage with the end and the goals of the state after it, and why they hold |
//! | [`scsp`] | the problem of so many rounds, with the end, chance and goals |
//!
//! Where the paper has tables, there are definitions here (`head ⇔ l₁ ∧ … ∧ lₙ`, or ∨), which stay
//! small in any game. [`Tables`] is the same stage with its relations in extension.

mod ahead;
mod definitions;
mod draft;
mod groups;
mod micro;
mod proof;
mod scout;
mod seen;
mod stage;
mod tables;
mod whole;

pub use ahead::Ahead;
pub use groups::{Group, Grouping, Place};
pub use micro::{Micro, Outcome};
pub use scout::{Pattern, Resting, Scout};
pub use stage::{Encoding, Size};
pub use tables::{TableCounts, TableLimits, Tables};
pub use whole::{Horizon, scsp};

/// Limits of an encoding and of its proofs.
#[derive(Copy, Clone, Debug)]
pub struct EncodingLimits {
    /// Most variables.
    pub variables: usize,
    /// Most literals in all constraints together.
    pub literals: usize,
    /// Most values tried by the proof of one group.
    pub nodes: u64,
    /// Most values tried by all proofs together.
    pub proofs: u64,
    /// Most literals assumed by all proofs together.
    pub assumptions: u64,
}

impl Default for EncodingLimits {
    fn default() -> EncodingLimits {
        EncodingLimits {
            variables: 500_000,
            literals: 5_000_000,
            nodes: 100,
            proofs: 10_000,
            assumptions: 1_000_000,
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
    /// More tuples than the limit, however short tables are.
    #[error("the tables have more than {limit} tuples")]
    TooManyTuples {
        /// The limit.
        limit: usize,
    },
    /// What should be a state of the game is none.
    #[error("it is no state of the game")]
    NoState,
    /// Something does not follow from the state and the moves: a bug.
    #[error("the network of a round is not one of definitions")]
    NotDefined,
    /// A constraint that the network rejects: a bug.
    #[error(transparent)]
    Invalid(#[from] constraint::Invalid),
}
