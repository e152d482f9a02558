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

/// What a player is given, and when it is late.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Allowance {
    pub(crate) budget: Budget,
    pub(crate) late: Option<Instant>,
}

/// A player is told to be done this much before it is late: for what lies between.
const MARGIN: Duration = Duration::from_millis(50);

impl Clocks {
    pub(crate) fn start(&self, grace: Duration) -> Allowance {
        match *self {
            Clocks::Times { start, .. } => until(start, grace),
            Clocks::Iterations { start, .. } => count(start),
        }
    }

    pub(crate) fn play(&self, grace: Duration) -> Allowance {
        match *self {
            Clocks::Times { play, .. } => until(play, grace),
            Clocks::Iterations { play, .. } => count(play),
        }
    }
}

fn until(time: Duration, grace: Duration) -> Allowance {
    let now = Instant::now();
    let margin = MARGIN.min(time / 5);
    Allowance {
        budget: Budget::Until(now + time - margin),
        late: Some(now + time + grace),
    }
}

fn count(iterations: u64) -> Allowance {
    Allowance {
        budget: Budget::Iterations(iterations),
        late: None,
    }
}
