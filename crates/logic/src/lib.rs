//! What follows from the rules of a game.
//!
//! | stage | built by |
//! |---|---|
//! | [`Rules`]: a checked program, numbered: terms, predicates, clauses | [`Rules::new`] |
//! | [`Interpreter`]: the facts of one state, straight from the rules | [`Interpreter::new`] |
//! | [`GroundProgram`]: the rules without variables, only what can be reached | [`ground`] |
//!
//! The interpreter is the oracle that faster reasoners are held against: simple and right,
//! not fast. Ids of ground terms are decided here, once, and mean the same everywhere;
//! text comes back only at the edge, through [`Terms`].

mod grounder;
mod ids;
mod interpreter;
mod progress;
mod rules;
mod terms;

pub use grounder::{Evaluator, GroundLimits, GroundProgram, Literal, NotGround, ground};
pub use ids::{Bits, BitsBuf, FluentId, MoveId, PerceptId, RoleId};
pub use interpreter::{Interpreter, Limits, NoAnswer, Scratch, State, View};
pub use progress::{Progress, Stage};
pub use rules::Rules;
pub use terms::{TermId, Terms};
