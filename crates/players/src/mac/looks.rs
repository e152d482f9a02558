//! When a thread of a search looks ahead, and what it does with what is proven.

use super::effort::{Depth, Effort, Gain};
use super::look::ROUNDS;
use super::search::Revaluation;
use super::solve::{Far, Solved};
use super::worker::Worker;
use crate::kit::decide::lock;
use crate::kit::path::Path;
use crate::tree::{NEAR, NodeId, Tree, Who};
use game::RoleId;
use std::sync::{MutexGuard, PoisonError};
use std::time::Instant;

/// At most about so many decisions of a network are tried in one look.
const NODES: i64 = 4096;

impl<'s> Worker<'s> {
    /// Looks ahead from the root, as far as a small share of the time allows; what that removes is
    /// likely to be there below the root, too.
    pub(super) fn look_from_root(&mut self) {
        let root = self.shared.root;
        let began = Instant::now();
        let mut tree = lock(self.shared.tree);
        if tree.who(root) == Who::Over || !self.solver.looks() || self.shared.solving == Some(0.0) {
            return;
        }
        let state = tree.state(root).to_owned();
        drop(tree);
        let share = match self.effort().pays(Depth::Deep) {
            true => 10,
            false => 50,
        };
        let until = self.thread.clock.until();
        let until = until.map(|it| began + it.saturating_duration_since(began) / share);
        self.solver.look_until(until);
        let far = Far {
            rounds: ROUNDS,
            nodes: NODES * 8,
        };
        let with = (&mut self.thread, far);
        let looked = self.solver.look(&state, with, &mut self.solved);
        self.solver.look_until(self.thread.clock.until());
        self.spent.states += began.elapsed();
        if !looked || self.solved.fresh.unknown {
            return;
        }
        tree = lock(self.shared.tree);
        if tree.who(root) == Who::Open {
            tree.open(root, &self.solved.fresh);
        }
        let gain = self.enter(&mut tree, (root, &Path::default()));
        tree.note_rounds(root, ROUNDS);
        drop(tree);
        self.looked.solved += 1;
        // Its cost is limited by itself.
        self.note_look(far, gain, began);
        if gain.removed > 0 {
            self.effort().wake();
        }
    }

    /// How far to look ahead from a state that is opened.
    pub(super) fn far(&self) -> Option<Far> {
        let looks = self.solver.looks() && self.effort().allows(Depth::Ends, 0.0);
        looks.then_some(Far {
            rounds: 1,
            nodes: NODES,
        })
    }

    pub(super) fn effort(&self) -> MutexGuard<'s, Effort> {
        let effort = self.shared.effort.lock();
        effort.unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks more deeply at nodes of the paths that were visited often enough, as far as that pays.
    pub(super) fn look_deeper(&mut self, paths: usize) {
        if !self.solver.looks() || self.shared.solving == Some(0.0) {
            return;
        }
        let all = std::mem::take(&mut self.paths);
        for path in &all[..paths] {
            for step in 1..path.len() {
                if !self.effort().allows(Depth::Deep, 0.0) || self.thread.clock.is_late() {
                    break;
                }
                self.look_at(&path.up_to(step));
            }
        }
        self.paths = all;
    }

    /// Looks more deeply at the node at the end of a path, if it was visited often enough.
    pub(super) fn look_at(&mut self, path: &Path) {
        let Some(node) = path.end else { return };
        let mut tree = lock(self.shared.tree);
        let Some(rounds) = tree.deserves(node) else {
            return;
        };
        let choices = RoleId::all(tree.roles()).map(|role| tree.arms(node, role).len());
        let choices = choices.max().unwrap_or(1) as f32;
        let decisions = choices.powi(rounds as i32).min(NODES as f32);
        if !self.effort().allows(Depth::Deep, decisions) {
            return;
        }
        tree.note_rounds(node, rounds);
        let state = tree.state(node).to_owned();
        drop(tree);
        let began = Instant::now();
        let far = Far {
            rounds,
            nodes: NODES,
        };
        let with = (&mut self.thread, far);
        if !self.solver.look(&state, with, &mut self.solved) || self.solved.fresh.unknown {
            return;
        }
        self.spent.states += began.elapsed();
        let mut tree = lock(self.shared.tree);
        let gain = self.enter(&mut tree, (node, path));
        drop(tree);
        let cost = self.note_look(far, gain, began);
        self.effort().note(Depth::Deep, cost, gain);
    }

    /// Puts what is proven of the moves of a node into the tree, and tells the nodes on the way
    /// there; returns what that brought.
    pub(super) fn enter(
        &self,
        tree: &mut Tree<Revaluation>,
        (node, path): (NodeId, &Path),
    ) -> Gain {
        let who = tree.who(node);
        let role = match who {
            Who::Role(role) | Who::Chance(role) => role,
            _ => RoleId::new(0),
        };
        let before = tree.closed(node, role);
        for proven in &self.solved.proven {
            let child = tree.enter_open(&proven.state);
            let mut arms = vec![0; tree.roles()];
            arms[role.index()] = proven.arm as u32;
            tree.link(node, &arms, child);
            match proven.over {
                true if tree.who(child) == Who::Open => {
                    let values: Vec<f32> = proven.bounds.iter().map(|it| it.0).collect();
                    tree.settle(child, &values);
                }
                true => {}
                false => tree.narrow_all(child, &proven.bounds, 1),
            }
        }
        let mut news = tree.prove(node);
        let moves = tree.arms(node, role).len();
        let proven = tree.proven(node).map(|values| values[role.index()]);
        let removed = match (&self.solved.several, who) {
            (Some(several), _) => tree.drop_dominated(node, several),
            (None, Who::Role(_)) if proven.is_some() => moves.saturating_sub(before),
            (None, Who::Role(role)) => tree.closed(node, role) - before,
            _ => 0,
        };
        let most = tree.most(role) - NEAR;
        for (node, _) in path.upward() {
            news = news && tree.prove(node);
        }
        Gain {
            removed,
            moves,
            won: removed > 0 && proven.is_some_and(|it| it >= most),
        }
    }

    /// Counts a look; returns what it cost, and its decisions.
    pub(super) fn note_look(&mut self, far: Far, gain: Gain, began: Instant) -> (f32, f32) {
        let Solved { nodes, reused, .. } = self.solved;
        let looked = &mut self.looked;
        match far.rounds {
            1 => looked.ends += 1,
            _ => looked.deep += 1,
        }
        looked.fruitful += u64::from(gain.removed > 0);
        looked.removed += gain.removed as u64;
        looked.reused += reused as u64;
        looked.nodes += nodes;
        let elapsed = began.elapsed().as_nanos() as u64;
        looked.nanoseconds += elapsed;
        let decisions = nodes as f32;
        match self.thread.clock.until() {
            Some(_) => (elapsed as f32, decisions),
            None => (decisions, decisions),
        }
    }
}
