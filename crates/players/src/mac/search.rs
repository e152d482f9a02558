//! The way down: which move of a state is tried next.
//!
//! How sure a move's worth is follows from how much the samples below it differ: every one is a
//! mean of many playouts, and what differs is where they began. A move that was not tried yet is
//! judged by the playouts in which it was made later (`trust.rs`), so that a state with many moves
//! need not try all of them before the search goes deeper.

use super::trust::Expected;
use crate::kit::path::Path;
use crate::kit::select::{Tried, Ucb, least_tried};
use crate::tree::{Arm, Choice, Key, NodeId, Selector, Stats, Tree, Who};
use game::RoleId;

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
    pub(super) sum: f32,
    /// The sum of squares by which samples below it differed from its value.
    pub(super) squares: f32,
    /// Playouts below the node in which the role made the move at any time, and the sum of what
    /// they brought it.
    pub(super) seen: f32,
    pub(super) brought: f32,
    /// Ways through it that are not back yet, of those that were counted as visits.
    pub(super) away: u32,
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
    pub(super) fn back(&self) -> u32 {
        self.visits.saturating_sub(self.stats.away)
    }

    /// What playouts tell of it, given what the node is worth, which counts for some playouts.
    pub(super) fn told(&self, worth: f32, few: f32) -> f32 {
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
    fn select(&self, tree: &Tree<Revaluation, K>, _: &Path, choice: Choice) -> u32 {
        let Choice {
            node,
            role,
            who,
            start,
        } = choice;
        let arms = tree.arms(node, role);
        let arm = match who {
            // All moves of chance count alike, so they are taken in turn, not drawn.
            Who::Chance(_) => {
                let done = |it: &Arm<Worth>| it.child().is_some_and(|it| tree.proven(it).is_some());
                least_tried(arms, start, |it| (!done(it)).then_some(it.visits))
            }
            Who::Role(_) => self.most_promising(tree, choice),
            _ if tree.is_chance(role) => Some(start),
            _ => {
                // `exploration` counts standard errors; that of one sample is √SPREAD.
                let constant = self.exploration * SPREAD.sqrt();
                Ucb::new(constant, tree.visits(node), start).best(arms, |arm| {
                    let (visits, value) = (arm.visits, arm.mean());
                    (!arm.is_closed()).then_some(Tried { visits, value })
                })
            }
        };
        arm.unwrap_or(start) as u32
    }
}

impl Revaluation {
    /// The arm with the highest upper bound among those that may still be the best; if doubt
    /// leaves none, among all that are open.
    fn most_promising<K: Key>(&self, tree: &Tree<Revaluation, K>, choice: Choice) -> Option<usize> {
        let node = choice.node;
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
    /// How far above its worth the upper bound of a move with one sample is.
    doubt: f32,
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
        let spread = by.spread(arms);
        let log = (tree.visits(node).max(1) as f32).ln();
        let mut bandit = Bandit {
            by,
            worth: tree.worth(node, role),
            doubt: by.exploration * (spread * log).sqrt(),
            spread,
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
        let Some(expected) = &self.by.ordering else {
            if arm.visits == 0 {
                return (f32::MAX, f32::MAX);
            }
            return (arm.value(), arm.value() + self.doubt / visits.sqrt());
        };
        // As many samples as the expectation counts for.
        let samples = self.spread / expected.square;
        let expected = expected.worth(arm.told(self.worth, expected.few), self.worth);
        let each = 1.0 / (samples + visits);
        let back = arm.back() as f32 * arm.stats.value;
        let value = (samples * expected + back) * each;
        (value, value + self.doubt * each.sqrt())
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
            let node = root;
            let choice = Choice {
                node,
                role,
                who,
                start,
            };
            let arm = BY.select(&tree, &Path::default(), choice);
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
            let node = root;
            let choice = Choice {
                node,
                role,
                who,
                start,
            };
            by.select(&tree, &Path::default(), choice)
        };
        assert_eq!(chosen(None), 1, "its bound is higher");
        assert_eq!(chosen(Some(2.0)), 2, "six standard errors are beyond doubt");
        assert_eq!(chosen(Some(8.0)), 1);
    }

    #[test]
    fn ways_of_a_batch_part() {
        let (mut tree, root) = tree();
        for (arm, value) in [(1, 0.30), (2, 0.31)] {
            let it = tree.arm_mut(root, ROLE, arm);
            (it.visits, it.stats.value) = (100, value);
        }
        let by = Revaluation {
            exploration: 0.0,
            confidence: None,
            ..BY
        };
        let (who, role, start) = (tree.who(root), ROLE, 0);
        let node = root;
        let choice = Choice {
            node,
            role,
            who,
            start,
        };
        assert_eq!(by.select(&tree, &Path::default(), choice), 2);
        let mut path = Path::default();
        path.clear(2);
        path.push_node(root);
        [2, 0].into_iter().for_each(|arm| path.push_arm(arm));
        (0..10).for_each(|_| tree.send_off(&path));
        assert_eq!(
            by.select(&tree, &Path::default(), choice),
            1,
            "ten ways are not back"
        );
        (0..10).for_each(|_| tree.bring_back(&path));
        assert_eq!(by.select(&tree, &Path::default(), choice), 2);
        tree.take_back_arms(&path);
        assert_eq!(tree.arms(root, ROLE)[2].visits, 99, "as if it was not made");
    }

    #[test]
    fn a_closed_move_does_not_count_in_the_threshold_but_by_its_proof() {
        let (tree, root) = tree();
        assert_eq!(Bandit::new(&BY, &tree, (root, ROLE)).threshold, 0.6);
        assert_eq!(tree.bounds_of(root, ROLE).0, 0.6);
    }
}
