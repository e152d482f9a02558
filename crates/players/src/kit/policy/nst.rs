//! NST, the N-gram selection technique (Tak, Winands and Björnsson 2012): a move is worth the mean
//! of what sequences that end with it brought: the move alone, after the move before, and after
//! the two before. Longer sequences count from seven playouts on. The choice is ε-greedy.
//!
//! The move before is that of the first role that had a choice in the turn before. Playouts run
//! one at a time: lanes do not tell in which order moves were made.

use super::greedy::greedy;
use super::knowledge::{Act, Course, Knowledge, Learned, Sequence};
use super::{Legal, Policy, PolicySettings};
use game::{Bits, Decisive, Game, MoveId, RoleId};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// A longer sequence counts after so many playouts.
const OFTEN: f32 = 7.0;

/// The policy of a thread.
pub(super) struct Nst {
    shared: Arc<Knowledge>,
    by: PolicySettings,
    course: Course,
    /// Who was the first to have a choice, in each turn so far.
    deciding: Vec<RoleId>,
    roles: usize,
    /// The first role with a choice in the present turn.
    choosing: Option<RoleId>,
}

impl Nst {
    pub(super) fn new(game: &Game, shared: &Arc<Knowledge>, by: PolicySettings) -> Nst {
        let roles = game.roles().len();
        Nst {
            shared: Arc::clone(shared),
            by,
            course: Course::new(roles),
            deciding: Vec::new(),
            roles,
            choosing: None,
        }
    }

    /// The move of a turn, counted back from the present one.
    fn before(&self, turns: usize) -> Option<Act> {
        act(
            &self.course,
            &self.deciding,
            self.course.len().checked_sub(turns)?,
        )
    }
}

fn act(course: &Course, deciding: &[RoleId], turn: usize) -> Option<Act> {
    let role = *deciding.get(turn)?;
    Some((role, course.joint(turn)[role.index()]))
}

/// The worth of a move after others: the mean over the lengths that are known.
pub(super) fn worth(learned: &Learned, last: Act, before: [Option<Act>; 2]) -> f32 {
    let alone = learned.moves[last];
    // What was never tried comes first.
    if alone.playouts == 0.0 {
        return 1.0;
    }
    let [two_before, one_before] = before;
    let longer: [Sequence; 2] = [
        [None, one_before, Some(last)],
        [two_before, one_before, Some(last)],
    ];
    let known = [
        one_before.is_some(),
        one_before.is_some() && two_before.is_some(),
    ];
    let (mut sum, mut count) = (alone.mean((0.0, 0.0)), 1.0);
    for (sequence, known) in longer.iter().zip(known) {
        let found = learned
            .sequences
            .get(sequence)
            .filter(|it| it.playouts >= OFTEN);
        if let (true, Some(quality)) = (known, found) {
            sum += quality.mean((0.0, 0.0));
            count += 1.0;
        }
    }
    sum / count
}

impl Policy for Nst {
    fn runs_in_lanes(&self) -> bool {
        false
    }

    fn decisive(&self) -> Decisive {
        self.by.decisive()
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        let role = legal.role();
        if self.choosing.is_none() && legal.is_choice() {
            self.choosing = Some(role);
        }
        let before = [self.before(2), self.before(1)];
        let learned = self.shared.lock();
        greedy(legal, self.by.epsilon, random, |action| {
            worth(&learned, (role, action), before)
        })
    }

    fn begin(&mut self) {
        self.course.clear();
        self.deciding.clear();
        self.choosing = None;
    }

    fn played(&mut self, _: &Bits, joint: &[MoveId]) {
        self.course.push(None, joint);
        let first = RoleId::new(0);
        self.deciding.push(self.choosing.take().unwrap_or(first));
    }

    fn ended(&mut self, values: &[f32]) {
        let mut learned = self.shared.lock();
        for turn in 0..self.course.len() {
            let joint = self.course.joint(turn);
            let earlier = |turns: usize| {
                let turn = turn.checked_sub(turns)?;
                act(&self.course, &self.deciding, turn)
            };
            let (one, two) = (earlier(1), earlier(2));
            for (role, &action) in RoleId::all(self.roles).zip(joint) {
                let value = values[role.index()];
                let last = Some((role, action));
                learned.moves[(role, action)].add(1.0, value);
                if one.is_some() {
                    let sequence = [None, one, last];
                    learned
                        .sequences
                        .entry(sequence)
                        .or_default()
                        .add(1.0, value);
                }
                if one.is_some() && two.is_some() {
                    let sequence = [two, one, last];
                    learned
                        .sequences
                        .entry(sequence)
                        .or_default()
                        .add(1.0, value);
                }
            }
        }
        learned.bound();
    }
}
