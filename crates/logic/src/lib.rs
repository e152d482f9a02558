//! What follows from the rules of a game.
//!
//! | stage | built by |
//! |---|---|
//! | [`Rules`]: a checked program, numbered: terms, predicates, clauses | [`Rules::new`] |
//! | [`Interpreter`]: the facts of one state, straight from the rules | [`Interpreter::new`] |
//! | [`GroundProgram`]: the rules without variables, only what can be reached | [`ground`] |
//!
//! The interpreter is the oracle that faster reasoners are tested against: simple, not fast. Ids
//! are given out here, once, and mean the same in every crate; text comes back only at the edge,
//! through [`Terms`].

mod grounder;
mod ids;
mod interpreter;
mod loading;
mod progress;
mod rules;
mod terms;

pub use grounder::{
    Evaluator, GroundLimits, GroundProgram, Literal, MoveGroup, NotGround, Output, ground,
    ground_within,
};
pub use ids::{Bits, BitsBuf, FluentId, MoveId, PerceptId, RoleId};
pub use interpreter::{Interpreter, InterpreterLimits, NoAnswer, Scratch, State, View};
pub use loading::{Exceeded, Loading};
pub use progress::{Cancel, LoadStage, Progress};
pub use rules::Rules;
pub use terms::{TermId, Terms};
