//! All players by name: one table, from which they are made and listed.

use crate::ary::{self, Ary};
use crate::kit::{Search, Searching};
use crate::mac::MacUcb;
use crate::options::{self, OptionSpec};
use crate::simple::{Legal, Random};
use crate::solo::Solo;
use crate::uct::Uct;
use crate::{BadOption, Options, Player, Seat, mac, solo, uct};
use constraint::Strength;
use game::{Feature, Game};

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
        name: "ary",
        about: "UCT over several processes, here or on a cluster, whose searches are merged",
        options: ary::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| {
            if ary::workers(&seat, options) < 2 && solo::is_puzzle(&seat.game) {
                let player = Solo::new(seat, solo::Settings::nested(options));
                return searching(entry, options, player);
            }
            searching(entry, options, Ary::new(seat, options))
        },
    },
    Entry {
        name: "cadia",
        about: "CADIAPlayer of 2010: UCT with RAVE, playouts by MAST",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| family(entry, seat, (options, &uct::CADIA_2010)),
    },
    Entry {
        name: "cadia-2008",
        about: "CADIAPlayer of 2008: UCT, playouts by MAST",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| family(entry, seat, (options, &uct::CADIA_2008)),
    },
    Entry {
        name: "legal",
        about: "plays the first legal move",
        options: &[],
        cannot: &[],
        make: |_, _, _| Box::new(Legal::default()),
    },
    Entry {
        name: "fc-ucb",
        about: "like mac-ucb, but solves the networks by forward checking",
        options: mac::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| {
            let player = MacUcb::new(seat, mac::Settings::new(Strength::Forward, options));
            searching(entry, options, player)
        },
    },
    Entry {
        name: "grave",
        about: "UCT's tree by what playouts tell of moves (GRAVE), no exploration",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| family(entry, seat, (options, &uct::GRAVE)),
    },
    Entry {
        name: "ida",
        about: "solves puzzles by iterative deepening with a table of states (IDA*)",
        options: solo::IDA,
        cannot: solo::CANNOT,
        make: |entry, seat, options| {
            let player = Solo::new(seat, solo::Settings::ida(options));
            Box::new(Searching::new(entry.name, entry.cannot, player))
        },
    },
    Entry {
        name: "mac-ucb",
        about: "solves a state's constraint network for its moves (MAC), and plays them out in lanes",
        options: mac::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| {
            let player = MacUcb::new(seat, mac::Settings::new(Strength::Arc, options));
            searching(entry, options, player)
        },
    },
    Entry {
        name: "nested",
        about: "plays puzzles by nested Monte Carlo search, with playouts in lanes",
        options: solo::NESTED,
        cannot: solo::CANNOT,
        make: |entry, seat, options| {
            let player = Solo::new(seat, solo::Settings::nested(options));
            Box::new(Searching::new(entry.name, entry.cannot, player))
        },
    },
    Entry {
        name: "random",
        about: "plays any legal move, each with the same chance",
        options: &[],
        cannot: &[],
        make: |_, seat, _| Box::new(Random::new(&seat)),
    },
    Entry {
        name: "rave",
        about: "UCT with what playouts tell of moves that came later (RAVE)",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| family(entry, seat, (options, &uct::RAVE)),
    },
    Entry {
        name: "ucd",
        about: "UCT where states reached in several ways share what is known (UCD)",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| family(entry, seat, (options, &uct::UCD)),
    },
    Entry {
        name: "solo",
        about: "plays puzzles by iterative deepening, nested search and a tree (UCT) in turn",
        options: solo::BOTH,
        cannot: solo::CANNOT,
        make: |entry, seat, options| {
            let player = solo::combined(seat, options);
            Box::new(Searching::new(entry.name, entry.cannot, player))
        },
    },
    Entry {
        name: "uct",
        about: "searches a tree by confidence bounds (UCT), with playouts in lanes",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| family(entry, seat, (options, &uct::UCT)),
    },
    Entry {
        name: "uct-plain",
        about: "uct with nothing added, to measure others against: no test for ends",
        options: uct::OPTIONS,
        cannot: HIDDEN,
        make: |entry, seat, options| family(entry, seat, (options, &uct::PLAIN)),
    },
];

/// A player of UCT's family.
fn family(
    entry: &Entry,
    seat: Seat,
    (options, preset): (&Options, &uct::Preset),
) -> Box<dyn Player> {
    if preset.puzzles && solo::is_puzzle(&seat.game) {
        return searching(entry, options, solo::combined(seat, options));
    }
    let player = Uct::new(seat, uct::Settings::new(options, preset));
    searching(entry, options, player)
}

/// A player made of a search that can be told to use a share of its time.
fn searching(entry: &Entry, options: &Options, search: impl Search + 'static) -> Box<dyn Player> {
    let player = Searching::new(entry.name, entry.cannot, search);
    Box::new(player.using(options.real("time")))
}

/// Who plays a game if nobody is named: the strongest of those measured, by kind of game.
pub fn usual(game: &Game) -> &'static str {
    match game.players().count() {
        _ if game.hides() => "random",
        1 => "uct",
        _ => "mac-ucb",
    }
}

/// What may have been meant by a name that nobody has, as the start of an advice.
fn advice(name: &str) -> String {
    if name.contains("://") {
        return "a player at an address plays in `ludex host` and `ludex arena`; ".to_string();
    }
    if name == "person" {
        return "a person plays in `ludex play` and `ludex host`; ".to_string();
    }
    if let Some((name, option)) = name.split_once(',').filter(|(_, it)| it.contains('=')) {
        return format!("options follow a colon, as in `{name}:{option}`; ");
    }
    let name = name.to_lowercase();
    let scored = ENTRIES.iter().map(|entry| {
        let distance = strsim::osa_distance(&name, entry.name);
        (distance, entry.name)
    });
    // A slip of the finger, more of them in a longer name.
    match scored
        .min()
        .filter(|(distance, name)| 3 * distance <= name.len())
    {
        Some((_, best)) => format!("did you mean `{best}`? "),
        None => String::new(),
    }
}

/// Puts a player, given as `name` or `name:key=value,…`, on a seat.
pub fn player(text: &str, seat: Seat) -> Result<Box<dyn Player>, BadOption> {
    let (name, texts) = options::split(text);
    let name = if text.contains("://") { text } else { name };
    let entry = ENTRIES.iter().find(|entry| entry.name == name);
    let entry = entry.ok_or_else(|| BadOption::Name {
        name: name.to_string(),
        advice: advice(name),
    })?;
    let options = Options::read(entry.name, entry.options, texts)?;
    Ok((entry.make)(entry, seat, &options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_name_is_said_first_and_then_what_may_be_meant() {
        assert_eq!(advice("UTC"), "did you mean `uct`? ");
        assert_eq!(advice("mac_ucb"), "did you mean `mac-ucb`? ");
        assert_eq!(advice("foo"), "");
        let wanted = "options follow a colon, as in `uct:c=0.6`; ";
        assert_eq!(advice("uct,c=0.6"), wanted);
    }
}
