//! Nested Monte Carlo search (Cazenave 2009; Méhat and Cazenave 2010), as a stack of levels.
//!
//! A search of level 1 goes from a state to an end: in each state all moves are played out, and the
//! most promising one is made. A search of a higher level does the same with searches of the level
//! below in the place of playouts, and follows the best line that they found. Searches are repeated
//! with other random numbers, and the level rises when the one at hand brings nothing new.
//!
//! In lanes each move of a state has many playouts, which tell the mean and the highest result but no
//! moves: the highest counts first. Lines come of ends that are reached move by move, and of a
//! few playouts that are recorded. The stack can stop after any state and go on in the next turn.

use super::line::{Best, ROLE};
use super::playing::{Means, Next, next, recorded};
use crate::kit::{Batch, By, Estimate, Evaluate, TURNS};
use game::{Bits, BitsBuf, MoveId};
use rand_core::Rng;

/// Playouts that are recorded where a playout brought everything.
const RECORDED: usize = 4;
/// Searches in vain before the level rises.
const PATIENCE: usize = 2;
/// The highest level.
const HIGHEST: usize = 9;

/// The search.
#[derive(Debug, Default)]
pub(super) struct Nested {
    root: BitsBuf,
    /// The level, if it was given.
    fixed: Option<usize>,
    level: usize,
    /// Searches of this level in vain, and what was got before the one at hand.
    in_vain: usize,
    before: Option<f32>,
    /// The searches under way, the highest level first.
    frames: Vec<Frame>,
}

/// A search of some level under way.
#[derive(Debug, Default)]
struct Frame {
    level: usize,
    /// Where it stands, and the moves from the root that lead there.
    state: BitsBuf,
    made: Vec<MoveId>,
    /// Moves to be searched by the level below.
    open: Vec<(MoveId, BitsBuf)>,
    /// The best line it found, from the root.
    best: Option<(f32, Vec<MoveId>)>,
}

impl Nested {
    /// A search of a level, or of levels that rise.
    pub(super) fn new(fixed: Option<usize>) -> Nested {
        Nested {
            fixed,
            ..Nested::default()
        }
    }

    /// The same, with a root.
    pub(super) fn at(mut self, root: &Bits) -> Nested {
        self.turn_to(root);
        self
    }

    /// Goes on from the same root, or begins anew from another one.
    pub(super) fn turn_to(&mut self, root: &Bits) {
        if *self.root != *root || self.level == 0 {
            self.root.copy_from(root);
            self.level = self.fixed.unwrap_or(1);
            self.in_vain = 0;
            self.frames.clear();
        }
    }

    /// Plays out the moves of one state, or goes on in a search of a higher level.
    pub(super) fn search(&mut self, means: &mut Means<'_, '_>) {
        // A search of a higher level goes on until it asks the level below.
        loop {
            let Some(top) = self.frames.last_mut() else {
                self.before = means.best.value();
                let (root, level) = (self.root.clone(), self.level);
                let root = Frame::new((root, Vec::new()), level, means);
                self.frames.push(root);
                continue;
            };
            if top.level == 1 {
                if top.step(means) {
                    self.finish(means.best);
                }
                return;
            }
            match top.open.pop() {
                Some((action, state)) => {
                    let made: Vec<MoveId> = top.made.iter().copied().chain([action]).collect();
                    let level = top.level - 1;
                    let below = Frame::new((state, made), level, means);
                    self.frames.push(below);
                }
                None if top.follow(means) => self.finish(means.best),
                None => (),
            }
            // Where all moves end the match, a whole search asks nobody.
            let is_done = self.frames.is_empty() || means.best.is_settled();
            if is_done || means.thread.clock.is_late() {
                return;
            }
        }
    }

    /// A search came to an end: its line is told to the level above, or the next search is begun.
    fn finish(&mut self, best: &Best) {
        let done = self.frames.pop().and_then(|it| it.best);
        match (self.frames.last_mut(), done) {
            (Some(above), Some((value, line))) => above.note(value, || line),
            (Some(_), None) => (),
            (None, _) if best.value() > self.before => self.in_vain = 0,
            (None, _) => self.rise(),
        }
    }

    fn rise(&mut self) {
        self.in_vain += 1;
        if self.fixed.is_none() && self.in_vain >= PATIENCE {
            self.level = (self.level + 1).min(HIGHEST);
            self.in_vain = 0;
        }
    }
}

impl Frame {
    fn new(
        (state, made): (BitsBuf, Vec<MoveId>),
        level: usize,
        means: &mut Means<'_, '_>,
    ) -> Frame {
        let mut frame = Frame {
            level,
            state,
            made,
            ..Frame::default()
        };
        if level > 1 {
            frame.open = frame.successors(means);
        }
        frame
    }

