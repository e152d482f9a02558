//! Our own games, built into the command, so that their names work wherever it runs.
//!
//! A game is a folder of `games/` with `rules.kif` and `game.toml`; its name is the folder's.

use anyhow::{Context, Result};
use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use std::path::Path;

static GAMES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../games");

/// Names less alike than this are no guess worth making.
const ALIKE: f64 = 0.75;

/// One of our games.
#[derive(Copy, Clone)]
pub(crate) struct OurGame {
    pub(crate) name: &'static str,
    folder: &'static Dir<'static>,
}

/// What `game.toml` tells of a game, as far as commands print it.
#[derive(Deserialize, Serialize)]
pub(crate) struct About {
    pub(crate) title: String,
    pub(crate) class: String,
    pub(crate) roles: Vec<String>,
    pub(crate) variant: String,
    /// Where the rules come from.
    pub(crate) rules: String,
    /// What each role that is not chance gets if all play as well as can be, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    value: Option<toml::Table>,
    /// What random play tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    random: Option<toml::Table>,
}

impl OurGame {
    /// The rule sheet.
    pub(crate) fn rules(self) -> &'static [u8] {
        let file = self.file("rules.kif");
        file.expect("only folders with rules are games")
    }

    /// What is known of it.
    pub(crate) fn about(self) -> Result<About> {
        let bytes = self.file("game.toml").context("game.toml is missing");
        let about = bytes.and_then(|bytes| Ok(toml::from_slice(bytes)?));
        about.with_context(|| format!("the game {} is built in wrong", self.name))
    }

    fn file(self, name: &str) -> Option<&'static [u8]> {
        let file = self.folder.get_file(self.folder.path().join(name))?;
        Some(file.contents())
    }
}

/// Our games, in the order of their names.
pub(crate) fn all() -> Vec<OurGame> {
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
pub(crate) fn find(name: &str) -> Option<OurGame> {
    all().into_iter().find(|game| game.name == name)
}

/// The game that a path which is no file names. A file comes first, as it is what the user
/// can see; a folder is no rule sheet, so it does not hide a game.
pub(crate) fn named(path: &Path) -> Option<OurGame> {
    let free = !path.exists() || path.is_dir();
    path.to_str().filter(|_| free).and_then(find)
}

/// What to do about a name that is neither a file's nor a game's.
pub(crate) fn advice(name: &str) -> String {
    let alike = |game: OurGame| {
        let score = strsim::jaro_winkler(&name.to_lowercase(), game.name);
        (score, game.name)
    };
    let scored = all().into_iter().map(alike);
    let best = scored.max_by(|left, right| left.0.total_cmp(&right.0));
    match best.filter(|(score, _)| *score >= ALIKE) {
        Some((_, best)) => format!("did you mean `{best}`? `ludex games` lists our games"),
        None => "`ludex games` lists our games".to_string(),
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
        }
    }

    #[test]
    fn advice_guesses_only_what_is_alike() {
        assert!(advice("tictactoe").contains("`tic-tac-toe`"));
        assert!(advice("Othelo").contains("`othello`"));
        assert!(!advice("zzz").contains("did you mean"));
    }
}
