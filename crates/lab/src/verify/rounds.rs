//! States against their constraint networks: solutions are the legal joint moves, each with the
//! state that follows.

use constraint::Query;
use encoding::{Encoding, Micro};
use game::{Game, Scratch, State, TermId, Unanswered, View};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// More joint moves than this are not counted out.
const MOST: usize = 20_000;
/// Of how many joint moves of a state the next one is compared.
const FOLLOWED: usize = 64;

/// A joint move and the state after it.
type Followed = (Vec<TermId>, State);

/// How the network of a state is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadNetwork {
    /// It has no solution.
    #[error("the network has no solution, and {ways} joint moves are legal")]
    Unsolvable {
        /// How many joint moves are legal.
        ways: usize,
    },
    /// Its solutions are not the legal joint moves, each once.
    #[error(
        "the network has {solutions} solutions, {distinct} of them distinct; {ways} joint moves are legal"
    )]
    Solutions {
        /// How many solutions it has.
        solutions: usize,
        /// How many of them are distinct.
        distinct: usize,
        /// How many joint moves are legal.
        ways: usize,
    },
    /// A solution is not legal.
    #[error("the network has a joint move that is not legal")]
    Illegal,
    /// Another state follows.
    #[error("the network has another state after a joint move")]
    Next,
    /// The game has no ground program.
    #[error("a network needs a ground program")]
    NotGround,
    /// The state cannot be packed.
    #[error("a state that cannot be")]
    NoState,
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// The networks of a game's states.
#[derive(Debug)]
pub(super) struct Rounds<'e> {
    micro: Micro<'e>,
}

impl<'e> Rounds<'e> {
    pub(super) fn new(encoding: &'e Encoding) -> Rounds<'e> {
        Rounds {
            micro: Micro::new(encoding),
        }
    }

    /// Compares a state in which the match is not over.
    pub(super) fn compare(
        &mut self,
        game: &Game,
        scratch: &mut Scratch,
        (state, view): (&State, &View),
    ) -> Result<(), BadNetwork> {
        let counts = view.legal.iter().map(Vec::len);
        let ways = counts.fold(1, usize::saturating_mul);
        let solutions = self.solutions(game, state, ways)?;
        let Some(solutions) = solutions else {
            return match ways {
                0 => Ok(()),
                _ => Err(BadNetwork::Unsolvable { ways }),
            };
        };
        let distinct: BTreeSet<&Vec<TermId>> = solutions.iter().map(|(joint, _)| joint).collect();
        if distinct.len() != solutions.len() || solutions.len() != ways.min(MOST) {
            return Err(BadNetwork::Solutions {
                solutions: solutions.len(),
                distinct: distinct.len(),
                ways,
            });
        }
        let stride = solutions.len().div_ceil(FOLLOWED).max(1);
        for (number, (joint, next)) in solutions.iter().enumerate() {
            let legal = joint.iter().zip(&view.legal);
            if legal.clone().any(|(action, legal)| !legal.contains(action)) {
                return Err(BadNetwork::Illegal);
            }
            if number % stride == 0 && game.next(scratch, state, joint)?.0 != *next {
                return Err(BadNetwork::Next);
            }
        }
        Ok(())
    }

    /// The solutions of a state, at most so many; none if it is refuted at once.
    fn solutions(
        &mut self,
        game: &Game,
        state: &State,
        ways: usize,
    ) -> Result<Option<Vec<Followed>>, BadNetwork> {
        let program = game.ground().ok_or(BadNetwork::NotGround)?;
        let packed = game.packed(state).ok_or(BadNetwork::NoState)?;
        if self.micro.load(&packed).is_err() {
            return Ok(None);
        }
        let mut solutions = Vec::new();
        self.micro.each(&Query::default(), |it| {
            let joint = program.role_ids().zip(it.joint);
            let joint = joint.map(|(role, action)| program.moves(role)[action.index()]);
            solutions.push((joint.collect(), game.unpacked(it.next)));
            // One more than there should be is enough.
            match solutions.len() > ways || solutions.len() >= MOST {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        Ok(Some(solutions))
    }
}
