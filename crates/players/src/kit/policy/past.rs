//! PAST, the predicate-average sampling technique (Finnsson and Björnsson 2010): a pair of a fluent
//! and a move is worth what the playouts brought in which the move was made while the fluent held.
//! A move is judged by the best of its pairs that have enough playouts; the choice is ε-greedy.
//!
//! Playouts run one at a time: which fluents held when a move was made is not told by lanes.

use super::greedy::greedy;
use super::knowledge::{Act, Course, Knowledge, Learned};
use super::{Legal, Policy, PolicySettings};
use game::{Bits, Decisive, Game, MoveId, RoleId};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// A pair counts after so many playouts.
const OFTEN: f32 = 7.0;

/// The policy of a thread.
pub(super) struct Past {
    shared: Arc<Knowledge>,
    by: PolicySettings,
    course: Course,
    roles: usize,
}

impl Past {
    pub(super) fn new(game: &Game, shared: &Arc<Knowledge>, by: PolicySettings) -> Past {
        let roles = game.roles().len();
        Past {
            shared: Arc::clone(shared),
            by,
            course: Course::new(roles),
            roles,
        }
    }
}

/// The worth of a move in a state: that of its best pair, or of the move itself if none is known.
pub(super) fn worth(learned: &Learned, state: &Bits, act: Act) -> f32 {
    let alone = learned.moves[act];
    if alone.playouts == 0.0 {
        return 1.0;
    }
    let pairs = state
        .ones()
        .filter_map(|fluent| learned.pairs.get(&(fluent, act)));
    let known = pairs.filter(|it| it.playouts >= OFTEN);
    let best = known.map(|it| it.mean((0.0, 0.0))).max_by(f32::total_cmp);
    best.unwrap_or_else(|| alone.mean((0.0, 0.0)))
}

impl Policy for Past {
    fn runs_in_lanes(&self) -> bool {
        false
    }

    fn decisive(&self) -> Decisive {
        self.by.decisive()
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        let learned = self.shared.lock();
        greedy(legal, self.by.epsilon, random, |action| {
            worth(&learned, legal.state(), (legal.role(), action))
        })
    }

    fn begin(&mut self) {
        self.course.clear();
    }

    fn played(&mut self, state: &Bits, joint: &[MoveId]) {
        self.course.push(Some(state), joint);
    }

    fn ended(&mut self, values: &[f32]) {
        let mut learned = self.shared.lock();
        for turn in 0..self.course.len() {
            let joint = self.course.joint(turn);
            for (role, &action) in RoleId::all(self.roles).zip(joint) {
                let value = values[role.index()];
                learned.moves[(role, action)].add(1.0, value);
                for fluent in self.course.state(turn).ones() {
                    let pair = (fluent, (role, action));
                    learned.pairs.entry(pair).or_default().add(1.0, value);
                }
            }
        }
        learned.bound();
    }
}
