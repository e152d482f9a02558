//! What a game is about and who plays, told to persons before the first move.

use crate::input;
use anstream::stdout;
use anyhow::Result;
use arena::referee::Setup;
use lab::show;
use record::PERSON;
use std::io::Write;
use std::path::Path;

/// How long a line of a paragraph may be.
const COLUMNS: usize = 80;

/// Tells what the game is, and who plays which role.
pub(super) fn introduce(setup: &Setup, file: &Path, names: &[Option<String>]) -> Result<()> {
    let text = wrapped(&game(setup, file)?) + &wrapped(&roles(setup, names));
    Ok(stdout().write_all(text.as_bytes())?)
}

/// Of a game of ours how it goes, in the words of its sheet; of others what can be seen.
fn game(setup: &Setup, file: &Path) -> Result<String> {
    let Some(ours) = library::named(file) else {
        let title = input::title(file);
        return Ok(match show::glimpse(&setup.game) {
            Ok(seen) => format!("{title}: {seen}"),
            Err(reason) => format!("{title}: {reason}."),
        });
    };
    let (title, header) = (ours.about()?.title, ours.header());
    let is_named = header.to_lowercase().contains(&title.to_lowercase());
    Ok(match is_named {
        true => header,
        false => format!("{title}. {header}"),
    })
}

/// Who plays which role.
fn roles(setup: &Setup, names: &[Option<String>]) -> String {
    let scratch = setup.game.scratch();
    let role = |role: usize| scratch.terms().text(setup.game.roles()[role]);
    let is_person = |&role: &usize| names[role].as_deref() == Some(PERSON);
    let persons: Vec<String> = (0..names.len()).filter(is_person).map(role).collect();
    let mut text = format!("You play {}", persons.join(" and "));
    for (number, player) in names.iter().enumerate() {
        match player.as_deref() {
            Some(PERSON) => {}
            Some(player) => text += &format!(", {player} plays {}", role(number)),
            None => text += &format!(", {} is chance", role(number)),
        }
    }
    text + "."
}

/// A paragraph in lines, words kept whole.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if column > 0 && column + 1 + length > COLUMNS {
            lines.push('\n');
            column = 0;
        } else if column > 0 {
            lines.push(' ');
            column += 1;
        }
        lines += word;
        column += length;
    }
    lines + "\n"
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn paragraphs_are_wrapped_between_words() {
        let text = wrapped(&"seven77 ".repeat(20));
        assert!(
            text.lines()
                .all(|line| line.len() <= 80 && !line.ends_with(' '))
        );
        assert_eq!(text.split_whitespace().count(), 20);
        assert_eq!(wrapped("a  b"), "a b\n");
    }
}
