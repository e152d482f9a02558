//! What is done in the tree: down to a state that was not sampled, and back up with what it is
//! worth.
//!
//! A node's numbers are how many samples there were below it, and what each role is thought to
//! get. That follows from the states after it: where a role decides, the mean of its open moves, each
//! at what it is worth now and weighted by how often the search went there; where chance decides, the
//! mean of all its moves. So what is learned of a state counts at once
//! in every state before it, and early doubts are not averaged in for ever.
//!
//! How sure a move's worth is follows from how much the samples below it differ: every one is a
//! mean of many playouts, and what differs is where they began. A move that was not tried yet is
//! judged by the playouts in which it was made later, so that a state with many moves need not
//! try all of them before the search goes deeper.

use super::look::Several;
use super::trust::{Expected, Pair, Trust};
use crate::kit::Estimate;
use crate::kit::path::Path;
use crate::kit::select::{Tried, Ucb, least_tried};
use crate::tree::{Arm, Choice, Key, NEAR, NodeId, Selector, Stats, Tree, Who};
use game::{MoveTable, MoveTally, RoleId};

/// How the search chooses, and what it takes for sure.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Revaluation {
    /// How much is explored.
    pub(super) exploration: f32,
    /// How many standard errors are beyond doubt; none if nothing is pruned by doubt.
    pub(super) confidence: Option<f32>,
    /// Whether a move's samples say how sure its worth is; else the number of visits alone.
    pub(super) errors: bool,
    /// What to expect of moves by what playouts tell of them; none if every move is tried first.
    pub(super) ordering: Option<Expected>,
    /// How many moves of the root are still in the race; none for all.
    pub(super) race: Option<(NodeId, usize)>,
}

/// What is kept with a move.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Worth {
    /// What the state after it is thought to be worth to the role, where the role decides alone.
    pub(super) value: f32,
    /// The sum of what it brought the role, where several choose at once.
    sum: f32,
    /// The sum of squares by which samples below it differed from its value.
    squares: f32,
    /// Playouts below the node in which the role made the move at any time, and the sum of what
    /// they brought it.
    seen: f32,
    brought: f32,
    /// Ways through it that are not back yet, of those that were counted as visits.
    away: u32,
}

impl Arm<Worth> {
    /// What it has brought on the average, where several choose at once.
    pub(super) fn mean(&self) -> f32 {
        self.stats.sum / self.visits.max(1) as f32
    }

    /// What the state after it is thought to be worth, where the role decides alone. A way that is
    /// not back counts as one that brought nothing, so that the ways of a batch part.
    fn value(&self) -> f32 {
        self.stats.value * self.back() as f32 / self.visits.max(1) as f32
    }

    /// How many ways through it are back.
    fn back(&self) -> u32 {
        self.visits.saturating_sub(self.stats.away)
    }

    /// What playouts tell of it, given what the node is worth, which counts for some playouts.
    fn told(&self, worth: f32, few: f32) -> f32 {
        (self.stats.brought + few * worth) / (self.stats.seen + few)
    }
}

impl Stats for Revaluation {
    type Arm = Worth;

    /// Samples below the node, what each role is thought to get, and the rounds that were looked
    /// ahead; then samples of the node itself, and what they brought each role.
    fn node_numbers(roles: usize) -> usize {
        3 + 2 * roles
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
                (!arm.is_closed()).then_some(Tried { visits, value })
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
        let bandit = Bandit::new(self, tree, (node, choice.role));
        let least = self.race.filter(|it| it.0 == node);
        let least = least.map_or(f32::NEG_INFINITY, |(_, count)| bandit.rank(arms, count));
        let order = (choice.start..arms.len()).chain(0..choice.start);
        let (mut best, mut doubtful) = (None, None);
        let (mut highest, mut highest_doubtful) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
        for place in order {
            let arm = &arms[place];
            if arm.is_closed() {
                continue;
            }
            let (worth, bound) = bandit.bound(arm);
            if worth >= least && bandit.may_be_best(arm) {
                if bound > highest {
                    (highest, best) = (bound, Some(place));
                }
            } else if bound > highest_doubtful {
                (highest_doubtful, doubtful) = (bound, Some(place));
            }
        }
        best.or(doubtful)
    }
}

/// The arms of a role at a node, as the search sees them.
struct Bandit<'b> {
    by: &'b Revaluation,
    worth: f32,
    log: f32,
    /// The square by which samples differ from the worth of their move, on the average.
    spread: f32,
    /// What the best move brings at least, beyond doubt.
    threshold: f32,
}

