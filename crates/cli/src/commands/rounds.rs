//! States against their constraint networks: solutions are the legal joint moves, each with the
//! state that follows.

use anyhow::{Result, bail};
use constraint::Query;
use encoding::{Encoding, Micro};
use game::{Game, Scratch, State, TermId, View};
use std::collections::BTreeSet;
use std::ops::ControlFlow;

/// More joint moves than this are not counted out.
const MOST: usize = 20_000;
/// Of how many joint moves of a state the next one is compared.
const FOLLOWED: usize = 64;

/// A joint move and the state after it.
type Followed = (Vec<TermId>, State);

/// The networks of a game's states.
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
    ) -> Result<()> {
        let ways: usize = view.legal.iter().map(Vec::len).product();
        let solutions = self.solutions(game, state, ways)?;
        let Some(solutions) = solutions else {
            match ways {
                0 => return Ok(()),
                _ => bail!("the network has no solution, and {ways} joint moves are legal"),
            }
        };
        let distinct: BTreeSet<&Vec<TermId>> = solutions.iter().map(|(joint, _)| joint).collect();
        if distinct.len() != solutions.len() || solutions.len() != ways.min(MOST) {
            bail!(
                "the network has {} solutions, {} of them distinct; {ways} joint moves are legal",
                solutions.len(),
                distinct.len()
            );
        }
        let stride = solutions.len().div_ceil(FOLLOWED).max(1);
        for (number, (joint, next)) in solutions.iter().enumerate() {
            let legal = joint.iter().zip(&view.legal);
            if legal.clone().any(|(action, legal)| !legal.contains(action)) {
                bail!("the network has a joint move that is not legal");
            }
            if number % stride == 0 && game.next(scratch, state, joint)?.0 != *next {
                bail!("the network has another state after a joint move");
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
    ) -> Result<Option<Vec<Followed>>> {
        let Some(program) = game.ground() else {
            bail!("a network needs a ground program");
        };
        let held: BTreeSet<TermId> = state.fluents().iter().copied().collect();
        let holds: Vec<bool> = (program.fluents().iter())
            .map(|it| held.contains(it))
            .collect();
        if self.micro.load(&holds).is_err() {
            return Ok(None);
        }
        let mut solutions = Vec::new();
        self.micro.each(&Query::default(), |it| {
            let joint = it.joint.iter().map(|&number| program.moves()[number].1);
            let next = program.fluents().iter().zip(it.next);
            let next = next.filter(|(_, holds)| **holds).map(|(&fluent, _)| fluent);
            solutions.push((joint.collect(), State::new(next.collect())));
            // One more than there should be is enough.
            match solutions.len() > ways || solutions.len() >= MOST {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        Ok(Some(solutions))
    }
}
