//! All players by name.

use crate::mac::MacUcb;
use crate::simple::{Legal, Random};
use crate::uct::Uct;
use crate::{BadOption, OptionText, Player, Seat, mac, uct};
use constraint::Strength;

/// Puts a player on a seat.
type Make = fn(Seat, &OptionText<'_>) -> Result<Box<dyn Player>, BadOption>;

/// One player of the roster.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Its options: key, default, meaning.
    pub options: &'static [(&'static str, &'static str, &'static str)],
    make: Make,
}

/// All players.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "legal",
        about: "the first legal move",
        options: &[],
        make: |_, text| without_options("legal", text).map(|()| Box::new(Legal) as _),
    },
    Entry {
        name: "fc-ucb",
        about: "as mac-ucb, networks solved by forward checking",
        options: mac::OPTIONS,
        make: |seat, text| {
            let options = mac::Options::new(("fc-ucb", Strength::Forward), text)?;
            Ok(Box::new(MacUcb::new(seat, options)))
        },
    },
    Entry {
        name: "mac-ucb",
        about: "networks solved by maintaining arc consistency, solutions sampled in lanes",
        options: mac::OPTIONS,
        make: |seat, text| {
            let options = mac::Options::new(("mac-ucb", Strength::Arc), text)?;
            Ok(Box::new(MacUcb::new(seat, options)))
        },
    },
    Entry {
        name: "random",
        about: "any legal move, all with the same chance",
        options: &[],
        make: |seat, text| {
            without_options("random", text).map(|()| Box::new(Random::new(&seat)) as _)
        },
    },
    Entry {
        name: "uct",
        about: "tree search by confidence bounds, playouts in lanes",
        options: uct::OPTIONS,
        make: |seat, text| Ok(Box::new(Uct::new(seat, uct::Options::new(text)?))),
    },
];

/// Puts a player, given as `name` or `name:key=value,…`, on a seat.
pub fn player(text: &str, seat: Seat) -> Result<Box<dyn Player>, BadOption> {
    let text = OptionText::new(text)?;
    let entry = ENTRIES.iter().find(|entry| entry.name == text.name);
    let entry = entry.ok_or_else(|| BadOption::Name {
        name: text.name.to_string(),
    })?;
    (entry.make)(seat, &text)
}

fn without_options(player: &'static str, text: &OptionText<'_>) -> Result<(), BadOption> {
    match text.options.first() {
        Some((key, _)) => Err(BadOption::Key {
            player,
            key: key.to_string(),
        }),
        None => Ok(()),
    }
}
