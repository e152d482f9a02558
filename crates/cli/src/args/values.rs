//! What values of options look like: times, shares, counts.

use clap::Args;
use std::time::Duration;

/// The chance of an error.
pub(super) fn error(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(error @ 1e-9..=0.5) => Ok(error),
        _ => Err("a chance, from 0.000000001 to 0.5".to_string()),
    }
}

/// A share of moves.
pub(super) fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share @ 0.0..=1.0) => Ok(share),
        _ => Err("a share, from 0 to 1".to_string()),
    }
}

/// How long players in this process are waited for.
#[derive(Args)]
pub(crate) struct Tolerance {
    /// Seconds that a player in this process may be later than its clock, as others may have
    /// the processor: its move is taken, and told of; the greater of 1 and the clock if not given
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
            _ => Err("seconds, from 0.01 to 1000000".to_string()),
        }
    }
}

/// A number of threads: at least one, and not so many that a machine cannot have them.
pub(super) fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=1024) => Ok(count),
        _ => Err("a number from 1 to 1024".to_string()),
    }
}

/// Megabytes: at least one, and not more than a machine can count.
pub(super) fn megabytes(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(count @ 1..=0xff_ffff) => Ok(count),
        _ => Err("a number from 1 to 16777215".to_string()),
    }
}

/// A utility: a number from 0 to 1, decimal or a fraction.
pub(super) fn utility(text: &str) -> Result<f64, String> {
    let number = constraint::text::number(text).filter(|it| (0.0..=1.0).contains(it));
    number.ok_or_else(|| "a number from 0 to 1, such as 0.25 or 1/3".to_string())
}
