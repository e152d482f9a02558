//! What earlier matches proved, in the tree of this one; and what this one proved, for later ones.
//!
//! A state that is known is narrowed to its value when it is entered, and is then never opened. At
//! the root that is not enough, as a move is wanted: so the states after its moves are recalled,
//! and the value of the root itself only if one of them brings it.

use super::nogoods::Nogoods;
use super::search::Revaluation;
use crate::kit::Clock;
use crate::kit::decide::lock;
use crate::memory::Known;
use crate::tree::{Fresh, NEAR, NodeId, Tree, Who};
use crate::{Budget, Memory, Seat};
use game::{BitsBuf, MoveId, RoleId, Walk};
use std::cmp::Reverse;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The part of the time in which the states after the moves of the root may be found.
const SHARE: u32 = 10;

/// The nogoods of a seat's memory, which its players share; new ones without a memory.
pub(super) fn nogoods(seat: &Seat) -> Arc<Nogoods> {
    let memory = seat.memory.as_ref();
    memory.map_or_else(Arc::default, |it| Arc::clone(it.nogoods()))
}

/// Recalls the states after the moves of the root; returns whether the root is proven by that, with
/// a move that brings its value.
pub(super) fn at_root(
    tree: &Mutex<Tree<Revaluation>>,
    root: NodeId,
    (seat, budget): (&Seat, &Budget),
) -> bool {
    let Some(memory) = seat.memory.as_deref().filter(|it| !it.is_empty()) else {
        return false;
    };
    let began = Instant::now();
    let until = budget.time_left().map(|left| began + left / SHARE);
    let clock = Clock::new(&until.map_or(*budget, Budget::Until));
    let mut recall = Recall {
        memory,
        walk: clock.walk(&seat.game),
        clock,
    };
    let mut tree = lock(tree);
    recall.open(&mut tree, root);
    let Who::Role(role) = tree.who(root) else {
        forget_at_once(&mut tree, root, memory);
        return false;
    };
    recall.moves(&mut tree, (root, role));
    tree.prove(root);
    let known = memory.find(tree.state(root));
    let best = tree.best_proven(root, role);
    if let (Some(known), Some((value, _))) = (known, best)
        && value > known.values[role.index()] - NEAR
    {
        tree.narrow_all(root, &known.bounds(), known.turns);
    }
    let least = tree.bounds_of(root, role).0 - NEAR;
    tree.proven(root).is_some() && best.is_some_and(|(value, _)| value > least)
}

/// Forgets what is known of a root at which several choose at once: its value tells no move.
fn forget_at_once(tree: &mut Tree<Revaluation>, root: NodeId, memory: &Memory) {
    if tree.who(root) == Who::Several && memory.find(tree.state(root)).is_some() {
        tree.reopen(root);
    }
}

/// Working memory.
struct Recall<'s> {
    memory: &'s Memory,
    walk: Walk<'s>,
    clock: Clock,
}

impl Recall<'_> {
    /// Adds the moves of a node that is open.
    fn open(&mut self, tree: &mut Tree<Revaluation>, node: NodeId) {
        if tree.who(node) != Who::Open || self.clock.is_late() {
            return;
        }
        self.walk.load(tree.state(node));
        let mut fresh = Fresh::default();
        fresh.take(&mut self.walk, tree.roles());
        if !fresh.unknown {
            tree.open(node, &fresh);
        }
    }

    /// Recalls the states after the moves of a role that alone decides, as far as there is time.
    fn moves(&mut self, tree: &mut Tree<Revaluation>, (node, role): (NodeId, RoleId)) {
        let state = tree.state(node).to_owned();
        let (mut arms, mut joint) = (vec![0; tree.roles()], Vec::new());
        for arm in 0..tree.arms(node, role).len() {
            if tree.is_full() || self.clock.is_late() {
                return;
            }
            arms[role.index()] = arm as u32;
            tree.actions(node, &arms, &mut joint);
            if let Some((next, known)) = self.after(&state, &joint) {
                let child = tree.enter_open(&next);
                tree.link(node, &arms, child);
                tree.take_over(child, &known);
            }
        }
    }

    /// The state after a joint move, if it is known.
    fn after(&mut self, state: &BitsBuf, joint: &[MoveId]) -> Option<(BitsBuf, Known)> {
        self.walk.load(state);
        self.walk.play(joint);
        if self.walk.is_broken_off() {
            return None;
        }
        let known = self.memory.find(self.walk.state())?;
        Some((self.walk.state().to_owned(), known))
    }
}

impl Tree<Revaluation> {
    /// Narrows a node that is open to its value, if that is known.
    pub(super) fn recall(&mut self, node: NodeId, memory: &Memory) {
        if let Some(known) = memory.find(self.state(node)) {
            self.take_over(node, &known);
        }
    }

    fn take_over(&mut self, node: NodeId, known: &Known) {
        if self.who(node) != Who::Over && self.proven(node).is_none() {
            self.narrow_all(node, &known.bounds(), known.turns);
        }
    }
}

/// Adds the states that a tree proves to the memory of a seat, those visited most if there are too
/// many. What the tree forgot during the match is lost.
pub(super) fn remember(tree: &Tree<Revaluation>, seat: &Seat) {
    let Some(memory) = &seat.memory else {
        return;
    };
    let nodes = (0..tree.len()).map(|it| it as NodeId);
    let proven = |&node: &NodeId| tree.who(node) != Who::Over && tree.proven(node).is_some();
    let mut nodes: Vec<NodeId> = nodes.filter(proven).collect();
    if nodes.len() > memory.limit() {
        nodes.sort_by_key(|&node| Reverse(tree.visits(node)));
        nodes.truncate(memory.limit());
    }
    memory.add(nodes.iter().map(|&node| {
        let (low, _) = tree.bounds(node);
        let known = Known {
            values: low.iter().map(|it| it.clamp(0.0, 1.0)).collect(),
            turns: tree.turns(node),
            visits: tree.visits(node),
        };
        (tree.state(node).to_owned(), known)
    }));
}
