//! What look-ahead has proven of moves, in a form that speaks of many states.
//!
//! A nogood is a move of a role that alone decides, a pattern of fluents, and bounds: in every
//! state that is not over, has the pattern, and in which the other roles have the same only moves,
//! the role gets after this move at least `low` and at most `high`. The pattern is what propagation
//! used (`encoding::Scout`), so it is a proof, not a guess. A state is tested by a few word-wise
//! ANDs for each of its moves.
//!
//! The store is bounded: a move has a few nogoods, and a new one takes the place of the one that
//! was used least. Uses are halved each turn, so that what helped long ago gives way. Threads share
//! the store, and so may players and matches (`Memory`).

use encoding::Pattern;
use game::{Bits, MoveId, RoleId};
use hashbrown::HashMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

/// Most nogoods of one move.
const EACH: usize = 24;
/// An explanation costs about as much as so many uses save. Learning rests where nogoods are used
/// less often, but for the first of them and for one look in `RARELY`, which may find out that
/// they have become useful.
const WORTH: u64 = 3;
const FIRST: u64 = 64;
const RARELY: u64 = 16;

/// What is proven of a move in every state that has a pattern.
#[derive(Debug)]
pub(crate) struct Nogood {
    pub(crate) pattern: Pattern,
    /// The joint move: the move of the role, and the only moves of the others.
    pub(crate) joint: Vec<MoveId>,
    /// What the role gets, from 0 to 1.
    pub(crate) low: f32,
    pub(crate) high: f32,
    /// How often it was used lately.
    uses: AtomicU32,
}

impl Nogood {
    pub(crate) fn new(joint: &[MoveId], (low, high): (f32, f32), pattern: Pattern) -> Nogood {
        Nogood {
            pattern,
            joint: joint.to_vec(),
            low,
            high,
            uses: AtomicU32::new(0),
        }
    }

    /// The same, used so often before.
    pub(crate) fn used(self, uses: u32) -> Nogood {
        Nogood {
            uses: AtomicU32::new(uses),
            ..self
        }
    }

    /// How often it was used lately.
    pub(crate) fn uses(&self) -> u32 {
        self.uses.load(Ordering::Relaxed)
    }
}

/// Nogoods by role and move.
#[derive(Debug, Default)]
pub(crate) struct Nogoods {
    lists: RwLock<HashMap<(RoleId, MoveId), Vec<Nogood>>>,
    learned: AtomicU64,
    used: AtomicU64,
    /// Looks that might have learned.
    looks: AtomicU64,
}

impl Nogoods {
    /// What is known of a joint move in a state in which a role alone decides.
    pub(crate) fn find(&self, state: &Bits, role: RoleId, joint: &[MoveId]) -> Option<(f32, f32)> {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        let list = lists.get(&(role, joint[role.index()]))?;
        let fits = |it: &&Nogood| it.pattern.fits(state) && it.joint == joint;
        let found = list.iter().find(fits)?;
        found.uses.fetch_add(1, Ordering::Relaxed);
        self.used.fetch_add(1, Ordering::Relaxed);
        Some((found.low, found.high))
    }

    /// Whether anything is known of any move.
    pub(crate) fn is_empty(&self) -> bool {
        self.learned.load(Ordering::Relaxed) == 0
    }

    /// Whether the next look is to learn: nogoods are used often enough to pay for it.
    pub(crate) fn learns(&self) -> bool {
        let (learned, used) = self.counts();
        let looks = self.looks.fetch_add(1, Ordering::Relaxed);
        learned < FIRST || used >= WORTH * learned || looks.is_multiple_of(RARELY)
    }

    /// Keeps a nogood.
    pub(crate) fn add(&self, role: RoleId, nogood: Nogood) {
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        let list = lists.entry((role, nogood.joint[role.index()])).or_default();
        if list.iter().any(|it| it.pattern == nogood.pattern) {
            return;
        }
        self.learned.fetch_add(1, Ordering::Relaxed);
        if list.len() < EACH {
            return list.push(nogood);
        }
        let uses = |it: &&mut Nogood| it.uses.load(Ordering::Relaxed);
        if let Some(least) = list.iter_mut().min_by_key(uses) {
            *least = nogood;
        }
    }

    /// A turn was made: what was used before counts half.
    pub(crate) fn age(&self) {
        let mut lists = self.lists.write().unwrap_or_else(PoisonError::into_inner);
        for nogood in lists.values_mut().flatten() {
            let uses = nogood.uses.get_mut();
            *uses /= 2;
        }
    }

    /// How many were learned, and how often one was used.
    pub(crate) fn counts(&self) -> (u64, u64) {
        let count = |it: &AtomicU64| it.load(Ordering::Relaxed);
        (count(&self.learned), count(&self.used))
    }

    /// Visits all that are kept, in order of roles and moves.
    pub(crate) fn each(&self, mut visit: impl FnMut(RoleId, &Nogood)) {
        let lists = self.lists.read().unwrap_or_else(PoisonError::into_inner);
        let mut keys: Vec<_> = lists.keys().copied().collect();
        keys.sort_unstable();
        for key in keys {
            lists[&key].iter().for_each(|it| visit(key.0, it));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::BitsBuf;

    #[test]
    fn learning_rests_where_nogoods_are_not_used() {
        let nogoods = Nogoods::default();
        let learned = |looks: usize| (0..looks).filter(|_| nogoods.learns()).count();
        assert_eq!(learned(32), 32, "nothing is known yet");
        let joint = [MoveId::new(0)];
        let role = RoleId::new(0);
        nogoods.learned.store(FIRST, Ordering::Relaxed);
        assert_eq!(learned(160), 10);
        nogoods.add(role, Nogood::new(&joint, (1.0, 1.0), Pattern::default()));
        let state = BitsBuf::default();
        for _ in 0..WORTH * (FIRST + 1) {
            assert!(nogoods.find(&state, role, &joint).is_some());
        }
        assert_eq!(learned(32), 32, "each was used often");
    }
}
