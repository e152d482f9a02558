//! Experiments: which players are better in which games.
//!
//! An experiment holds everything that decides how its matches go, so that all matches of one
//! experiment may be counted together, whenever they were played. The number of matches, in all
//! and at a time, is not part of it.

use crate::Clocks;
use serde::{Deserialize, Serialize};

/// Games, players, clocks and a seed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Experiment {
    /// The games, no name twice.
    pub games: Vec<GameEntry>,
    /// The players as the roster reads them, none twice.
    pub players: Vec<String>,
    /// The clocks, or counts of iterations.
    pub clocks: Clocks,
    /// The seed from which the seeds of all matches follow.
    pub seed: u64,
    /// The build of the players: another build may play differently.
    pub build: String,
    /// The folder of what players remember of earlier matches, if they do: matches with a memory
    /// are other matches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<String>,
}

/// A game of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameEntry {
    /// What it is called.
    pub name: String,
    /// The [fingerprint](rules_fingerprint) of its rules; a store has their text.
    pub rules: String,
    /// How many seats it has, at least one. Chance has none.
    pub seats: usize,
}

/// Why an experiment cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadExperiment {
    /// A game or a player twice.
    #[error("`{name}` is named twice: name every game and every player once")]
    Twice {
        /// Its name.
        name: String,
    },
    /// Nobody to play, or nothing.
    #[error("no game or no player is named")]
    Empty,
    /// A game that only chance plays.
    #[error("{game}: it has no role for a player")]
    NoSeat {
        /// Its name.
        game: String,
    },
}

impl Experiment {
    /// Whether it can be carried out.
    pub fn check(&self) -> Result<(), BadExperiment> {
        let games: Vec<&String> = self.games.iter().map(|game| &game.name).collect();
        let players: Vec<&String> = self.players.iter().collect();
        twice(&games)?;
        twice(&players)?;
        if games.is_empty() || players.is_empty() {
            return Err(BadExperiment::Empty);
        }
        match self.games.iter().find(|game| game.seats == 0) {
            Some(game) => Err(BadExperiment::NoSeat {
                game: game.name.clone(),
            }),
            None => Ok(()),
        }
    }
}

fn twice(names: &[&String]) -> Result<(), BadExperiment> {
    let mut places = names.iter().enumerate();
    match places.find(|(place, name)| names[..*place].contains(name)) {
        Some((_, name)) => Err(BadExperiment::Twice {
            name: (*name).clone(),
        }),
        None => Ok(()),
    }
}

/// A hash that is the same on every machine: fast, not cryptographic.
pub fn fingerprint(bytes: &[u8]) -> u64 {
    let start = 0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64;
    bytes.chunks(8).fold(start, |hash, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        let mixed = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    })
}

/// The fingerprint of the text of rules, as experiments have it.
pub fn rules_fingerprint(text: &str) -> String {
    format!("{:016x}", fingerprint(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn experiment(games: &[(&str, usize)], players: &[&str]) -> Experiment {
        let entry = |&(name, seats): &(&str, usize)| GameEntry {
            name: name.to_string(),
            rules: String::new(),
            seats,
        };
        Experiment {
            games: games.iter().map(entry).collect(),
            players: players.iter().map(ToString::to_string).collect(),
            clocks: Clocks::Iterations { start: 1, play: 1 },
            seed: 1,
            build: String::new(),
            memory: None,
        }
    }

    #[test]
    fn names_are_there_once() {
        let twice = |name: &str| BadExperiment::Twice { name: name.into() };
        assert_eq!(experiment(&[("g", 2)], &["a", "b"]).check(), Ok(()));
        let game = experiment(&[("g", 2), ("g", 2)], &["a"]).check();
        assert_eq!(game, Err(twice("g")));
        let player = experiment(&[("g", 2)], &["a", "b", "a"]).check();
        assert_eq!(player, Err(twice("a")));
        assert!(experiment(&[("g", 0)], &["a"]).check().is_err());
        assert!(experiment(&[("g", 2)], &[]).check().is_err());
    }

    #[test]
    fn fingerprints_tell_small_changes() {
        let texts = ["", "\0", "\0\0", "a", "abcdefgh", "abcdefghi", "abcdefgi"];
        let mut prints: Vec<u64> = texts.iter().map(|it| fingerprint(it.as_bytes())).collect();
        prints.sort_unstable();
        prints.dedup();
        assert_eq!(prints.len(), texts.len());
    }
}
