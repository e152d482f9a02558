//! What is done in the tree: down to a state that was not sampled, and back up with what it is
//! worth.
//!
//! A node's numbers are how many samples there were below it, and what each role is thought to
//! get. That follows from the states after it: where a role decides, the mean of its moves,
//! weighted by how often the search went there, without those that are worse for it beyond
//! doubt; where chance decides, the mean of all its moves. So what is learned of a state
//! counts at once in every state before it, and early doubts are not averaged in for ever.

use crate::kit::path::Path;
use crate::kit::select::{Tried, Ucb, least_tried};
use crate::tree::{Arm, Choice, Key, NodeId, Selector, Stats, Tree, Who};
use game::RoleId;

/// How the search chooses, and what it takes for sure.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Revaluation {
    /// How much is explored.
    pub(super) exploration: f32,
    /// How many standard errors are beyond doubt.
    pub(super) confidence: f32,
    /// How much more the better of a role's moves count.
    pub(super) sharpness: f32,
}

/// What is kept with a move.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Worth {
    /// What the state after it is thought to be worth to the role, where the role decides alone.
    value: f32,
    /// The sum of what it brought the role, where several choose at once.
    sum: f32,
}

impl Arm<Worth> {
    /// What it has brought on the average, where several choose at once.
    pub(super) fn mean(&self) -> f32 {
        self.stats.sum / self.visits.max(1) as f32
    }

    /// The half-width of its confidence interval, for one standard error.
    fn error(&self) -> f32 {
        1.0 / (self.visits as f32).sqrt()
    }
}

impl Stats for Revaluation {
    type Arm = Worth;

    fn node_numbers(roles: usize) -> usize {
        1 + roles
    }
}

impl<K: Key> Selector<Revaluation, K> for Revaluation {
    fn select(&self, tree: &Tree<Revaluation, K>, node: NodeId, choice: Choice) -> u32 {
        let Choice { role, who, start } = choice;
        let arms = tree.arms(node, role);
        let arm = match who {
            // All moves of chance count alike, so they are taken in turn, not drawn.
            Who::Chance(_) => {
                let done = |it: &Arm<Worth>| it.child().is_some_and(|it| tree.proven(it).is_some());
                least_tried(arms, start, |it| (!done(it)).then_some(it.visits))
            }
            Who::Role(_) => self.most_promising(tree, node, choice),
            _ if tree.is_chance(role) => Some(start),
            _ => Ucb::new(self.exploration, tree.visits(node), start).best(arms, |arm| {
                let (visits, value) = (arm.visits, arm.mean());
                Some(Tried { visits, value })
            }),
        };
        arm.unwrap_or(start) as u32
    }
}

impl Revaluation {
    /// The arm with the highest upper bound among those that may still be the best; if doubt
    /// leaves none, among all that are open.
    fn most_promising<K: Key>(
        &self,
        tree: &Tree<Revaluation, K>,
        node: NodeId,
        choice: Choice,
    ) -> Option<usize> {
        let arms = tree.arms(node, choice.role);
        let threshold = self.threshold(tree, node, choice.role);
        let ucb = Ucb::new(self.exploration, tree.visits(node), choice.start);
        let tried = |arm: &Arm<Worth>| Tried {
            visits: arm.visits,
            value: arm.stats.value,
        };
        let open = |arm: &Arm<Worth>| (!arm.is_closed()).then(|| tried(arm));
        let best = ucb.best(arms, |arm| {
            open(arm).filter(|_| arm.visits == 0 || self.may_be_best(arm, threshold))
        });
        best.or_else(|| ucb.best(arms, open))
    }

    /// Whether a move's upper bound reaches a threshold.
    fn may_be_best(&self, arm: &Arm<Worth>, threshold: f32) -> bool {
        arm.stats.value + self.confidence * arm.error() >= threshold
    }

