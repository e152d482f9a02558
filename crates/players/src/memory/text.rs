//! A memory as text, line by line:
//!
//! ```text
//! ludex memory 1
//! game 0123456789abcdef
//! state VISITS TURNS VALUE… WORD…
//! nogood USES ROLE LOW HIGH MOVE… MASK… VALUES…
//! end STATES NOGOODS CHECKSUM
//! ```
//!
//! A state has a value for each role, and the words of its fluents in hexadecimal digits; a nogood
//! has a move of each role, and the words of its pattern. The checksum is of all that stands before
//! the last line: a text that was cut or changed is refused as a whole, and so is one of another
//! game, or of the same game if another build numbers its rules in another way.

use super::fingerprint::Fingerprint;
use super::{BadMemory, Known, Memory, Sizes};
use crate::mac::nogoods::Nogood;
use crate::tree::NEAR;
use encoding::Pattern;
use game::{BitsBuf, MoveId, RoleId};
use std::fmt::Write;
use std::str::{FromStr, SplitAsciiWhitespace};
use std::sync::PoisonError;

const FIRST: &str = "ludex memory 1";

/// What is wrong with a text.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// It begins differently.
    #[error("`{FIRST}` was expected: the file is no memory, or one of another version")]
    Version,
    /// Its end is missing.
    #[error("the file ends too early")]
    Cut,
    /// It is not what was written.
    #[error("the checksum is wrong: the file was changed")]
    Changed,
    /// The game is another.
    #[error("the file is about another game, or other rules of it")]
    Game,
    /// An entry cannot be read.
    #[error("the entry does not fit the game")]
    Entry,
    /// There are more or fewer entries than the last line says.
    #[error("the number of entries is wrong")]
    Count,
}

impl Flaw {
    /// The flaw in the line of a place, from 0.
    fn at(self, place: usize) -> BadMemory {
        BadMemory::Text {
            line: place + 1,
            flaw: self,
        }
    }
}

/// The lines of a text between the first and the last one, and what the last one says of them.
pub(super) struct Body<'t> {
    lines: Vec<&'t str>,
    states: usize,
    nogoods: usize,
}

/// Checks the first and the last line of a text, and its checksum.
pub(super) fn body(text: &str) -> Result<Body<'_>, BadMemory> {
    let lines: Vec<&str> = text.lines().collect();
    if lines.first() != Some(&FIRST) {
        return Err(Flaw::Version.at(0));
    }
    let end = lines.len() - 1;
    let last = lines[end].strip_prefix("end ");
    let (Some(last), true) = (last, text.ends_with('\n')) else {
        return Err(Flaw::Cut.at(end));
    };
    let before = &text[..text.len() - lines[end].len() - 1];
    let mut words = last.split_ascii_whitespace();
    let (Some(states), Some(nogoods)) = (number(&mut words), number(&mut words)) else {
        return Err(Flaw::Cut.at(end));
    };
    if lines[end] != last_line(before, (states, nogoods)) {
        return Err(Flaw::Changed.at(end));
    }
    Ok(Body {
        lines: lines[1..end].to_vec(),
        states,
        nogoods,
    })
}

/// The last line of a text with so many states and nogoods.
pub(super) fn last_line(before: &str, (states, nogoods): (usize, usize)) -> String {
    let sum = Fingerprint::of_text(before);
    format!("end {states} {nogoods} {sum:016x}")
}

impl Memory {
    /// The memory as text: the same for the same memory.
    pub fn text(&self) -> String {
        let mut text = format!("{FIRST}\ngame {:016x}\n", self.fingerprint);
        let states = self.write_states(&mut text);
        let mut nogoods = 0;
        self.nogoods.each(|role, nogood| {
            nogoods += 1;
            write_nogood(&mut text, role, nogood);
        });
        let last = last_line(&text, (states, nogoods));
        text + &last + "\n"
    }

    /// Writes all states in order; returns how many.
    fn write_states(&self, text: &mut String) -> usize {
        let states = self.states.read().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<(&BitsBuf, &Known)> = states.iter().collect();
        all.sort_unstable_by_key(|it| it.0);
        for (state, known) in &all {
            *text += &format!("state {} {}", known.visits, known.turns);
            known.values.iter().for_each(|it| put(text, it));
            put_words(text, state.words());
            text.push('\n');
        }
        all.len()
    }

