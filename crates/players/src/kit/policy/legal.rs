//! What a policy chooses among.

use game::{Bits, MoveId, RoleId, Walk};
use rand_core::Rng;

/// The legal moves of a role where a walk stands, but for those to be avoided.
#[derive(Copy, Clone)]
pub struct Legal<'l, 'g> {
    walk: &'l Walk<'g>,
    role: RoleId,
    avoided: &'l [MoveId],
}

impl<'l, 'g> Legal<'l, 'g> {
    /// All legal moves of a role.
    pub fn new(walk: &'l Walk<'g>, role: RoleId) -> Legal<'l, 'g> {
        Legal {
            walk,
            role,
            avoided: &[],
        }
    }

    /// The same without some moves. A legal move has to be left, if there is one.
    #[must_use]
    pub fn avoiding(self, avoided: &'l [MoveId]) -> Legal<'l, 'g> {
        Legal { avoided, ..self }
    }

    /// The role that chooses.
    pub fn role(&self) -> RoleId {
        self.role
    }

    /// The state it chooses in.
    pub fn state(&self) -> &Bits {
        self.walk.state()
    }

    /// Whether the rules leave the role more than one move.
    pub fn is_choice(&self) -> bool {
        self.walk.legal(self.role).len() > 1
    }

    /// The moves, in the order of their ids.
    pub fn moves(&self) -> Vec<MoveId> {
        let mut moves = self.walk.legal(self.role);
        moves.retain(|it| !self.avoided.contains(it));
        moves
    }

    /// A move drawn uniformly; none if there is none.
    pub fn any(&self, random: &mut impl Rng) -> Option<MoveId> {
        if self.avoided.is_empty() {
            return self.walk.any_legal(self.role, random);
        }
        let moves = self.moves();
        let count = Some(moves.len() as u64).filter(|&it| it > 0)?;
        Some(moves[(random.next_u64() % count) as usize])
    }
}
