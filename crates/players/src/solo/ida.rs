//! Memory-enhanced iterative deepening (Korf 1985; Reinefeld and Marsland 1994): lines of up to so
//! many moves, then of more, until one brings everything, or all lines were seen.
//!
//! - A table keeps for each state the least number of moves from the root. A state that is reached by
//!   more moves, or again in the same iteration, is not searched: apart from the newest depths, an
//!   iteration searches each state once.
//! - How many moves are left is estimated by the fluents that are not yet as they are wherever
//!   everything is got, and the most of them that one move was seen to mend. That may be too many:
//!   then a line is found in a later iteration.
//! - At first it is hasty: states that differ in fluents that count turns, and in nothing else, are
//!   taken for one, and dead states are left out. That proves nothing. If it finds no line, all states
//!   are told apart and searched.
//! - If an iteration left out no line for its length, all were seen, and the best one is proven. A
//!   state below which that is so is not searched again, from whichever root.
//!
//! The search is a stack, so that it can stop after any state and go on in the next turn.

use super::goals::Goals;
use super::line::{Best, ROLE};
use super::playing::Means;
use super::table::{Entry, Hash, Table};
use crate::kit::TURNS;
use game::{Bits, BitsBuf, MoveId};
use std::sync::Arc;
use std::time::Instant;

/// How many states are searched in one go.
const STATES: usize = 64;
/// The bound grows by at most so much: it grows faster where there are few more states to see.
const LARGEST_STEP: usize = 8;
/// It grows step by step as long as an iteration has so few states.
const FEW: usize = 1000;
/// Growth below which few more states were seen.
const LEAST_GROWTH: f32 = 1.5;

/// The search.
#[derive(Debug)]
pub(super) struct Ida {
    goals: Arc<Goals>,
    table: Table,
    root: BitsBuf,
    /// The number of the search from this root, and of the oldest whose lines are still known.
    number: u32,
    oldest: u32,
    iteration: u16,
    /// Whether states that differ in clocks alone are one, and dead states left out.
    is_hasty: bool,
    /// The longest lines of this iteration, and whether longer ones were left out.
    bound: usize,
    is_cut: bool,
    step: usize,
    /// States searched in this iteration, and in the one before.
    searched: usize,
    before: usize,
    /// How many missing fluents a move was seen to mend at most.
    mended: u32,
    is_over: bool,
    path: Vec<Node>,
    /// What is left to search below the nodes of the path, and the words of these states.
    children: Vec<Child>,
    words: Vec<u64>,
    here: BitsBuf,
    moves: Vec<MoveId>,
}

/// A state on the path.
#[derive(Copy, Clone, Debug)]
struct Node {
    action: MoveId,
    hash: Hash,
    first_child: usize,
    first_word: usize,
    /// Whether lines below it were not seen.
    is_cut: bool,
}

/// A state to be searched.
#[derive(Copy, Clone, Debug)]
struct Child {
    action: MoveId,
    words: (usize, usize),
    /// Moves to a line's end, as estimated.
    left: usize,
}

impl Ida {
    pub(super) fn new(goals: Arc<Goals>, memory: usize) -> Ida {
        Ida {
            is_hasty: goals.allow_haste(),
            goals,
            table: Table::new(memory),
            root: BitsBuf::default(),
            number: 0,
            oldest: 0,
            iteration: 0,
            bound: 0,
            is_cut: false,
            step: 1,
            searched: 0,
            before: 0,
            mended: 1,
            is_over: false,
            path: Vec::new(),
            children: Vec::new(),
            words: Vec::new(),
            here: BitsBuf::default(),
            moves: Vec::new(),
        }
    }

    /// Goes on from the same root, or begins anew from another one. `keeps` says whether the best
    /// line so far passes there: else lines that were seen are to be seen again.
    pub(super) fn turn_to(&mut self, root: &Bits, keeps: bool) {
        if *self.root == *root && self.number > 0 {
            return;
        }
        self.root.copy_from(root);
        self.number += 1;
        if !keeps {
            self.oldest = self.number;
            self.is_hasty = self.goals.allow_haste();
        }
        self.is_over = false;
        self.iteration = 0;
        self.bound = 1;
        self.step = 1;
        self.before = 0;
        self.begin();
    }

    /// Whether it has nothing more to search.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Searches some states.
    pub(super) fn search(&mut self, means: &mut Means<'_, '_>) {
        let mut searched = 0;
        while searched < STATES && !self.is_over && !means.thread.clock.is_late() {
            let before = self.searched;
            let began = Instant::now();
            self.advance(means);
            if self.searched > before {
                means.thread.clock.note_piece(began);
                searched += 1;
            }
            if means.best.is_settled() {
                self.is_over = true;
            }
        }
        self.table.make_room(&means.thread.clock);
    }

    /// Searches the next state, or goes back from the last.
    fn advance(&mut self, means: &mut Means<'_, '_>) {
        let Some(top) = self.path.last() else {
            let root = self.root.clone();
            self.here.copy_from(&root);
            return self.enter(means, MoveId::default());
        };
        if self.children.len() == top.first_child {
            return self.leave(means);
        }
        let Some(child) = self.children.pop() else {
            return;
        };
        let (from, to) = child.words;
        self.here.copy_from(Bits::new(&self.words[from..to]));
        self.enter(means, child.action);
    }

