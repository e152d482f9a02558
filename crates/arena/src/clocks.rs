//! How long players may think.

use players::Budget;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// The clocks of a match.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clocks {
    /// Times before the first turn and for each turn.
    Times {
        /// Before the first turn.
        #[serde(with = "seconds")]
        start: Duration,
        /// For each turn.
        #[serde(with = "seconds")]
        play: Duration,
    },
    /// Iterations before the first turn and for each turn: matches that can be repeated.
    /// Nobody is late.
    Iterations {
        /// Before the first turn.
        start: u64,
        /// For each turn.
        play: u64,
    },
}

/// Times are written down in seconds.
mod seconds {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};
    use std::time::Duration;

    pub(super) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_f64(time.as_secs_f64())
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Duration, D::Error> {
        let seconds = f64::deserialize(from)?;
        Duration::try_from_secs_f64(seconds).map_err(D::Error::custom)
    }
}

/// How much later than its clock an answer may come before a move is put in its place.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Patience {
    /// For a player in another process: its answer may have had a long way.
    pub grace: Duration,
    /// For a player in this process, counted from when its thread really ran: others may have the
    /// processor. If none is given, the greater of a second and the clock.
    pub tolerance: Option<Duration>,
}

impl Patience {
    /// The least tolerance, unless another is given.
    const LEAST: Duration = Duration::from_secs(1);

    fn tolerance(&self, clock: Duration) -> Duration {
        self.tolerance.unwrap_or(clock.max(Patience::LEAST))
    }
}

/// What a player is given for an answer.
#[derive(Copy, Clone, Debug)]
pub(crate) enum Allowance {
    Clock { clock: Duration, patience: Patience },
    Iterations(u64),
}

/// A player is told to be done this much before its clock is over: for what lies between.
const MARGIN: Duration = Duration::from_millis(50);

impl Clocks {
    pub(crate) fn start(&self, patience: Patience) -> Allowance {
        match *self {
            Clocks::Times { start, .. } => Allowance::Clock {
                clock: start,
                patience,
            },
            Clocks::Iterations { start, .. } => Allowance::Iterations(start),
        }
    }

    pub(crate) fn play(&self, patience: Patience) -> Allowance {
        match *self {
            Clocks::Times { play, .. } => Allowance::Clock {
                clock: play,
                patience,
            },
            Clocks::Iterations { play, .. } => Allowance::Iterations(play),
        }
    }
}

impl Allowance {
    /// The budget of a player whose clock started at this time.
    pub(crate) fn budget(&self, since: Instant) -> Budget {
        match *self {
            Allowance::Clock { clock, .. } => Budget::Until(since + clock - MARGIN.min(clock / 5)),
            Allowance::Iterations(count) => Budget::Iterations(count),
        }
    }

    /// When a player is given up whose clock started at this time.
    pub(crate) fn late(&self, since: Instant, is_elsewhere: bool) -> Option<Instant> {
        match *self {
            Allowance::Clock { clock, patience } => {
                let more = match is_elsewhere {
                    true => patience.grace,
                    false => patience.tolerance(clock),
                };
                Some(since + clock + more)
            }
            Allowance::Iterations(_) => None,
        }
    }

    /// How much later than its clock an answer came that took so long.
    pub(crate) fn delay(&self, took: Duration) -> Duration {
        match *self {
            Allowance::Clock { clock, .. } => took.saturating_sub(clock),
            Allowance::Iterations(_) => Duration::ZERO,
        }
    }
}
