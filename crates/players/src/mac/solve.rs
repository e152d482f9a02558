//! The solutions of a state's network: the joint moves that are legal, each with the state
//! after it. Where there is no network, a walk gives the same.

use crate::kit::Thread;
use crate::tree::{Fresh, Who};
use constraint::{Query, Strength};
use encoding::{Encoding, Micro};
use game::{Bits, BitsBuf, MoveId, RoleId, Walk};
use std::ops::ControlFlow;

/// What a solver is made of.
#[derive(Copy, Clone)]
pub(super) struct Source<'s> {
    /// The network of a round, if there is one, and how it is solved.
    pub(super) encoding: Option<(&'s Encoding, Strength)>,
    pub(super) roles: usize,
    /// The role that is chance.
    pub(super) chance: Option<RoleId>,
    /// A state with more solutions than this is not solved as a whole.
    pub(super) solutions: usize,
}

/// What solves networks of states.
pub(super) struct Solver<'s> {
    source: Source<'s>,
    micro: Option<Micro<'s>>,
}

/// The moves of a state, and its solutions if they are few and one role decides.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    pub(super) fresh: Fresh,
    /// Of each solution: the arm of each role.
    pub(super) arms: Vec<u32>,
    /// Of each solution: the words of the state after it, and where they end.
    words: Vec<u64>,
    ends: Vec<usize>,
}

impl Solved {
    fn clear(&mut self) {
        self.fresh.over = false;
        self.fresh.unknown = false;
        self.arms.clear();
        self.words.clear();
        self.ends.clear();
    }

    /// The states after the solutions, in order.
    pub(super) fn states(&self) -> impl Iterator<Item = &Bits> {
        let starts = std::iter::once(&0).chain(&self.ends);
        let ranges = starts.zip(&self.ends);
        ranges.map(|(&start, &end)| Bits::new(&self.words[start..end]))
    }
}

impl<'s> Solver<'s> {
    pub(super) fn new(source: Source<'s>) -> Solver<'s> {
        let micro = |(encoding, strength)| Micro::with_strength(encoding, strength);
        Solver {
            micro: source.encoding.map(micro),
            source,
        }
    }

    /// Finds the moves of a state that is not over; and where one role decides, and there are
    /// not too many, the states after them, as far as there is time.
    pub(super) fn solve(&mut self, state: &Bits, thread: &mut Thread<'_>, solved: &mut Solved) {
        let walk = &mut thread.walk;
        solved.clear();
        let Source { roles, chance, .. } = self.source;
        match &mut self.micro {
            Some(micro) => match micro.load(state) {
                Ok(()) => solved.fresh.take_moves(roles, |role, moves| {
                    let first = moves.len();
                    moves.extend(micro.legal(role));
                    moves[first..].sort_unstable();
                }),
                // No joint move is legal.
                Err(_) => solved.fresh.over = true,
            },
            None => {
                walk.load(state);
                solved.fresh.take(walk, roles);
            }
        }
        if solved.fresh.unknown {
            return;
        }
        if solved.fresh.over {
            walk.load(state);
            return solved.fresh.take(walk, roles);
        }
        let deciding = match solved.fresh.who(chance) {
            Who::Role(role) | Who::Chance(role) => role,
            Who::Nobody => RoleId::new(0),
            Who::Over | Who::Several | Who::Open => return,
        };
        if solved.fresh.moves(deciding).len() <= self.source.solutions {
            self.step(state, thread, (deciding, solved));
        }
    }

    /// Finds the states after the moves of a role that alone decides.
    fn step(
        &mut self,
        state: &Bits,
        thread: &mut Thread<'_>,
        (role, solved): (RoleId, &mut Solved),
    ) {
        let Thread { walk, clock, .. } = thread;
        let Solved {
            fresh,
            arms,
            words,
            ends,
        } = solved;
        let moves = fresh.moves(role);
        let mut add = |action: MoveId, next: &Bits| {
            let arm = moves.binary_search(&action);
            let arm = arm.expect("a solution is of legal moves, which are in order");
            let all = RoleId::all(self.source.roles);
            arms.extend(all.map(|it| if it == role { arm as u32 } else { 0 }));
            words.extend_from_slice(next.words());
            ends.push(words.len());
        };
        if let Some(micro) = &mut self.micro {
            micro.each(&Query::default(), |solution| {
                add(solution.joint[role.index()], solution.next);
                match clock.is_late() {
                    true => ControlFlow::Break(()),
                    false => ControlFlow::Continue(()),
                }
            });
            return;
        }
        let roles = RoleId::all(self.source.roles);
        let mut joint: Vec<MoveId> = roles.map(|it| fresh.moves(it)[0]).collect();
        for &action in moves {
            joint[role.index()] = action;
            walk.load(state);
            walk.play(&joint);
            if walk.is_broken_off() || clock.is_late() {
                return;
            }
            add(action, walk.state());
        }
    }

    /// Finds the state after a joint move; none if there is no time for that.
    pub(super) fn follow(
        &mut self,
        state: &Bits,
        joint: &[MoveId],
        walk: &mut Walk<'_>,
    ) -> Option<BitsBuf> {
        let mut next = BitsBuf::default();
        if let Some(micro) = &mut self.micro
            && micro.load(state).is_ok()
            && micro.follow(joint, &mut next)
        {
            return Some(next);
        }
        walk.load(state);
        walk.play(joint);
        (!walk.is_broken_off()).then(|| walk.state().to_owned())
    }
}
