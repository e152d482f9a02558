//! Holds what look-ahead says of states, and what it learns, against brute force.

use super::brute::{Bounds, Brute};
use crate::Budget;
use crate::kit::Thread;
use crate::mac::nogoods::Nogoods;
use crate::mac::solve::{Far, Solved, Solver, Source};
use crate::tree::{NEAR, Shape, Who};
use constraint::Strength;
use game::{Bits, BitsBuf, Game, Joints, MoveId, RoleId};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::ops::AddAssign;
use std::sync::Mutex;

/// More decisions than any state of the tests needs.
const ENOUGH: i64 = 1 << 40;

/// How much was checked.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Checked {
    /// States that were looked at, each for so many rounds.
    pub(super) looks: usize,
    /// Moves of which something was proven.
    pub(super) proofs: usize,
    /// Those that are removed: proven, and no better than another, or left over after a win.
    pub(super) removals: usize,
    /// Moves that nogoods decided.
    pub(super) reused: usize,
    /// Nogoods, and states that they were tested on.
    pub(super) nogoods: usize,
    pub(super) fits: usize,
}

impl AddAssign for Checked {
    fn add_assign(&mut self, other: Checked) {
        self.looks += other.looks;
        self.proofs += other.proofs;
        self.removals += other.removals;
        self.reused += other.reused;
        self.nogoods += other.nogoods;
        self.fits += other.fits;
    }
}

/// A game, and what is needed to check it.
pub(super) struct Audit<'g> {
    name: &'g str,
    game: &'g Game,
    shape: &'g Shape,
    brute: Brute<'g>,
    /// How far brute force goes after a move.
    depth: usize,
    pub(super) checked: Checked,
}

impl<'g> Audit<'g> {
    pub(super) fn new((name, game): (&'g str, &'g Game), shape: &'g Shape, depth: usize) -> Self {
        Audit {
            name,
            game,
            shape,
            brute: Brute::new(game, shape),
            depth,
            checked: Checked::default(),
        }
    }

    /// All states that can be reached and are not over, in the order of a search; none if there
    /// are more than so many.
    pub(super) fn all_states(&mut self, most: usize) -> Option<Vec<BitsBuf>> {
        let first = self.game.walk().state().to_owned();
        let mut seen = HashSet::from([first.clone()]);
        let mut states = vec![first];
        let mut place = 0;
        while place < states.len() {
            let state = states[place].clone();
            place += 1;
            let legal = self.brute.legal(&state);
            for joint in Joints::new(&legal)? {
                let next = self.brute.next(&state, &joint);
                if !self.brute.is_over(&next) && seen.insert(next.clone()) {
                    states.push(next);
                }
            }
            if states.len() > most {
                return None;
            }
        }
        Some(states)
    }

    /// Looks at states for so many rounds each, and checks all that is proven. Nogoods are kept
    /// from one state to the next, and tested on the pool at the end.
    pub(super) fn check(&mut self, states: &[BitsBuf], rounds: &[usize], pool: &[BitsBuf]) {
        let nogoods = Nogoods::default();
        let source = Source {
            encoding: Some((self.game.encoding().unwrap().unwrap(), Strength::Arc)),
            ahead: Some(self.game.ahead().unwrap().unwrap()),
            tables: None,
            pool: &Mutex::default(),
            nogoods: Some(&nogoods),
            shape: self.shape,
            roles: self.shape.roles(),
            chance: self.shape.chance,
            solutions: 1000,
        };
        let mut solver = Solver::new(source);
        let mut solved = Solved::default();
        let mut thread = Thread::new(self.game, 1, &Budget::Iterations(1));
        for state in states {
            for &rounds in rounds {
                let nodes = ENOUGH;
                let with = (&mut thread, Far { rounds, nodes });
                if solver.look(state, with, &mut solved) {
                    self.check_look(state, rounds, &solved);
                }
            }
        }
        self.check_nogoods(&nogoods, pool);
    }

    fn check_look(&mut self, state: &Bits, rounds: usize, solved: &Solved) {
        self.checked.looks += 1;
        self.checked.reused += solved.reused;
        let legal = self.brute.legal(state);
        for role in RoleId::all(legal.len()) {
            assert_eq!(
                solved.fresh.moves(role),
                legal[role.index()],
                "{}",
                self.name
            );
        }
        match solved.fresh.who(self.shape.chance) {
            Who::Role(role) | Who::Chance(role) => {
                self.check_moves((state, rounds), (role.index(), &legal), solved);
            }
            Who::Nobody => self.check_moves((state, rounds), (0, &legal), solved),
            _ => self.check_several(state, &legal, solved),
        }
    }

