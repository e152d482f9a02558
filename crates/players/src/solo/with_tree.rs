//! A search of puzzles with the tree of UCT to fall back on: means of playouts tell where to go while
//! no line brings much.

use super::Solo;
use crate::kit::Search;
use crate::kit::crew::Work;
use crate::uct::Uct;
use crate::{Budget, Decision, Seat};
use game::Bits;
use std::time::Instant;

/// A search of puzzles, and a tree.
pub(crate) struct WithTree {
    solo: Solo,
    tree: Uct,
    /// The part of the time that is for the tree.
    share: f64,
    /// Whether the tree has proven the last move to bring everything.
    follows_tree: bool,
}

impl WithTree {
    /// Both searches, on the same seat, with a part of the time for the tree.
    pub(crate) fn new(solo: Solo, tree: Uct, share: f32) -> WithTree {
        WithTree {
            solo,
            tree,
            share: f64::from(share),
            follows_tree: false,
        }
    }

    /// What is there for the first search.
    fn first(&self, budget: &Budget) -> Budget {
        let share = 1.0 - self.share;
        match (*budget, budget.time_left()) {
            (Budget::Iterations(count), _) => Budget::Iterations((count as f64 * share) as u64),
            (Budget::Until(_), left) => {
                Budget::Until(Instant::now() + left.unwrap_or_default().mul_f64(share))
            }
        }
    }

    /// What is left of a budget after its first part.
    fn rest(budget: &Budget, first: &Budget) -> Budget {
        match (budget, first) {
            (Budget::Iterations(all), Budget::Iterations(part)) => Budget::Iterations(all - part),
            _ => *budget,
        }
    }
}

impl Search for WithTree {
    fn seat(&self) -> &Seat {
        self.solo.seat()
    }

    fn work(&self) -> Work {
        let mut work = self.solo.work();
        work += self.tree.work();
        work
    }

    fn prepare(&mut self) {
        self.tree.prepare();
    }

    fn make_ready(&mut self) {
        self.tree.make_ready();
    }

    fn search(&mut self, state: &Bits, budget: &Budget) -> Option<Decision> {
        // A tree that has proven its root is done at once.
        let known = match self.follows_tree {
            true => self.tree.search(state, budget).filter(|it| it.proven),
            false => None,
        };
        if known.is_some() {
            return known;
        }
        let first = self.first(budget);
        let line = self.solo.search(state, &first);
        if line.is_some_and(|it| it.proven) || self.share == 0.0 {
            return line;
        }
        let tree = self.tree.search(state, &WithTree::rest(budget, &first));
        let value = |it: Option<Decision>| it.and_then(|it| it.value);
        match value(tree) > value(line) || line.is_none() {
            true => {
                self.follows_tree = tree.is_some_and(|it| it.proven);
                tree
            }
            false => line,
        }
    }
}
