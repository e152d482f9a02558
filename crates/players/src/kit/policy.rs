//! How playouts choose their moves.

use super::Estimate;
use game::{MoveId, RoleId, Walk, Weights};
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

    /// A legal move of a role where a walk stands; none if there is none.
    fn pick(
        &mut self,
        walk: &Walk<'_>,
        role: RoleId,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<MoveId>;

    /// Learns from what playouts brought.
    fn learn(&mut self, _estimate: &Estimate) {}
}

/// Every legal move with the same probability.
#[derive(Copy, Clone, Debug, Default)]
pub struct Uniform;

impl Policy for Uniform {
    fn runs_in_lanes(&self) -> bool {
        true
    }

    fn pick(
        &mut self,
        walk: &Walk<'_>,
        role: RoleId,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<MoveId> {
        walk.any_legal(role, random)
    }
}

/// Every legal move with the same probability, and estimates tell of the moves that were played.
#[derive(Copy, Clone, Debug)]
pub struct Counting {
    /// Whether they do.
    pub counts: bool,
}

impl Policy for Counting {
    fn runs_in_lanes(&self) -> bool {
        true
    }

    fn wants_moves(&self) -> bool {
        self.counts
    }

    fn pick(
        &mut self,
        walk: &Walk<'_>,
        role: RoleId,
        random: &mut Xoshiro256PlusPlus,
    ) -> Option<MoveId> {
        Uniform.pick(walk, role, random)
    }
}
