//! The solutions of a state's network: the joint moves that are legal, each with the state
//! after it. Where there is no network, the gates of the single engine give the same.

use crate::tree::{Fresh, Who};
use circuit::Single;
use constraint::{Query, Strength};
use encoding::{Encoding, Micro};
use game::{Game, TermId};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What a solver is made of.
#[derive(Copy, Clone)]
pub(super) struct Kit<'s> {
    /// The network of a round, if there is one, and how it is solved.
    pub(super) encoding: Option<(&'s Encoding, Strength)>,
    pub(super) numbers: &'s Numbers,
    /// The role that is chance.
    pub(super) chance: Option<usize>,
    /// A state with more solutions than this is not solved as a whole.
    pub(super) most: u64,
}

/// What solves networks of states.
pub(super) struct Solver<'s> {
    kit: Kit<'s>,
    micro: Option<Micro<'s>>,
    roles: usize,
    /// A joint move as the network has it.
    joint: Vec<u32>,
}

/// The numbers of each role's moves: networks count them as the ground program does, gates in
/// an order of their own.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbers {
    gates: Vec<Vec<u32>>,
    networks: Vec<Vec<u32>>,
}

impl Numbers {
    pub(super) fn new(game: &Game) -> Numbers {
        let (Some(gates), Some(program)) = (game.network(), game.ground()) else {
            return Numbers::default();
        };
        let mut numbers = Numbers::default();
        for (gates, of_role) in gates.moves().iter().zip(program.moves_by_role()) {
            let places: HashMap<TermId, u32> = gates.iter().copied().zip(0..).collect();
            let place = |&it: &usize| places[&program.moves()[it].1];
            let of_role: Vec<u32> = of_role.iter().map(place).collect();
            let mut back = vec![0; of_role.len()];
            for (number, &gate) in (0..).zip(&of_role) {
                back[gate as usize] = number;
            }
            numbers.gates.push(of_role);
            numbers.networks.push(back);
        }
        numbers
    }
}

/// The moves of a state, and its solutions if they are few and one role decides.
#[derive(Clone, Debug, Default)]
pub(super) struct Solved {
    pub(super) fresh: Fresh,
    /// Of each solution: the arm of each role.
    pub(super) arms: Vec<u32>,
    /// Of each solution: the state after it.
    pub(super) states: Vec<u64>,
}

impl Solved {
    fn clear(&mut self) {
        self.fresh.over = false;
        self.arms.clear();
        self.states.clear();
    }
}

impl<'s> Solver<'s> {
    pub(super) fn new(kit: Kit<'s>) -> Solver<'s> {
        let micro = |(encoding, strength)| Micro::with_strength(encoding, strength);
        Solver {
            micro: kit.encoding.map(micro),
            roles: kit.numbers.gates.len(),
            joint: Vec::new(),
            kit,
        }
    }

    /// Finds the moves of a state that is not over; and where one role decides, and there are
    /// not too many, the states after them.
    pub(super) fn solve(&mut self, state: &[u64], single: &mut Single<'_>, solved: &mut Solved) {
        solved.clear();
        match &mut self.micro {
            // A conflict: no joint move is legal.
            Some(micro) => match micro.load(state) {
                Ok(()) => {
                    let gates = &self.kit.numbers.gates;
                    // In the order of the gates, so that it does not matter what solves.
                    solved.fresh.take_moves(self.roles, |role| {
                        let legal = micro.legal(role).map(|it| gates[role][it as usize]);
                        let mut legal: Vec<u32> = legal.collect();
                        legal.sort_unstable();
                        legal.into_iter()
                    });
                }
                Err(_) => solved.fresh.over = true,
            },
            None => {
                single.load(state);
                solved
                    .fresh
                    .take_moves(self.roles, |role| single.legal(role));
            }
        }
        if solved.fresh.over {
            single.load(state);
            return solved.fresh.take(single, self.roles);
        }
        let (Who::Role(role) | Who::Chance(role)) = solved.fresh.who(self.kit.chance) else {
            if solved.fresh.who(self.kit.chance) == Who::Nobody {
                self.step(state, single, (0, solved));
            }
            return;
        };
        if solved.fresh.moves(role).len() as u64 <= self.kit.most {
            self.step(state, single, (role, solved));
        }
    }

    /// Finds the states after the moves of a role that alone decides.
    fn step(
        &mut self,
        state: &[u64],
        single: &mut Single<'_>,
        (role, solved): (usize, &mut Solved),
    ) {
        let Solved {
            fresh,
            arms,
            states,
        } = solved;
        let moves = fresh.moves(role);
        let mut add = |number: u32, next: &[u64]| {
            let arm = moves.binary_search(&number);
            let arm = arm.expect("a solution is of legal moves, which are in order");
            arms.extend((0..self.roles).map(|it| if it == role { arm as u32 } else { 0 }));
            states.extend_from_slice(next);
        };
        if let Some(micro) = &mut self.micro {
            micro.each(&Query::default(), |solution| {
                let number = solution.joint[role] as usize;
                add(self.kit.numbers.gates[role][number], solution.next);
                ControlFlow::Continue(())
            });
            return;
        }
        let mut joint: Vec<u32> = (0..self.roles).map(|it| fresh.moves(it)[0]).collect();
        for &number in moves {
            joint[role] = number;
            single.load(state);
            single.play(&joint);
            add(number, single.state());
        }
    }

    /// Finds the state after a joint move, given by the number of each role's move.
    pub(super) fn follow(
        &mut self,
        (state, joint): (&[u64], &[u32]),
        single: &mut Single<'_>,
        solved: &mut Solved,
    ) {
        solved.clear();
        let networks = self.kit.numbers.networks.iter().zip(joint);
        self.joint.clear();
        (self.joint).extend(networks.map(|(of_role, &it)| of_role[it as usize]));
        if let Some(micro) = &mut self.micro
            && micro.load(state).is_ok()
            && micro.follow(&self.joint, &mut solved.states)
        {
            return;
        }
        single.load(state);
        single.play(joint);
        solved.states.clear();
        solved.states.extend_from_slice(single.state());
    }
}
