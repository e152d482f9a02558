//! The move that comes of a tree that was searched.

use super::crew::Done;
use crate::tree::{Arm, NodeId, Stats, Tree, Who};
use crate::{Decision, Seat};
use std::sync::{Mutex, MutexGuard};

/// Locks the tree.
pub(crate) fn lock<S: Stats>(tree: &Mutex<Tree<S>>) -> MutexGuard<'_, Tree<S>> {
    tree.lock().expect("no thread leaves the tree half changed")
}

/// The best move of a role at a root that was searched: the one tried most, whose value `worth`
/// tells, or one that is proven to bring more.
pub(crate) fn decide<S: Stats>(
    tree: &Tree<S>,
    root: NodeId,
    (seat, done): (&Seat, &Done),
    worth: impl Fn(&Arm<S::Arm>) -> f32,
) -> Option<Decision> {
    let role = seat.role;
    let arms = tree.arms(root, role);
    let alone = tree.who(root) == Who::Role(role);
    let open = (0..arms.len()).filter(|&arm| !arms[arm].is_closed());
    let tried = open.max_by_key(|&arm| arms[arm].visits);
    let tried = tried.map(|arm| (worth(&arms[arm]), arm));
    let known = match alone {
        true => tree.best_proven(root, role),
        false => None,
    };
    let proven = tree.proven(root).is_some();
    let (value, arm) = match (tried, known) {
        (Some(tried), Some(known)) if known.0 > tried.0 || proven => known,
        (Some(tried), _) => tried,
        (None, known) => known?,
    };
    Some(Decision {
        action: arms[arm].action,
        value: Some(f64::from(value)),
        proven,
        playouts: done.work.playouts,
    })
}