    fn check_moves(
        &mut self,
        (state, rounds): (&Bits, usize),
        (role, legal): (usize, &[Vec<MoveId>]),
        solved: &Solved,
    ) {
        let mut joint: Vec<MoveId> = legal.iter().map(|it| it[0]).collect();
        let decides = matches!(solved.fresh.who(self.shape.chance), Who::Role(_));
        let most = self.shape.most[role] - NEAR;
        let lows = solved.proven.iter();
        let low = lows.map(|it| it.bounds[role].0).fold(0.0, f32::max);
        let won = decides && low >= most;
        for (place, &action) in legal[role].iter().enumerate() {
            joint[role] = action;
            let next = &*self.brute.next(state, &joint);
            let told = solved.proven.iter().find(|it| it.arm == place);
            if let Some(told) = told {
                assert_eq!(*next, *told.state, "{}", self.name);
            }
            let told_bounds: Option<Bounds> = told.map(|it| it.bounds.to_vec());
            if let Some(bounds) = &told_bounds {
                let exact = self.brute.bounds(next, self.depth);
                self.contains(bounds, &exact, (state, &joint));
                self.checked.proofs += 1;
                let worse = bounds[role].1 <= low + NEAR && bounds[role].0 < low - NEAR;
                self.checked.removals += usize::from(decides && (won || worse));
                assert!(!told.unwrap().over || self.brute.is_over(next));
            }
            // With two roles of a constant sum nothing is missed.
            if !won && solved.reused == 0 && self.shape.sum.is_some() {
                let exact = self.brute.bounds(next, rounds - 1);
                let open = || self.shape.most.iter().map(|&it| (0.0, it)).collect();
                let bounds = told_bounds.unwrap_or_else(open);
                self.contains(&exact, &bounds, (state, &joint));
            }
        }
    }

    fn check_several(&mut self, state: &Bits, legal: &[Vec<MoveId>], solved: &Solved) {
        let Some(told) = &solved.several else { return };
        let (exact, bounds) = self.brute.several((state, self.depth), legal);
        let chance = self.shape.chance.map(RoleId::index);
        let moves = told.moves.iter().zip(&exact).enumerate();
        for (_, (told, exact)) in moves.filter(|it| Some(it.0) != chance) {
            self.contains(told, exact, (state, &[]));
            let best = told.iter().map(|it| it.0).fold(0.0, f32::max);
            let worse = told
                .iter()
                .filter(|it| it.1 <= best + NEAR && it.0 < best - NEAR);
            self.checked.proofs += told.len();
            self.checked.removals += worse.count();
        }
        self.contains(&told.bounds.to_vec(), &bounds, (state, &[]));
    }

    /// Whether bounds contain others, role by role.
    fn contains(&self, bounds: &Bounds, exact: &Bounds, (state, joint): (&Bits, &[MoveId])) {
        for (told, exact) in bounds.iter().zip(exact) {
            let fits = told.0 <= exact.0 + 1e-4 && told.1 >= exact.1 - 1e-4;
            assert!(
                fits,
                "{}: {bounds:?} does not contain {exact:?} after {joint:?} in {:?}",
                self.name,
                state.words()
            );
        }
    }

    /// Tests every nogood on all states of a pool that it speaks of.
    fn check_nogoods(&mut self, nogoods: &Nogoods, pool: &[BitsBuf]) {
        let legal: Vec<Vec<Vec<MoveId>>> = pool.iter().map(|it| self.brute.legal(it)).collect();
        nogoods.each(|role, nogood| {
            self.checked.nogoods += 1;
            for (state, legal) in pool.iter().zip(&legal) {
                let mut others = (0..legal.len()).filter(|&it| it != role.index());
                let alone = others.all(|it| legal[it] == [nogood.joint[it]]);
                let own = nogood.joint[role.index()];
                if !alone || !nogood.pattern.fits(state) || !legal[role.index()].contains(&own) {
                    continue;
                }
                let next = self.brute.next(state, &nogood.joint);
                let exact = self.brute.bounds(&next, self.depth)[role.index()];
                let told = vec![(nogood.low, nogood.high)];
                self.contains(&told, &vec![exact], (state, &nogood.joint));
                self.checked.fits += 1;
            }
        });
    }

    /// States of the last turns of random matches: so many prefixes, each with so many ends.
    pub(super) fn last_states(
        &mut self,
        (prefixes, ends): (u64, u64),
        turns: usize,
    ) -> Vec<BitsBuf> {
        let mut found = HashSet::new();
        let mut states = Vec::new();
        for prefix in 0..prefixes {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(prefix);
            let whole = self.play(None, &mut random);
            let from = whole[whole.len().saturating_sub(3 * turns)].clone();
            for _ in 0..ends {
                let end = self.play(Some(&from), &mut random);
                let first = end.len().saturating_sub(turns);
                let fresh = end[first..].iter().filter(|it| found.insert((*it).clone()));
                states.extend(fresh.cloned());
            }
        }
        states
    }

    /// The states of a random match from a state on, without the last.
    fn play(&mut self, from: Option<&Bits>, random: &mut impl Rng) -> Vec<BitsBuf> {
        let mut walk = self.game.walk();
        if let Some(from) = from {
            walk.load(from);
        }
        let mut states = Vec::new();
        let mut joint = Vec::new();
        while !walk.terminal() && walk.any_joint(&mut joint, random) {
            states.push(walk.state().to_owned());
            walk.play(&joint);
        }
        states
    }
}