impl<'b> Bandit<'b> {
    fn new<K: Key>(
        by: &'b Revaluation,
        tree: &Tree<Revaluation, K>,
        (node, role): (NodeId, RoleId),
    ) -> Bandit<'b> {
        let arms = tree.arms(node, role);
        let mut bandit = Bandit {
            by,
            worth: tree.worth(node, role),
            log: (tree.visits(node).max(1) as f32).ln(),
            spread: by.spread(arms),
            threshold: 0.0,
        };
        if by.confidence.is_some() {
            bandit.threshold = bandit.lowest(arms, tree.bounds_of(node, role).0);
        }
        bandit
    }

    /// What the best of the open moves brings at least, as far as can be told: a move that
    /// brings less beyond doubt would not be played.
    fn lowest(&self, arms: &[Arm<Worth>], proven: f32) -> f32 {
        let confidence = self.by.confidence.unwrap_or(0.0);
        let open = arms.iter().filter(|arm| arm.visits > 0 && !arm.is_closed());
        let lower = open.map(|arm| arm.value() - confidence * self.error(arm));
        lower.fold(proven, f32::max)
    }

    /// The standard error of a move's worth.
    fn error(&self, arm: &Arm<Worth>) -> f32 {
        (self.spread / arm.visits.max(1) as f32).sqrt()
    }

    /// Whether a move may be as good as the best.
    fn may_be_best(&self, arm: &Arm<Worth>) -> bool {
        let Some(confidence) = self.by.confidence else {
            return true;
        };
        arm.visits == 0 || arm.value() + confidence * self.error(arm) >= self.threshold
    }

    /// What a move is thought to be worth, and the upper bound of that.
    #[inline]
    fn bound(&self, arm: &Arm<Worth>) -> (f32, f32) {
        let visits = arm.visits as f32;
        let doubt = |visits: f32| self.by.exploration * (self.spread * self.log / visits).sqrt();
        let Some(expected) = &self.by.ordering else {
            if arm.visits == 0 {
                return (f32::MAX, f32::MAX);
            }
            return (arm.value(), arm.value() + doubt(visits));
        };
        // As many samples as the expectation counts for.
        let samples = self.spread / expected.square;
        let expected = expected.worth(arm.told(self.worth, expected.few), self.worth);
        let value = (samples * expected + visits * arm.value()) / (samples + visits);
        (value, value + doubt(samples + visits))
    }

    /// The worth of the last of so many best moves.
    fn rank(&self, arms: &[Arm<Worth>], count: usize) -> f32 {
        let open = arms.iter().filter(|arm| !arm.is_closed());
        let mut worths: Vec<f32> = open.map(|arm| self.bound(arm).0).collect();
        if count == 0 || worths.len() <= count {
            return f32::NEG_INFINITY;
        }
        let (_, last, _) = worths.select_nth_unstable_by(count - 1, |a, b| b.total_cmp(a));
        *last
    }
}

/// More visits than this, and what others can do is looked at, or what follows then.
const TWO_ROUNDS: u32 = 3;
const THREE_ROUNDS: u32 = 64;
/// How many playouts of another node count at the most.
const INHERITED: f32 = 256.0;
/// After so many visits of a node, and so many playouts in which a move was made, its first sample
/// is held against what was told.
const KNOWN: u32 = 16;
/// The square by which samples are thought to differ before any was seen, and how many samples
/// that counts for.
const SPREAD: f32 = 0.0225;
const FIRST: f32 = 4.0;

