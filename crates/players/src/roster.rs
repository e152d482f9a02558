//! All players by name: one table, from which they are made and listed.

use crate::kit::Searching;
use crate::mac::MacUcb;
use crate::options::{self, OptionSpec};
use crate::simple::{Legal, Random};
use crate::uct::Uct;
use crate::{BadOption, Options, Player, Seat, mac, uct};
use constraint::Strength;
use game::Feature;

/// One player of the roster.
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Its options.
    pub options: &'static [OptionSpec],
    /// What games may not have if it is to play them.
    pub cannot: &'static [Feature],
    make: fn(&Entry, Seat, &Options) -> Box<dyn Player>,
}

/// What search on states cannot handle.
const HIDDEN: &[Feature] = &[Feature::HiddenInformation];

/// All players.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "legal",
        about: "the first legal move",
        options: &[],
        cannot: &[],
        make: |_, _, _| Box::new(Legal::default()),
    },
    Entry {
        name: "fc-ucb",
        about: "as mac-ucb, networks solved by forward checking",
        options: mac::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| {
            let player = MacUcb::new(seat, mac::Settings::new(Strength::Forward, options));
            Box::new(Searching::new(entry.name, entry.cannot, player))
        },
    },
    Entry {
        name: "mac-ucb",
        about: "networks solved by maintaining arc consistency, solutions sampled in lanes",
        options: mac::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| {
            let player = MacUcb::new(seat, mac::Settings::new(Strength::Arc, options));
            Box::new(Searching::new(entry.name, entry.cannot, player))
        },
    },
    Entry {
        name: "random",
        about: "any legal move, all with the same chance",
        options: &[],
        cannot: &[],
        make: |_, seat, _| Box::new(Random::new(&seat)),
    },
    Entry {
        name: "uct",
        about: "tree search by confidence bounds, playouts in lanes",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| {
            let player = Uct::new(seat, uct::Settings::new(options));
            Box::new(Searching::new(entry.name, entry.cannot, player))
        },
    },
];

/// Puts a player, given as `name` or `name:key=value,…`, on a seat.
pub fn player(text: &str, seat: Seat) -> Result<Box<dyn Player>, BadOption> {
    let (name, texts) = options::split(text);
    let entry = ENTRIES.iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| BadOption::Name {
        name: name.to_string(),
    })?;
    let options = Options::read(entry.name, entry.options, texts)?;
    Ok((entry.make)(entry, seat, &options))
}