    fn note(&mut self, value: f32, line: impl FnOnce() -> Vec<MoveId>) {
        if self.best.as_ref().is_none_or(|it| value > it.0) {
            self.best = Some((value, line()));
        }
    }

    /// Takes a line that goes on from here by some moves.
    fn take(&mut self, value: f32, moves: &[MoveId], means: &mut Means<'_, '_>) {
        let line: Vec<MoveId> = self.made.iter().chain(moves).copied().collect();
        if means.best.wants(value, line.len()) {
            means.best.offer(&mut means.thread.walk, means.root, &line);
        }
        self.note(value, || line);
    }

    /// The states after this one in which the match goes on, in any order; ends are taken. Dead states
    /// are left out if there are others.
    fn successors(&mut self, means: &mut Means<'_, '_>) -> Vec<(MoveId, BitsBuf)> {
        let (mut open, mut dead) = (Vec::new(), Vec::new());
        for (action, next) in next(means.thread, &self.state) {
            match next {
                Next::State(state) if means.goals.is_dead(&state) => dead.push((action, state)),
                Next::State(state) => open.push((action, state)),
                Next::End(value) => self.take(value, &[action], means),
            }
        }
        if open.is_empty() {
            open = dead;
        }
        for place in (1..open.len()).rev() {
            let other = means.thread.random.next_u64() % (place as u64 + 1);
            open.swap(place, other as usize);
        }
        open
    }

    /// Makes the next move of the best line, or any if there is none; returns whether the search is
    /// over.
    fn follow(&mut self, means: &mut Means<'_, '_>) -> bool {
        let line = self.best.as_ref().map(|it| it.1.get(self.made.len()));
        let walk = &mut means.thread.walk;
        walk.load(&self.state);
        let action = match line {
            Some(action) => action.copied(),
            None => walk.any_legal(ROLE, &mut means.thread.random),
        };
        match action {
            Some(action) => self.make(action, means),
            None => true,
        }
    }

    /// Makes a move; returns whether the search is over.
    fn make(&mut self, action: MoveId, means: &mut Means<'_, '_>) -> bool {
        let walk = &mut means.thread.walk;
        walk.load(&self.state);
        walk.play(&[action]);
        self.made.push(action);
        self.state.copy_from(walk.state());
        if walk.terminal() || walk.is_broken_off() || self.made.len() as u64 > TURNS {
            return true;
        }
        if self.level > 1 {
            self.open = self.successors(means);
        }
        false
    }

    /// Plays out all moves, and makes the most promising one; returns whether the search is over.
    fn step(&mut self, means: &mut Means<'_, '_>) -> bool {
        let open = self.successors(means);
        if open.is_empty() || means.best.is_settled() {
            return true;
        }
        let promising = match (means.playouts.lanes(), means.by) {
            (Some(_), By::Lanes) => self.by_lanes(&open, means),
            _ => self.one_by_one(&open, means),
        };
        if means.thread.clock.is_late() {
            return false;
        }
        match promising {
            Some(place) => self.make(open[place].0, means),
            None => self.follow(means),
        }
    }

    /// Plays out some states in lanes. Returns the most promising one, if it promises more than the
    /// best line brings.
    fn by_lanes(&mut self, open: &[(MoveId, BitsBuf)], means: &mut Means<'_, '_>) -> Option<usize> {
        let states: Vec<&Bits> = open.iter().map(|it| &*it.1).collect();
        let batch = Batch {
            states: &states,
            by: means.by,
        };
        let mut told: Vec<Estimate> = Vec::new();
        means.playouts.evaluate(means.thread, &batch, &mut told);
        let rank = |&place: &usize| (told[place].highest[0], told[place].values[0]);
        let order = |one: &usize, other: &usize| rank(one).partial_cmp(&rank(other));
        let place = (0..open.len())
            .max_by(|one, other| order(one, other).unwrap_or(std::cmp::Ordering::Equal))?;
        let highest = rank(&place).0;
        let tries = match (highest >= means.best.most, &self.best) {
            (true, _) => RECORDED,
            (false, None) => 1,
            (false, Some(_)) => 0,
        };
        for _ in 0..tries {
            self.record(&open[place], means);
        }
        let certain = self.best.as_ref().map(|it| it.0);
        certain.is_none_or(|it| it < highest).then_some(place)
    }

    /// Records a playout of each state. The best line tells how to go on.
    fn one_by_one(
        &mut self,
        open: &[(MoveId, BitsBuf)],
        means: &mut Means<'_, '_>,
    ) -> Option<usize> {
        for one in open {
            self.record(one, means);
        }
        None
    }

    /// Records a playout after a move.
    fn record(&mut self, (action, state): &(MoveId, BitsBuf), means: &mut Means<'_, '_>) {
        if let Some((value, moves)) = recorded(means.thread, state) {
            let moves: Vec<MoveId> = [*action].into_iter().chain(moves).collect();
            self.take(value, &moves, means);
        }
    }
}
