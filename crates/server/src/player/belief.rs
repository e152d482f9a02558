//! Matches that may have been played, where the game hides what happens.
//!
//! Rules let a player know its legal moves, so one match that fits all that was seen is enough
//! to answer. Many are kept: which of them are wrong is seen later. What is seen often tells
//! that something else happened long ago than most of them have it, so they are varied while
//! there is time: one turn is changed, or two change places, and the rest is played again. If
//! none is left that fits, those that fit best are varied until one does.

use super::position::{Lost, Step};
use crate::message::find;
use game::{Moment, Stepper, TermId};
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Instant;

/// How many matches are kept.
const KEPT: usize = 256;
/// How many joint moves are tried after each at least: all, if there are no more.
const TRIED: usize = 64;
/// How many at most.
const ALL: usize = 4096;
/// How often matches are varied after a turn before an answer is given, and how often if
/// nobody waits.
const SOON: usize = 256;
const LATER: usize = 8192;

/// Matches that fit what was seen; if there are none, matches that nearly do.
pub(super) struct Belief {
    lines: Vec<Line>,
    /// The state of the match that fits best.
    best: Moment,
    history: History,
    /// How often they were varied since the last turn.
    varied: usize,
}

/// A match: its states, and the joint moves between them.
#[derive(Clone)]
struct Line {
    states: Vec<Moment>,
    turns: Vec<Turn>,
}

/// A turn of a match.
#[derive(Clone)]
struct Turn {
    joint: Arc<[TermId]>,
    /// How far the percepts are from what was seen.
    misses: usize,
}

impl Line {
    /// What happened before a turn.
    fn up_to(&self, turn: usize) -> Line {
        Line {
            states: self.states[..=turn].to_vec(),
            turns: self.turns[..turn].to_vec(),
        }
    }

    fn push(&mut self, state: Moment, turn: Turn) {
        self.states.push(state);
        self.turns.push(turn);
    }

    fn misses(&self) -> usize {
        self.turns.iter().map(|it| it.misses).sum()
    }

    fn last(&self) -> &Moment {
        &self.states[self.turns.len()]
    }
}

/// What a player did and saw in a turn.
struct Seen {
    own: String,
    /// The numbers of percepts, in order.
    percepts: Vec<usize>,
}

/// What a player did and saw. Percepts are compared by their texts in lower case, each of which
/// has a number, and how near they are by their words.
#[derive(Default)]
struct History {
    steps: Vec<Seen>,
    numbers: HashMap<String, usize>,
    terms: HashMap<TermId, usize>,
    /// For each percept its words.
    words: Vec<Vec<String>>,
}

/// A game for one role, and what is needed to go on in it.
pub(super) struct Place<'p> {
    pub(super) stepper: Stepper<'p>,
    pub(super) role: usize,
    pub(super) random: &'p mut Xoshiro256PlusPlus,
}

impl Place<'_> {
    /// A number below another.
    fn draw(&mut self, below: usize) -> usize {
        self.random.next_u64() as usize % below
    }
}

impl Belief {
    pub(super) fn new(state: Moment) -> Belief {
        let line = Line {
            states: vec![state.clone()],
            turns: Vec::new(),
        };
        Belief {
            lines: vec![line],
            best: state,
            history: History::default(),
            varied: 0,
        }
    }

    /// The state of the match that fits best.
    pub(super) fn best(&self) -> &Moment {
        &self.best
    }

    /// Goes on by a turn, until a time at the latest; returns what was seen. If nothing fits in
    /// that time, what fits best is the view.
    pub(super) fn advance(
        &mut self,
        place: &mut Place<'_>,
        step: &Step,
        until: Instant,
    ) -> Result<Vec<TermId>, Lost> {
        self.history.add(step);
        self.varied = 0;
        let lines = self.extended(place, until);
        let is_known = !lines.is_empty();
        let lines = if is_known { lines } else { self.guessed(place) };
        if lines.is_empty() {
            return Err(Lost::Unseen);
        }
        self.lines = lines;
        if !is_known {
            self.correct(place, until);
        }
        if self.fits() {
            self.vary(place, SOON, until);
        }
        let best = self.lines.iter().min_by_key(|it| it.misses());
        let best = best.ok_or(Lost::Unseen)?;
        self.best = best.last().clone();
        if best.misses() > 0 {
            return Err(Lost::Unseen);
        }
        let turn = best.turns.len() - 1;
        let joint = &best.turns[turn].joint;
        let seen = place
            .stepper
            .next(&best.states[turn], joint, place.role)
            .ok_or(Lost::Unseen)?;
        Ok(seen.1)
    }

    /// Varies the matches while nobody waits, until a time at the latest; whether it is worth
    /// while to go on.
    pub(super) fn ponder(&mut self, place: &mut Place<'_>, until: Instant) -> bool {
        // There may be nothing to vary, or nothing that could have happened.
        if !self.lines.iter().all(|it| self.is_whole(it)) || self.history.steps.is_empty() {
            return false;
        }
        match self.fits() {
            true => self.vary(place, LATER, until),
            false => self.correct(place, until),
        }
        self.varied < LATER
    }

