//! Random joint moves, drawn in one place.

use rand_core::Rng;

/// Draws one of some things, each with the same chance; none if there are none.
pub(crate) fn any<'t, T>(things: &'t [T], random: &mut impl Rng) -> Option<&'t T> {
    match things.len() as u64 {
        0 => None,
        count => things.get((random.next_u64() % count) as usize),
    }
}

/// Draws a move for each role from its legal ones; none, and nothing is drawn, if a role has no
/// legal move.
pub(crate) fn joint<T: Copy>(legal: &[Vec<T>], random: &mut impl Rng) -> Option<Vec<T>> {
    if legal.iter().any(Vec::is_empty) {
        return None;
    }
    let drawn = legal.iter().map(|legal| any(legal, random).copied());
    drawn.collect()
}
