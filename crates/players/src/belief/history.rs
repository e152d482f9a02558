//! What a role did and saw, and matches that are changed so that they fit it.

use super::line::{Line, LineTurn};
use super::{ALL, KEPT, Place, Seen};
use game::{Bits, BitsBuf, MoveId, PerceptId};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// What a role did and saw, turn by turn. How near percepts are to each other is told by the words
/// of their terms.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    turns: Vec<Seen>,
    words: HashMap<PerceptId, Vec<String>>,
}

impl History {
    pub(super) fn add(&mut self, seen: Seen) {
        self.turns.push(seen);
    }

    pub(super) fn len(&self) -> usize {
        self.turns.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }

    /// A match in which a turn is another one, or two have changed places, if it fits as well.
    pub(super) fn variant(&mut self, place: &mut Place<'_>, old: &Line) -> Option<Line> {
        let count = old.turns();
        let (one, other) = (place.draw(count), place.draw(count));
        if place.draw(2) == 0 {
            let joint = self.any(place, (old.state(one), one))?;
            return self.changed(place, old, &[(one, joint)]);
        }
        let first = (one, old.exchanged(one, other, place.role));
        let second = (other, old.exchanged(other, one, place.role));
        self.changed(place, old, &[first, second])
    }

    /// A match with other turns, if it fits as well.
    fn changed(
        &mut self,
        place: &mut Place<'_>,
        old: &Line,
        changes: &[(usize, Arc<[MoveId]>)],
    ) -> Option<Line> {
        let real = changes
            .iter()
            .filter(|(turn, joint)| old.turn(*turn).joint != *joint);
        let first = real.map(|(turn, _)| *turn).min()?;
        let (count, allowed) = (old.turns(), old.misses());
        let mut line = old.up_to(first);
        let mut misses = line.misses();
        for turn in first..count {
            let change = changes.iter().find(|(changed, _)| *changed == turn);
            let joint = change.map_or(&old.turn(turn).joint, |(_, joint)| joint);
            let (state, made) = self.after(place, (line.last(), turn), Arc::clone(joint));
            misses += made.misses;
            if misses > allowed {
                return None;
            }
            line.push(state, made);
        }
        // Most do not fit, and finding the legal moves takes longer: so that comes last.
        let mut turns = first..count;
        turns.all(|it| is_legal(place, &line, it)).then_some(line)
    }

    /// Matches in which a turn is another one and the last turn fits better. Of all joint moves of
    /// the turn, those are played again that would make the last turn fit better if they had no
    /// other consequence than their own change of the state.
    pub(super) fn corrected(
        &mut self,
        place: &mut Place<'_>,
        old: &Line,
        until: Instant,
    ) -> Vec<Line> {
        let mut lines = Vec::new();
        let last = old.turns() - 1;
        let turn = place.draw(last.max(1));
        if turn == last {
            return lines;
        }
        for joint in self.joints(place, (old.state(turn), turn), ALL) {
            if lines.len() >= KEPT || Instant::now() >= until {
                break;
            }
            let at = (old.state(turn), turn);
            let (next, other) = self.after(place, at, Arc::clone(&joint));
            if other.misses > old.turn(turn).misses {
                continue;
            }
            let before_last = old.state(last);
            let change = (old.state(turn + 1), &*next);
            let guess = place.game.with_change(before_last, change.0, change.1);
            if *guess == *before_last {
                continue;
            }
            let joint_of_last = Arc::clone(&old.turn(last).joint);
            let (_, after) = self.after(place, (&guess, last), joint_of_last);
            if after.misses < old.turn(last).misses {
                lines.extend(self.changed(place, old, &[(turn, joint)]));
            }
        }
        lines
    }

    /// The legal moves of all roles in a turn, of the player's own only the one it made.
    fn options(
        &self,
        place: &mut Place<'_>,
        (state, turn): (&Bits, usize),
    ) -> Option<Vec<Vec<MoveId>>> {
        place.walk.load(state);
        let roles = place.game.role_ids();
        let mut legal: Vec<Vec<MoveId>> = roles.map(|role| place.walk.legal(role)).collect();
        let own = &mut legal[place.role.index()];
        // If it was illegal, another move was made, and not every manager says which.
        if let Some(made) = self.turns[turn].own.filter(|it| own.contains(it)) {
            *own = vec![made];
        }
        legal.iter().all(|it| !it.is_empty()).then_some(legal)
    }

    /// A joint move that the player may have been part of.
    fn any(&self, place: &mut Place<'_>, at: (&Bits, usize)) -> Option<Arc<[MoveId]>> {
        let options = self.options(place, at)?;
        let options = options.iter();
        Some(options.map(|it| it[place.draw(it.len())]).collect())
    }

    /// All joint moves that the player may have been part of, or some if there are too many.
    pub(super) fn joints(
        &self,
        place: &mut Place<'_>,
        at: (&Bits, usize),
        most: usize,
    ) -> Vec<Arc<[MoveId]>> {
        let Some(options) = self.options(place, at) else {
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

    /// What follows from a state and a joint move in a turn.
    pub(super) fn after(
        &mut self,
        place: &mut Place<'_>,
        (state, turn): (&Bits, usize),
        joint: Arc<[MoveId]>,
    ) -> (BitsBuf, LineTurn) {
        place.walk.load(state);
        place.walk.choose(&joint);
        let shown = place.walk.percepts(place.role);
        let misses = self.distance(place, &shown, turn);
        place.walk.advance();
        (place.walk.state().to_owned(), LineTurn { joint, misses })
    }

    /// How far percepts are from those that were seen in a turn: how many are others, and how many
    /// of their words.
    fn distance(&mut self, place: &mut Place<'_>, shown: &[PerceptId], turn: usize) -> usize {
        let seen = &self.turns[turn].percepts;
        if shown == seen {
            return 0;
        }
        let only = |these: &[PerceptId], those: &[PerceptId]| -> Vec<PerceptId> {
            let only = these.iter().filter(|it| !those.contains(it));
            only.copied().collect()
        };
        let (more, less) = (only(shown, seen), only(seen, shown));
        for &percept in more.iter().chain(&less) {
            (self.words)
                .entry(percept)
                .or_insert_with(|| words(place, percept));
        }
        let mut counts: HashMap<&str, isize> = HashMap::new();
        for (percepts, sign) in [(&more, 1), (&less, -1)] {
            for word in percepts.iter().flat_map(|it| &self.words[it]) {
                *counts.entry(word).or_default() += sign;
            }
        }
        let words = counts.values().map(|it| it.unsigned_abs());
        more.len() + less.len() + words.sum::<usize>()
    }
}

/// The words of a percept.
fn words(place: &mut Place<'_>, percept: PerceptId) -> Vec<String> {
    let term = place.game.percept_term(place.role, percept);
    let known = |scratch: &game::Scratch| term.index() < scratch.terms().len();
    if !place.scratch.as_ref().is_some_and(known) {
        place.scratch = Some(place.game.scratch());
    }
    let scratch = place.scratch.as_ref().expect("it was just made");
    let text = scratch.terms().text(term);
    let words = text.split(['(', ')', ' ']).filter(|it| !it.is_empty());
    words.map(str::to_string).collect()
}

/// Whether the joint move of a turn is legal.
fn is_legal(place: &mut Place<'_>, line: &Line, turn: usize) -> bool {
    place.walk.load(line.state(turn));
    let mut moves = place.game.role_ids().zip(&*line.turn(turn).joint);
    moves.all(|(role, action)| place.walk.legal(role).contains(action))
}
