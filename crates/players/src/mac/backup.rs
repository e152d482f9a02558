//! What is done on the way back up: samples are noted, and what states are worth follows from the
//! states after them.
//!
//! A node's numbers are how many playouts there were below it, what each role is thought to get, and
//! the rounds that were looked ahead; then the playouts of the node itself, and what they brought each
//! role. Where a role decides, it gets the mean of its open moves, each at what it is worth now and
//! weighted by how often the search went there; where chance decides, the same of all its moves, which
//! are taken in turn. So what is learned of a state counts at once in every state before it, and what
//! is removed no longer counts.

use super::search::{Revaluation, Worth};
use super::trust::{Pair, Trust};
use crate::kit::Estimate;
use crate::kit::path::Path;
use crate::tree::{Arm, Key, NodeId, Tree, Who};
use game::{MoveTable, MoveTally, RoleId};

/// How many playouts of another node count at the most.
const INHERITED: f32 = 256.0;
/// After so many visits of a node, and so many playouts in which a move was made, its first sample
/// is held against what was told.
const KNOWN: u32 = 16;

impl<K: Key> Tree<Revaluation, K> {
    /// What a role is thought to get.
    pub(super) fn worth(&self, node: NodeId, role: RoleId) -> f32 {
        let (low, high) = self.bounds_of(node, role);
        self.numbers(node)[1 + role.index()].max(low).min(high)
    }

    /// How many samples there were below a node.
    fn samples(&self, node: NodeId) -> f32 {
        self.numbers(node)[0]
    }

    /// Whether nothing is known of what a node is worth.
    pub(super) fn is_blank(&self, node: NodeId) -> bool {
        self.samples(node) == 0.0 && self.proven(node).is_none()
    }

    /// Adds a sample of a node, of so many playouts.
    pub(super) fn add_sample(&mut self, node: NodeId, weight: f32, values: &[f32]) {
        let own = 2 + self.roles();
        let untouched = self.numbers(node)[0] == self.numbers(node)[own];
        let numbers = self.numbers_mut(node);
        numbers[0] += weight;
        numbers[own] += weight;
        let before = (numbers[own] - weight) / numbers[own];
        for (number, value) in numbers[own + 1..].iter_mut().zip(values) {
            *number = *number * before + value * (1.0 - before);
        }
        if untouched {
            numbers.copy_within(own + 1.., 1);
        }
    }

    /// What samples of a node itself brought a role; none if there was none.
    fn own(&self, node: NodeId, role: RoleId) -> Option<f32> {
        let own = 2 + self.roles();
        let numbers = self.numbers(node);
        (numbers[own] > 0.0).then(|| numbers[own + 1 + role.index()])
    }

    /// Notes what the playouts from a node tell of its own moves, if it has any.
    pub(super) fn note_moves(&mut self, node: NodeId, moves: &MoveTable<MoveTally>) {
        for role in RoleId::all(self.roles()) {
            if self.arms(node, role).len() < 2 || self.is_chance(role) {
                continue;
            }
            let told = moves.of_role(role);
            for arm in self.arms_mut(node, role) {
                let tally = told[arm.action.index()];
                arm.stats.seen += tally.playouts as f32;
                arm.stats.brought += tally.goals as f32 / 100.0;
            }
        }
    }

    /// Takes over what playouts told of the same moves in the last state on the way in which the
    /// same role decided: a beginning, until the node has playouts of its own.
    pub(super) fn inherit(&mut self, node: NodeId, path: &Path) {
        let Who::Role(role) = self.who(node) else {
            return;
        };
        let before = path.upward().map(|(it, _)| it);
        let mut before = before.filter(|&it| self.who(it) == Who::Role(role));
        let Some(before) = before.next() else {
            return;
        };
        let arms = self.arms(before, role).iter();
        let told: Vec<_> = arms.map(|arm| (arm.action, arm.stats)).collect();
        let mut told = told.into_iter().peekable();
        for arm in self.arms_mut(node, role) {
            while told.next_if(|it| it.0 < arm.action).is_some() {}
            if let Some((_, stats)) = told.next_if(|it| it.0 == arm.action) {
                let share = INHERITED / stats.seen.max(INHERITED);
                arm.stats.seen += stats.seen * share;
                arm.stats.brought += stats.brought * share;
            }
        }
    }

    /// Notes that a way is not back yet: its end is to be sampled.
    pub(super) fn send_off(&mut self, path: &Path) {
        self.each_choice(path, |arm| arm.stats.away += 1);
    }

    /// Notes that a way is back.
    pub(super) fn bring_back(&mut self, path: &Path) {
        self.each_choice(path, |arm| {
            arm.stats.away = arm.stats.away.saturating_sub(1);
        });
    }

