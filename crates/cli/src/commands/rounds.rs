//! States against their constraint networks: solutions are the legal joint moves, each with the
//! state that follows.

use anyhow::{Context, Result, bail};
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
        let packed = game.packed(state).context("a state that cannot be")?;
        if self.micro.load(&packed).is_err() {
            return Ok(None);
        }
        let moves = program.moves_by_role();
        let mut solutions = Vec::new();
        self.micro.each(&Query::default(), |it| {
            let joint = it.joint.iter().zip(&moves);
            let joint = joint.map(|(&place, moves)| program.moves()[moves[place as usize]].1);
            let next = game.unpacked(it.next);
            solutions.extend(next.map(|next| (joint.collect(), next)));
            // One more than there should be is enough.
            match solutions.len() > ways || solutions.len() >= MOST {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        });
        Ok(Some(solutions))
    }
}
