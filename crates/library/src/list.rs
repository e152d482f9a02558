//! All our games with what is known of them, in the order of their classes.

use crate::{About, BadGame, OurGame, all};
use serde::Serialize;

/// How many players a class is for, as its first word says it.
const PLAYERS: [&str; 5] = ["one", "two", "three", "four", "five"];

/// A game, as it is listed.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What is known of it.
    #[serde(flatten)]
    pub about: About,
}

impl Entry {
    fn new(game: OurGame) -> Result<Entry, BadGame> {
        Ok(Entry {
            name: game.name,
            about: game.about()?,
        })
    }

    /// The order of classes: whether all is seen, whether there is chance, how many players
    /// there are and whether they take turns.
    fn order(&self) -> (bool, bool, usize, bool, &str) {
        let class = self.about.class.as_str();
        let first = class.split(' ').next();
        let players = PLAYERS.iter().position(|&it| Some(it) == first);
        (
            class.contains("imperfect information"),
            class.contains("chance"),
            players.unwrap_or(PLAYERS.len()),
            class.contains("simultaneous"),
            class,
        )
    }
}

/// All our games, in the order of their names.
pub fn entries() -> Result<Vec<Entry>, BadGame> {
    all().into_iter().map(Entry::new).collect()
}

/// Sorts games by class; those of a class stay as they are.
pub fn sort_by_class(entries: &mut [Entry]) {
    entries.sort_by(|left, right| left.order().cmp(&right.order()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_perfect_information_come_first_and_those_of_one_player_before_others() {
        let mut entries = entries().unwrap();
        sort_by_class(&mut entries);
        assert!(entries[0].about.class.starts_with("one"));
        let hidden = |entry: &Entry| entry.about.class.contains("imperfect information");
        assert!(entries.is_sorted_by_key(hidden));
    }
}
