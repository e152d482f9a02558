//! Matches that may have been played, where the game hides what happens.
//!
//! Rules let a player know its legal moves, so one match that fits all that was seen is enough
//! to answer. Many are kept: which of them are wrong is seen later. What is seen often tells
//! that something else happened long ago than most of them have it, so they are varied while
//! there is time: one turn is changed and the rest is played again. If none is left that fits,
//! those that fitted until now are varied until one does.

use super::position::{Lost, Step};
use crate::message::find;
use game::{Game, Scratch, State, TermId, View};
use rand_core::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::Instant;

/// How many matches are kept.
const KEPT: usize = 256;
/// How many joint moves are tried after each at least: all, if there are no more.
const TRIED: usize = 64;
/// How many at most, and in the place of another.
const ALL: usize = 4096;
/// How often matches are varied after a turn before an answer is given, and how often if
/// nobody waits.
const SOON: usize = 128;
const LATER: usize = 8192;

/// Matches that fit what was seen.
pub(super) struct Belief {
    lines: Vec<Line>,
    view: View,
    steps: Vec<Seen>,
    /// How often they were varied since the last turn.
    varied: usize,
}

/// A match: its states, and the joint moves between them.
#[derive(Clone)]
struct Line {
    states: Vec<Arc<State>>,
    joints: Vec<Arc<[TermId]>>,
}

impl Line {
    /// What happened before a turn.
    fn up_to(&self, turn: usize) -> Line {
        Line {
            states: self.states[..=turn].to_vec(),
            joints: self.joints[..turn].to_vec(),
        }
    }

    /// The same with another turn.
    fn with(&self, state: Arc<State>, joint: Arc<[TermId]>) -> Line {
        let mut line = self.clone();
        line.states.push(state);
        line.joints.push(joint);
        line
    }
}

/// What a player did and saw in a turn, in lower case.
struct Seen {
    own: String,
    percepts: BTreeSet<String>,
}

/// A game for one role, and what is needed to go on in it.
pub(super) struct Place<'p> {
    pub(super) game: &'p Game,
    pub(super) scratch: &'p mut Scratch,
    pub(super) role: usize,
    pub(super) random: &'p mut Xoshiro256PlusPlus,
}

impl Belief {
    pub(super) fn new(state: State, view: View) -> Belief {
        let line = Line {
            states: vec![Arc::new(state)],
            joints: Vec::new(),
        };
        Belief {
            lines: vec![line],
            view,
            steps: Vec::new(),
            varied: 0,
        }
    }

    /// What follows from the state of one of the matches.
    pub(super) fn view(&self) -> &View {
        &self.view
    }

    /// Goes on by a turn, until a time at the latest; returns what was seen.
    pub(super) fn advance(
        &mut self,
        place: &mut Place<'_>,
        step: &Step,
        until: Instant,
    ) -> Result<Vec<TermId>, Lost> {
        self.steps.push(Seen {
            own: step.own.to_lowercase(),
            percepts: step.told.iter().map(|it| it.to_lowercase()).collect(),
        });
        let mut lines = self.extended(place, until);
        while lines.is_empty() && Instant::now() < until {
            lines = self.changed(place, until);
        }
        let line = lines.first().ok_or(Lost::Unseen)?;
        let last = line.states.last().ok_or(Lost::Unseen)?;
        self.view = place.game.view(place.scratch, last)?;
        let before = line.states.iter().rev().nth(1).zip(line.joints.last());
        let seen = before.map(|(state, joint)| place.game.next(place.scratch, state, joint));
        let seen = seen
            .transpose()?
            .map(|(_, mut it)| it.swap_remove(place.role));
        self.lines = lines;
        self.varied = 0;
        self.vary(place, SOON, until);
        Ok(seen.unwrap_or_default())
    }

    /// Varies the matches while nobody waits, until a time at the latest; whether it is worth
    /// while to go on.
    pub(super) fn ponder(&mut self, place: &mut Place<'_>, until: Instant) -> bool {
        if self.steps.is_empty() {
            return false;
        }
        self.vary(place, LATER, until);
        self.varied < LATER
    }

    /// Varies the matches so often since the last turn, if there is time: those that are few
    /// become more, those that are many become others.
    fn vary(&mut self, place: &mut Place<'_>, times: usize, until: Instant) {
        let last = |it: &Line| it.states.last().cloned();
        let mut known: HashSet<_> = self.lines.iter().map(last).collect();
        while self.varied < times && Instant::now() < until {
            self.varied += 1;
            let number = place.random.next_u64() as usize % self.lines.len();
            let Some(line) = self.variant(place, &self.lines[number]) else {
                continue;
            };
            if !known.insert(last(&line)) {
                continue;
            }
            if self.lines.len() < KEPT {
                self.lines.push(line);
            } else {
                known.remove(&last(&self.lines[number]));
                self.lines[number] = line;
            }
        }
    }

    /// A match in which one turn is another one, if that fits.
    fn variant(&self, place: &mut Place<'_>, old: &Line) -> Option<Line> {
        let turn = place.random.next_u64() as usize % old.joints.len();
        let mut line = old.up_to(turn);
        let joint = self.any(place, &line)?;
        if joint == old.joints[turn] || !self.play(place, &mut line, joint) {
            return None;
        }
        for joint in &old.joints[turn + 1..] {
            if !self.play(place, &mut line, Arc::clone(joint)) {
                return None;
            }
        }
        let mut turns = turn + 1..line.joints.len();
        turns.all(|it| is_legal(place, &line, it)).then_some(line)
    }

