//! Players somewhere else: which names are addresses, and who is there.

use anstream::eprintln;
use anyhow::{Context, Result};
pub(super) use arena::is_address;
use server::remote::{Address, Info, Wording, info};
use std::time::Duration;

/// How much later than its clock the answer of a player somewhere else may come.
pub(super) const GRACE: Duration = Duration::from_secs(1);

/// Asks who is at an address.
pub(super) fn who(address: &str) -> Result<Info> {
    let parsed: Address = address.parse()?;
    info(&parsed).with_context(|| format!("nobody answers at {address}"))
}

/// Says so if clocks cannot be read by all players.
pub(super) fn warn_of_clocks(clocks: [Duration; 2]) {
    if clocks.iter().any(|it| it.subsec_nanos() > 0) {
        eprintln!(
            "ludex: the clocks are not whole seconds: players other than ours may not understand them"
        );
    }
}

/// Says so if words of the rules cannot be read by all players.
pub(super) fn warn_of_words(wording: &Wording) {
    if !wording.rules().is_ascii() {
        eprintln!(
            "ludex: the rules have words that are not ASCII: players other than ours may not \
             understand them, unless they are sent with --scramble"
        );
    }
}
