//! LGR, the last good reply (Drake 2009), with forgetting (Baier and Drake 2010): the last reply to
//! a move, or to two moves, in a playout that its role won is made again if it is legal; it is
//! forgotten when its role loses with it. Without a reply any legal move is drawn.
//!
//! A role wins what brings it more than half. Playouts run one at a time.

use super::knowledge::{Act, Context, Course, Knowledge};
use super::{Legal, Policy, PolicySettings, Uniform};
use game::{Bits, Decisive, Game, MoveId, RoleId};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// The policy of a thread.
pub(super) struct Lgr {
    shared: Arc<Knowledge>,
    by: PolicySettings,
    /// Replies to so many moves are kept, at the most.
    before: usize,
    course: Course,
    roles: usize,
}

impl Lgr {
    pub(super) fn new(
        game: &Game,
        shared: &Arc<Knowledge>,
        (before, by): (usize, PolicySettings),
    ) -> Lgr {
        let roles = game.roles().len();
        Lgr {
            shared: Arc::clone(shared),
            by,
            before,
            course: Course::new(roles),
            roles,
        }
    }

    /// What a role replies to in a turn: the move of the role before it, together with its own move
    /// before that first, if two moves count.
    fn contexts(&self, turn: usize, role: RoleId) -> impl Iterator<Item = Context> + '_ {
        // Roles take turns as they are numbered; where all choose at once any other will do.
        let other = RoleId::new((role.index() + self.roles - 1) % self.roles);
        let act = move |back: usize, whose: RoleId| -> Option<Act> {
            let turn = turn.checked_sub(back)?;
            Some((whose, self.course.joint(turn)[whose.index()]))
        };
        (1..=self.before).rev().filter_map(move |count| {
            let last = act(1, other)?;
            let earlier = match count {
                1 => None,
                _ => Some(act(2, role)?),
            };
            Some((role, last, earlier))
        })
    }
}

impl Policy for Lgr {
    fn runs_in_lanes(&self) -> bool {
        false
    }

    fn decisive(&self) -> Decisive {
        self.by.decisive()
    }

    fn pick(&mut self, legal: &Legal<'_, '_>, random: &mut Xoshiro256PlusPlus) -> Option<MoveId> {
        let turn = self.course.len();
        let learned = self.shared.lock();
        let known = self.contexts(turn, legal.role());
        let mut known = known.filter_map(|it| learned.replies.get(&it).copied());
        let moves = legal.moves();
        let reply = known.find(|it| moves.contains(it));
        drop(known);
        reply.or_else(|| Uniform.pick(legal, random))
    }

    fn begin(&mut self) {
        self.course.clear();
    }

    fn played(&mut self, _: &Bits, joint: &[MoveId]) {
        self.course.push(None, joint);
    }

    fn ended(&mut self, values: &[f32]) {
        let mut learned = self.shared.lock();
        for turn in 0..self.course.len() {
            for role in RoleId::all(self.roles) {
                let action = self.course.joint(turn)[role.index()];
                for context in self.contexts(turn, role) {
                    if values[role.index()] > 0.5 {
                        learned.replies.insert(context, action);
                    } else if learned.replies.get(&context) == Some(&action) {
                        learned.replies.remove(&context);
                    }
                }
            }
        }
        learned.bound();
    }
}
