//! Coordinates: the values of an argument that come in a series, as `1` to `8`, `a` to `h`,
//! `c1` to `c8`.

use super::fluent::Fluent;
use std::collections::{BTreeMap, BTreeSet};

/// Longer axes do not fit a screen.
const LENGTH: usize = 32;

/// An argument that is a coordinate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Axis {
    /// Which argument.
    pub(super) place: usize,
    /// Its values in their order, those that are missing in the series included.
    pub(super) labels: Vec<String>,
    /// How many of them are not missing.
    pub(super) seen: usize,
    series: Series,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Series {
    Letters,
    /// Numbers after a name, the same for all, or after nothing.
    Numbers(String),
    /// No series: any names.
    Names,
}

impl Axis {
    /// The axis that an argument is, if its values are a series without too many gaps.
    pub(super) fn of(fluents: &[&Fluent], place: usize) -> Option<Axis> {
        let names = fluents
            .iter()
            .map(|fluent| fluent.arguments[place].as_str());
        let names: BTreeSet<&str> = names.collect();
        let (series, _) = coordinate(names.first()?)?;
        let mut numbered = BTreeMap::new();
        for name in &names {
            let (same, number) = coordinate(name)?;
            // `1` and `01` would be one square.
            if same != series || numbered.insert(number, *name).is_some() {
                return None;
            }
        }
        let (&first, &last) = (numbered.keys().next()?, numbered.keys().next_back()?);
        let length = (last - first) as usize + 1;
        if !(2..=LENGTH).contains(&length) || 3 * numbered.len() < length {
            return None;
        }
        let label = |number| match numbered.get(&number) {
            Some(name) => (*name).to_string(),
            None => series.name(number),
        };
        let labels = (first..=last).map(label).collect();
        let seen = numbered.len();
        Some(Axis {
            place,
            labels,
            seen,
            series,
        })
    }

    /// An argument that may tell boards apart, whatever its values are.
    pub(super) fn of_names(fluents: &[&Fluent], place: usize) -> Axis {
        let names = fluents.iter().map(|fluent| &fluent.arguments[place]);
        let names: BTreeSet<&String> = names.collect();
        Axis {
            place,
            seen: names.len(),
            labels: names.into_iter().cloned().collect(),
            series: Series::Names,
        }
    }

    /// The number of a fluent's coordinate.
    pub(super) fn position(&self, fluent: &Fluent) -> Option<usize> {
        let value = fluent.arguments.get(self.place)?;
        self.labels.iter().position(|label| label == value)
    }

    /// Whether its names are bare numbers.
    pub(super) fn is_plain(&self) -> bool {
        matches!(&self.series, Series::Numbers(name) if name.is_empty())
    }

    /// Whether it should be the columns and the other, named first, the rows: letters are
    /// columns as in chess, and x and c go before y and r.
    pub(super) fn stands_before(&self, other: &Axis) -> bool {
        match (&self.series, &other.series) {
            (Series::Letters, Series::Numbers(_)) => true,
            (Series::Numbers(mine), Series::Numbers(others)) => {
                mine.starts_with(['x', 'c']) && others.starts_with(['y', 'r'])
            }
            _ => false,
        }
    }
}

impl Series {
    fn name(&self, number: u32) -> String {
        match self {
            Series::Letters => char::from_u32(number).unwrap_or(' ').to_string(),
            Series::Numbers(name) => format!("{name}{number}"),
            Series::Names => number.to_string(),
        }
    }
}

/// The series a name may belong to, and its number there.
fn coordinate(name: &str) -> Option<(Series, u32)> {
    let mut characters = name.chars();
    if let (Some(letter), None) = (characters.next(), characters.next())
        && letter.is_ascii_alphabetic()
    {
        return Some((Series::Letters, u32::from(letter)));
    }
    let before = name.trim_end_matches(|it: char| it.is_ascii_digit());
    let is_name = before.is_empty() || before.starts_with(|it: char| it.is_ascii_alphabetic());
    let number = name[before.len()..].parse().ok().filter(|_| is_name)?;
    Some((Series::Numbers(before.to_string()), number))
}
