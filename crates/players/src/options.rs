//! Options of a player as text: `name:key=value,key=value`.

/// Memory is given in these.
pub(crate) const MEGABYTE: usize = 1 << 20;

/// A player's name and options, as they were written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionText<'t> {
    /// The name of the player.
    pub name: &'t str,
    /// Its options.
    pub options: Vec<(&'t str, &'t str)>,
}

/// What is wrong with the text of a player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadOption {
    /// Nobody has this name.
    #[error("there is no player `{name}`")]
    Name {
        /// The name.
        name: String,
    },
    /// Something that is not `key=value`.
    #[error("`{text}` is not an option: options are `key=value`")]
    Form {
        /// What was written.
        text: String,
    },
    /// The player has no such option.
    #[error("{player} has no option `{key}`")]
    Key {
        /// The name of the player.
        player: &'static str,
        /// What was written.
        key: String,
    },
    /// A value that the option does not take.
    #[error("`{value}` is no value for `{key}`: {wanted}")]
    Value {
        /// The option.
        key: String,
        /// What was written.
        value: String,
        /// What it takes.
        wanted: &'static str,
    },
}

impl<'t> OptionText<'t> {
    /// Takes a text apart.
    pub fn new(text: &'t str) -> Result<OptionText<'t>, BadOption> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let options = rest.split(',').filter(|option| !option.is_empty());
        let options = options.map(|option| {
            let form = || BadOption::Form {
                text: option.to_string(),
            };
            option.split_once('=').ok_or_else(form)
        });
        Ok(OptionText {
            name,
            options: options.collect::<Result<_, _>>()?,
        })
    }
}

/// A number within a range.
pub(crate) fn number<T: std::str::FromStr + PartialOrd>(
    key: &str,
    value: &str,
    (least, most): (T, T),
    wanted: &'static str,
) -> Result<T, BadOption> {
    let number = value.parse().ok();
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| BadOption::Value {
            key: key.to_string(),
            value: value.to_string(),
            wanted,
        })
}

/// Yes or no.
pub(crate) fn flag(key: &str, value: &str) -> Result<bool, BadOption> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err(BadOption::Value {
            key: key.to_string(),
            value: value.to_string(),
            wanted: "yes or no",
        }),
    }
}
