//! What a player would do in the person's place.

use arena::referee::Referee;
use game::RoleId;
use players::{Budget, Decision, Ending, Player, Refusal};

/// A player that follows the match from the person's seat, and is asked for moves now and then.
pub(crate) struct Hints {
    player: Box<dyn Player>,
    /// Its answer to the beginning of the match, once it was told.
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

    /// Lets the player observe the present turn of a match.
    pub(crate) fn observe(&mut self, referee: &Referee<'_>, role: RoleId) {
        let player = &mut self.player;
        // Nothing to prepare: it may never be asked.
        let started = (self.started).get_or_insert_with(|| player.start(&Budget::Iterations(0)));
        if started.is_ok() {
            referee.show(role, &mut **player);
        }
    }

    /// Tells the player how the match ended.
    pub(crate) fn finish(&mut self, ending: Ending) {
        if let Some(Ok(())) = self.started {
            self.player.finish(ending);
        }
    }

    /// Its move in the turn last observed, or why it has none.
    pub(crate) fn ask(&mut self, budget: &Budget) -> Result<Decision, String> {
        match &self.started {
            Some(Ok(())) => {}
            Some(Err(refusal)) => return Err(refusal.to_string()),
            None => return Err("the match has not begun".to_string()),
        }
        let decision = self.player.choose(budget).map_err(|it| it.to_string())?;
        match decision.value {
            Some(_) => Ok(decision),
            None => Err("it has no opinion".to_string()),
        }
    }
}
