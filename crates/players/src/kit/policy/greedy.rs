//! ε-greedy choice: the move of the highest worth, but for a share that is drawn.

use super::Legal;
use game::MoveId;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The legal move of the highest worth, the first of several drawn at random; any legal move with
/// a probability of ε. None if there is no legal move.
pub(super) fn greedy(
    legal: &Legal<'_, '_>,
    epsilon: f32,
    random: &mut Xoshiro256PlusPlus,
    worth: impl Fn(MoveId) -> f32,
) -> Option<MoveId> {
    let drawn = (random.next_u64() >> 40) as f32 / (1u64 << 24) as f32;
    if drawn < epsilon {
        return legal.any(random);
    }
    let legal = legal.moves();
    let first = (random.next_u64() % legal.len().max(1) as u64) as usize;
    let (before, after) = legal.split_at(first.min(legal.len()));
    let mut best: Option<(f32, MoveId)> = None;
    for &action in after.iter().chain(before) {
        let worth = worth(action);
        if best.is_none_or(|(highest, _)| worth > highest) {
            best = Some((worth, action));
        }
    }
    best.map(|(_, action)| action)
}
