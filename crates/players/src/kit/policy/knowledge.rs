//! What policies learn. Threads of a player share it, and it is kept from turn to turn.

use game::{Bits, BitsBuf, FluentId, Game, MoveId, MoveTable, RoleId};
use hashbrown::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What something brought: a mean over playouts that fade.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub(crate) struct Quality {
    pub(crate) playouts: f32,
    pub(crate) sum: f32,
}

impl Quality {
    /// Adds playouts with what they brought on the average.
    pub(crate) fn add(&mut self, playouts: f32, mean: f32) {
        self.playouts += playouts;
        self.sum += playouts * mean;
    }

    /// What it brought on the average, where so many playouts of a given mean count as well.
    pub(crate) fn mean(&self, (playouts, mean): (f32, f32)) -> f32 {
        (self.sum + playouts * mean) / (self.playouts + playouts).max(f32::MIN_POSITIVE)
    }

    /// Counts for less.
    fn fade(&mut self, kept: f32) {
        self.playouts *= kept;
        self.sum *= kept;
    }
}

/// A move of a role.
pub(super) type Act = (RoleId, MoveId);
/// Up to three moves, the last one made last.
pub(super) type Sequence = [Option<Act>; 3];
/// A role that replies, the move it replies to, and its own move before that.
pub(super) type Context = (RoleId, Act, Option<Act>);

/// More sequences, pairs or replies are not kept: the oldest are all forgotten.
const MOST: usize = 1 << 20;

/// What is learned; a policy uses what it needs.
#[derive(Debug, Default)]
pub(super) struct Learned {
    /// Of each move.
    pub(super) moves: MoveTable<Quality>,
    /// Of sequences of two or three moves.
    pub(super) sequences: HashMap<Sequence, Quality>,
    /// Of a fluent that held and a move.
    pub(super) pairs: HashMap<(FluentId, Act), Quality>,
    /// What was replied to one move, or two, in a match that was won.
    pub(super) replies: HashMap<Context, MoveId>,
    /// Whether weights were learned before the first search.
    pub(super) trained: bool,
}

/// How many moves each role has; nothing if they are not numbered.
pub(super) fn sizes(game: &Game) -> Vec<usize> {
    let moves = game.role_ids().map(|role| Some(game.moves(role)?.len()));
    let sizes: Option<Vec<usize>> = moves.collect();
    sizes.unwrap_or_default()
}

/// What all threads of a player know.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    learned: Mutex<Learned>,
    moves: usize,
}

impl Knowledge {
    /// Nothing, of a game.
    pub(crate) fn new(game: &Game) -> Knowledge {
        let sizes = sizes(game);
        Knowledge {
            moves: sizes.iter().sum(),
            learned: Mutex::new(Learned {
                moves: MoveTable::new(sizes, Quality::default()),
                ..Learned::default()
            }),
        }
    }

    /// Whether moves are numbered: else nothing can be learned of them.
    pub(super) fn has_moves(&self) -> bool {
        self.moves > 0
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Learned> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A turn was made: what was learned before counts for less.
    pub(crate) fn age(&self, kept: f32) {
        let mut learned = self.lock();
        let Learned {
            moves,
            sequences,
            pairs,
            trained,
            ..
        } = &mut *learned;
        if !*trained {
            moves.values_mut().iter_mut().for_each(|it| it.fade(kept));
        }
        sequences.values_mut().for_each(|it| it.fade(kept));
        pairs.values_mut().for_each(|it| it.fade(kept));
    }
}

impl Learned {
    /// What a role got on the average in the playouts that moves were counted in.
    pub(super) fn mean(&self, role: RoleId) -> f32 {
        let mut all = Quality::default();
        for quality in self.moves.of_role(role) {
            all.playouts += quality.playouts;
            all.sum += quality.sum;
        }
        all.mean((1.0, 0.5))
    }

    /// Forgets what grows without bounds, if it has become too much.
    pub(super) fn bound(&mut self) {
        if self.sequences.len() > MOST {
            self.sequences.clear();
        }
        if self.pairs.len() > MOST {
            self.pairs.clear();
        }
        if self.replies.len() > MOST {
            self.replies.clear();
        }
    }
}

/// A playout that was played by itself: the states and joint moves, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Course {
    states: Vec<BitsBuf>,
    joints: Vec<MoveId>,
    roles: usize,
}

impl Course {
    pub(super) fn new(roles: usize) -> Course {
        Course {
            roles,
            ..Course::default()
        }
    }

    pub(super) fn clear(&mut self) {
        self.states.clear();
        self.joints.clear();
    }

    /// Adds a turn.
    pub(super) fn push(&mut self, state: Option<&Bits>, joint: &[MoveId]) {
        self.states.extend(state.map(Bits::to_owned));
        self.joints.extend_from_slice(joint);
    }

    /// How many turns there are.
    pub(super) fn len(&self) -> usize {
        self.joints.len() / self.roles
    }

    pub(super) fn joint(&self, turn: usize) -> &[MoveId] {
        &self.joints[turn * self.roles..][..self.roles]
    }

    pub(super) fn state(&self, turn: usize) -> &Bits {
        &self.states[turn]
    }
}
