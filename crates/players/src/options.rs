//! Options of a player as text: `name:key=value,key=value`, parsed once against the table of the
//! player's options.

/// Memory is given in these.
pub(crate) const MEGABYTE: usize = 1 << 20;

/// One option of a player, as the roster shows and checks it.
#[derive(Copy, Clone, Debug)]
pub struct OptionSpec {
    /// Its key.
    pub key: &'static str,
    /// What holds if it is not given: a value, or words.
    pub default: &'static str,
    /// What it means.
    pub about: &'static str,
    /// The values it takes.
    pub takes: Takes,
}

/// Options that searches in lanes have in common.
pub(crate) const PLAYOUTS: OptionSpec = OptionSpec {
    key: "playouts",
    default: "lanes",
    about: "how many playouts these have together; as many as there are lanes",
    takes: Takes::Count(1, 1 << 20),
};
pub(crate) const MEMORY: OptionSpec = OptionSpec {
    key: "memory",
    default: "512",
    about: "how many megabytes the tree may take",
    takes: Takes::Count(1, 1 << 20),
};
pub(crate) const THREADS: OptionSpec = OptionSpec {
    key: "threads",
    default: "cores",
    about: "how many threads search; a counted budget has one",
    takes: Takes::Count(1, 1024),
};

/// The values an option takes.
#[derive(Copy, Clone, Debug)]
pub enum Takes {
    /// A real number between bounds.
    Real(f64, f64),
    /// A whole number between bounds.
    Count(u64, u64),
    /// `yes` or `no`.
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
}

/// A value that was read.
#[derive(Copy, Clone, Debug, PartialEq)]
enum Value {
    Real(f64),
    Count(u64),
    Flag(bool),
    Word(&'static str),
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
        wanted: String,
    },
}

/// The options of a player, checked.
#[derive(Clone, Debug, Default)]
pub struct Options {
    values: Vec<(&'static str, Value)>,
}

impl Takes {
    fn read(self, text: &str) -> Option<Value> {
        match self {
            Takes::Real(least, most) => {
                let value = text.parse().ok().filter(|it| (least..=most).contains(it));
                value.map(Value::Real)
            }
            Takes::Count(least, most) => {
                let value = text.parse().ok().filter(|it| (least..=most).contains(it));
                value.map(Value::Count)
            }
            Takes::Flag => match text {
                "yes" => Some(Value::Flag(true)),
                "no" => Some(Value::Flag(false)),
                _ => None,
            },
            Takes::Word(words) => words
                .iter()
                .find(|&&it| it == text)
                .map(|&it| Value::Word(it)),
        }
    }

    fn wanted(self) -> String {
        match self {
            Takes::Real(least, most) => format!("{least} to {most}"),
            Takes::Count(least, most) => format!("{least} to {most}"),
            Takes::Flag => "yes or no".to_string(),
            Takes::Word(words) => words.join(" or "),
        }
    }
}

/// A player's text as its name and its options.
pub(crate) fn split(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    (name, rest.split(',').filter(|option| !option.is_empty()))
}

impl Options {
    /// Reads options against the table of a player; the last of several with one key holds.
    pub(crate) fn read<'t>(
        player: &'static str,
        table: &'static [OptionSpec],
        texts: impl Iterator<Item = &'t str>,
    ) -> Result<Options, BadOption> {
        let mut options = Options::default();
        for text in texts {
            let Some((key, value)) = text.split_once('=') else {
                let text = text.to_string();
                return Err(BadOption::Form { text });
            };
            let Some(spec) = table.iter().find(|it| it.key == key) else {
                let key = key.to_string();
                return Err(BadOption::Key { player, key });
            };
            let read = spec.takes.read(value).ok_or_else(|| BadOption::Value {
                key: key.to_string(),
                value: value.to_string(),
                wanted: spec.takes.wanted(),
            })?;
            options.values.retain(|(other, _)| *other != key);
            options.values.push((spec.key, read));
        }
        Ok(options)
    }

    fn get(&self, key: &str) -> Option<Value> {
        let found = self.values.iter().find(|(other, _)| *other == key);
        found.map(|(_, value)| *value)
    }

    /// A real number, if it was given.
    pub fn real(&self, key: &str) -> Option<f32> {
        match self.get(key) {
            Some(Value::Real(value)) => Some(value as f32),
            _ => None,
        }
    }

    /// A whole number, if it was given.
    pub fn count(&self, key: &str) -> Option<u64> {
        match self.get(key) {
            Some(Value::Count(value)) => Some(value),
            _ => None,
        }
    }

    /// Yes or no, if it was given.
    pub fn flag(&self, key: &str) -> Option<bool> {
        match self.get(key) {
            Some(Value::Flag(value)) => Some(value),
            _ => None,
        }
    }

    /// A word, if it was given.
    pub fn word(&self, key: &str) -> Option<&'static str> {
        match self.get(key) {
            Some(Value::Word(value)) => Some(value),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[OptionSpec] = &[
        OptionSpec {
            key: "c",
            default: "0.5",
            about: "how much is explored",
            takes: Takes::Real(0.0, 1.0),
        },
        OptionSpec {
            key: "way",
            default: "up",
            about: "where it goes",
            takes: Takes::Word(&["up", "down"]),
        },
    ];

    fn read(text: &str) -> Result<Options, BadOption> {
        let (_, options) = split(text);
        Options::read("p", TABLE, options)
    }

    #[test]
    fn options_are_read_once_and_checked() {
        let options = read("p:c=0.25,way=down,c=0.5").unwrap_or_default();
        assert_eq!(options.real("c"), Some(0.5));
        assert_eq!(options.word("way"), Some("down"));
        assert_eq!((options.count("c"), options.flag("way")), (None, None));
        let error = |text| read(text).err().map(|it| it.to_string());
        let wanted = "`2` is no value for `c`: 0 to 1";
        assert_eq!(error("p:c=2").as_deref(), Some(wanted));
        let wanted = "`left` is no value for `way`: up or down";
        assert_eq!(error("p:way=left").as_deref(), Some(wanted));
        assert_eq!(error("p:d=1").as_deref(), Some("p has no option `d`"));
        let wanted = "`c` is not an option: options are `key=value`";
        assert_eq!(error("p:c").as_deref(), Some(wanted));
    }
}
