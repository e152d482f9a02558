//! Our own games, built into the program, so that their names work wherever it runs; and a sheet
//! to begin a game of one's own with (`template.rs`).
//!
//! A game is a folder of `games/` with `rules.kif` and `game.toml`; its name is the folder's.

mod list;
mod template;

use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use std::path::Path;

pub use list::{Entry, entries, sort_by_class};
pub use template::{BadTemplate, Template};

static GAMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games");

/// Names less alike than this are no guess worth making.
const ALIKE: f64 = 0.75;

/// One of our games.
#[derive(Copy, Clone, Debug)]
pub struct OurGame {
    /// Its name, which is that of its folder.
    pub name: &'static str,
    folder: &'static Dir<'static>,
}

/// What `game.toml` tells of a game, as far as it is shown.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct About {
    /// The title people know it by.
    pub title: String,
    /// The kind of game, in words.
    pub class: String,
    /// The names of its roles.
    pub roles: Vec<String>,
    /// Which variant of the game it is.
    pub variant: String,
    /// Where the rules come from.
    pub rules: String,
    /// What each role that is not chance gets if all play as well as can be, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<toml::Table>,
    /// What random play tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<toml::Table>,
}

/// A game that is built in wrong.
#[derive(Debug, thiserror::Error)]
pub enum BadGame {
    /// Its folder has no `game.toml`.
    #[error("the game {name} is built in wrong: game.toml is missing")]
    Missing {
        /// The game.
        name: &'static str,
    },
    /// Its `game.toml` cannot be read.
    #[error("the game {name} is built in wrong")]
    About {
        /// The game.
        name: &'static str,
        /// What is wrong.
        #[source]
        reason: toml::de::Error,
    },
}

impl OurGame {
    /// The rule sheet.
    pub fn rules(self) -> &'static [u8] {
        let file = self.file("rules.kif");
        file.expect("only folders with rules are games")
    }

    /// What the game is and how it is won, as the comment at the head of its rules tells.
    pub fn header(self) -> String {
        let rules = String::from_utf8_lossy(self.rules());
        let lines = rules.lines().map_while(|line| line.strip_prefix(';'));
        lines.map(str::trim).collect::<Vec<&str>>().join(" ")
    }

    /// What is known of it.
    pub fn about(self) -> Result<About, BadGame> {
        let name = self.name;
        let bytes = self.file("game.toml").ok_or(BadGame::Missing { name })?;
        toml::from_slice(bytes).map_err(|reason| BadGame::About { name, reason })
    }

    fn file(self, name: &str) -> Option<&'static [u8]> {
        let file = self.folder.get_file(self.folder.path().join(name))?;
        Some(file.contents())
    }
}

/// Our games, in the order of their names.
pub fn all() -> Vec<OurGame> {
    let games = GAMES.dirs().filter_map(|folder| {
        let name = folder.path().to_str()?;
        let game = OurGame { name, folder };
        game.file("rules.kif").map(|_| game)
    });
    let mut games: Vec<OurGame> = games.collect();
    games.sort_by_key(|game| game.name);
    games
}

/// The game of this name.
pub fn find(name: &str) -> Option<OurGame> {
    all().into_iter().find(|game| game.name == name)
}

/// The game that a path which is no file names. A file comes first, as it is what the user
/// can see; a folder is no rule sheet, so it does not hide a game.
pub fn named(path: &Path) -> Option<OurGame> {
    let free = !path.exists() || path.is_dir();
    path.to_str().filter(|_| free).and_then(find)
}

/// What to do about a name that is neither a file's nor a game's.
pub fn advice(name: &str) -> String {
    let alike = |game: OurGame| {
        let score = strsim::jaro_winkler(&name.to_lowercase(), game.name);
        (score, game.name)
    };
    let scored = all().into_iter().map(alike);
    let best = scored.max_by(|left, right| left.0.total_cmp(&right.0));
    match best.filter(|(score, _)| *score >= ALIKE) {
        Some((_, best)) => format!("did you mean `{best}`? `ludex games` lists the built-in games"),
        None => "`ludex games` lists the built-in games".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_its_files() {
        for game in all() {
            assert!(!game.rules().is_empty(), "{}", game.name);
            assert!(!game.about().unwrap().roles.is_empty(), "{}", game.name);
            assert!(game.header().ends_with('.'), "{}", game.name);
        }
    }

    #[test]
    fn advice_guesses_only_what_is_alike() {
        assert!(advice("tictactoe").contains("`tic-tac-toe`"));
        assert!(advice("Othelo").contains("`othello`"));
        assert!(!advice("zzz").contains("did you mean"));
    }
}
