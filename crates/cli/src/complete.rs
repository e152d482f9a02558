//! Completions on the command line: names of games and players, besides files.
//!
//! A shell's script (`ludex completions`) runs `ludex` with [`VARIABLE`] set, and is answered.

use crate::args::Arguments;
use clap::CommandFactory;
use clap_complete::engine::{
    ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter,
};
use players::roster::{ENTRIES, Entry};
use record::PERSON;
use std::ffi::OsStr;

/// What a shell sets to be answered.
pub(crate) const VARIABLE: &str = "LUDEX_COMPLETE";

/// Answers a shell and ends the process, if it is one that asks.
pub(crate) fn answer() {
    clap_complete::CompleteEnv::with_factory(Arguments::command)
        .var(VARIABLE)
        .complete();
}

/// Completes a GAME: our games by name, and files.
pub(crate) fn games() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let mut found = our_games(begun);
        found.extend(PathCompleter::file().complete(begun));
        found
    })
}

/// Completes the name of one of our games.
pub(crate) fn names() -> ArgValueCompleter {
    ArgValueCompleter::new(our_games)
}

/// Completes players: one, or several separated by commas, with their options.
pub(crate) fn players() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| all_players(begun, &[]))
}

/// Completes players, where a person may be one.
pub(crate) fn seats() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| all_players(begun, &[PERSON]))
}

fn our_games(begun: &OsStr) -> Vec<CompletionCandidate> {
    let begun = begun.to_string_lossy();
    let games = library::all().into_iter();
    let games = games.filter(|game| game.name.starts_with(&*begun));
    let candidate = |game: library::OurGame| {
        let about = game.about().ok();
        CompletionCandidate::new(game.name).help(about.map(|it| it.class.into()))
    };
    games.map(candidate).collect()
}

fn all_players(begun: &OsStr, others: &[&str]) -> Vec<CompletionCandidate> {
    let begun = begun.to_string_lossy();
    // Options are separated by commas as well: those of the last player that has any go on.
    if let Some((entry, before, key)) = option(&begun) {
        let options = entry.options.iter();
        let options = options.filter(|it| it.key.starts_with(key));
        let candidate = |it: &players::OptionSpec| {
            let text = format!("{before}{}=", it.key);
            CompletionCandidate::new(text).help(Some(it.about.into()))
        };
        return options.map(candidate).collect();
    }
    let (before, last) = begun.rsplit_once(',').unwrap_or(("", &begun));
    let comma = if before.is_empty() { "" } else { "," };
    let ours = ENTRIES.iter().map(|it| (it.name, it.about));
    let others = others.iter().map(|&it| (it, "somebody at this terminal"));
    let all = ours
        .chain(others)
        .filter(|(name, _)| name.starts_with(last));
    let candidate = |(name, about): (&str, &'static str)| {
        CompletionCandidate::new(format!("{before}{comma}{name}")).help(Some(about.into()))
    };
    all.map(candidate).collect()
}

/// The player whose option is being written, what stands before the option, and its beginning.
fn option(begun: &str) -> Option<(&'static Entry, &str, &str)> {
    let (players, options) = begun.rsplit_once(':')?;
    let name = players.rsplit(',').next()?;
    let entry = ENTRIES.iter().find(|it| it.name == name)?;
    let key = options.rsplit(',').next()?;
    let before = &begun[..begun.len() - key.len()];
    (!key.contains('=')).then_some((entry, before, key))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(found: &[CompletionCandidate]) -> Vec<String> {
        let texts = found.iter().map(|it| it.get_value().to_string_lossy());
        texts.map(String::from).collect()
    }

    fn completed(begun: &str) -> Vec<String> {
        texts(&all_players(OsStr::new(begun), &[PERSON]))
    }

    #[test]
    fn games_and_players_are_known() {
        assert_eq!(texts(&our_games(OsStr::new("tic-"))), ["tic-tac-toe"]);
        assert_eq!(completed("uc"), ["ucd", "uct", "uct-plain"]);
        assert_eq!(completed("p"), [PERSON]);
        assert_eq!(completed("random,uct-"), ["random,uct-plain"]);
        assert_eq!(completed("uct:ba"), ["uct:batch="]);
        assert_eq!(completed("random,uct:c=1,me"), ["random,uct:c=1,memory="]);
        assert!(completed("http://x").is_empty());
    }
}
