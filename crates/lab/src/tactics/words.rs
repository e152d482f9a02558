//! Moves of a game as text, and back.

use super::{BadPuzzle, Puzzle};
use game::{BitsBuf, Game, Joints, MoveId, RoleId, Scratch};

/// The names of roles and moves.
pub(super) struct Words<'g> {
    game: &'g Game,
    scratch: Scratch,
}

impl<'g> Words<'g> {
    pub(super) fn new(game: &'g Game) -> Words<'g> {
        let scratch = game.scratch();
        Words { game, scratch }
    }

    pub(super) fn role(&self, role: RoleId) -> String {
        let terms = self.scratch.terms();
        terms.text(self.game.roles()[role.index()])
    }

    pub(super) fn action(&self, role: RoleId, action: MoveId) -> String {
        let term = self.game.move_term(role, action);
        self.scratch.terms().text(term)
    }

    /// A joint move, as `ludex show facts --after` reads it.
    pub(super) fn joint(&self, joint: &[MoveId]) -> String {
        let roles = self.game.role_ids().zip(joint);
        let texts: Vec<String> = roles.map(|(role, &it)| self.action(role, it)).collect();
        texts.join(" ")
    }

    /// The state of a puzzle and the role that is to move, by playing its joint moves.
    pub(super) fn position(&self, puzzle: &Puzzle) -> Result<(BitsBuf, RoleId), BadPuzzle> {
        let mut walk = self.game.walk();
        for text in &puzzle.joints {
            let roles = self.game.role_ids();
            let legal: Vec<Vec<MoveId>> = roles.map(|role| walk.legal(role)).collect();
            let mut joints = Joints::new(&legal).into_iter().flatten();
            let joint = joints.find(|it| self.joint(it) == *text);
            let joint = joint.ok_or_else(|| BadPuzzle::Illegal(text.clone()))?;
            walk.play(&joint);
        }
        let mut roles = self.game.role_ids();
        let role = roles.find(|&role| self.role(role) == puzzle.role);
        let role = role.ok_or_else(|| BadPuzzle::Role(puzzle.role.clone()))?;
        Ok((walk.state().to_owned(), role))
    }
}
