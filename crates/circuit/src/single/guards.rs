//! Guards: what many legal moves of a role have in common, such as being in control.
//!
//! A literal that most moves ask for changes the counters of most moves whenever it changes,
//! every turn as a rule. So it is taken out of their ports, and the moves are put in groups
//! by their guards: those of a group are legal if their ports hold and the guard does.

use super::layout::{Kind, Slot};
use logic::Literal;
use std::collections::HashMap;
use std::ops::Range;

/// With fewer moves a guard is not worth looking at.
const FEWEST: usize = 4;
/// All guards of a role are looked at every turn.
const MOST_GROUPS: usize = 8;

/// Moves of a role that have a guard in common.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// Always true for those that have none.
    pub(crate) guard: Literal,
    /// The words of their ports.
    words: Range<usize>,
    /// What belongs to the group of the first word, and of the last.
    first: u64,
    last: u64,
}

impl Group {
    /// A group with the given ports.
    pub(crate) fn new(guard: Literal, slots: &Range<usize>) -> Group {
        Group {
            guard,
            words: slots.start / 64..slots.end.div_ceil(64),
            first: u64::MAX << (slots.start % 64),
            last: u64::MAX >> (slots.end.wrapping_neg() % 64),
        }
    }

    /// The words in which the group has ports, without those of other groups.
    pub(crate) fn words(&self, bits: &[u64]) -> impl Iterator<Item = (usize, u64)> {
        let words = self.words.clone().zip(&bits[self.words.clone()]);
        words.map(|(place, &word)| {
            let mut word = word;
            if place == self.words.start {
                word &= self.first;
            }
            if place + 1 == self.words.end {
                word &= self.last;
            }
            (place, word)
        })
    }
}

/// Chooses guards for the ports of a role's moves and takes them out; gives the moves of each
/// guard.
pub(crate) fn take_out(ports: &mut [Slot]) -> Vec<(Literal, Vec<usize>)> {
    let mut groups = Vec::new();
    let mut open: Vec<usize> = (0..ports.len()).collect();
    while groups.len() + 1 < MOST_GROUPS
        && let Some(guard) = most_common(ports, &open)
    {
        let has_guard = |&mut number: &mut usize| asks(&ports[number], guard);
        let group: Vec<usize> = open.extract_if(.., has_guard).collect();
        for &number in &group {
            ports[number].literals.retain(|&literal| literal != guard);
        }
        groups.push((guard, group));
    }
    if !open.is_empty() {
        groups.push((Literal::TRUE, open));
    }
    groups
}

/// Whether a port asks for a literal as one of all.
fn asks(port: &Slot, literal: Literal) -> bool {
    port.kind == Kind::Port { negated: false } && port.literals.contains(&literal)
}

fn most_common(ports: &[Slot], open: &[usize]) -> Option<Literal> {
    let mut counts: HashMap<Literal, usize> = HashMap::new();
    for port in open.iter().map(|&number| &ports[number]) {
        if port.kind == (Kind::Port { negated: false }) {
            for &literal in &port.literals {
                *counts.entry(literal).or_default() += 1;
            }
        }
    }
    let best = counts
        .into_iter()
        .max_by_key(|&(literal, count)| (count, literal));
    best.filter(|&(_, count)| count >= FEWEST)
        .map(|(literal, _)| literal)
}