    /// The matches with another turn that fits. If time runs out, some of them.
    fn extended(&self, place: &mut Place<'_>, until: Instant) -> Vec<Line> {
        let mut lines: Vec<Line> = Vec::new();
        let mut known = HashSet::new();
        // Where no match was found in the turn before, more than one turn is missing.
        let up_to_date = |it: &&Line| it.states.len() == self.steps.len();
        // The fewer there are, the more ways each may go on.
        let most = (KEPT * TRIED / self.lines.len()).clamp(TRIED, ALL);
        for line in self.lines.iter().filter(up_to_date) {
            if !lines.is_empty() && Instant::now() >= until {
                break;
            }
            for joint in self.joints(place, line, most) {
                let Some(next) = self.after(place, line, &joint).map(Arc::new) else {
                    continue;
                };
                if !known.insert(Arc::clone(&next)) {
                    continue;
                }
                // Any of those that fit has the same chance to be kept.
                let number = place.random.next_u64() as usize % known.len();
                if lines.len() < KEPT {
                    lines.push(line.with(next, joint));
                } else if let Some(other) = lines.get_mut(number) {
                    *other = line.with(next, joint);
                }
            }
        }
        lines
    }

    /// Matches with one turn changed and all after it played again, that fit.
    fn changed(&self, place: &mut Place<'_>, until: Instant) -> Vec<Line> {
        let old = &self.lines[place.random.next_u64() as usize % self.lines.len()];
        let Some((turn, start)) = self.cut(place, old) else {
            return Vec::new();
        };
        let mut lines = Vec::new();
        for joint in self.joints(place, &start, ALL) {
            if lines.len() >= KEPT || Instant::now() >= until {
                break;
            }
            let mut line = start.clone();
            if self.play(place, &mut line, joint) && self.replay(place, &mut line, old) {
                // Most do not fit, and to see what is legal takes longer: so that comes last.
                let mut turns = turn..line.joints.len();
                lines.extend(turns.all(|it| is_legal(place, &line, it)).then_some(line));
            }
        }
        lines
    }

    /// Plays a match to the end as another one; whether it fits what was seen.
    fn replay(&self, place: &mut Place<'_>, line: &mut Line, old: &Line) -> bool {
        while line.joints.len() < self.steps.len() {
            // Now and then another turn is changed as well: one may not be enough.
            let again = place
                .random
                .next_u64()
                .is_multiple_of(1 + self.steps.len() as u64);
            let kept = old
                .joints
                .get(line.joints.len())
                .filter(|_| !again)
                .cloned();
            let Some(joint) = kept.or_else(|| self.any(place, line)) else {
                return false;
            };
            if !self.play(place, line, joint) {
                return false;
            }
        }
        true
    }

    /// A match up to a turn in which others could choose.
    fn cut(&self, place: &mut Place<'_>, old: &Line) -> Option<(usize, Line)> {
        const TRIES: usize = 20;
        (0..TRIES).find_map(|_| {
            let turn = place.random.next_u64() as usize % old.states.len();
            let line = old.up_to(turn);
            let options = self.options(place, &line)?;
            let is_open = options.iter().any(|it| it.len() > 1);
            is_open.then_some((turn, line))
        })
    }

    /// What follows from where a match is.
    fn view_of(&self, place: &mut Place<'_>, line: &Line) -> Option<View> {
        place.game.view(place.scratch, line.states.last()?).ok()
    }

    /// The legal moves of all roles, of the player's own only the one it made.
    fn options(&self, place: &mut Place<'_>, line: &Line) -> Option<Vec<Vec<TermId>>> {
        let mut legal = self.view_of(place, line)?.legal;
        let own = &self.steps[line.joints.len()].own;
        legal[place.role] = vec![find(place.scratch, &legal[place.role], own)?];
        legal.iter().all(|it| !it.is_empty()).then_some(legal)
    }

    /// A joint move that the player may have been part of.
    fn any(&self, place: &mut Place<'_>, line: &Line) -> Option<Arc<[TermId]>> {
        let options = self.options(place, line)?;
        let options = options.iter();
        let any = options.map(|it| it[place.random.next_u64() as usize % it.len()]);
        Some(any.collect())
    }

    /// All joint moves that the player may have been part of, or some if there are too many.
    fn joints(&self, place: &mut Place<'_>, line: &Line, most: usize) -> Vec<Arc<[TermId]>> {
        let Some(options) = self.options(place, line) else {
            return Vec::new();
        };
        let count = options.iter().map(Vec::len);
        let count = count.fold(1usize, usize::saturating_mul);
        if count > most {
            return (0..most).filter_map(|_| self.any(place, line)).collect();
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

    /// Plays a turn, if it fits what was seen.
    fn play(&self, place: &mut Place<'_>, line: &mut Line, joint: Arc<[TermId]>) -> bool {
        let next = self.after(place, line, &joint);
        let fits = next.is_some();
        if let Some(next) = next {
            line.states.push(Arc::new(next));
            line.joints.push(joint);
        }
        fits
    }

    /// The state after another turn, if that fits what was seen.
    fn after(&self, place: &mut Place<'_>, line: &Line, joint: &[TermId]) -> Option<State> {
        let seen = self.steps.get(line.joints.len())?;
        let next = place.game.next(place.scratch, line.states.last()?, joint);
        let (next, percepts) = next.ok()?;
        let texts = percepts[place.role].iter();
        let texts = texts.map(|&it| place.scratch.terms().text(it).to_lowercase());
        (texts.collect::<BTreeSet<String>>() == seen.percepts).then_some(next)
    }
}

/// Whether the joint move of a turn is legal.
fn is_legal(place: &mut Place<'_>, line: &Line, turn: usize) -> bool {
    let view = place.game.view(place.scratch, &line.states[turn]);
    view.is_ok_and(|view| {
        let mut moves = view.legal.iter().zip(line.joints[turn].iter());
        moves.all(|(legal, action)| legal.contains(action))
    })
}
