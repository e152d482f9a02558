//! How many ways a match can begin: sequences of joint moves.

use game::{Game, Scratch, State, TermId, Unanswered, View};

/// How many sequences of some length there are.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// All of them.
    pub sequences: u64,
    /// Those that end the match.
    pub over: u64,
}

/// Why sequences were not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotCounted {
    /// A role has no legal move in a state that is not terminal.
    #[error("after {turns} turns {role} has no move")]
    Stuck {
        /// How many turns it takes.
        turns: usize,
        /// The role.
        role: String,
    },
    /// The rules give no answer.
    #[error(transparent)]
    Unanswered(#[from] Unanswered),
}

/// Counts the sequences of each number of turns, up to `depth`.
pub fn perft(game: &Game, depth: usize) -> Result<Vec<Count>, NotCounted> {
    let mut counter = Counter {
        scratch: game.scratch(),
        game,
        counts: vec![Count::default(); depth + 1],
    };
    let first = game.initial(&mut counter.scratch)?;
    counter.count(&first, 0)?;
    Ok(counter.counts)
}

struct Counter<'g> {
    game: &'g Game,
    scratch: Scratch,
    /// For each number of turns.
    counts: Vec<Count>,
}

impl Counter<'_> {
    fn count(&mut self, state: &State, turns: usize) -> Result<(), NotCounted> {
        let view = self.game.view(&mut self.scratch, state)?;
        self.counts[turns].sequences += 1;
        self.counts[turns].over += u64::from(view.terminal);
        if view.terminal || turns + 1 == self.counts.len() {
            return Ok(());
        }
        if let Some(role) = view.legal.iter().position(Vec::is_empty) {
            let role = self.scratch.terms().text(self.game.roles()[role]);
            return Err(NotCounted::Stuck { turns, role });
        }
        let mut joint: Vec<usize> = vec![0; view.legal.len()];
        loop {
            let moves = joint.iter().zip(&view.legal);
            let moves: Vec<TermId> = moves.map(|(&at, legal)| legal[at]).collect();
            let (next, _) = self.game.next(&mut self.scratch, state, &moves)?;
            self.count(&next, turns + 1)?;
            if !advance(&mut joint, &view) {
                return Ok(());
            }
        }
    }
}

/// Goes on to the next joint move; false after the last.
fn advance(joint: &mut [usize], view: &View) -> bool {
    for (choice, legal) in joint.iter_mut().zip(&view.legal) {
        *choice += 1;
        if *choice < legal.len() {
            return true;
        }
        *choice = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Engine, Silent, limits, load};

    #[test]
    fn matches_of_rock_paper_scissors_are_over_after_a_turn() {
        let ours = library::find("rock-paper-scissors").unwrap();
        let game = load::ours(ours, Engine::Ground, &limits(&Silent)).unwrap();
        let counts = perft(&game, 2).unwrap();
        let count = |sequences, over| Count { sequences, over };
        assert_eq!(counts, [count(1, 0), count(9, 9), count(0, 0)]);
    }
}