impl Revaluation {
    /// The square by which samples below a node differ from the worth of their move.
    fn spread(&self, arms: &[Arm<Worth>]) -> f32 {
        if !self.errors {
            return SPREAD;
        }
        let (mut squares, mut visits) = (SPREAD * FIRST, FIRST);
        for arm in arms {
            squares += arm.stats.squares;
            visits += arm.back().saturating_sub(1) as f32;
        }
        squares / visits
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

    /// How many rounds to look ahead from a node, if it was visited so often that it deserves it,
    /// and was not looked at so far.
    pub(super) fn deserves(&self, node: NodeId) -> Option<usize> {
        let visits = self.visits(node);
        let rounds = 1 + usize::from(visits > TWO_ROUNDS) + usize::from(visits > THREE_ROUNDS);
        let open = self.who(node) != Who::Open && self.proven(node).is_none();
        let looked = self.numbers(node)[1 + self.roles()] as usize;
        (open && looked < rounds && rounds > 1).then_some(rounds)
    }

    /// Notes how many rounds were looked ahead from a node.
    pub(super) fn note_rounds(&mut self, node: NodeId, rounds: usize) {
        let roles = self.roles();
        self.numbers_mut(node)[1 + roles] = rounds as f32;
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

    /// Forgets what is proven of a node if no move is known that brings it: a bound may have come
    /// from look-ahead further up.
    pub(super) fn reopen_unless_known(&mut self, node: NodeId) {
        let known = match self.who(node) {
            Who::Role(role) => {
                let least = self.bounds_of(node, role).0 - NEAR;
                let best = self.best_proven(node, role);
                best.is_some_and(|(value, _)| value > least)
            }
            Who::Open => false,
            Who::Over | Who::Nobody | Who::Chance(_) | Who::Several => true,
        };
        if self.proven(node).is_some() && !known {
            self.reopen(node);
        }
    }

    /// Closes moves of roles that choose at once where another move is as good whatever the others
    /// do; returns how many.
    pub(super) fn drop_dominated(&mut self, node: NodeId, several: &Several) -> usize {
        self.narrow_all(node, &several.bounds, 1);
        let mut closed = 0;
        let chance = self.shape.chance;
        for role in RoleId::all(self.roles()).filter(|&it| chance != Some(it)) {
            let moves = &several.moves[role.index()];
            let best = (0..moves.len()).max_by(|&a, &b| moves[a].0.total_cmp(&moves[b].0));
            let Some(best) = best else { continue };
            let (least, _) = moves[best];
            for (arm, bounds) in moves.iter().enumerate() {
                if arm != best && bounds.1 <= least + NEAR {
                    self.close(node, role, arm);
                    closed += 1;
                }
            }
        }
        closed
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
                for (role, &arm) in RoleId::all(arms.len()).zip(arms) {
                    let value = self.worth(child, role);
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

    /// The mean of what a role gets after the moves of another, all equally likely. Moves that were
    /// not tried count as samples of the node itself.
    fn mean_after(&self, node: NodeId, deciding: RoleId, role: RoleId) -> f32 {
        let arms = self.arms(node, deciding);
        let children = arms.iter().filter_map(Arm::child);
        let valued = children.filter(|&child| !self.is_blank(child));
        let worth = valued.map(|child| self.worth(child, role));
        let (sum, count) = worth.fold((0.0, 0), |all, it| (all.0 + it, all.1 + 1));
        let rest = (arms.len() - count) as f32;
        match self.own(node, role) {
            Some(own) => (sum + rest * own) / arms.len() as f32,
            None if count == 0 => self.worth(node, role),
            None => sum / count as f32,
        }
    }

    /// Sets what a node is worth where a role decides, which is thought to take its better moves.
    fn revalue_choice(&mut self, node: NodeId, deciding: RoleId) {
        let Some(own) = self.chosen(node, deciding) else {
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
                None => self.mean_of_chosen(node, (deciding, role), own),
            };
            self.numbers_mut(node)[1 + role.index()] = value;
        }
    }

    /// What a role gets that does not decide.
    fn mean_of_chosen(&self, node: NodeId, (deciding, role): (RoleId, RoleId), own: f32) -> f32 {
        let arms = self.arms(node, deciding).iter();
        let tried = arms.filter(|arm| arm.back() > 0 && !arm.is_closed());
        let first = self.own(node, role).map_or((0.0, 0.0), |it| (it, 1.0));
        let (sum, count) = tried.fold(first, |all, arm| {
            let worth = arm.child().map_or(own, |it| self.worth(it, role));
            let visits = arm.back() as f32;
            (all.0 + visits * worth, all.1 + visits)
        });
        sum / count
    }

    /// The mean of what a role's open moves are worth to it, by visits, the sample of the node itself
    /// among them; none if no move is open.
    fn chosen(&self, node: NodeId, role: RoleId) -> Option<f32> {
        let arms = self.arms(node, role).iter();
        let tried = arms.filter(|arm| arm.back() > 0 && !arm.is_closed());
        tried.clone().next()?;
        let own = self.own(node, role).map_or((0.0, 0.0), |it| (it, 1.0));
        let (sum, count) = tried.fold(own, |all, arm| {
            let visits = arm.back() as f32;
            (all.0 + visits * arm.stats.value, all.1 + visits)
        });
        Some(sum / count)
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
        confidence: Some(0.1),
        errors: false,
        ordering: None,
        race: None,
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

    /// Of three open moves the second was tried least, and is worse than the third beyond doubt.
    #[test]
    fn a_move_that_is_worse_beyond_doubt_is_left_out() {
        let (mut tree, root) = tree();
        for (arm, visits, value) in [(1, 400, 0.65), (2, 29_000, 0.70)] {
            let it = tree.arm_mut(root, ROLE, arm);
            (it.visits, it.stats.value) = (visits, value);
        }
        let (who, role, start) = (tree.who(root), ROLE, 0);
        let chosen = |confidence: Option<f32>| {
            let by = Revaluation {
                exploration: 3.0,
                confidence,
                ..BY
            };
            by.select(&tree, root, Choice { role, who, start })
        };
        assert_eq!(chosen(None), 1, "its bound is higher");
        assert_eq!(chosen(Some(2.0)), 2, "six standard errors are beyond doubt");
        assert_eq!(chosen(Some(8.0)), 1);
    }

    #[test]
    fn a_closed_move_does_not_count_in_the_threshold_but_by_its_proof() {
        let (tree, root) = tree();
        assert_eq!(Bandit::new(&BY, &tree, (root, ROLE)).threshold, 0.6);
        assert_eq!(tree.bounds_of(root, ROLE).0, 0.6);
    }
}
