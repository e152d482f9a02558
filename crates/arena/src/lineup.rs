//! Who plays what: games and players by name → an experiment, and players for its seats.
//!
//! The roster knows our own players. Players elsewhere are named by their addresses, and made by
//! a hook, as this crate knows no network. Every player is asked whether it plays every game
//! before anything is played.

use crate::Clocks;
use crate::experiment::{Experiment, GameEntry, rules_fingerprint};
use game::Game;
use players::{BadOption, Budget, Memory, Player, Recruiter, Refusal, Seat, roster};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Splits a list of players at its commas. Options stay with their player: a piece that has `=`
/// but no name before it belongs to the player before.
pub fn split_players(text: &str) -> Vec<String> {
    let mut players: Vec<String> = Vec::new();
    for piece in text.split(',').map(str::trim).filter(|it| !it.is_empty()) {
        let is_option = piece.contains('=') && !piece.contains(':');
        match players.last_mut().filter(|_| is_option) {
            Some(player) => *player += &format!(",{piece}"),
            None => players.push(piece.to_string()),
        }
    }
    players
}

/// Whether the name of a player is the address of a player elsewhere.
pub fn is_address(name: &str) -> bool {
    name.contains("://")
}

/// The games and players of an experiment.
#[derive(Debug, Default)]
pub struct Lineup {
    games: Vec<Listed>,
    players: Vec<String>,
}

/// A game of a lineup.
struct Listed {
    entry: GameEntry,
    /// The text of its rules.
    text: String,
    /// Used only to ask players whether they play it.
    game: Arc<Game>,
}

impl fmt::Debug for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.entry.fmt(f)
    }
}

/// The conditions of all matches of an experiment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditions {
    /// The clocks, or counts of iterations.
    pub clocks: Clocks,
    /// The seed from which the seeds of all matches follow.
    pub seed: u64,
    /// The build of the players.
    pub build: String,
    /// The folder of what players remember of earlier matches.
    pub memory: Option<String>,
}

/// Why a player cannot take part.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAdmitted {
    /// There is no such player.
    #[error(transparent)]
    Option(#[from] BadOption),
    /// It does not play a game.
    #[error("{game}: {reason}")]
    Refusal {
        /// The name of the game.
        game: String,
        /// Why.
        reason: Refusal,
    },
}

impl Lineup {
    /// A lineup of these players, without games.
    pub fn new(players: Vec<String>) -> Lineup {
        Lineup {
            games: Vec::new(),
            players,
        }
    }

    /// Adds a game: its name, the text of its rules, and the game itself. Any engine will do, as
    /// it is not played.
    pub fn add(&mut self, name: &str, text: &str, game: Game) {
        let entry = GameEntry {
            name: name.to_string(),
            rules: rules_fingerprint(text),
            seats: game.roles().len() - usize::from(game.chance().is_some()),
        };
        self.games.push(Listed {
            entry,
            text: text.to_string(),
            game: Arc::new(game),
        });
    }

    /// The experiment in which these players play these games.
    pub fn experiment(&self, conditions: Conditions) -> Experiment {
        let Conditions {
            clocks,
            seed,
            build,
            memory,
        } = conditions;
        Experiment {
            games: self.games.iter().map(|it| it.entry.clone()).collect(),
            players: self.players.clone(),
            clocks,
            seed,
            build,
            memory,
        }
    }

    /// The texts of the rules, for a store.
    pub fn texts(&self) -> Vec<String> {
        self.games.iter().map(|it| it.text.clone()).collect()
    }

    /// The players elsewhere.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        let players = self.players.iter().map(String::as_str);
        players.filter(|it| is_address(it))
    }

    /// Whether there are players elsewhere.
    pub fn has_addresses(&self) -> bool {
        self.addresses().next().is_some()
    }

    /// Asks every player of the roster, as the makers would make it, whether it plays every game.
    pub fn admit(&self, makers: &Makers) -> Result<(), NotAdmitted> {
        for listed in &self.games {
            for player in self.players.iter().filter(|it| !is_address(it)) {
                listed.admit(player, makers)?;
            }
        }
        Ok(())
    }
}

