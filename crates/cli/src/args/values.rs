//! What values of options look like: times, shares, counts.

use clap::Args;
use std::time::Duration;

/// The chance of an error.
pub(super) fn error(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(error @ 1e-9..=0.5) => Ok(error),
        _ => Err("expected a probability from 0.000000001 to 0.5".to_string()),
    }
}

/// A share of moves.
pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share @ 0.0..=1.0) => Ok(share),
        _ => Err("expected a share from 0 to 1".to_string()),
    }
}

/// How long players in this process are waited for.
#[derive(Args)]
pub(crate) struct Tolerance {
    /// Seconds that a player in this process may be late without a fault, as the machine may be
    /// busy: the move is played, and the delay told; by default the greater of 1 and the clock
    #[arg(long = "tolerance", value_name = "S")]
    seconds: Option<Seconds>,
}

impl Tolerance {
    /// The patience of a match, with a grace for players elsewhere.
    pub(crate) fn patience(&self, grace: Duration) -> arena::Patience {
        arena::Patience {
            grace,
            tolerance: self.seconds.map(|it| it.0),
        }
    }
}

/// A time, at least a hundredth of a second.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Seconds(pub(crate) Duration);

impl std::str::FromStr for Seconds {
    type Err = String;

    fn from_str(text: &str) -> Result<Seconds, String> {
        let seconds: Option<f64> = text.parse().ok();
        match seconds {
            Some(seconds @ 0.01..=1e6) => Ok(Seconds(Duration::from_secs_f64(seconds))),
            _ => Err("expected seconds from 0.01 to 1000000".to_string()),
        }
    }
}

/// A number of threads: at least one, and not so many that a machine cannot have them.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1024) => Ok(count),
        _ => Err("expected a whole number from 1 to 1024".to_string()),
    }
}
