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
    about: "playouts of a batch in all; by default one for each lane",
    takes: Takes::Count(1, 1 << 20),
};
pub(crate) const MEMORY: OptionSpec = OptionSpec {
    key: "memory",
    default: "512",
    about: "megabytes that the tree may take",
    takes: Takes::Count(1, 1 << 20),
};
pub(crate) const THREADS: OptionSpec = OptionSpec {
    key: "threads",
    default: "cores",
    about: "threads that search; one if iterations are counted instead of seconds",
    takes: Takes::Count(1, 1024),
};

/// How much of its time a player uses.
pub(crate) const TIME: OptionSpec = OptionSpec {
    key: "time",
    default: "1",
    about: "the share of its time or iterations that it uses: to measure what more of it is worth",
    takes: Takes::Real(0.001, 1.0),
};

/// Tables of options, one after the other; together they have `N`.
pub(crate) const fn joined<const N: usize>(tables: &[&[OptionSpec]]) -> [OptionSpec; N] {
    let mut all = [MEMORY; N];
    let (mut next, mut table) = (0, 0);
    while table < tables.len() {
        let mut place = 0;
        while place < tables[table].len() {
            all[next] = tables[table][place];
            next += 1;
            place += 1;
        }
        table += 1;
    }
    assert!(next == N, "as many options as there are places");
    all
}

/// The values an option takes.
#[derive(Copy, Clone, Debug)]
pub enum Takes {
    /// A real number between bounds.
    Real(f64, f64),
    /// A whole number between bounds.
    Count(u64, u64),
    /// A word, or a whole number between bounds.
    WordOrCount(&'static str, u64, u64),
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
    #[error("there is no player `{name}`; {advice}`ludex players` lists them")]
    Name {
        /// The name.
        name: String,
        /// What may have been meant, as the start of an advice, or nothing.
        advice: String,
    },
    /// Something that is not `key=value`.
    #[error("`{text}` is not an option of {player}: options are written `key=value`")]
    Form {
        /// The name of the player.
        player: &'static str,
        /// What was written.
        text: String,
    },
    /// The player has no such option.
    #[error("{player} has no option `{key}`; {has}")]
    Key {
        /// The name of the player.
        player: &'static str,
        /// What was written.
        key: String,
        /// The options it has.
        has: String,
    },
    /// A value that the option does not take.
    #[error("{player} does not take `{key}={value}`: `{key}` is {wanted}")]
    Value {
        /// The name of the player.
        player: &'static str,
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
            Takes::WordOrCount(word, ..) if text == word => Some(Value::Word(word)),
            Takes::WordOrCount(_, least, most) => Takes::Count(least, most).read(text),
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
            Takes::Real(least, most) => format!("a number from {least} to {most}"),
            Takes::Count(least, most) => format!("a whole number from {least} to {most}"),
            Takes::WordOrCount(word, least, most) => {
                format!("{word} or a whole number from {least} to {most}")
            }
            Takes::Flag => "yes or no".to_string(),
            Takes::Word(words) => words.join(" or "),
        }
    }
}

/// The options of a table, as words.
fn has(table: &[OptionSpec]) -> String {
    let keys: Vec<&str> = table.iter().map(|it| it.key).collect();
    match keys.is_empty() {
        true => "it takes none".to_string(),
        false => format!("it has {}", keys.join(", ")),
    }
}

/// A player's text as its name and its options.
pub(crate) fn split(text: &str) -> (&str, impl Iterator<Item = &str>) {
    let (name, rest) = text.split_once(':').unwrap_or((text, ""));
    (name, split_options(rest))
}

/// Options without a name before them.
pub(crate) fn split_options(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').filter(|option| !option.is_empty())
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
                return Err(BadOption::Form { player, text });
            };
            let Some(spec) = table.iter().find(|it| it.key == key) else {
                let (key, has) = (key.to_string(), has(table));
                return Err(BadOption::Key { player, key, has });
            };
            let read = spec.takes.read(value).ok_or_else(|| BadOption::Value {
                player,
                key: key.to_string(),
                value: value.to_string(),
                wanted: spec.takes.wanted(),
            })?;
            options.values.retain(|(other, _)| *other != key);
            options.values.push((spec.key, read));
        }
        Ok(options)
    }

    /// The same as text, as it is written behind the name of a player.
    pub(crate) fn text(&self) -> String {
        let texts = self.values.iter().map(|(key, value)| match value {
            Value::Real(value) => format!("{key}={value}"),
            Value::Count(value) => format!("{key}={value}"),
            Value::Flag(value) => format!("{key}={}", if *value { "yes" } else { "no" }),
            Value::Word(value) => format!("{key}={value}"),
        });
        texts.collect::<Vec<_>>().join(",")
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
        OptionSpec {
            key: "end",
            default: "no",
            about: "where it ends",
            takes: Takes::WordOrCount("no", 1, 9),
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
        assert_eq!(options.text(), "way=down,c=0.5");
        assert_eq!((options.count("c"), options.flag("way")), (None, None));
        let error = |text| read(text).err().map(|it| it.to_string());
        let wanted = "p does not take `c=2`: `c` is a number from 0 to 1";
        assert_eq!(error("p:c=2").as_deref(), Some(wanted));
        let wanted = "p does not take `way=left`: `way` is up or down";
        assert_eq!(error("p:way=left").as_deref(), Some(wanted));
        let ends = |text| read(text).ok().map(|it| (it.count("end"), it.word("end")));
        assert_eq!(ends("p:end=9"), Some((Some(9), None)));
        assert_eq!(ends("p:end=9,end=no"), Some((None, Some("no"))));
        let wanted = "p does not take `end=0`: `end` is no or a whole number from 1 to 9";
        assert_eq!(error("p:end=0").as_deref(), Some(wanted));
        let wanted = "p has no option `d`; it has c, way, end";
        assert_eq!(error("p:d=1").as_deref(), Some(wanted));
        let wanted = "`c` is not an option of p: options are written `key=value`";
        assert_eq!(error("p:c").as_deref(), Some(wanted));
    }
}
