//! What a player would do in the person's place.

use game::{State, TermId};
use players::{Budget, Decision, Player, Refusal, Turn};

/// Gives hints; what it has thought of it remembers.
pub(crate) struct Hints {
    player: Box<dyn Player>,
    /// Whether it was told that a match began, and if so, what it said.
    started: Option<Result<(), Refusal>>,
}

impl Hints {
    /// Hints of a player on the person's seat.
    pub(crate) fn new(player: Box<dyn Player>) -> Hints {
        Hints {
            player,
            started: None,
        }
    }

    /// What it would do in a state, or why it does not say.
    pub(crate) fn ask(
        &mut self,
        state: &State,
        legal: &[TermId],
        budget: &Budget,
    ) -> Result<Decision, String> {
        let player = &mut self.player;
        // Nothing to prepare: the match goes on.
        let started = (self.started).get_or_insert_with(|| player.start(&Budget::Iterations(0)));
        if let Err(refusal) = started {
            return Err(refusal.to_string());
        }
        let turn = Turn {
            state: Some(state),
            legal,
            joint: None,
            percepts: &[],
            own: None,
        };
        let decision = player.choose(&turn, budget);
        match decision.value {
            Some(_) => Ok(decision),
            None => Err("it has no opinion".to_string()),
        }
    }
}
