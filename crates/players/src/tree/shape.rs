//! What all states of a game have in common, and how large a tree of them may become.

use game::{Game, RoleId};
use smallvec::SmallVec;

/// What each role gets at least, and at most.
pub(crate) type Bounds = SmallVec<[(f32, f32); 4]>;

/// What a tree has to know of a game, and its limits.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    /// How many words each state has; none if that differs from state to state.
    pub(super) words: Option<usize>,
    /// The role that is chance.
    pub(crate) chance: Option<RoleId>,
    /// The most that each role can get.
    pub(crate) most: Vec<f32>,
    /// The two roles that share a constant sum, if there are two.
    pub(crate) sum: Option<Sum>,
    /// How many bytes the tree may take.
    pub(super) memory: usize,
    /// Numbers that a search keeps with each node beside those of its statistics.
    pub(super) numbers: usize,
    /// Whether nodes know their parents.
    pub(super) parents: bool,
}

/// Two roles, and what they get together in every end.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct Sum {
    pub(crate) roles: [RoleId; 2],
    pub(crate) sum: f32,
}

impl Sum {
    /// The other of the two roles.
    pub(crate) fn other(&self, role: RoleId) -> Option<RoleId> {
        match self.roles {
            [one, other] if one == role => Some(other),
            [other, one] if one == role => Some(other),
            _ => None,
        }
    }
}

impl Shape {
    /// The shape of a game's states, for a tree of so many bytes.
    pub(crate) fn new(game: &Game, memory: usize) -> Shape {
        Shape {
            words: game.state_words(),
            chance: game.chance(),
            most: game.role_ids().map(|role| game.most(role)).collect(),
            sum: constant_sum(game),
            memory,
            numbers: 0,
            parents: false,
        }
    }

    /// The same, for nodes with so many more numbers each, which may have to know their parents.
    pub(crate) fn keeping(self, numbers: usize, parents: bool) -> Shape {
        Shape {
            numbers,
            parents,
            ..self
        }
    }

    pub(crate) fn roles(&self) -> usize {
        self.most.len()
    }

    /// Bounds of all roles where nothing is known.
    pub(crate) fn open(&self) -> Bounds {
        self.most.iter().map(|&most| (0.0, most)).collect()
    }

    /// Bounds of all roles where only those of one are known.
    pub(crate) fn of_role(&self, role: RoleId, (low, high): (f32, f32)) -> Bounds {
        let mut bounds = self.open();
        bounds[role.index()] = (low, high);
        if let Some(sum) = self.sum
            && let Some(other) = sum.other(role)
        {
            bounds[other.index()] = (sum.sum - high, sum.sum - low);
        }
        bounds
    }

    /// All there is to get, if there is one role, and no chance.
    pub(crate) fn solo_most(&self) -> Option<f32> {
        match self.most[..] {
            [most] if self.chance.is_none() => Some(most),
            _ => None,
        }
    }
}

/// The two players that share a constant sum, if the gates tell that they do.
fn constant_sum(game: &Game) -> Option<Sum> {
    let roles: [RoleId; 2] = game.players().collect::<Vec<_>>().try_into().ok()?;
    let sum = game.constant_sum(roles)?;
    Some(Sum { roles, sum })
}
