//! The section `[random]` of a `game.toml`: what random play tells of a game.
//!
//! It is the last section, so that the rest of the file, which people write, stays as it is.

use super::Means;

const HEADING: &str = "[random]\n";

/// A `game.toml` in which something follows the section.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("[random] is not its last section")]
pub struct NotLast;

/// The text of a `game.toml` with the section in place of an old one.
pub fn updated(old: &str, means: &Means) -> Result<String, NotLast> {
    replaced(old, &section(means))
}

/// A file with its last section in place of an old one.
fn replaced(old: &str, section: &str) -> Result<String, NotLast> {
    let (before, after) = match old.split_once(&format!("\n{HEADING}")) {
        Some((before, after)) => (before, after),
        None => (old, ""),
    };
    match after.lines().any(|line| line.starts_with('[')) {
        true => Err(NotLast),
        false => Ok(format!("{before}\n{section}")),
    }
}

fn section(means: &Means) -> String {
    let Means {
        playouts,
        turns,
        turns_error,
        ..
    } = means;
    let (turns, turns_error) = rounded(*turns, *turns_error);
    let goals = means.goals.iter().zip(&means.goals_error);
    let (goals, errors): (Vec<String>, Vec<String>) =
        goals.map(|(&mean, &error)| rounded(mean, error)).unzip();
    let (goals, errors) = (goals.join(", "), errors.join(", "));
    format!(
        "{HEADING}playouts = {playouts}\nturns = {turns}\nturns_error = {turns_error}\n\
         goals = [{goals}]\ngoals_error = [{errors}]\n"
    )
}

/// A mean and its error as TOML has numbers, with two digits of the error.
fn rounded(mean: f64, error: f64) -> (String, String) {
    if error == 0.0 {
        return (format!("{mean:?}"), "0.0".to_string());
    }
    let decimals = (1.0 - error.log10().floor()).max(1.0) as usize;
    (format!("{mean:.decimals$}"), format!("{error:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_the_section_stays_as_it_is() {
        let before = "title = \"Nim\"\n\n[perft]\ncounts = [1]\n";
        let first = replaced(before, "[random]\nplayouts = 1\n").unwrap();
        assert_eq!(first, format!("{before}\n[random]\nplayouts = 1\n"));
        let second = replaced(&first, "[random]\nplayouts = 2\n").unwrap();
        assert_eq!(second, format!("{before}\n[random]\nplayouts = 2\n"));
        assert!(replaced(&format!("{first}\n[more]\n"), "").is_err());
    }

    #[test]
    fn a_mean_has_as_many_digits_as_its_error_allows() {
        let texts = |mean, error| {
            let (mean, error) = rounded(mean, error);
            format!("{mean} {error}")
        };
        assert_eq!(texts(7.6349, 0.0131), "7.635 0.013");
        assert_eq!(texts(58.32, 0.4321), "58.32 0.43");
        assert_eq!(texts(312.0, 25.4), "312.0 25.4");
        assert_eq!(texts(12.0, 0.0), "12.0 0.0");
    }
}
