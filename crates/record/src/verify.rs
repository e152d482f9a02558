//! Whether a file is right in all it claims: what happened, by the rules; and the rest, as far as it
//! can be told.
//!
//! Other hosts leave out what they please: a list that is empty claims nothing.

use crate::file::shown;
use crate::{BadRecord, Difference, MatchFile, terms};
use game::Game;

/// Why a file is not right.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Wrong {
    /// The file is no record of the game.
    #[error(transparent)]
    BadRecord(#[from] BadRecord),
    /// What happened is not what the rules say.
    #[error(transparent)]
    Difference(#[from] Difference),
    /// The game has other roles.
    #[error("`gameRoleNames` are not the roles of the game")]
    Roles,
    /// The match has come to an end, or not.
    #[error("the match is both completed and aborted")]
    Both,
    /// The game is said to be broken.
    #[error("`x-ludexBroken`: nothing is wrong with the game where the match ended")]
    Sound,
    /// Time went backwards.
    #[error("`stateTimes`: state {state} came before what is before it")]
    Times {
        /// The number of the state, from 1.
        state: usize,
    },
    /// A clock cannot run like that.
    #[error("`{0}` is negative")]
    Clock(&'static str),
    /// An error is none of those that hosts know.
    #[error("`errors`: `{0}` is neither empty nor TO, CE or IL with a move")]
    Error(String),
}

impl MatchFile {
    /// Checks everything that the file claims.
    pub fn verify(&self, game: &Game) -> Result<(), Wrong> {
        self.counts(game)?;
        self.roles(game)?;
        if self.is_completed && self.is_aborted {
            return Err(Wrong::Both);
        }
        self.times()?;
        self.error_words()?;
        let record = self.record(game, &mut game.scratch())?;
        record.replay(game)?;
        let view = game.view(&mut game.scratch(), &record.last);
        match self.broken.is_some() && game.defect(&view.map_err(Difference::from)?).is_none() {
            true => Err(Wrong::Sound),
            false => Ok(()),
        }
    }

    /// One entry for each role or state.
    fn counts(&self, game: &Game) -> Result<(), BadRecord> {
        let (roles, states) = (game.roles().len(), self.states.len());
        for (what, found, expected) in [
            ("gameRoleNames", self.game_role_names.len(), roles),
            (
                "playerNamesFromHost",
                self.player_names_from_host.len(),
                roles,
            ),
            ("isPlayerHuman", self.is_player_human.len(), roles),
            ("goalValues", self.goal_values.len(), roles),
            ("stateTimes", self.state_times.len(), states),
            ("errors", self.errors.len(), states),
        ] {
            if found != 0 {
                BadRecord::check(what, found, expected)?;
            }
        }
        let mut rows = self.errors.iter();
        rows.try_for_each(|row| BadRecord::check("errors", row.len(), roles))
    }

    fn roles(&self, game: &Game) -> Result<(), Wrong> {
        let names = &self.game_role_names;
        let found = terms(game, &mut game.scratch(), &names.join("\n"))?;
        match names.is_empty() || found == game.roles() {
            true => Ok(()),
            false => Err(Wrong::Roles),
        }
    }

    fn times(&self) -> Result<(), Wrong> {
        let before = std::iter::once(&self.start_time).chain(&self.state_times);
        let mut pairs = before.zip(&self.state_times);
        if let Some(place) = pairs.position(|(before, time)| time < before) {
            return Err(Wrong::Times { state: place + 1 });
        }
        let clocks = [
            ("startClock", self.start_clock),
            ("playClock", self.play_clock),
        ];
        match clocks.iter().find(|(_, clock)| *clock < 0.0) {
            Some((name, _)) => Err(Wrong::Clock(name)),
            None => Ok(()),
        }
    }

    fn error_words(&self) -> Result<(), Wrong> {
        let known =
            |it: &&String| matches!(&***it, "" | "TO" | "CE" | "IL") || it.starts_with("IL ");
        match self.errors.iter().flatten().find(|it| !known(it)) {
            Some(error) => Err(Wrong::Error(shown(error))),
            None => Ok(()),
        }
    }
}
