//! What is asked of a player before a match: who it is, and to look at the rules.

use super::call::{Address, Call, CallError};
use super::{Dialect, Wording};
use crate::message::{parts, shorten, words};
use std::time::{Duration, Instant};

/// Who a player says it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// What it is called.
    pub name: Option<String>,
    /// Whether it is `available` or `busy`.
    pub status: Option<String>,
}

impl Info {
    /// Reads a reply; one word alone is the status.
    fn read(reply: &str) -> Info {
        let Some(entries) = parts(reply) else {
            let word = shorten(reply.trim()).to_lowercase();
            return Info {
                status: Some(word).filter(|it| !it.is_empty()),
                name: None,
            };
        };
        let entry = |key: &str| {
            let mut found = entries.iter().filter_map(|entry| {
                let entry = parts(entry)?;
                let is_key = entry.first()?.eq_ignore_ascii_case(key);
                is_key.then(|| shorten(&words(&entry[1..].join(" "))))
            });
            found.next().filter(|it| !it.is_empty())
        };
        Info {
            name: entry("name"),
            status: entry("status").map(|it| it.to_lowercase()),
        }
    }
}

/// Longer than this nobody waits to be told who somebody is.
const TIME: Duration = Duration::from_secs(1);

/// Asks a player who it is.
pub fn info(address: &Address) -> Result<Info, CallError> {
    let call = Call {
        address,
        receiver: "player",
        until: Instant::now() + TIME,
    };
    let reply = call.send(&Dialect::GgpBase.message(&["INFO"]))?;
    tracing::debug!(%address, reply = shorten(&reply), "asked who it is");
    Ok(Info::read(&reply))
}

/// Gives a player time to look at the rules; whether it said that it did.
pub fn preview(address: &Address, wording: &Wording, clock: Duration) -> Result<bool, CallError> {
    let call = Call {
        address,
        receiver: "player",
        until: Instant::now() + clock + TIME,
    };
    let rules = format!("({})", wording.rules());
    let seconds = clock.as_secs_f64().to_string();
    let reply = call.send(&Dialect::GgpBase.message(&["PREVIEW", &rules, &seconds]))?;
    tracing::debug!(%address, reply = shorten(&reply), "asked to look at the rules");
    Ok(reply.trim().eq_ignore_ascii_case("ready"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_say_who_they_are_in_many_ways() {
        let info = |name: Option<&str>, status: Option<&str>| Info {
            name: name.map(str::to_string),
            status: status.map(str::to_string),
        };
        let said = "( ( name Some Body ) ( status Available ) ( species alien ) )";
        assert_eq!(Info::read(said), info(Some("Some Body"), Some("available")));
        let said = "((NAME X)(STATUS BUSY))";
        assert_eq!(Info::read(said), info(Some("X"), Some("busy")));
        assert_eq!(Info::read("available"), info(None, Some("available")));
        assert_eq!(Info::read(""), info(None, None));
        assert_eq!(Info::read("(((("), info(None, Some("((((")));
    }
}