    /// Changes the arms of a way in nodes in which one role decides.
    fn each_choice(&mut self, path: &Path, change: impl Fn(&mut Arm<Worth>)) {
        for (node, arms) in path.upward() {
            if let Who::Role(role) = self.who(node) {
                change(self.arm_mut(node, role, arms[role.index()]));
            }
        }
    }

    /// Revalues the nodes of a path from its end on, by a sample made there.
    pub(super) fn back_up(
        &mut self,
        path: &Path,
        sample: Option<&mut Estimate>,
        trust: &mut Trust,
    ) {
        let Some(mut child) = path.end else {
            return;
        };
        let mut sample = sample;
        let open = |role| self.bounds_of(child, role) == (0.0, self.most(role));
        let mut news = !RoleId::all(self.roles()).all(open);
        if let Some(sample) = sample.as_deref()
            && let Some((node, arms)) = path.last()
            && let Some(pair) = self.pair(node, arms, sample)
        {
            trust.note(pair);
        }
        for (node, arms) in path.upward() {
            let values = sample.as_ref().map(|it| &it.values[..]);
            self.note_arms((node, child), arms, values);
            news = news && self.prove(node);
            if let Some(sample) = &mut sample {
                self.numbers_mut(node)[0] += sample.weight;
                self.note_playouts(node, arms, sample);
            }
            self.revalue(node);
            child = node;
        }
    }

    /// What was told of the move made last, and its first sample.
    fn pair(&self, node: NodeId, arms: &[u32], sample: &Estimate) -> Option<Pair> {
        let Who::Role(role) = self.who(node) else {
            return None;
        };
        let arm = &self.arms(node, role)[arms[role.index()] as usize];
        let (first, worth) = (sample.values[role.index()], self.worth(node, role));
        let known = self.visits(node) >= KNOWN && arm.stats.seen >= KNOWN as f32;
        (arm.back() == 1 && known && !sample.over && sample.moves.is_some()).then(|| Pair {
            told: arm.told(worth, 0.0) - worth,
            found: first - worth,
            noise: first * (1.0 - first) / sample.weight.max(1.0),
        })
    }

    /// Notes what playouts tell of the moves of a node, those made on the way among them.
    fn note_playouts(&mut self, node: NodeId, arms: &[u32], sample: &mut Estimate) {
        let Some(moves) = &mut sample.moves else {
            return;
        };
        let roles = RoleId::all(self.roles());
        for (role, &arm) in roles.zip(arms) {
            if self.arms(node, role).len() > 1 && !self.is_chance(role) {
                let action = self.arms(node, role)[arm as usize].action;
                let goals = sample.values[role.index()] * sample.weight * 100.0;
                moves[(role, action)] = MoveTally {
                    playouts: sample.weight as u64,
                    goals: goals as u64,
                };
            }
        }
        self.note_moves(node, moves);
    }

