//! What a game is worth if it is played to the end in thought, exactly: two questions.
//!
//! | question | asked by | answered by |
//! |---|---|---|
//! | what does each role get if each wants most for itself? | [`competitive()`] | alpha-beta, averages and mixed strategies on the tree the players search |
//! | what can all get together at least? | [`cooperative()`] | the papers' policies: for every state what can be reached, through its network |
//!
//! Both give a [`Plan`]: what is done, whatever chance does. A limit that is reached is said.

mod competitive;
mod cooperative;
mod ends;
mod joint;
mod matrix;
mod plan;
mod points;
mod spent;

pub use competitive::competitive;
pub use cooperative::{Together, cooperative};
use game::Game;
pub use plan::{Branch, Plan, PlanStep};

/// What solving may cost.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct SolveLimits {
    /// About how many bytes what is known of states may take.
    pub memory: usize,
    /// How many joint moves and combinations of them may be tried.
    pub nodes: u64,
    /// How many turns a match may have.
    pub turns: usize,
    /// How many turns of the plan are wanted.
    pub depth: usize,
    /// How many steps a plan may have.
    pub steps: usize,
}

impl Default for SolveLimits {
    fn default() -> SolveLimits {
        SolveLimits {
            memory: 2 << 30,
            nodes: u64::MAX,
            turns: 10_000,
            depth: 20,
            steps: 10_000,
        }
    }
}

/// Why a game was not solved.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Unsolved {
    /// The game hides the state: what is best depends on what roles know.
    #[error("the game hides the state, and is not solved by what is known of states")]
    Hidden,
    /// The rules are too large for what solves them.
    #[error("{0}")]
    NoEngine(String),
    /// Too many states.
    #[error("more states than {0} megabytes hold")]
    Memory(usize),
    /// Too many joint moves, or combinations of them.
    #[error("more than {0} nodes")]
    Nodes(u64),
    /// Roles have too many moves at once.
    #[error("a state has {ways} joint moves, more than {memory} megabytes hold")]
    JointMoves {
        /// How many joint moves the state has.
        ways: u128,
        /// How many megabytes were allowed.
        memory: usize,
    },
    /// A match can go on for too long.
    #[error("a match can have more than {0} turns")]
    Turns(usize),
    /// A match can come back to a state.
    #[error("a match can come back to a state it was in, so that its value depends on the way")]
    Circle,
    /// A role has no legal move although the match is not over.
    #[error("a role has no legal move in a state that is not terminal")]
    Stuck,
    /// Where several roles choose at once there is no equilibrium without chance, and what they
    /// get is no constant sum.
    #[error("roles choose at once, what they get is no constant sum, and no choice suits all")]
    NoEquilibrium,
    /// Where two roles choose at once, they have too many moves to find how they mix them.
    #[error(
        "roles choose at once among {rows} and {columns} moves, and no mixed strategy was found"
    )]
    Unmixed {
        /// How many moves the first has.
        rows: usize,
        /// How many moves the second has.
        columns: usize,
    },
    /// An end has no goal for a role, several, or one that is no number from 0 to 100.
    #[error("in an end the goal of {role} is not one number from 0 to 100, but {goals}")]
    Goal {
        /// The role.
        role: String,
        /// The goals it has there.
        goals: String,
    },
    /// What can be reached together has too many trade-offs.
    #[error("more than {0} trade-offs between the roles in one state")]
    Points(usize),
}

/// What the roles get, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Exact {
    /// What each role gets, from 0 to 1; chance is one of them.
    pub values: Vec<f64>,
    /// What is done.
    pub plan: Plan,
    /// How many states were looked at.
    pub states: usize,
}

/// Checks what both questions need of a game.
fn grounded(game: &Game) -> Result<(), Unsolved> {
    if game.hides() {
        return Err(Unsolved::Hidden);
    }
    match game.propnet() {
        Some(_) => Ok(()),
        None => {
            let reason = "the rules are too large to be grounded".to_string();
            Err(Unsolved::NoEngine(reason))
        }
    }
}

/// Recurses on a stack that grows when it has to.
fn deeper<T>(call: impl FnOnce() -> T) -> T {
    const RED_ZONE: usize = 64 << 10;
    const MORE: usize = 4 << 20;
    stacker::maybe_grow(RED_ZONE, MORE, call)
}