    /// What the best of a role's open moves brings at least, as far as can be told: a move that
    /// brings less beyond doubt would not be played. Samples are many, but of random play: their
    /// mean becomes right as the search goes on below, so visits tell how sure it is.
    fn threshold<K: Key>(&self, tree: &Tree<Revaluation, K>, node: NodeId, role: RoleId) -> f32 {
        let arms = tree.arms(node, role).iter();
        let open = arms.filter(|arm| arm.visits > 0 && !arm.is_closed());
        let lower = open.map(|arm| arm.stats.value - self.confidence * arm.error());
        lower.fold(tree.bounds_of(node, role).0, f32::max)
    }
}

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

    /// Adds samples of a node.
    pub(super) fn add_samples(&mut self, node: NodeId, count: f32, values: &[f32]) {
        let numbers = self.numbers_mut(node);
        let before = numbers[0];
        numbers[0] += count;
        for (number, value) in numbers[1..].iter_mut().zip(values) {
            *number = (*number * before + value * count) / (before + count).max(1.0);
        }
    }

    /// Revalues the nodes of a path from its end on, where there were so many new samples.
    pub(super) fn back_up(&mut self, path: &Path, samples: f32, by: &Revaluation) {
        let Some(mut child) = path.end else {
            return;
        };
        for (node, arms) in path.upward() {
            self.note_arms((node, child), arms);
            self.prove(node);
            self.numbers_mut(node)[0] += samples;
            self.revalue(node, by);
            child = node;
        }
    }

    /// Notes what the moves brought that lead from one node to another.
    fn note_arms(&mut self, (node, child): (NodeId, NodeId), arms: &[u32]) {
        match self.who(node) {
            Who::Role(role) => {
                let value = self.worth(child, role);
                let arm = arms[role.index()];
                self.arm_mut(node, role, arm).stats.value = value;
            }
            Who::Several => {
                for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
                    let value = self.worth(child, role);
                    self.arm_mut(node, role, arm).stats.sum += value;
                }
            }
            Who::Over | Who::Nobody | Who::Chance(_) | Who::Open => {}
        }
    }

    /// Sets what a node is worth by what comes after it.
    fn revalue(&mut self, node: NodeId, by: &Revaluation) {
        if let Who::Role(role) = self.who(node) {
            return self.revalue_choice(node, role, by);
        }
        for role in RoleId::all(self.roles()) {
            let value = match self.who(node) {
                Who::Over | Who::Open | Who::Role(_) => continue,
                Who::Nobody => self.mean_after(node, RoleId::new(0), role),
                Who::Chance(chance) => self.mean_after(node, chance, role),
                Who::Several => {
                    let arms = self.arms(node, role).iter();
                    let all = arms.fold((0.0, 0), |all, arm| {
                        (all.0 + arm.stats.sum, all.1 + arm.visits)
                    });
                    all.0 / all.1.max(1) as f32
                }
            };
            self.numbers_mut(node)[1 + role.index()] = value;
        }
    }

    /// The mean of what a role gets after the moves of another, all equally likely.
    fn mean_after(&self, node: NodeId, deciding: RoleId, role: RoleId) -> f32 {
        let children = self.arms(node, deciding).iter().filter_map(Arm::child);
        let valued = children.filter(|&child| !self.is_blank(child));
        let worth = valued.map(|child| self.worth(child, role));
        let (sum, count) = worth.fold((0.0, 0), |all, it| (all.0 + it, all.1 + 1));
        match count {
            0 => self.worth(node, role),
            _ => sum / count as f32,
        }
    }

    /// Sets what a node is worth where a role decides, which is thought to take its better moves.
    fn revalue_choice(&mut self, node: NodeId, deciding: RoleId, by: &Revaluation) {
        let threshold = by.threshold(self, node, deciding);
        let tried = |arm: &&Arm<Worth>| arm.visits > 0 && !arm.is_closed();
        let arms = self.arms(node, deciding).iter().filter(tried);
        let best = arms
            .clone()
            .fold(0.0f32, |best, arm| best.max(arm.stats.value));
        let weight = |arm: &Arm<Worth>| match by.may_be_best(arm, threshold) {
            true => arm.visits as f32 * (by.sharpness * (arm.stats.value - best)).exp(),
            false => 0.0,
        };
        let weights: f32 = arms.clone().map(weight).sum();
        if weights <= 0.0 {
            // Everything is proven, and the bounds say it.
            return;
        }
        let mean = |worth: &dyn Fn(&Arm<Worth>) -> f32| {
            let sum: f32 = arms.clone().map(|arm| weight(arm) * worth(arm)).sum();
            sum / weights
        };
        let own = mean(&|arm| arm.stats.value);
        let shared = self.shape.sum;
        let share = |role: RoleId| {
            let shared = shared.filter(|it| it.other(deciding) == Some(role));
            shared.map(|it| it.sum - own)
        };
        let values: Vec<f32> = RoleId::all(self.roles())
            .map(|role| match share(role) {
                _ if role == deciding => own,
                Some(rest) => rest,
                None => mean(&|arm| arm.child().map_or(own, |it| self.worth(it, role))),
            })
            .collect();
        self.numbers_mut(node)[1..].copy_from_slice(&values);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::{Fresh, Shape};
    use game::{Game, Limits, MoveId};

    const ROLE: RoleId = RoleId::new(0);
    const BY: Revaluation = Revaluation {
        exploration: 0.15,
        confidence: 0.1,
        sharpness: 4.0,
    };

    /// A role with three moves, of which only the first is proven, to bring 60 of 100; the others
    /// were visited often and brought less.
    fn tree() -> (Tree<Revaluation>, NodeId) {
        let rules = "(role a) (role b) (init s) (legal a 1) (legal a 2) (legal a 3) (legal b w)
            (<= (next (did ?m)) (does a ?m)) (<= terminal (not (true s)))
            (goal a 60) (goal a 100) (goal b 0)";
        let game = Game::load(rules, &Limits::default()).unwrap();
        let mut tree: Tree<Revaluation> = Tree::new(Shape::new(&game, 1 << 20));
        let mut walk = game.walk();
        let mut fresh = Fresh::default();
        fresh.take(&mut walk, 2);
        let root = tree.enter(&fresh);
        let joint = [walk.legal(ROLE)[0], MoveId::new(0)];
        walk.play(&joint);
        let end = tree.enter_open(walk.state());
        tree.settle(end, &[0.6, 0.4]);
        tree.link(root, &[0, 0], end);
        for (arm, value) in [(0, 0.6), (1, 0.2), (2, 0.3)] {
            let it = tree.arm_mut(root, ROLE, arm);
            (it.visits, it.stats.value) = (10_000, value);
        }
        (0..30_000).for_each(|_| tree.visit(root));
        tree.prove(root);
        (tree, root)
    }

    #[test]
    fn a_closed_move_is_never_selected_while_another_is_open() {
        let (tree, root) = tree();
        assert!(tree.arms(root, ROLE)[0].is_closed());
        assert!(tree.proven(root).is_none(), "the others may bring 100");
        for start in 0..3 {
            let who = tree.who(root);
            let role = ROLE;
            let arm = BY.select(&tree, root, Choice { role, who, start });
            // The better of those that are open, though both seem to be worse than the first.
            assert_eq!(arm, 2, "from {start}");
        }
    }

    #[test]
    fn a_closed_move_does_not_count_in_the_threshold_but_by_its_proof() {
        let (tree, root) = tree();
        assert_eq!(BY.threshold(&tree, root, ROLE), 0.6);
        assert_eq!(tree.bounds_of(root, ROLE).0, 0.6);
    }
}
