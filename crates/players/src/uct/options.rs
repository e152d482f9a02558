//! The options of UCT's family, and the presets of its players.

use super::rule::Rule;
use crate::kit::TURNS;
use crate::kit::policy::{self, PolicySettings, Wanted};
use crate::options::{
    MEGABYTE, MEMORY, OptionSpec, Options, PLAYOUTS, THREADS, TIME, Takes, joined,
};
use game::Decisive;

/// The options of the players.
pub(crate) const OPTIONS: &[OptionSpec] = &joined::<
    { SEARCH.len() + policy::OPTIONS.len() + WORK.len() },
>(&[SEARCH, &policy::OPTIONS, WORK]);

/// How it searches.
const SEARCH: &[OptionSpec] = &[
    OptionSpec {
        key: "c",
        default: "0.15 or 0.4",
        about: "exploration: the greater, the more often moves that look worse are tried; 0.15 with lanes",
        takes: Takes::Real(0.0, 100.0),
    },
    OptionSpec {
        key: "rule",
        default: "by player",
        about: "how moves are selected: ucb, rave, grave or ucd",
        takes: Takes::Word(&["ucb", "rave", "grave", "ucd"]),
    },
    OptionSpec {
        key: "k",
        default: "20",
        about: "rave: visits of a move after which what is told of it later in playouts counts a half",
        takes: Takes::Real(0.0, 1e6),
    },
    OptionSpec {
        key: "ref",
        default: "400",
        about: "grave: playouts of a state whose playouts tell of moves below it",
        takes: Takes::Count(1, 1 << 30),
    },
    OptionSpec {
        key: "bias",
        default: "0.001",
        about: "grave: the greater, the sooner a move's own playouts count more than what is told of it",
        takes: Takes::Real(0.0, 1.0),
    },
    OptionSpec {
        key: "d1",
        default: "1",
        about: "ucd: how deep the mean of a move is that of the states after it, reached in any way",
        takes: Takes::Count(0, 4),
    },
    OptionSpec {
        key: "d2",
        default: "0",
        about: "ucd: the same of the visits of all moves of a state together",
        takes: Takes::Count(0, 4),
    },
    OptionSpec {
        key: "d3",
        default: "0",
        about: "ucd: the same of the visits of a move",
        takes: Takes::Count(0, 4),
    },
    OptionSpec {
        key: "urgency",
        default: "first",
        about: "what a move that was not tried is worth beyond the mean of its state; by default it comes first",
        takes: Takes::Real(-1.0, 10.0),
    },
    OptionSpec {
        key: "ends",
        default: "yes",
        about: "whether moves of new states are tested for ending the match, and means are of open moves: yes or no",
        takes: Takes::Flag,
    },
];

/// How much it does at a time, and with what.
const WORK: &[OptionSpec] = &[
    OptionSpec {
        key: "batch",
        default: "16",
        about: "states that are played out at once",
        takes: Takes::Count(1, 4096),
    },
    PLAYOUTS,
    MEMORY,
    OptionSpec {
        key: "lanes",
        default: "yes",
        about: "whether many playouts run at once, a bit each: yes or no",
        takes: Takes::Flag,
    },
    OptionSpec {
        key: "cutoff",
        default: "no",
        about: "turns after which a playout is cut and the goals of that state count: no, or so many; without lanes, as these tell goals at the end alone",
        takes: Takes::WordOrCount("no", 1, TURNS),
    },
    THREADS,
    TIME,
];

/// What makes a player of the family: what holds where its options say nothing.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Preset {
    pub(crate) rule: &'static str,
    /// Exploration, with lanes and without.
    pub(crate) exploration: (f32, f32),
    pub(crate) ends: bool,
    pub(crate) policy: &'static str,
    pub(crate) decisive: Wanted,
    pub(crate) urgency: Option<f32>,
    /// Whether puzzles are searched by deepening and nested search, too.
    pub(crate) puzzles: bool,
}

/// UCT as it is.
pub(crate) const UCT: Preset = Preset {
    rule: "ucb",
    exploration: (0.15, 0.4),
    ends: true,
    policy: "uniform",
    decisive: Wanted::Is(Decisive::No),
    urgency: None,
    puzzles: false,
};

/// UCT as it was before there were policies, to measure against.
pub(crate) const PLAIN: Preset = Preset { ends: false, ..UCT };

pub(crate) const RAVE: Preset = Preset {
    rule: "rave",
    ..UCT
};

/// Without exploration, as the paper has it.
pub(crate) const GRAVE: Preset = Preset {
    rule: "grave",
    exploration: (0.0, 0.0),
    ..UCT
};

pub(crate) const UCD: Preset = Preset { rule: "ucd", ..UCT };

/// CADIAPlayer of 2008: UCT with MAST.
pub(crate) const CADIA_2008: Preset = Preset {
    policy: "mast",
    puzzles: true,
    ..UCT
};

/// CADIAPlayer of 2010: RAVE with MAST.
pub(crate) const CADIA_2010: Preset = Preset {
    rule: "rave",
    policy: "mast",
    puzzles: true,
    ..UCT
};

/// How the search is done.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(super) rule: Rule,
    exploration: (f32, f32),
    pub(super) urgency: Option<f32>,
    pub(super) ends: bool,
    pub(super) policy: PolicySettings,
    pub(super) batch: usize,
    pub(super) playouts: Option<u64>,
    pub(super) memory: usize,
    pub(super) lanes: bool,
    /// Playouts are cut after so many turns, if they are.
    pub(super) cutoff: Option<u64>,
    pub(super) threads: Option<usize>,
}

impl Settings {
    /// What the options say; what they leave out is as a preset has it.
    pub(crate) fn new(options: &Options, preset: &Preset) -> Settings {
        let cutoff = options.count("cutoff");
        let lanes = options.flag("lanes").unwrap_or(true) && cutoff.is_none();
        let c = options.real("c");
        let usual = PolicySettings::named(preset.policy, preset.decisive);
        Settings {
            rule: rule(options, preset),
            exploration: c.map_or(preset.exploration, |c| (c, c)),
            urgency: options.real("urgency").or(preset.urgency),
            ends: options.flag("ends").unwrap_or(preset.ends),
            policy: PolicySettings::new(options, usual),
            batch: match lanes {
                true => options.count("batch").unwrap_or(16) as usize,
                false => 1,
            },
            playouts: options.count("playouts"),
            memory: options.count("memory").unwrap_or(512) as usize * MEGABYTE,
            lanes,
            cutoff,
            threads: options.count("threads").map(|it| it as usize),
        }
    }

    /// How much is explored. Measured in the arena on breakthrough and connect four: with one
    /// playout a visit 0.4 is better than 0.2; with lanes 0.1 and 0.2 are better than 0.4.
    pub(super) fn exploration(&self, lanes: bool) -> f32 {
        match lanes {
            true => self.exploration.0,
            false => self.exploration.1,
        }
    }
}

/// The rule of selection, with its parameters.
fn rule(options: &Options, preset: &Preset) -> Rule {
    let depth = |key, usual| options.count(key).unwrap_or(usual) as u32;
    match options.word("rule").unwrap_or(preset.rule) {
        "rave" => Rule::Rave {
            k: options.real("k").unwrap_or(20.0),
        },
        "grave" => Rule::Grave {
            reference: options.count("ref").unwrap_or(400) as f32,
            bias: options.real("bias").unwrap_or(0.001),
        },
        "ucd" => Rule::Ucd {
            depths: [depth("d1", 1), depth("d2", 0), depth("d3", 0)],
        },
        _ => Rule::Ucb,
    }
}
