//! Games of one player: a line that brings all there is to get need not be looked for again.
//!
//! Playouts in lanes tell that there is such a line, not which. It is looked for step by step: a
//! few playouts are recorded, and if none of them brings everything, lanes tell which move to make
//! next. A step costs about as much as an iteration of the search, so a few are made after an
//! iteration, and what they found is kept for the next: a search is never held up by a line, and
//! with a counted budget the count bounds the work.

use super::decide::lock;
use super::{TURNS, Thread};
use crate::tree::{Fresh, Key, NodeId, Stats, Tree, Who};
use game::{Bits, BitsBuf, Lanes, MoveId, Request, RoleId, Start, Tally};
use rand_core::Rng;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// How many steps are made after an iteration.
const STEPS: usize = 8;
/// How many playouts of a step are recorded.
const RECORDED: usize = 4;
/// A line is given up after so many steps in vain.
const TRIES: usize = 16;
/// So many turns or moves are made between two looks at the clock.
const LOOK: usize = 16;
/// The only role.
const ROLE: RoleId = RoleId::new(0);

/// The line that threads of a search look for; kept from search to search.
#[derive(Debug, Default)]
pub(crate) struct Lines(Mutex<Option<Line>>);

/// What a step is made with.
pub(crate) struct Means<'m, 'g> {
    pub(crate) thread: &'m mut Thread<'g>,
    pub(crate) lanes: Option<Lanes<'g>>,
    /// All there is to get.
    pub(crate) most: f32,
}

/// A line that may bring everything, as far as it is known.
#[derive(Debug)]
struct Line {
    /// States with the moves made in them.
    moves: Vec<(BitsBuf, MoveId)>,
    /// The state after these moves.
    here: BitsBuf,
    /// Steps in vain since the last move.
    tries: usize,
    /// Whether it brings everything.
    is_whole: bool,
}

impl Lines {
    /// A search begins: a line that does not pass through its root is forgotten.
    pub(crate) fn turn_to(&self, root: &Bits) {
        let mut line = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *line = line.take().filter(|it| it.passes(root));
    }

    /// Makes some steps along the line at hand, or along a new one from a state that a playout
    /// proved good. A line that brings everything is put into the tree.
    pub(crate) fn pursue<S: Stats>(
        &self,
        means: &mut Means<'_, '_>,
        good: Option<BitsBuf>,
        tree: &Mutex<Tree<S>>,
    ) {
        // One thread is enough for a line.
        let Ok(mut at_hand) = self.0.try_lock() else {
            return;
        };
        let Some(mut line) = at_hand.take().or(good.map(Line::from)) else {
            return;
        };
        for _ in 0..STEPS {
            if line.is_whole || line.tries >= TRIES || means.thread.clock.is_late() {
                break;
            }
            line.step(means);
        }
        let is_done = match line.is_whole {
            true => line.enter(&mut lock(tree), means.thread),
            false => line.tries >= TRIES,
        };
        *at_hand = Some(line).filter(|_| !is_done);
    }
}

impl From<BitsBuf> for Line {
    fn from(here: BitsBuf) -> Line {
        Line {
            moves: Vec::new(),
            here,
            tries: 0,
            is_whole: false,
        }
    }
}

impl Line {
    fn passes(&self, state: &Bits) -> bool {
        let mut states = self.moves.iter().map(|(state, _)| state);
        *self.here == *state || states.any(|it| **it == *state)
    }

    /// Completes the line by a recorded playout, or goes on by a move.
    fn step(&mut self, means: &mut Means<'_, '_>) {
        self.tries += 1;
        for _ in 0..RECORDED {
            if let Some(moves) = means.recorded(&self.here) {
                return self.complete(means, &moves);
            }
        }
        if let Some((action, next)) = means.promising(&self.here) {
            let here = std::mem::replace(&mut self.here, next);
            self.moves.push((here, action));
            means.thread.walk.load(&self.here);
            self.is_whole = means.thread.walk.terminal();
            self.tries = 0;
        }
        // A line that goes round in circles is not going anywhere.
        if self.moves.len() as u64 > TURNS {
            self.tries = TRIES;
        }
    }

    /// Adds the moves of a playout that brought everything, and leaves circles out.
    fn complete(&mut self, means: &mut Means<'_, '_>, moves: &[MoveId]) {
        let walk = &mut means.thread.walk;
        let before = self.moves.len();
        walk.load(&self.here);
        for &action in moves {
            self.moves.push((walk.state().to_owned(), action));
            walk.play(&[action]);
        }
        if walk.is_broken_off() {
            return self.moves.truncate(before);
        }
        self.here = walk.state().to_owned();
        self.is_whole = walk.terminal() && walk.value(ROLE) >= means.most;
        self.moves = without_circles(&self.moves);
    }

