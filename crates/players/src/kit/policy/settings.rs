//! Which policy a player asks for, by its options.

use super::knowledge::sizes;
use super::lgr::Lgr;
use super::mast::{DIGITS, Learns, Mast};
use super::nst::Nst;
use super::past::Past;
use super::{Knowledge, Plain, Policy, fast};
use crate::options::{OptionSpec, Options, Takes};
use game::{Decisive, Game, MoveTable, Request, Start, Weights};
use std::sync::Arc;

/// The options of policies, for players that let them be chosen.
pub(crate) const OPTIONS: [OptionSpec; 5] = [
    OptionSpec {
        key: "policy",
        default: "by player",
        about: "how playouts choose: uniform, mast, to-mast or fast in lanes; nst, past, lgr1 or lgr2 one by one",
        takes: Takes::Word(&[
            "uniform", "mast", "to-mast", "fast", "nst", "past", "lgr1", "lgr2",
        ]),
    },
    OptionSpec {
        key: "decisive",
        default: "by player",
        about: "whether playouts take a move that wins at once: yes, no, both (they prevent those of the next role, too) or auto (both where lanes can do that, else as a trial tells)",
        takes: Takes::Word(&["yes", "no", "both", "auto"]),
    },
    OptionSpec {
        key: "tau",
        default: "0.1",
        about: "mast, fast: how much better moves are preferred (Gibbs): the less, the more",
        takes: Takes::Real(0.001, 100.0),
    },
    OptionSpec {
        key: "epsilon",
        default: "0.2",
        about: "nst, past: the share of moves of a playout that are drawn at random",
        takes: Takes::Real(0.0, 1.0),
    },
    OptionSpec {
        key: "decay",
        default: "0.6",
        about: "how much of what a policy learned counts after a turn, from 0 to 1",
        takes: Takes::Real(0.0, 1.0),
    },
];

/// So many turns meet every point of the control cycle of nearly all games.
const TURNS_TO_WARM_UP: u64 = 8;

/// What playouts do about moves that win at once.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Is(Decisive),
    /// As a trial tells.
    Auto,
}

/// What decides the moves of playouts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    Uniform,
    Mast(Learns),
    Fast,
    Nst,
    Past,
    /// By one or two moves before.
    Lgr(usize),
}

/// Which policy, and how it is set.
#[derive(Copy, Clone, Debug)]
pub(crate) struct PolicySettings {
    kind: Kind,
    decisive: Wanted,
    pub(super) tau: f32,
    pub(super) epsilon: f32,
    pub(crate) decay: f32,
}

impl Default for PolicySettings {
    fn default() -> PolicySettings {
        PolicySettings {
            kind: Kind::Uniform,
            decisive: Wanted::Is(Decisive::No),
            tau: 0.1,
            epsilon: 0.2,
            decay: 0.6,
        }
    }
}

impl PolicySettings {
    /// What the options say; what they leave out is as given.
    pub(crate) fn new(options: &Options, usual: PolicySettings) -> PolicySettings {
        let word = options.word("policy").map(PolicySettings::kind);
        PolicySettings {
            kind: word.unwrap_or(usual.kind),
            decisive: match options.word("decisive") {
                Some("yes") => Wanted::Is(Decisive::Wins),
                Some("both") => Wanted::Is(Decisive::Both),
                Some("no") => Wanted::Is(Decisive::No),
                Some(_) => Wanted::Auto,
                None => usual.decisive,
            },
            tau: options.real("tau").unwrap_or(usual.tau),
            epsilon: options.real("epsilon").unwrap_or(usual.epsilon),
            decay: options.real("decay").unwrap_or(usual.decay),
        }
    }

    /// A policy by its name, as the options have it.
    pub(crate) fn named(name: &str, decisive: Wanted) -> PolicySettings {
        PolicySettings {
            kind: PolicySettings::kind(name),
            decisive,
            ..PolicySettings::default()
        }
    }

