//! What play tells of rules: whether a game is sound, and if not, where it breaks.
//!
//! Takes a checked program and its game, gives a [`Trial`]. Where a game has few states, all of them
//! are looked at (`explore.rs`): then what is said is proven, and every way to a defect is as short
//! as can be. Else random matches are played (`matches.rs`), one by one and in lanes, and some are
//! held against the rules themselves (`oracle.rs`). What never applies follows from the rules
//! without variables. `findings.rs` makes diagnostics of it.

mod explore;
mod findings;
mod matches;
mod oracle;
mod seen;

pub use seen::Met;

use game::{Broken, Defect, Game};
use seen::Seen;
use std::time::{Duration, Instant};

/// How much is played.
#[derive(Copy, Clone, Debug)]
pub struct Settings {
    /// How many matches are played one by one; in lanes a hundred times as many.
    pub matches: u64,
    /// Longer matches are given up.
    pub turns: usize,
    /// About how many seconds all of it may take.
    pub seconds: f64,
    /// The seed of the random choices.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            matches: 100,
            turns: 10_000,
            seconds: 10.0,
            seed: 1,
        }
    }
}

/// A game with at most so many joint moves in all its states together is looked at as a whole.
const SMALL: usize = 50_000;

/// What play told.
#[derive(Debug)]
pub struct Trial<'g> {
    game: &'g Game,
    seen: Seen<'g>,
    /// Whether all states were looked at.
    pub complete: bool,
    /// Matches that were played one by one.
    pub matches: u64,
    /// Matches that were played in lanes.
    pub lanes: u64,
    /// Those of them in which a role had no legal move.
    pub stuck: u64,
    /// Those of them that did not end.
    pub cut: u64,
    /// Whether the time was over before the first match.
    pub unended: bool,
    /// A state in which the fast engine and the rules themselves differ.
    pub disagreement: Option<Broken>,
}

impl<'g> Trial<'g> {
    /// Plays a game.
    pub fn of(game: &'g Game, settings: &Settings) -> Trial<'g> {
        let time = |share: f64| {
            Instant::now() + Duration::from_secs_f64((settings.seconds * share).clamp(0.01, 1e6))
        };
        let mut trial = Trial {
            game,
            seen: Seen::new(game),
            complete: false,
            matches: 0,
            lanes: 0,
            stuck: 0,
            cut: 0,
            unended: false,
            disagreement: None,
        };
        if game.never_ends() {
            let walk = game.walk();
            let states = 0;
            trial.seen.meet(Broken {
                defect: Defect::Endless { states },
                state: game.unpacked(walk.state()),
                moves: Vec::new(),
            });
        }
        trial.complete = explore::explore(&mut trial.seen, SMALL, time(0.3));
        if !trial.complete {
            matches::play(&mut trial, settings, time(0.4));
            matches::play_in_lanes(&mut trial, settings, time(0.2));
        }
        oracle::compare(&mut trial, settings, time(0.1));
        trial
    }

    /// Every defect that was met, each with the shortest way there.
    pub fn met(&self) -> &[Met] {
        self.seen.met()
    }

    /// The gravest of them: the first that was met that leaves a match without a result.
    pub fn broken(&self) -> Option<&Broken> {
        let mut met = self.met().iter().map(|it| &it.broken);
        met.find(|it| !matches!(it.defect, Defect::TooLong { .. }))
    }

    /// What was looked at, in words.
    pub fn extent(&self) -> String {
        let states = self.seen.states();
        match (self.complete, self.lanes) {
            (true, _) => format!("all {states} states were looked at"),
            (false, 0) => format!("{} random matches, {states} states", self.matches),
            (false, lanes) => format!(
                "{} random matches, {states} states, and {lanes} matches in lanes",
                self.matches
            ),
        }
    }
}