    /// Varies the matches so often since the last turn, if there is time: those that are few
    /// become more, those that are many become others.
    fn vary(&mut self, place: &mut Place<'_>, times: usize, until: Instant) {
        let mut known: HashSet<_> = self.lines.iter().map(|it| it.last().clone()).collect();
        while self.varied < times && Instant::now() < until {
            self.varied += 1;
            let number = place.draw(self.lines.len());
            let old = &self.lines[number];
            let Some(line) = self.history.variant(place, old) else {
                continue;
            };
            if !known.insert(line.last().clone()) {
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
        line.turns.len() == self.history.steps.len()
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
        let before = self.history.steps.len() - 1;
        let fits = |it: &&Line| it.misses() == 0 && it.turns.len() == before;
        for line in self.lines.iter().filter(fits) {
            if !lines.is_empty() && Instant::now() >= until {
                break;
            }
            for joint in self.history.joints(place, line, most) {
                let at = (line.last(), line.turns.len());
                let Some((next, turn)) = self.history.after(place, at, joint) else {
                    continue;
                };
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
        let wanted = self.history.steps.len();
        let mut lines = self.lines.clone();
        for line in &mut lines {
            while line.turns.len() < wanted {
                let joints = self.history.joints(place, line, TRIED);
                let at = (line.last(), line.turns.len());
                let turns = joints.into_iter();
                let turns = turns.filter_map(|joint| self.history.after(place, at, joint));
                let Some((state, turn)) = turns.min_by_key(|(_, turn)| turn.misses) else {
                    break;
                };
                line.push(state, turn);
            }
        }
        lines.retain(|it| it.turns.len() == wanted);
        lines
    }
}

impl History {
    fn add(&mut self, step: &Step) {
        let told = step.told.iter();
        let mut percepts: Vec<usize> = told.map(|it| self.number(it.to_lowercase())).collect();
        percepts.sort_unstable();
        percepts.dedup();
        self.steps.push(Seen {
            own: step.own.to_lowercase(),
            percepts,
        });
    }

    fn number(&mut self, text: String) -> usize {
        if let Some(&number) = self.numbers.get(&text) {
            return number;
        }
        let words = text.split(['(', ')', ' ']).filter(|it| !it.is_empty());
        self.words.push(words.map(str::to_string).collect());
        self.numbers.insert(text, self.words.len() - 1);
        self.words.len() - 1
    }

    /// How far percepts are from those that were seen: how many are others, and how many of
    /// their words.
    fn distance(&self, shown: &[usize], seen: &[usize]) -> usize {
        if shown == seen {
            return 0;
        }
        let only = |these: &[usize], those: &[usize]| -> Vec<usize> {
            let only = these.iter().filter(|it| !those.contains(it));
            only.copied().collect()
        };
        let (more, less) = (only(shown, seen), only(seen, shown));
        let mut words: HashMap<&str, isize> = HashMap::new();
        for (percepts, sign) in [(&more, 1), (&less, -1)] {
            for word in percepts.iter().flat_map(|&it| &self.words[it]) {
                *words.entry(word).or_default() += sign;
            }
        }
        let words = words.values().map(|it| it.unsigned_abs());
        more.len() + less.len() + words.sum::<usize>()
    }

    /// A match in which a turn is another one, or two have changed places, if it fits as well.
    fn variant(&mut self, place: &mut Place<'_>, old: &Line) -> Option<Line> {
        let count = old.turns.len();
        let (one, other) = (place.draw(count), place.draw(count));
        if place.draw(2) == 0 {
            let joint = self.any(place, &old.up_to(one))?;
            return self.changed(place, old, &[(one, joint)]);
        }
        let first = (one, exchanged(old, (one, other), place.role));
        let second = (other, exchanged(old, (other, one), place.role));
        self.changed(place, old, &[first, second])
    }

    /// A match with other turns, if it fits as well.
    fn changed(
        &mut self,
        place: &mut Place<'_>,
        old: &Line,
        changes: &[(usize, Arc<[TermId]>)],
    ) -> Option<Line> {
        let real = changes
            .iter()
            .filter(|(turn, joint)| old.turns[*turn].joint != *joint);
        let first = real.map(|(turn, _)| *turn).min()?;
        let (count, allowed) = (old.turns.len(), old.misses());
        let mut line = old.up_to(first);
        let mut misses = line.misses();
        for turn in first..count {
            let change = changes.iter().find(|(changed, _)| *changed == turn);
            let joint = change.map_or(&old.turns[turn].joint, |(_, joint)| joint);
            if !self.play(place, &mut line, Arc::clone(joint)) {
                return None;
            }
            misses += line.turns[turn].misses;
            if misses > allowed {
                return None;
            }
        }
        // Most do not fit, and to see what is legal takes longer: so that comes last.
        let mut turns = first..count;
        turns.all(|it| is_legal(place, &line, it)).then_some(line)
    }

    /// Matches in which a turn is another one and the last turn fits better. Of all the others
    /// it could have been, those are played again with which that would be so if they had no
    /// other consequence: that is seen at once.
    fn corrected(&mut self, place: &mut Place<'_>, old: &Line, until: Instant) -> Vec<Line> {
        let mut lines = Vec::new();
        let last = old.turns.len() - 1;
        let turn = place.draw(last.max(1));
        for joint in self.joints(place, &old.up_to(turn), ALL) {
            if lines.len() >= KEPT || Instant::now() >= until {
                break;
            }
            let at = (&old.states[turn], turn);
            let Some((next, other)) = self.after(place, at, Arc::clone(&joint)) else {
                continue;
            };
            if turn == last || other.misses > old.turns[turn].misses {
                continue;
            }
            let guess = old.states[last].with_change(&old.states[turn + 1], &next);
            let Some(guess) = guess.filter(|it| *it != old.states[last]) else {
                continue;
            };
            let joint_of_last = Arc::clone(&old.turns[last].joint);
            let after = self.after(place, (&guess, last), joint_of_last);
            if after.is_some_and(|(_, it)| it.misses < old.turns[last].misses) {
                lines.extend(self.changed(place, old, &[(turn, joint)]));
            }
        }
        lines
    }

    /// The legal moves of all roles, of the player's own only the one it made.
    fn options(&self, place: &mut Place<'_>, line: &Line) -> Option<Vec<Vec<TermId>>> {
        let mut legal = place.stepper.legal(line.last())?;
        let own = &self.steps[line.turns.len()].own;
        // If it was no legal move, another one was made, and not every manager says which.
        if let Some(own) = find(place.stepper.scratch(), &legal[place.role], own) {
            legal[place.role] = vec![own];
        }
        legal.iter().all(|it| !it.is_empty()).then_some(legal)
    }

    /// A joint move that the player may have been part of.
    fn any(&self, place: &mut Place<'_>, line: &Line) -> Option<Arc<[TermId]>> {
        let options = self.options(place, line)?;
        let options = options.iter();
        Some(options.map(|it| it[place.draw(it.len())]).collect())
    }

    /// All joint moves that the player may have been part of, or some if there are too many.
    fn joints(&self, place: &mut Place<'_>, line: &Line, most: usize) -> Vec<Arc<[TermId]>> {
        let Some(options) = self.options(place, line) else {
            return Vec::new();
        };
        let count = options.iter().map(Vec::len);
        let count = count.fold(1usize, usize::saturating_mul);
        if count > most {
            let mut any = || options.iter().map(|it| it[place.draw(it.len())]).collect();
            return (0..most).map(|_| any()).collect();
        }
        let number = |mut number: usize| {
            let moves = options.iter().map(|moves| {
                let action = moves[number % moves.len()];
                number /= moves.len();
                action
            });
            moves.collect()
        };
        (0..count).map(number).collect()
    }

    /// Plays a turn; whether there is a state after it.
    fn play(&mut self, place: &mut Place<'_>, line: &mut Line, joint: Arc<[TermId]>) -> bool {
        let after = self.after(place, (line.last(), line.turns.len()), joint);
        let is_there = after.is_some();
        if let Some((state, turn)) = after {
            line.push(state, turn);
        }
        is_there
    }

    /// What follows from a state and a joint move in a turn.
    fn after(
        &mut self,
        place: &mut Place<'_>,
        (state, turn): (&Moment, usize),
        joint: Arc<[TermId]>,
    ) -> Option<(Moment, Turn)> {
        let (next, percepts) = place.stepper.next(state, &joint, place.role)?;
        let mut shown: Vec<usize> = Vec::with_capacity(percepts.len());
        for term in percepts {
            let known = self.terms.get(&term).copied();
            shown.push(known.unwrap_or_else(|| {
                let number = self.number(place.stepper.scratch().terms().text(term).to_lowercase());
                self.terms.insert(term, number);
                number
            }));
        }
        shown.sort_unstable();
        shown.dedup();
        let misses = self.distance(&shown, &self.steps.get(turn)?.percepts);
        Some((next, Turn { joint, misses }))
    }
}

/// The joint move of a turn with those of others from another turn.
fn exchanged(line: &Line, (turn, other): (usize, usize), role: usize) -> Arc<[TermId]> {
    let mut joint = line.turns[other].joint.to_vec();
    joint[role] = line.turns[turn].joint[role];
    joint.into()
}

/// Whether the joint move of a turn is legal.
fn is_legal(place: &mut Place<'_>, line: &Line, turn: usize) -> bool {
    let legal = place.stepper.legal(&line.states[turn]);
    legal.is_some_and(|legal| {
        let mut moves = legal.iter().zip(line.turns[turn].joint.iter());
        moves.all(|(legal, action)| legal.contains(action))
    })
}