    /// Takes in all that a text says. If the text is refused, the memory is half filled, and dropped.
    pub(super) fn fill(&self, text: &str) -> Result<(), BadMemory> {
        let Body {
            lines,
            states,
            nogoods,
        } = body(text)?;
        let game = format!("game {:016x}", self.fingerprint);
        if lines.first() != Some(&game.as_str()) {
            return Err(Flaw::Game.at(1));
        }
        let (mut known, mut count) = (Vec::new(), 0);
        for (place, line) in lines.iter().enumerate().skip(1) {
            let entry = read_entry(line, &self.sizes);
            match entry.ok_or_else(|| Flaw::Entry.at(place + 1))? {
                Entry::State(state, it) => known.push((state, it)),
                Entry::Nogood(role, nogood) => {
                    count += 1;
                    self.nogoods.add(role, nogood);
                }
            }
        }
        if (known.len(), count) != (states, nogoods) {
            return Err(Flaw::Count.at(lines.len() + 1));
        }
        self.add(known);
        Ok(())
    }
}

fn put(text: &mut String, value: impl std::fmt::Display) {
    // Writing to a string does not fail.
    _ = write!(text, " {value}");
}

fn put_words(text: &mut String, words: &[u64]) {
    words
        .iter()
        .for_each(|it| put(text, format_args!("{it:x}")));
}

fn write_nogood(text: &mut String, role: RoleId, nogood: &Nogood) {
    let Nogood { low, high, .. } = nogood;
    *text += &format!("nogood {} {} {low} {high}", nogood.uses(), role.index());
    nogood.joint.iter().for_each(|it| put(text, it.index()));
    let (mask, values) = nogood.pattern.words();
    put_words(text, mask);
    put_words(text, values);
    text.push('\n');
}

/// A line.
enum Entry {
    State(BitsBuf, Known),
    Nogood(RoleId, Nogood),
}

/// Reads a line; none if it does not fit.
fn read_entry(line: &str, sizes: &Sizes) -> Option<Entry> {
    let mut words = line.split_ascii_whitespace();
    let entry = match words.next()? {
        "state" => read_state(&mut words, sizes),
        "nogood" => read_nogood(&mut words, sizes),
        _ => None,
    };
    entry.filter(|_| words.next().is_none())
}

fn read_state(words: &mut SplitAsciiWhitespace<'_>, sizes: &Sizes) -> Option<Entry> {
    let (visits, turns) = (number(words)?, number(words)?);
    let values: Option<Vec<f32>> = sizes.moves.iter().map(|_| value(words)).collect();
    let known = Known {
        values: values?,
        turns,
        visits,
    };
    Some(Entry::State(read_words(words, sizes)?.into(), known))
}

fn read_nogood(words: &mut SplitAsciiWhitespace<'_>, sizes: &Sizes) -> Option<Entry> {
    let (uses, role): (u32, usize) = (number(words)?, number(words)?);
    let bounds = (value(words)?, value(words)?);
    let mut action = |&count: &usize| {
        let place = number(words).filter(|&it| it < count);
        place.map(MoveId::new)
    };
    let joint: Option<Vec<MoveId>> = sizes.moves.iter().map(&mut action).collect();
    let (mask, values) = (read_words(words, sizes)?, read_words(words, sizes)?);
    let pattern = Pattern::of_words(mask, values)?;
    let fits = role < sizes.moves.len() && bounds.0 <= bounds.1;
    let nogood = Nogood::new(&joint?, bounds, pattern).used(uses);
    fits.then_some(Entry::Nogood(RoleId::new(role), nogood))
}

fn read_words(words: &mut SplitAsciiWhitespace<'_>, sizes: &Sizes) -> Option<Vec<u64>> {
    (0..sizes.words).map(|_| hexadecimal(words)).collect()
}

fn number<N: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Option<N> {
    words.next()?.parse().ok()
}

fn hexadecimal(words: &mut SplitAsciiWhitespace<'_>) -> Option<u64> {
    u64::from_str_radix(words.next()?, 16).ok()
}

/// A value from 0 to 1, as near as values are told apart.
fn value(words: &mut SplitAsciiWhitespace<'_>) -> Option<f32> {
    number(words).filter(|it| (-NEAR..=1.0 + NEAR).contains(it))
}