impl Listed {
    fn admit(&self, player: &str, makers: &Makers) -> Result<(), NotAdmitted> {
        let seat = Seat {
            game: Arc::clone(&self.game),
            role: self.game.players().next().unwrap_or_default(),
            seed: 0,
            threads: 1,
            memory: None,
            helpers: makers.helpers.clone(),
        };
        let started = roster::player(player, seat)?.start(&Budget::Iterations(0));
        started.map_err(|reason| NotAdmitted::Refusal {
            game: self.entry.name.clone(),
            reason,
        })
    }
}

/// The match in which a player is wanted.
#[derive(Clone, Debug)]
pub struct Occasion {
    /// The number of the game.
    pub game: usize,
    /// The name of the match at this seat; every seat of every match has its own.
    pub id: String,
    /// The clocks.
    pub clocks: Clocks,
    /// How much later than its clock a move may come.
    pub grace: Duration,
}

/// Makes the player at an address.
pub type MakeRemote =
    dyn Fn(&str, Seat, &Occasion) -> Result<Box<dyn Player>, BadOption> + Send + Sync;

/// Finds what is remembered of the game of a number.
pub type FindMemory = dyn Fn(usize) -> Option<Arc<Memory>> + Send + Sync;

/// Makes players by their names.
#[derive(Clone, Default)]
pub struct Makers {
    remote: Option<Arc<MakeRemote>>,
    memory: Option<Arc<FindMemory>>,
    helpers: Option<Arc<dyn Recruiter>>,
}

impl Makers {
    /// Players of the roster alone.
    pub fn roster() -> Makers {
        Makers::default()
    }

    /// Players of the roster, and players elsewhere, which a hook makes.
    pub fn with_remote(
        make: impl Fn(&str, Seat, &Occasion) -> Result<Box<dyn Player>, BadOption>
        + Send
        + Sync
        + 'static,
    ) -> Makers {
        Makers {
            remote: Some(Arc::new(make)),
            ..Makers::default()
        }
    }

    /// The same with memories, which a hook finds: all matches of a game share one.
    #[must_use]
    pub fn with_memory(
        self,
        find: impl Fn(usize) -> Option<Arc<Memory>> + Send + Sync + 'static,
    ) -> Makers {
        Makers {
            memory: Some(Arc::new(find)),
            ..self
        }
    }

    /// The same with what starts processes that help players.
    #[must_use]
    pub fn with_helpers(self, helpers: Arc<dyn Recruiter>) -> Makers {
        Makers {
            helpers: Some(helpers),
            ..self
        }
    }

    /// The player of a name, for a seat.
    pub fn make(
        &self,
        name: &str,
        seat: Seat,
        occasion: &Occasion,
    ) -> Result<Box<dyn Player>, BadOption> {
        let memory = match &self.memory {
            Some(find) => find(occasion.game),
            None => seat.memory,
        };
        let helpers = self.helpers.clone().or(seat.helpers);
        let seat = Seat {
            memory,
            helpers,
            ..seat
        };
        match self.remote.as_ref().filter(|_| is_address(name)) {
            Some(make) => make(name, seat, occasion),
            None => roster::player(name, seat),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stay_with_their_player() {
        let text = "uct:c=0.6,batch=32,random, uct:lanes=no";
        assert_eq!(
            split_players(text),
            ["uct:c=0.6,batch=32", "random", "uct:lanes=no"]
        );
        assert_eq!(split_players("uct,"), ["uct"]);
        let text = "http://localhost:9147,uct:c=1";
        assert_eq!(split_players(text), ["http://localhost:9147", "uct:c=1"]);
        assert!(split_players("").is_empty());
    }

    #[test]
    fn addresses_are_no_names_of_the_roster() {
        let lineup = Lineup::new(split_players("random,http://a:1,uct:c=1"));
        assert_eq!(lineup.addresses().collect::<Vec<_>>(), ["http://a:1"]);
        assert!(!Lineup::new(split_players("uct:c=1")).has_addresses());
    }
}
