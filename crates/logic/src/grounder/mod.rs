//! Rules → ground program: reachable atoms only, static relations evaluated away.

mod atoms;
mod evaluator;
mod extents;
mod guards;
mod join;
mod numbering;
mod plan;
mod program;
mod show;
mod simplify;
mod template;
mod unify;

pub use evaluator::Evaluator;
pub use program::{GroundProgram, Literal, MoveGroup, Output};

use crate::interpreter::{Interpreter, NoAnswer};
use crate::loading::{Exceeded, Loading};
use crate::progress::{LoadStage, Progress};
use template::Unfit;

/// Limits of grounding, and, of time and memory, of all of loading; and who receives progress.
#[derive(Copy, Clone, Debug)]
pub struct GroundLimits<'p> {
    /// Most ground atoms.
    pub atoms: usize,
    /// Most literals in all ground rules together.
    pub literals: usize,
    /// Most seconds of loading as a whole.
    pub seconds: f64,
    /// Most bytes that loading holds at a time, about.
    pub memory: usize,
    /// Receives progress, if given.
    pub progress: Option<&'p dyn Progress>,
}

impl GroundLimits<'_> {
    /// Reports progress.
    pub fn report(&self, stage: LoadStage) {
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
            seconds: 60.0,
            memory: 4 << 30,
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
    /// Loading exceeds a limit of time or memory, or was cancelled.
    #[error(transparent)]
    Exceeded(#[from] Exceeded),
    /// The alternatives of `or` multiply.
    #[error("the alternatives of a rule for `{predicate}` are too many")]
    TooManyAlternatives {
        /// The relation.
        predicate: String,
    },
    /// A relation needs bound arguments where it is called without.
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
    Unanswered(NoAnswer),
}

impl From<NoAnswer> for NotGround {
    fn from(reason: NoAnswer) -> NotGround {
        match reason {
            NoAnswer::Cancelled => NotGround::Exceeded(Exceeded::Cancelled),
            reason => NotGround::Unanswered(reason),
        }
    }
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
    let loading = Loading::new(limits, interpreter.cancel());
    ground_within(interpreter, limits, &loading)
}

/// Grounds the rules of an interpreter as one stage of loading.
pub fn ground_within(
    interpreter: &Interpreter,
    limits: &GroundLimits,
    loading: &Loading<'_>,
) -> Result<GroundProgram, NotGround> {
    let mut scratch = interpreter.scratch();
    scratch.set_deadline(loading.deadline());
    let reached = join::reach(interpreter, &mut scratch, (limits, loading));
    let reached = reached.map_err(|reason| match reason {
        NotGround::Unanswered(NoAnswer::TooLate) => loading.late().into(),
        reason => reason,
    })?;
    let rules = reached.heads.len();
    loading.report(LoadStage::Ordering { rules });
    let terms = scratch.terms().clone();
    drop(scratch);
    GroundProgram::new(interpreter, terms, (reached, loading))
}
