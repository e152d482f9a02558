//! Solving stochastic problems: exact, by stages, and by the split of P1 §4.2.
//!
//! Takes an [`Scsp`](crate::Scsp), gives policies. `exact.rs` solves T stages, with forward
//! checking or with arc consistency; `stage.rs` gives all feasible policies of one stage;
//! `split.rs` splits a stage into decisions and chance, joined by the feasibility constraint.

mod exact;
mod front;
mod split;
mod stage;
mod tree;

pub use exact::{Effort, Outcome, Stop, raise, solve};
pub use split::{Parts, decisions, split};
pub use stage::{Policies, feasible};
