//! How playouts choose their moves.
//!
//! | policy | what decides | where it runs |
//! |---|---|---|
//! | [`Uniform`], [`Plain`] | nothing | lanes |
//! | `mast.rs` | MAST, TO-MAST: what playouts with a move brought, wherever it was made | lanes, by weights |
//! | `fast.rs` | FAST: how much a move changes a value of states learned by TD(λ) | lanes, by weights |
//! | `nst.rs` | NST: what sequences of up to three moves brought | one at a time |
//! | `past.rs` | PAST: what pairs of a fluent and a move brought | one at a time |
//! | `lgr.rs` | LGR: the last reply to one or two moves that won, with forgetting | one at a time |
//!
//! Weights of moves are inputs of the gates that choose. What depends on the moves before or on
//! fluents would need a weight for each pair: as many inputs as there are pairs, which is more than
//! the gates of a turn in nearly all games, so these run one at a time. All can take decisive
//! moves: in lanes where gates find them, else by trying all moves (`ahead.rs`), which also tells
//! which moves another role could answer by a win.

mod ahead;
mod fast;
mod greedy;
mod knowledge;
mod legal;
mod lgr;
mod mast;
mod nst;
mod past;
mod ready;
mod settings;
#[cfg(test)]
pub(super) mod tests;

pub(crate) use ahead::{Advice, Ahead};
pub(crate) use knowledge::{Knowledge, Quality};
pub use legal::Legal;
pub(crate) use ready::Ready;
pub(crate) use settings::{OPTIONS, PolicySettings, Wanted};

use super::Estimate;
use super::path::Path;
use crate::tree::{Stats, Tree};
use game::{Bits, Decisive, MoveId, RoleId, Weights};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How playouts choose their moves.
pub trait Policy: Send {
    /// Whether playouts can run in lanes; else the policy needs the state, and each playout is
    /// played by itself.
    fn runs_in_lanes(&self) -> bool;

    /// How much moves weigh in lanes; all the same if nothing is said.
    fn weights(&self) -> Option<Weights<'_>> {
        None
    }

    /// Whether it learns from the moves that were played: estimates of lanes then tell of them.
    fn wants_moves(&self) -> bool {
        false
    }

    /// What playouts do about moves that win at once, where they are found.
    fn decisive(&self) -> Decisive {
        Decisive::No
    }

    /// One of the legal moves; none if there is none.
    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId>;

    /// A playout that is played by itself begins.
    fn begin(&mut self) {}

    /// A joint move of such a playout is made in a state.
    fn played(&mut self, _state: &Bits, _joint: &[MoveId]) {}

    /// Such a playout came to its end, and brought so much to each role.
    fn ended(&mut self, _values: &[f32]) {}

    /// Learns from what playouts brought.
    fn learn(&mut self, _estimate: &Estimate) {}

    /// Learns from moves that were made in the tree: what so many playouts after them brought the
    /// role of each.
    fn learn_moves(&mut self, _moves: &[((RoleId, MoveId), f32)], _playouts: f32) {}
}

impl Policy for Box<dyn Policy> {
    fn runs_in_lanes(&self) -> bool {
        (**self).runs_in_lanes()
    }

    fn weights(&self) -> Option<Weights<'_>> {
        (**self).weights()
    }

    fn wants_moves(&self) -> bool {
        (**self).wants_moves()
    }

    fn decisive(&self) -> Decisive {
        (**self).decisive()
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        (**self).pick(legal, random)
    }

    fn begin(&mut self) {
        (**self).begin();
    }

    fn played(&mut self, state: &Bits, joint: &[MoveId]) {
        (**self).played(state, joint);
    }

    fn ended(&mut self, values: &[f32]) {
        (**self).ended(values);
    }

    fn learn(&mut self, estimate: &Estimate) {
        (**self).learn(estimate);
    }

    fn learn_moves(&mut self, moves: &[((RoleId, MoveId), f32)], playouts: f32) {
        (**self).learn_moves(moves, playouts);
    }
}

/// Lets a policy learn from the moves of a way down a tree, given what its end is worth.
pub(crate) fn learn_way<S: Stats>(
    policy: &mut impl Policy,
    (tree, path): (&Tree<S>, &Path),
    (values, playouts): (&[f32], f32),
) {
    let mut moves = Vec::new();
    for (node, arms) in path.upward() {
        for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
            let action = tree.arms(node, role)[arm as usize].action;
            moves.push(((role, action), values[role.index()]));
        }
    }
    policy.learn_moves(&moves, playouts);
}

/// Every legal move with the same probability.
#[derive(Copy, Clone, Debug, Default)]
pub struct Uniform;

impl Policy for Uniform {
    fn runs_in_lanes(&self) -> bool {
        true
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        legal.any(random)
    }
}

/// Every legal move with the same probability, unless a move wins at once; estimates may tell of
/// the moves that were played.
#[derive(Copy, Clone, Debug, Default)]
pub struct Plain {
    /// Whether they do.
    pub counts: bool,
    /// What is done about moves that win at once.
    pub decisive: Decisive,
}

impl Policy for Plain {
    fn runs_in_lanes(&self) -> bool {
        true
    }

    fn wants_moves(&self) -> bool {
        self.counts
    }

    fn decisive(&self) -> Decisive {
        self.decisive
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        Uniform.pick(legal, random)
    }
}
