//! Matches that may have been played, where the game hides what happens.
//!
//! Rules let a player know its legal moves, so one match that fits all that was seen is enough
//! to answer. Many are kept, as later percepts rule some of them out. A percept often tells that
//! something else happened long ago than most matches have it, so they are varied while there is
//! time: one turn is changed, or two change places, and the rest is played again. If no match is
//! left that fits, those that fit best are varied until one does.

mod history;
mod line;
#[cfg(test)]
mod tests;

use game::{Bits, BitsBuf, Game, MoveId, PerceptId, RoleId, Scratch, Walk};
use history::History;
use line::Line;
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::time::Instant;

/// How many matches are kept.
const KEPT: usize = 256;
/// How many joint moves are tried after each at least: all, if there are no more.
const TRIED: usize = 64;
/// How many at most.
const ALL: usize = 4096;
/// How often matches are varied after a turn before an answer is given, and how often in all if
/// nobody waits.
const SOON: usize = 256;
const LATER: usize = 8192;

/// What a role did and saw in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// The role's own move; none if it is not known which was made.
    pub own: Option<MoveId>,
    /// What it saw, in the order of ids.
    pub percepts: Vec<PerceptId>,
}

/// How well the matches of a belief fit what was seen.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Fit {
    /// At least one match fits all that was seen.
    Exact,
    /// No match does; those that fit best are kept.
    Near,
    /// No match goes on at all; those before the turn are kept.
    Lost,
}

/// Matches that fit what a role saw; if there are none, matches that nearly do.
#[derive(Clone, Debug)]
pub struct Belief {
    role: RoleId,
    lines: Vec<Line>,
    /// The state of the match that fits best.
    best: BitsBuf,
    history: History,
    /// How often they were varied since the last turn.
    varied: usize,
}

/// What is needed to go on: a walk, a role and random numbers.
struct Place<'p> {
    game: &'p Game,
    walk: Walk<'p>,
    role: RoleId,
    random: &'p mut Xoshiro256PlusPlus,
    /// The texts of terms, when they are asked for.
    scratch: Option<Scratch>,
}

impl<'p> Place<'p> {
    fn new(game: &'p Game, role: RoleId, random: &'p mut Xoshiro256PlusPlus) -> Place<'p> {
        Place {
            walk: game.walk(),
            scratch: None,
            game,
            role,
            random,
        }
    }

    /// A number below another.
    fn draw(&mut self, below: usize) -> usize {
        self.random.next_u64() as usize % below
    }
}

impl Belief {
    /// Before the first turn nothing is hidden: the initial state is known.
    pub fn new(game: &Game, role: RoleId) -> Belief {
        let first = game.walk().state().to_owned();
        Belief {
            role,
            lines: vec![Line::new(first.clone())],
            best: first,
            history: History::default(),
            varied: 0,
        }
    }

    /// The state of the match that fits best.
    pub fn best(&self) -> &Bits {
        &self.best
    }

    /// The state of one of the matches, drawn at random.
    pub fn sample(&self, random: &mut impl Rng) -> &Bits {
        let number = random.next_u64() as usize % self.lines.len();
        self.lines[number].last()
    }

    /// How many matches are kept.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether there is none; there always is one.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Goes on by a turn, until a time at the latest.
    pub fn observe(
        &mut self,
        game: &Game,
        seen: Seen,
        (random, until): (&mut Xoshiro256PlusPlus, Instant),
    ) -> Fit {
        let place = &mut Place::new(game, self.role, random);
        self.history.add(seen);
        self.varied = 0;
        let lines = self.extended(place, until);
        let is_known = !lines.is_empty();
        let lines = if is_known { lines } else { self.guessed(place) };
        if lines.is_empty() {
            return Fit::Lost;
        }
        self.lines = lines;
        if !is_known {
            self.correct(place, until);
        }
        if self.fits() {
            self.vary(place, SOON, until);
        }
        let best = self.lines.iter().min_by_key(|it| it.misses());
        let best = best.expect("there is a line");
        self.best.copy_from(best.last());
        match best.misses() {
            0 => Fit::Exact,
            _ => Fit::Near,
        }
    }

