//! One and two turns ahead of a playout that is played by itself (Teytaud and Teytaud 2010):
//! decisive moves, which win at once, and anti-decisive ones, after which nobody else does.
//!
//! Looked at are states in which one role alone has a choice, and is not chance. A move wins if it
//! ends the match with the most that its role can get; of several one is drawn. A move is avoided if
//! another role wins at once after it, where that role alone has a choice or all moves are forced,
//! unless every move is such. States with more than [`MOST`] moves are not looked at, nor are replies
//! where there are more of them after all moves together.
//!
//! The walk is one of its own and keeps to the clock of the thread: what is not known by then is not
//! decided here.

use crate::kit::Clock;
use crate::tree::{Fresh, NEAR, Who};
use game::{Game, MoveId, RoleId, Walk};
use rand_core::Rng;

/// More moves, or replies to all of them, are not tried.
const MOST: usize = 64;

/// What is known of the moves of the role that chooses.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Advice<'a> {
    role: RoleId,
    win: Option<MoveId>,
    avoided: &'a [MoveId],
}

impl<'a> Advice<'a> {
    /// The move with which a role wins, if it has one.
    pub(crate) fn win(&self, role: RoleId) -> Option<MoveId> {
        self.win.filter(|_| self.role == role)
    }

    /// The moves that a role avoids; another is left.
    pub(crate) fn avoided(&self, role: RoleId) -> &'a [MoveId] {
        match self.role == role {
            true => self.avoided,
            false => &[],
        }
    }
}

/// Looks ahead, with working memory of its own.
pub(crate) struct Ahead<'g> {
    walk: Walk<'g>,
    chance: Option<RoleId>,
    /// The most that each role can get.
    most: Vec<f32>,
    here: Fresh,
    /// The moves of the role that chooses; those before it have been tried.
    moves: Vec<MoveId>,
    joint: Vec<MoveId>,
    /// Moves that do not end the match, and the states after them; none if replies do not matter.
    after: Vec<(MoveId, Fresh)>,
    avoided: Vec<MoveId>,
}

impl<'g> Ahead<'g> {
    pub(crate) fn new(game: &'g Game, clock: &Clock) -> Ahead<'g> {
        Ahead {
            walk: clock.walk(game),
            chance: game.chance(),
            most: game.role_ids().map(|role| game.most(role)).collect(),
            here: Fresh::default(),
            moves: Vec::new(),
            joint: Vec::new(),
            after: Vec::new(),
            avoided: Vec::new(),
        }
    }

    /// Keeps to a clock from now on.
    pub(crate) fn keep_to(&mut self, clock: &Clock) {
        self.walk.set_deadline(clock.until());
    }

    /// What is known where a walk stands, of replies too if they matter; none if nothing is.
    pub(crate) fn look(
        &mut self,
        at: &mut Walk<'_>,
        replies: bool,
        random: &mut impl Rng,
    ) -> Option<Advice<'_>> {
        self.here.take(at, self.most.len());
        let Who::Role(role) = self.here.who(self.chance) else {
            return None;
        };
        self.moves.clear();
        self.moves.extend_from_slice(self.here.moves(role));
        if self.moves.len() > MOST {
            return None;
        }
        self.avoided.clear();
        let win = self.try_moves(role, replies, random)?;
        if replies && win.is_none() {
            self.find_threats(role);
        }
        let avoided = &self.avoided;
        Some(Advice { role, win, avoided })
    }

    /// A move of a role that wins at once, if there is one; none at all if time was over. Takes
    /// the states after moves that go on, if replies matter.
    fn try_moves(
        &mut self,
        role: RoleId,
        replies: bool,
        random: &mut impl Rng,
    ) -> Option<Option<MoveId>> {
        self.after.clear();
        first_joint(&self.here, self.most.len(), &mut self.joint);
        // In an order that is drawn, the first win is one of all with the same probability.
        for tried in 0..self.moves.len() {
            let left = (self.moves.len() - tried) as u64;
            let drawn = tried + (random.next_u64() % left) as usize;
            self.moves.swap(tried, drawn);
            let action = self.moves[tried];
            self.joint[role.index()] = action;
            self.walk.load(&self.here.state);
            self.walk.play(&self.joint);
            if self.walk.is_broken_off() {
                return None;
            }
            if self.wins(role) {
                return Some(Some(action));
            }
            if replies && !self.walk.terminal() {
                let mut after = Fresh::default();
                after.take(&mut self.walk, self.most.len());
                self.after.push((action, after));
            }
        }
        Some(None)
    }

    /// Whether the match is over where the walk stands, with all that a role can get.
    fn wins(&mut self, role: RoleId) -> bool {
        let most = self.most[role.index()];
        most > 0.0 && self.walk.terminal() && self.walk.value(role) >= most - NEAR
    }

    /// Finds the moves after which another role wins at once, unless all are such, or time is over.
    fn find_threats(&mut self, role: RoleId) {
        let after = std::mem::take(&mut self.after);
        let replies = after
            .iter()
            .map(|(_, state)| self.replies(state, role).len());
        if replies.sum::<usize>() <= MOST {
            for (action, state) in &after {
                if self.is_answered(state, role) {
                    self.avoided.push(*action);
                }
            }
        }
        if self.avoided.len() == self.moves.len() || self.walk.is_broken_off() {
            self.avoided.clear();
        }
        self.after = after;
    }

    /// The moves with which others reply to a role, and who makes them; nobody where all is forced.
    fn replies<'s>(&self, state: &'s Fresh, role: RoleId) -> Replies<'s> {
        match state.who(self.chance) {
            Who::Role(other) if other != role => Replies::Of(other, state.moves(other)),
            Who::Nobody => Replies::Forced,
            _ => Replies::Unknown,
        }
    }

    /// Whether another role than the one that moved wins at once in a state.
    fn is_answered(&mut self, state: &Fresh, role: RoleId) -> bool {
        first_joint(state, self.most.len(), &mut self.joint);
        match self.replies(state, role) {
            Replies::Unknown => false,
            Replies::Forced => {
                self.walk.load(&state.state);
                self.walk.play(&self.joint);
                let mut others = RoleId::all(self.most.len()).filter(|&it| it != role);
                others.any(|it| self.chance != Some(it) && self.wins(it))
            }
            Replies::Of(other, moves) => moves.iter().any(|&reply| {
                self.joint[other.index()] = reply;
                self.walk.load(&state.state);
                self.walk.play(&self.joint);
                self.wins(other)
            }),
        }
    }
}

/// What others can do at once after a move.
#[derive(Copy, Clone)]
enum Replies<'s> {
    /// One role chooses.
    Of(RoleId, &'s [MoveId]),
    /// Every role has one move.
    Forced,
    /// Nothing is told: the role that moved goes on, chance decides, or several roles choose.
    Unknown,
}

impl Replies<'_> {
    /// How many there are to be tried.
    fn len(self) -> usize {
        match self {
            Replies::Of(_, moves) => moves.len(),
            Replies::Forced => 1,
            Replies::Unknown => 0,
        }
    }
}

/// The first move of every role in a state that goes on.
fn first_joint(state: &Fresh, roles: usize, joint: &mut Vec<MoveId>) {
    joint.clear();
    joint.extend(RoleId::all(roles).map(|role| state.moves(role)[0]));
}

#[cfg(test)]
mod tests;
