//! Every check: its code, its name, how grave it is, and what `ludex explain` says.
//!
//! Codes are stable: a code is never given to another check. G0 is reading, G1 the
//! form of a clause, G2 names, G3 the logic of rules, G4 the game as a whole, G5 what only play
//! shows.

pub(crate) mod forms;
pub(crate) mod game;
pub(crate) mod names;
pub mod play;
pub(crate) mod reading;
pub(crate) mod rules;

use crate::diagnostic::Level;

/// One check.
#[derive(Debug)]
pub struct Lint {
    /// Stable code, such as `G104`.
    pub code: &'static str,
    /// Name in words, such as `keyword-arity`.
    pub name: &'static str,
    /// Level by default.
    pub default: Level,
    /// Level under the letter of the specification.
    pub strict: Level,
    /// What is wrong, in one line.
    pub summary: &'static str,
    /// Why it is wrong, and what to do.
    pub explanation: &'static str,
    /// A small example that triggers it.
    pub bad: &'static str,
    /// The same, mended.
    pub good: &'static str,
}

impl Lint {
    /// Whether its findings leave the rules without a meaning: always an error.
    pub fn is_fatal(&self) -> bool {
        self.default == Level::Deny
    }

    /// The check with this code or name, in any case.
    pub fn find(code_or_name: &str) -> Option<&'static Lint> {
        let same = |text: &str| text.eq_ignore_ascii_case(code_or_name);
        all().find(|lint| same(lint.code) || same(lint.name))
    }
}

/// Every check, in the order of their codes.
pub fn all() -> impl Iterator<Item = &'static Lint> {
    let groups = [
        reading::ALL,
        forms::ALL,
        names::ALL,
        rules::ALL,
        game::ALL,
        play::ALL,
    ];
    groups.into_iter().flatten().copied()
}

/// Declares the checks of a group as statics, and `ALL` of them.
macro_rules! lints {
    ($($id:ident = $code:literal $name:literal $default:ident / $strict:ident,
       $summary:literal, $explanation:literal, bad: $bad:literal, good: $good:literal;)*) => {
        use crate::catalogue::Lint;
        use crate::diagnostic::Level::*;

        $(#[doc = concat!($code, ": ", $summary, ".")]
        pub static $id: Lint = Lint {
            code: $code,
            name: $name,
            default: $default,
            strict: $strict,
            summary: $summary,
            explanation: $explanation,
            bad: $bad,
            good: $good,
        };)*

        pub(crate) static ALL: &[&Lint] = &[$(&$id),*];
    };
}
pub(crate) use lints;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_names_are_unique_and_in_order() {
        let codes: Vec<_> = all().map(|lint| lint.code).collect();
        assert!(codes.is_sorted_by(|a, b| a < b), "{codes:?}");
        let mut names: Vec<_> = all().map(|lint| lint.name).collect();
        names.sort_unstable();
        assert!(names.is_sorted_by(|a, b| a < b), "{names:?}");
        for lint in all() {
            assert!(
                lint.strict >= lint.default,
                "{} is laxer when strict",
                lint.code
            );
        }
    }
}
