//! A state that may become a node: its moves, and who decides there.

use game::{BitsBuf, MoveId, RoleId, Walk};

/// Who decides what comes after a state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// The match is over, or cannot go on.
    Over,
    /// Every role has one move.
    Nobody,
    /// One role.
    Role(RoleId),
    /// Chance, of which this is the role.
    Chance(RoleId),
    /// More than one.
    Several,
    /// Not known yet: the state is in the tree, its moves are not.
    Open,
}

/// A state that may become a node.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fresh {
    pub(crate) state: BitsBuf,
    /// The moves of all roles, and for each role where they end; none if the match is over.
    pub(super) moves: Vec<MoveId>,
    pub(super) ends: Vec<u32>,
    /// What the roles get, if the match is over.
    pub(crate) values: Vec<f32>,
    pub(crate) over: bool,
    /// Whether there was no time to find out about the state.
    pub(crate) unknown: bool,
}

impl Fresh {
    /// Takes the state that a walk is in.
    pub(crate) fn take(&mut self, walk: &mut Walk<'_>, roles: usize) {
        self.state.copy_from(walk.state());
        self.over = walk.terminal();
        self.unknown = walk.is_broken_off();
        self.take_moves(roles, |role, moves| walk.append_legal(role, moves));
        self.values.clear();
        self.over &= !self.unknown;
        if self.over {
            let values = RoleId::all(roles).map(|role| walk.value(role));
            self.values.extend(values);
        }
    }

    /// Takes the moves of each role, which are appended in order, unless the match is over.
    pub(crate) fn take_moves(
        &mut self,
        roles: usize,
        mut append: impl FnMut(RoleId, &mut Vec<MoveId>),
    ) {
        self.moves.clear();
        self.ends.clear();
        for role in RoleId::all(roles) {
            if !self.over {
                let before = self.moves.len();
                append(role, &mut self.moves);
                // Rules may leave a role without a move: the match cannot go on from there.
                self.over = self.moves.len() == before;
            }
            self.ends.push(self.moves.len() as u32);
        }
        if self.over {
            self.moves.clear();
            self.ends.fill(0);
        }
    }

    /// The moves of a role.
    pub(crate) fn moves(&self, role: RoleId) -> &[MoveId] {
        let role = role.index();
        let from = if role == 0 { 0 } else { self.ends[role - 1] };
        &self.moves[from as usize..self.ends[role] as usize]
    }

    /// Who decides what comes next, given which role is chance.
    pub(crate) fn who(&self, chance: Option<RoleId>) -> Who {
        let roles = RoleId::all(self.ends.len());
        let mut choosing = roles.filter(|&role| self.moves(role).len() > 1);
        match (choosing.next(), choosing.next()) {
            _ if self.over => Who::Over,
            (None, _) => Who::Nobody,
            (Some(role), None) if chance == Some(role) => Who::Chance(role),
            (Some(role), None) => Who::Role(role),
            (Some(_), Some(_)) => Who::Several,
        }
    }
}