    /// Puts the states of a whole line into a tree, proven, the last first; whether there was time
    /// for all.
    fn enter<S: Stats, K: Key>(&mut self, tree: &mut Tree<S, K>, thread: &mut Thread<'_>) -> bool {
        let mut child = entered(tree, thread, &self.here);
        while let Some((state, action)) = self.moves.pop() {
            let node = entered(tree, thread, &state);
            let mut arms = tree.arms(node, ROLE).iter();
            let Some(arm) = arms.position(|arm| arm.action == action) else {
                // The rules gave no answer this time.
                return true;
            };
            tree.link(node, &[arm as u32], child);
            tree.prove(node);
            (child, self.here) = (node, state);
            if thread.clock.is_late() {
                break;
            }
        }
        self.moves.is_empty()
    }
}

/// Moves with the states they are made in, each state once: from one that comes back, the way goes
/// on as it did the last time.
pub(crate) fn without_circles(moves: &[(BitsBuf, MoveId)]) -> Vec<(BitsBuf, MoveId)> {
    let places = moves.iter().enumerate();
    let last: HashMap<&Bits, usize> = places.map(|(place, it)| (&*it.0, place)).collect();
    let mut kept = Vec::new();
    let mut place = 0;
    while let Some((state, _)) = moves.get(place) {
        let latest = last[&**state];
        kept.push(moves[latest].clone());
        place = latest + 1;
    }
    kept
}

/// The node of a state, with its moves.
fn entered<S: Stats, K: Key>(
    tree: &mut Tree<S, K>,
    thread: &mut Thread<'_>,
    state: &Bits,
) -> NodeId {
    let mut fresh = Fresh::default();
    thread.walk.load(state);
    fresh.take(&mut thread.walk, 1);
    let node = tree.enter(&fresh);
    if tree.who(node) == Who::Open {
        tree.open(node, &fresh);
    }
    node
}

impl Means<'_, '_> {
    /// The moves of a playout from a state, if it brings everything.
    fn recorded(&mut self, state: &Bits) -> Option<Vec<MoveId>> {
        let Thread {
            walk,
            random,
            clock,
            playouts,
        } = &mut *self.thread;
        let mut moves = Vec::new();
        walk.load(state);
        *playouts += 1;
        while !walk.terminal() {
            let is_time = !moves.len().is_multiple_of(LOOK) || !clock.is_late();
            let action = walk.any_legal(ROLE, random).filter(|_| is_time)?;
            moves.push(action);
            walk.play(&[action]);
            if moves.len() as u64 > TURNS {
                return None;
            }
        }
        (walk.value(ROLE) >= self.most).then_some(moves)
    }

    /// A move that can still bring everything, and the state after it, by lanes.
    fn promising(&mut self, state: &Bits) -> Option<(MoveId, BitsBuf)> {
        let lanes = self.lanes?;
        let mut after = Vec::new();
        self.thread.walk.load(state);
        for (number, action) in self.thread.walk.legal(ROLE).into_iter().enumerate() {
            if number.is_multiple_of(LOOK) && self.thread.clock.is_late() {
                return None;
            }
            let walk = &mut self.thread.walk;
            walk.load(state);
            walk.play(&[action]);
            let next = walk.state().to_owned();
            if !walk.terminal() {
                after.push((action, next));
            } else if walk.value(ROLE) >= self.most {
                return Some((action, next));
            }
        }
        if after.len() < 2 {
            return after.pop();
        }
        let best = self.best(lanes, &after)?;
        Some(after.swap_remove(best))
    }

    /// Of some states from which a playout brought everything, the one whose playouts bring most on
    /// the average. They share the lanes.
    fn best(&mut self, lanes: Lanes<'_>, after: &[(MoveId, BitsBuf)]) -> Option<usize> {
        let playouts = (lanes.count() / after.len()).max(1) as u64;
        let starts = after.iter().map(|(_, state)| Start { state, playouts });
        let starts: Vec<Start<'_>> = starts.collect();
        let made = lanes.playouts_with(&Request {
            starts: &starts,
            turns: TURNS,
            seed: self.thread.random.next_u64(),
            until: self.thread.clock.until(),
            ..Request::default()
        });
        let tallies = made.tallies;
        self.thread.playouts += tallies.iter().map(Tally::ended).sum::<u64>();
        let most = (self.most * 100.0) as u32;
        let mean = |tally: &Tally| tally.means().first().map_or(0.0, |mean| mean.0);
        let brings_all = |tally: &Tally| tally.playouts > 0 && tally.highest(ROLE) >= most;
        let good = (0..tallies.len()).filter(|&it| brings_all(&tallies[it]));
        good.max_by(|&a, &b| mean(&tallies[a]).total_cmp(&mean(&tallies[b])))
    }
}
