//! What can be done in a state of a puzzle: the states after its moves, and a playout whose moves are
//! recorded. Both break off when time is over.

use super::goals::Goals;
use super::line::{Best, ROLE};
use crate::kit::{By, Playouts, TURNS, Thread};
use game::{Bits, BitsBuf, MoveId};

/// So many turns or moves are made between two looks at the clock.
const LOOK: usize = 16;

/// What a search works with.
pub(super) struct Means<'m, 'g> {
    pub(super) thread: &'m mut Thread<'g>,
    pub(super) playouts: &'m mut Playouts<'g>,
    /// How playouts are made now.
    pub(super) by: By,
    /// What the rules tell of the puzzle.
    pub(super) goals: &'m Goals,
    /// The best line from the root.
    pub(super) best: &'m Best,
    pub(super) root: &'m Bits,
}

/// What comes after a move.
pub(super) enum Next {
    /// The match goes on.
    State(BitsBuf),
    /// It is over, and brings this.
    End(f32),
}

/// What comes after each move of a state, as far as there is time.
pub(super) fn next(thread: &mut Thread<'_>, state: &Bits) -> Vec<(MoveId, Next)> {
    let mut all = Vec::new();
    thread.walk.load(state);
    for (number, action) in thread.walk.legal(ROLE).into_iter().enumerate() {
        if number.is_multiple_of(LOOK) && thread.clock.is_late() {
            break;
        }
        let walk = &mut thread.walk;
        walk.load(state);
        walk.play(&[action]);
        if walk.is_broken_off() {
            break;
        }
        let next = match walk.terminal() {
            true => Next::End(walk.value(ROLE)),
            false => Next::State(walk.state().to_owned()),
        };
        all.push((action, next));
    }
    all
}

/// The moves of a playout from a state, and what it brings; none if it does not come to an end.
pub(super) fn recorded(thread: &mut Thread<'_>, state: &Bits) -> Option<(f32, Vec<MoveId>)> {
    let mut moves = Vec::new();
    thread.walk.load(state);
    thread.playouts += 1;
    while !thread.walk.terminal() {
        let is_time = !moves.len().is_multiple_of(LOOK) || !thread.clock.is_late();
        let action = thread.walk.any_legal(ROLE, &mut thread.random);
        let action = action.filter(|_| is_time)?;
        thread.walk.play(&[action]);
        moves.push(action);
        if moves.len() as u64 > TURNS {
            return None;
        }
    }
    Some((thread.walk.value(ROLE), moves))
}
