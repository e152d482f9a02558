//! What several bodies have in common, to be taken out of them.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

/// What most bodies share, if at least two do.
pub(crate) fn most_common<T: Copy + Ord + Hash>(bodies: &[Vec<T>]) -> Option<T> {
    if bodies.len() < 2 {
        return None;
    }
    let mut counts: HashMap<T, usize, foldhash::fast::FixedState> = HashMap::default();
    for &part in bodies.iter().flatten() {
        *counts.entry(part).or_default() += 1;
    }
    let best = counts
        .into_iter()
        .max_by_key(|&(part, count)| (count, Reverse(part)));
    best.filter(|&(_, count)| count > 1).map(|(part, _)| part)
}