    /// Notes what the moves brought that lead from one node to another.
    fn note_arms(&mut self, (node, child): (NodeId, NodeId), arms: &[u32], sample: Option<&[f32]>) {
        match self.who(node) {
            Who::Role(role) => {
                let value = self.worth(child, role);
                let arm = self.arm_mut(node, role, arms[role.index()]);
                if let Some(sample) = sample
                    && arm.back() > 1
                {
                    arm.stats.squares += (sample[role.index()] - arm.stats.value).powi(2);
                }
                arm.stats.value = value;
            }
            Who::Several => {
                // The sample itself: what the child is worth by now lags behind how others play.
                for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
                    let (low, high) = self.bounds_of(child, role);
                    let sampled = sample.map(|it| it[role.index()].max(low).min(high));
                    let value = sampled.unwrap_or_else(|| self.worth(child, role));
                    self.arm_mut(node, role, arm).stats.sum += value;
                }
            }
            Who::Over | Who::Nobody | Who::Chance(_) | Who::Open => {}
        }
    }

    /// Sets what a node is worth by what comes after it.
    fn revalue(&mut self, node: NodeId) {
        if let Who::Role(role) = self.who(node) {
            return self.revalue_choice(node, role);
        }
        for role in RoleId::all(self.roles()) {
            let value = match self.who(node) {
                Who::Over | Who::Open | Who::Role(_) => continue,
                Who::Nobody => self.mean_after(node, RoleId::new(0), role),
                Who::Chance(chance) => self.mean_after(node, chance, role),
                Who::Several => {
                    let own = self.own(node, role).map_or((0.0, 0), |it| (it, 1));
                    let arms = self.arms(node, role).iter();
                    let all =
                        arms.fold(own, |all, arm| (all.0 + arm.stats.sum, all.1 + arm.visits));
                    all.0 / all.1.max(1) as f32
                }
            };
            self.numbers_mut(node)[1 + role.index()] = value;
        }
    }

    /// The mean of what a role gets after the moves of another, all equally likely. They are taken in
    /// turn, so that each counts by its visits, and one that is proven, and not visited again, as much
    /// as any; a sample of the node itself counts as one more.
    fn mean_after(&self, node: NodeId, deciding: RoleId, role: RoleId) -> f32 {
        let own = self.own(node, role).map_or((0.0, 0.0), |it| (it, 1.0));
        let arms = self.arms(node, deciding);
        let most = arms.iter().map(|arm| arm.visits).max().unwrap_or(0).max(1);
        let valued = arms.iter().filter_map(|arm| {
            let child = arm.child().filter(|&child| !self.is_blank(child))?;
            let visits = match self.proven(child) {
                Some(_) => most,
                None => arm.visits,
            };
            Some((visits as f32, self.worth(child, role)))
        });
        let (sum, count) = valued.fold(own, |all, (visits, worth)| {
            (all.0 + visits * worth, all.1 + visits)
        });
        match count > 0.0 {
            true => sum / count,
            false => self.worth(node, role),
        }
    }

    /// Sets what a node is worth where a role decides, which is thought to take its better moves.
    fn revalue_choice(&mut self, node: NodeId, deciding: RoleId) {
        let Some(own) = self.mean_of_open(node, deciding, deciding) else {
            // Everything is proven, and the bounds say it.
            return;
        };
        let shared = self.shape.sum;
        let share = |role: RoleId| {
            let shared = shared.filter(|it| it.other(deciding) == Some(role));
            shared.map(|it| it.sum - own)
        };
        for role in RoleId::all(self.roles()) {
            let value = match share(role) {
                _ if role == deciding => own,
                Some(rest) => rest,
                None => self.mean_of_open(node, deciding, role).unwrap_or(own),
            };
            self.numbers_mut(node)[1 + role.index()] = value;
        }
    }

    /// The mean of what the open moves of the role that decides are worth to a role, by visits, the
    /// sample of the node itself among them; none if no move is open.
    fn mean_of_open(&self, node: NodeId, deciding: RoleId, role: RoleId) -> Option<f32> {
        let arms = self.arms(node, deciding).iter();
        let mut tried = arms.filter(|arm| arm.back() > 0 && !arm.is_closed());
        let worth = |arm: &Arm<Worth>| match arm.child() {
            Some(child) if role != deciding => self.worth(child, role),
            _ => arm.stats.value,
        };
        let own = self.own(node, role).map_or((0.0, 0.0), |it| (it, 1.0));
        let first = tried.next()?;
        let (sum, count) = std::iter::once(first).chain(tried).fold(own, |all, arm| {
            let visits = arm.back() as f32;
            (all.0 + visits * worth(arm), all.1 + visits)
        });
        Some(sum / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Fresh, Shape};
    use game::{Game, Limits};

    /// A coin is flipped: heads is proven to bring everything, tails was visited often.
    #[test]
    fn a_proven_move_of_chance_counts_as_much_as_one_that_is_visited() {
        let rules = "(role a) (role random) (init s) (legal a w) (legal random 1) (legal random 2)
            (<= (next (did ?m)) (does random ?m)) (<= terminal (not (true s)))
            (goal a 100) (goal a 0)";
        let game = Game::load(rules, &Limits::default()).expect("rules are right");
        let mut tree: Tree<Revaluation> = Tree::new(Shape::new(&game, 1 << 20));
        let (a, chance) = (RoleId::new(0), game.chance().expect("there is chance"));
        let mut walk = game.walk();
        let first = walk.state().to_owned();
        let mut fresh = Fresh::default();
        fresh.take(&mut walk, 2);
        let root = tree.enter(&fresh);
        let coin = walk.legal(chance);
        for (arm, &side) in coin.iter().enumerate() {
            walk.load(&first);
            let only = walk.legal(a)[0];
            let mut joint = vec![only; 2];
            joint[chance.index()] = side;
            walk.play(&joint);
            let child = tree.enter_open(walk.state());
            let mut arms = vec![0; 2];
            arms[chance.index()] = arm as u32;
            tree.link(root, &arms, child);
            match arm {
                0 => tree.settle(child, &[1.0, 0.0]),
                _ => tree.add_sample(child, 1.0, &[0.5, 0.5]),
            }
        }
        tree.arm_mut(root, chance, 1).visits = 100;
        assert_eq!(tree.mean_after(root, chance, a), 0.75);
    }
}