    /// Searches the state `here` after a move, unless that is of no use.
    fn enter(&mut self, means: &mut Means<'_, '_>, action: MoveId) {
        let hidden: &[u64] = if self.is_hasty {
            &self.goals.clocks
        } else {
            &[]
        };
        let hash = self.table.hash(&self.here, hidden);
        let depth = self.path.len() as u16;
        match self.table.find(hash) {
            Some(entry) if self.is_exhausted(&entry) => return self.spare(means.best),
            Some(entry) if self.is_seen(&entry, depth) => return self.cut(),
            _ => self.note(hash, depth),
        }
        self.path.push(Node {
            action,
            hash,
            first_child: self.children.len(),
            first_word: self.words.len(),
            is_cut: false,
        });
        self.searched += 1;
        if self.expand(means).is_none() {
            self.begin();
        }
    }

    /// Whether all lines from a state were seen, and the best line is none that was forgotten.
    fn is_exhausted(&self, entry: &Entry) -> bool {
        !self.is_hasty && entry.is_exhausted() && entry.root >= self.oldest
    }

    /// Whether a state is searched in this iteration at this depth or a smaller one.
    fn is_seen(&self, entry: &Entry, depth: u16) -> bool {
        let is_known = entry.root == self.number && !entry.is_exhausted();
        is_known && (depth, entry.iteration) >= (entry.depth, self.iteration)
    }

    /// A state was exhausted. If it is the root, there is nothing more to search.
    fn spare(&mut self, best: &Best) {
        if self.path.is_empty() {
            best.prove();
            self.is_over = true;
        }
    }

    /// Notes a state in the table.
    fn note(&mut self, hash: Hash, depth: u16) {
        self.table.note(Entry {
            hash,
            root: self.number,
            iteration: self.iteration,
            depth,
        });
    }

    /// Lines below the last node are not seen there.
    fn cut(&mut self) {
        if let Some(top) = self.path.last_mut() {
            top.is_cut = true;
        }
    }

    /// Finds the states after `here`, the last node of the path; none if there was no time.
    fn expand(&mut self, means: &mut Means<'_, '_>) -> Option<()> {
        let missing = self.goals.missing(&self.here);
        let first = self.children.len();
        let mut moves = std::mem::take(&mut self.moves);
        moves.clear();
        means.thread.walk.load(&self.here);
        means.thread.walk.append_legal(ROLE, &mut moves);
        let mut is_time = !means.thread.walk.is_broken_off();
        for &action in &moves {
            is_time = is_time && self.try_move(means, action, missing).is_some();
        }
        self.moves = moves;
        // The last one is searched first.
        self.children[first..].sort_by_key(|it| std::cmp::Reverse(it.left));
        is_time.then_some(())
    }

    /// Makes a move in `here`: an end is taken, another state becomes a child if the bound allows.
    fn try_move(&mut self, means: &mut Means<'_, '_>, action: MoveId, missing: u32) -> Option<()> {
        let walk = &mut means.thread.walk;
        walk.load(&self.here);
        walk.play(&[action]);
        if walk.is_broken_off() {
            return None;
        }
        let depth = self.path.len();
        if walk.terminal() {
            let value = walk.value(ROLE);
            if means.best.wants(value, depth) {
                let line = self.path[1..].iter().map(|it| it.action);
                let line: Vec<MoveId> = line.chain([action]).collect();
                means.best.offer(walk, &self.root, &line);
            }
            return Some(());
        }
        if self.is_hasty && self.goals.is_dead(walk.state()) {
            return Some(());
        }
        let still = self.goals.missing(walk.state());
        self.mended = self.mended.max(missing.saturating_sub(still));
        let left = self.left(still);
        if depth + left > self.bound {
            self.is_cut = true;
            self.cut();
            return Some(());
        }
        let from = self.words.len();
        self.words.extend_from_slice(walk.state().words());
        self.children.push(Child {
            action,
            words: (from, self.words.len()),
            left,
        });
        Some(())
    }

    /// How many moves are left where so many fluents are missing, as estimated: at least one, as the
    /// match is not over.
    fn left(&self, missing: u32) -> usize {
        missing.div_ceil(self.mended).max(1) as usize
    }

    /// All below the last node of the path was searched.
    fn leave(&mut self, means: &mut Means<'_, '_>) {
        let Some(node) = self.path.pop() else {
            return;
        };
        self.children.truncate(node.first_child);
        self.words.truncate(node.first_word);
        if node.is_cut || self.is_hasty {
            self.cut();
        } else {
            self.note(node.hash, Entry::EXHAUSTED);
        }
        if self.path.is_empty() {
            self.deepen(means.best);
        }
    }

    /// An iteration is over: the next one allows for longer lines.
    fn deepen(&mut self, best: &Best) {
        match self.is_cut {
            true => {
                let is_slow = (self.searched as f32) < LEAST_GROWTH * self.before as f32;
                self.step = match is_slow && self.searched > FEW {
                    true => (2 * self.step).min(LARGEST_STEP),
                    false => 1,
                };
                self.bound += self.step;
                self.is_over = self.bound as u64 > TURNS;
            }
            false if self.is_hasty => {
                self.is_hasty = false;
                self.number += 1;
            }
            false => {
                best.prove();
                self.is_over = true;
            }
        }
        self.before = self.searched;
        self.begin();
    }

    /// Begins the next iteration.
    fn begin(&mut self) {
        self.iteration = self.iteration.wrapping_add(1);
        self.searched = 0;
        self.is_cut = false;
        self.path.clear();
        self.children.clear();
        self.words.clear();
    }
}
