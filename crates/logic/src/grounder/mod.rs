//! Rules → ground program: only what can be reached, static relations evaluated away.

mod atoms;
mod evaluator;
mod extents;
mod join;
mod numbering;
mod plan;
mod program;
mod simplify;
mod template;
mod unify;

pub use evaluator::Evaluator;
pub use program::{GroundProgram, Literal};

use crate::interpreter::{Interpreter, NoAnswer};
use crate::progress::{Progress, Stage};
use template::Unfit;

/// What grounding may cost, and who is told how far it has come.
#[derive(Copy, Clone, Debug)]
pub struct GroundLimits<'p> {
    /// How many ground atoms there may be.
    pub atoms: usize,
    /// How many literals all ground rules may have together.
    pub literals: usize,
    /// How long it may take.
    pub seconds: f64,
    /// Who is told, if anyone.
    pub progress: Option<&'p dyn Progress>,
}

impl GroundLimits<'_> {
    /// Tells what is being done now.
    pub fn report(&self, stage: Stage) {
        if let Some(progress) = self.progress {
            progress.at(stage);
        }
    }
}

impl<'p> Default for GroundLimits<'p> {
    fn default() -> GroundLimits<'p> {
        GroundLimits {
            atoms: 5_000_000,
            literals: 60_000_000,
            seconds: 40.0,
            progress: None,
        }
    }
}

/// Why a game has no ground program.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotGround {
    /// There are more atoms than the limit.
    #[error("grounding makes more than {limit} atoms")]
    TooManyAtoms {
        /// The limit.
        limit: usize,
    },
    /// There are more literals than the limit.
    #[error("grounding makes more than {limit} literals")]
    TooManyLiterals {
        /// The limit.
        limit: usize,
    },
    /// It took longer than the limit.
    #[error("grounding takes more than {limit} seconds")]
    TooSlow {
        /// The limit.
        limit: f64,
    },
    /// Nobody wants it any more.
    #[error("grounding was cancelled")]
    Cancelled,
    /// The alternatives of `or` multiply.
    #[error("the alternatives of a rule for `{predicate}` are too many")]
    TooManyAlternatives {
        /// The relation.
        predicate: String,
    },
    /// A relation's rules need values from their callers where there are none.
    #[error("`{predicate}` needs values from its callers")]
    NeedsCallers {
        /// The relation.
        predicate: String,
    },
    /// An instance of a relation depends on its own negation.
    #[error("`{atom}` depends on its own negation")]
    Unstratified {
        /// The instance.
        atom: String,
    },
    /// The rules themselves give no answer.
    #[error(transparent)]
    Unanswered(#[from] NoAnswer),
}

impl From<Unfit> for NotGround {
    fn from(unfit: Unfit) -> NotGround {
        match unfit {
            Unfit::TooManyAlternatives { predicate } => {
                NotGround::TooManyAlternatives { predicate }
            }
            Unfit::NeedsCallers { predicate } => NotGround::NeedsCallers { predicate },
        }
    }
}

/// Grounds the rules of an interpreter.
pub fn ground(
    interpreter: &Interpreter,
    limits: &GroundLimits,
) -> Result<GroundProgram, NotGround> {
    let mut scratch = interpreter.scratch();
    let reached = join::reach(interpreter, &mut scratch, limits)?;
    let rules = reached.heads.len();
    limits.report(Stage::Ordering { rules });
    GroundProgram::new(interpreter, scratch.terms().clone(), reached)
}