    fn kind(name: &str) -> Kind {
        match name {
            "mast" => Kind::Mast(Learns::All),
            "to-mast" => Kind::Mast(Learns::Tree),
            "fast" => Kind::Fast,
            "nst" => Kind::Nst,
            "past" => Kind::Past,
            "lgr1" => Kind::Lgr(1),
            "lgr2" => Kind::Lgr(2),
            _ => Kind::Uniform,
        }
    }

    /// What is done about moves that win at once; nothing before a trial has told.
    pub(super) fn decisive(self) -> Decisive {
        match self.decisive {
            Wanted::Is(decisive) => decisive,
            Wanted::Auto => Decisive::No,
        }
    }

    /// Whether a trial has to tell what is done about moves that win at once.
    pub(crate) fn needs_trial(self) -> bool {
        self.decisive == Wanted::Auto
    }

    /// The same, once a trial has told.
    pub(crate) fn tried(self, best: Decisive) -> PolicySettings {
        let decisive = match self.decisive {
            Wanted::Auto => Wanted::Is(best),
            told => told,
        };
        PolicySettings { decisive, ..self }
    }

    /// Whether playouts can run in lanes.
    pub(crate) fn runs_in_lanes(self) -> bool {
        matches!(self.kind, Kind::Uniform | Kind::Mast(_) | Kind::Fast)
    }

    /// The policy itself once lanes are ready for it; until then playouts are uniform.
    pub(crate) fn once(self, ready: bool) -> PolicySettings {
        match ready || !self.runs_in_lanes() {
            true => self,
            false => PolicySettings::default(),
        }
    }

    /// Learns what has to be learned before the first playout.
    pub(crate) fn train(self, game: &Game, shared: &Knowledge) {
        if self.kind == Kind::Fast && shared.has_moves() {
            fast::learn(game, shared);
        }
    }

    /// Lets lanes play a few turns as the policy wants it: the code they need for that is made once.
    /// `counts` if estimates have to tell of moves for others, too.
    pub(crate) fn warm_up(self, game: &Game, counts: bool) {
        let digits = match self.kind {
            Kind::Mast(_) | Kind::Fast => DIGITS,
            _ => 0,
        };
        let counts = counts || self.kind == Kind::Mast(Learns::All);
        let plain = digits == 0 && !counts && self.decisive() == Decisive::No;
        let Some(lanes) = game.lanes().filter(|_| !plain && self.runs_in_lanes()) else {
            return;
        };
        let walk = game.walk();
        let start = Start {
            state: walk.state(),
            playouts: 1,
        };
        let table = MoveTable::new(sizes(game), 1);
        let weights = Weights {
            table: &table,
            digits,
        };
        lanes.playouts_with(&Request {
            starts: &[start],
            turns: TURNS_TO_WARM_UP,
            seed: 1,
            weights: Some(weights).filter(|_| digits > 0),
            counts,
            decisive: self.decisive(),
            ..Request::default()
        });
    }

    /// Whether it learns from the moves made in the tree.
    pub(crate) fn learns_of_tree(self) -> bool {
        matches!(self.kind, Kind::Mast(_))
    }

    /// The policy of a thread, which shares what it learns with others; `counts` if estimates have
    /// to tell of moves for others, too. A game without numbered moves has the uniform policy.
    pub(crate) fn make(
        self,
        game: &Game,
        shared: &Arc<Knowledge>,
        counts: bool,
    ) -> Box<dyn Policy> {
        let decisive = self.decisive();
        let plain = Box::new(Plain { counts, decisive });
        if !shared.has_moves() {
            return plain;
        }
        match self.kind {
            Kind::Uniform => plain,
            Kind::Mast(learns) => Box::new(Mast::new(shared, self, (learns, counts))),
            Kind::Fast => {
                self.train(game, shared);
                Box::new(Mast::new(shared, self, (Learns::Nothing, counts)))
            }
            Kind::Nst => Box::new(Nst::new(game, shared, self)),
            Kind::Past => Box::new(Past::new(game, shared, self)),
            Kind::Lgr(before) => Box::new(Lgr::new(game, shared, (before, self))),
        }
    }
}