    /// Varies the matches while nobody waits, until a time at the latest; whether it is worth
    /// while to go on.
    pub fn ponder(
        &mut self,
        game: &Game,
        (random, until): (&mut Xoshiro256PlusPlus, Instant),
    ) -> bool {
        // There may be nothing to vary, or nothing that could have happened.
        if !self.lines.iter().all(|it| self.is_whole(it)) || self.history.is_empty() {
            return false;
        }
        let place = &mut Place::new(game, self.role, random);
        match self.fits() {
            true => self.vary(place, LATER, until),
            false => self.correct(place, until),
        }
        self.varied < LATER
    }

    /// Varies the matches so often since the last turn, if there is time: those that are few
    /// become more, those that are many become others.
    fn vary(&mut self, place: &mut Place<'_>, times: usize, until: Instant) {
        let mut known: HashSet<BitsBuf> =
            self.lines.iter().map(|it| it.last().to_owned()).collect();
        while self.varied < times && Instant::now() < until {
            self.varied += 1;
            let number = place.draw(self.lines.len());
            let old = &self.lines[number];
            let Some(line) = self.history.variant(place, old) else {
                continue;
            };
            if !known.insert(line.last().to_owned()) {
                continue;
            }
            if self.lines.len() < KEPT {
                self.lines.push(line);
            } else {
                known.remove(old.last());
                self.lines[number] = line;
            }
        }
    }

    /// Makes matches that do not fit better until some do, or time runs out.
    fn correct(&mut self, place: &mut Place<'_>, until: Instant) {
        while Instant::now() < until {
            self.varied += 1;
            let number = self.drawn(place);
            let old = &self.lines[number];
            let better = match place.draw(4) {
                0 => self.history.corrected(place, old, until),
                _ => self.history.variant(place, old).into_iter().collect(),
            };
            let fits = |it: &Line| it.misses() == 0;
            if better.iter().any(fits) {
                self.lines = better.into_iter().filter(fits).collect();
                self.varied = 0;
                return;
            }
            let better = better.into_iter().min_by_key(Line::misses);
            if let Some(line) = better {
                self.lines[number] = line;
            }
        }
    }

    /// Whether a match has all turns.
    fn is_whole(&self, line: &Line) -> bool {
        line.turns() == self.history.len()
    }

    fn fits(&self) -> bool {
        self.lines.iter().any(|it| it.misses() == 0)
    }

    /// The number of a match to vary: the best of three.
    fn drawn(&self, place: &mut Place<'_>) -> usize {
        let mut numbers = [0; 3];
        numbers.fill_with(|| place.draw(self.lines.len()));
        let best = numbers.into_iter();
        best.min_by_key(|&it| self.lines[it].misses()).unwrap_or(0)
    }

    /// The matches with another turn that fits. If time runs out, some of them.
    fn extended(&mut self, place: &mut Place<'_>, until: Instant) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut known = HashSet::new();
        // The fewer there are, the more ways each may go on.
        let most = (KEPT * TRIED / self.lines.len()).clamp(TRIED, ALL);
        let before = self.history.len() - 1;
        let fits = |it: &&Line| it.misses() == 0 && it.turns() == before;
        for line in self.lines.iter().filter(fits) {
            if !lines.is_empty() && Instant::now() >= until {
                break;
            }
            for joint in self.history.joints(place, (line.last(), before), most) {
                let at = (line.last(), before);
                let (next, turn) = self.history.after(place, at, joint);
                if turn.misses > 0 || !known.insert(next.clone()) {
                    continue;
                }
                // Any of those that fit has the same chance to be kept.
                let number = match lines.len() {
                    KEPT => place.draw(known.len()),
                    count => count,
                };
                if number < KEPT {
                    let mut longer = line.clone();
                    longer.push(next, turn);
                    match lines.get_mut(number) {
                        Some(other) => *other = longer,
                        None => lines.push(longer),
                    }
                }
            }
        }
        lines
    }

    /// The matches with turns for those that are missing, each the best of some.
    fn guessed(&mut self, place: &mut Place<'_>) -> Vec<Line> {
        let wanted = self.history.len();
        let mut lines = self.lines.clone();
        for line in &mut lines {
            while line.turns() < wanted {
                let at = (line.last(), line.turns());
                let joints = self.history.joints(place, at, TRIED).into_iter();
                let turns = joints.map(|joint| self.history.after(place, at, joint));
                let Some((state, turn)) = turns.min_by_key(|(_, turn)| turn.misses) else {
                    break;
                };
                line.push(state, turn);
            }
        }
        lines.retain(|it| it.turns() == wanted);
        lines
    }
}
