//! Look-ahead by constraints: what roles can force within one to three rounds.
//!
//! The network of a round with its end (`encoding::Ahead`) is decided move by move, and one more
//! network a round deeper. Decisions of the role that asks exist, those of the others are for all:
//! what a role gets lies between bounds, exact where the match is over, everything possible where
//! the look-ahead stops. The one that decides gets the best of its moves; chance counts with its
//! probabilities; where several choose at once, a role gets at least what its best move brings
//! against everything the others may do. Any value may be forced, not only a win.
//!
//! Where a role is proven to get all there is to get, propagation also says why: which fluents of
//! the state were used. That is learned as a nogood.

use super::nogoods::{Nogood, Nogoods};
use crate::tree::{Bounds, NEAR, Shape};
use encoding::{Ahead, Encoding, Pattern, Resting, Scout};
use game::{Bits, MoveId, RoleId};
use smallvec::SmallVec;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The most rounds that are looked ahead.
pub(super) const ROUNDS: usize = 3;
/// More joint moves of one state are not looked at.
const JOINT: usize = 4096;
/// About how many decisions of a network one explanation costs.
const EXPLANATION: i64 = 16;

/// So many decisions are tried between two looks at the clock.
const LOOK: u64 = 64;

/// What is known of a state.
struct Known {
    bounds: Bounds,
    /// A role that gets all there is to get, and what of the state proves it.
    proof: Option<(RoleId, Pattern)>,
}

/// Networks that were used before: to update one by what differs between two states is much
/// cheaper than to make it ready anew.
pub(super) type Pool = Mutex<Vec<Resting>>;

/// The networks, and what is found by them.
pub(super) struct Look<'g> {
    /// One network for each round.
    levels: Vec<Scout<'g>>,
    /// Where they come from, and go when they are no longer needed.
    pool: &'g Pool,
    shape: &'g Shape,
    nogoods: Option<&'g Nogoods>,
    /// The same, if the present look learns.
    learning: Option<&'g Nogoods>,
    /// Longest pattern that is kept.
    longest: usize,
    /// For each role the move that was proven to win last: it is tried first.
    killers: Vec<Option<MoveId>>,
    /// How many decisions may still be tried, and how many were.
    left: i64,
    pub(super) nodes: u64,
    /// When to stop.
    pub(super) until: Option<Instant>,
}

/// The moves of a loaded state.
struct Sides {
    moves: SmallVec<[Vec<MoveId>; 4]>,
}

/// Who decides in a loaded state.
enum Deciding {
    One(RoleId),
    Chance(RoleId),
    Several,
}

impl Sides {
    fn deciding(&self, chance: Option<RoleId>) -> Deciding {
        let roles = RoleId::all(self.moves.len());
        let mut choosing = roles.filter(|role| self.moves[role.index()].len() > 1);
        match (choosing.next(), choosing.next()) {
            (Some(role), None) if chance == Some(role) => Deciding::Chance(role),
            (Some(role), None) => Deciding::One(role),
            (None, _) => Deciding::One(RoleId::new(0)),
            (Some(_), Some(_)) => Deciding::Several,
        }
    }

    fn first(&self) -> Vec<MoveId> {
        self.moves.iter().map(|moves| moves[0]).collect()
    }
}

impl Drop for Look<'_> {
    fn drop(&mut self) {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        // The network of the first round is taken first again.
        pool.extend(self.levels.drain(..).rev().map(Scout::rest));
    }
}

impl<'g> Look<'g> {
    pub(super) fn new(
        (encoding, ahead): (&'g Encoding, &'g Ahead),
        (shape, pool): (&'g Shape, &'g Pool),
        nogoods: Option<&'g Nogoods>,
    ) -> Look<'g> {
        let fluents = encoding.grouping().places.len();
        let mut resting = pool.lock().unwrap_or_else(PoisonError::into_inner);
        let mut level = || match resting.pop() {
            Some(resting) => Scout::resume(encoding, ahead, resting),
            None => Scout::new(encoding, ahead),
        };
        Look {
            levels: (0..ROUNDS).map(|_| level()).collect(),
            pool,
            killers: vec![None; shape.roles()],
            longest: (fluents / 2).max(16),
            shape,
            nogoods,
            learning: None,
            left: 0,
            nodes: 0,
            until: None,
        }
    }

    /// Begins another look, which learns unless learning rests.
    pub(super) fn begin(&mut self) {
        self.learning = self.nogoods.filter(|it| it.learns());
    }

    /// The network of the first round, to be asked directly.
    pub(super) fn first(&mut self) -> &mut Scout<'g> {
        &mut self.levels[0]
    }

    /// Nothing known.
    pub(super) fn open(&self) -> Bounds {
        self.shape.open()
    }

    /// What the roles get after a joint move in the state loaded in the first network, if the match
    /// is over then.
    pub(super) fn end_after(&mut self, joint: &[MoveId]) -> Option<Bounds> {
        let scout = &mut self.levels[0];
        if !scout.decide(joint) || !scout.is_over() {
            return None;
        }
        let roles = RoleId::all(self.shape.roles());
        roles
            .map(|role| scout.value(role).map(|it| (it, it)))
            .collect()
    }

    /// What the roles get after the joint move decided in the first network, where the match goes
    /// on, looking so many rounds further; at most so many decisions are tried. What is proven of
    /// the move of a role that alone decides is learned.
    pub(super) fn after_first(
        &mut self,
        (role, joint): (Option<RoleId>, &[MoveId]),
        (rounds, nodes): (usize, i64),
    ) -> Bounds {
        self.left = nodes;
        let known = self.after(0, rounds + 1);
        if let (Some(role), Some(nogoods)) = (role, self.learning)
            && let Some((winner, pattern)) = &known.proof
        {
            let (winner, pattern) = (*winner, self.levels[0].why_next(pattern));
            let most = self.shape.most[winner.index()];
            let bounds = match self.shape.sum.filter(|it| it.other(winner) == Some(role)) {
                _ if winner == role => (most, most),
                Some(sum) => (sum.sum - most, sum.sum - most),
                None => return known.bounds,
            };
            if pattern.len() <= self.longest {
                nogoods.add(role, Nogood::new(joint, bounds, pattern));
            }
        }
        known.bounds
    }

    /// Learns that the joint move decided in the first network ends the match with all there is to
    /// get for a role that alone decides.
    pub(super) fn learn_win(&mut self, role: RoleId, joint: &[MoveId]) {
        let Some(nogoods) = self.learning else {
            return;
        };
        let pattern = self.levels[0].why_over(role);
        let most = self.shape.most[role.index()];
        if pattern.len() <= self.longest {
            nogoods.add(role, Nogood::new(joint, (most, most), pattern));
        }
    }

    /// What the roles get after the joint move decided at a level.
    fn after(&mut self, level: usize, rounds: usize) -> Known {
        let scout = &self.levels[level];
        if !scout.is_over() {
            if rounds <= 1 {
                return self.unknown();
            }
            let next = scout.next().to_owned();
            return self.state(level + 1, &next, rounds - 1);
        }
        let value = |role| scout.value(role).map(|value| (value, value));
        let roles = RoleId::all(self.shape.roles());
        let bounds: Option<Bounds> = roles.map(value).collect();
        let Some(bounds) = bounds else {
            return self.unknown();
        };
        Known {
            bounds,
            proof: None,
        }
    }

    fn unknown(&self) -> Known {
        Known {
            bounds: self.open(),
            proof: None,
        }
    }

    /// What the roles get in a state that is not over, looking so many rounds ahead.
    fn state(&mut self, level: usize, state: &Bits, rounds: usize) -> Known {
        if self.left <= 0 || self.levels[level].load(state).is_err() {
            return self.unknown();
        }
        let scout = &self.levels[level];
        let roles = RoleId::all(self.shape.roles());
        let moves = roles.map(|role| scout.legal(role).collect()).collect();
        let sides = Sides { moves };
        match sides.deciding(self.shape.chance) {
            Deciding::One(role) => self.choice(level, &sides, (role, rounds)),
            Deciding::Chance(role) => self.chance(level, &sides, (role, rounds)),
            Deciding::Several => {
                let bounds = self.several(level, &sides, rounds).map(|it| it.bounds);
                let bounds = bounds.unwrap_or_else(|| self.open());
                Known {
                    bounds,
                    proof: None,
                }
            }
        }
    }

    fn count(&mut self, nodes: i64) {
        self.left -= nodes;
        self.nodes += nodes as u64;
        if self.nodes.is_multiple_of(LOOK)
            && let Some(until) = self.until
            && Instant::now() >= until
        {
            self.left = 0;
        }
    }

    fn is_most(&self, role: RoleId, value: f32) -> bool {
        value >= self.shape.most[role.index()] - NEAR
    }

    /// Where one role decides: the best of its moves. It stops at one that brings everything.
    fn choice(&mut self, level: usize, sides: &Sides, (role, rounds): (RoleId, usize)) -> Known {
        let mut joint = sides.first();
        let moves = &sides.moves[role.index()];
        if moves.len() as i64 > self.left {
            return self.unknown();
        }
        let killer = self.killers[role.index()].filter(|it| moves.binary_search(it).is_ok());
        let rest = moves.iter().copied().filter(|&it| Some(it) != killer);
        let mut all: Vec<Bounds> = Vec::with_capacity(moves.len());
        let mut lost: Option<(RoleId, Pattern)> = None;
        for action in killer.into_iter().chain(rest) {
            joint[role.index()] = action;
            self.count(1);
            if self.left <= 0 {
                return self.unknown();
            }
            let known = match self.levels[level].decide(&joint) {
                true => self.after(level, rounds),
                false => self.unknown(),
            };
            if self.is_most(role, known.bounds[role.index()].0) {
                self.killers[role.index()] = Some(action);
                return self.won(level, role, known.proof);
            }
            let first = all.is_empty();
            lost = self.lost(level, (lost, first), &known);
            all.push(known.bounds);
        }
        if let Some((_, pattern)) = &mut lost {
            pattern.join(&self.levels[level].why_no_more(role));
            pattern.join(&self.levels[level].why_alone(role));
            self.count(EXPLANATION);
        }
        Known {
            bounds: self.best(role, &all),
            proof: lost,
        }
    }

    /// A role that decides alone has a move that brings everything: it is decided at the level.
    fn won(&mut self, level: usize, role: RoleId, after: Option<(RoleId, Pattern)>) -> Known {
        let most = self.shape.most[role.index()];
        let bounds = self.shape.of_role(role, (most, most));
        let scout = &mut self.levels[level];
        let pattern = match (self.learning, after) {
            (None, _) => None,
            (Some(_), None) if scout.is_over() => Some(scout.why_over(role)),
            (Some(_), Some((winner, pattern))) if winner == role => {
                let mut whole = scout.why_next(&pattern);
                whole.join(&scout.why_legal(role));
                Some(whole)
            }
            (Some(_), _) => None,
        };
        let proof = pattern.map(|mut pattern| {
            pattern.join(&scout.why_alone(role));
            (role, pattern)
        });
        if proof.is_some() {
            self.count(EXPLANATION);
        }
        Known { bounds, proof }
    }

    /// Why all moves so far lose to the same other role, with those of one more move.
    fn lost(
        &mut self,
        level: usize,
        (so_far, first): (Option<(RoleId, Pattern)>, bool),
        known: &Known,
    ) -> Option<(RoleId, Pattern)> {
        self.learning?;
        if !first && so_far.is_none() {
            return None;
        }
        let (winner, pattern) = known.proof.as_ref()?;
        let pattern = self.levels[level].why_next(pattern);
        self.count(EXPLANATION);
        match so_far {
            None => Some((*winner, pattern)),
            Some((other, mut all)) if other == *winner => {
                all.join(&pattern);
                Some((other, all))
            }
            Some(_) => None,
        }
    }

    /// Bounds of all roles where one takes the best of its moves.
    fn best(&self, role: RoleId, all: &[Bounds]) -> Bounds {
        let own = |it: &Bounds| it[role.index()];
        let low = all.iter().map(|it| own(it).0).fold(0.0, f32::max);
        let high = all.iter().map(|it| own(it).1).fold(0.0, f32::max);
        let chosen = || all.iter().filter(|it| own(it).1 >= low - NEAR);
        let mut bounds: Bounds = RoleId::all(self.shape.roles())
            .map(|other| {
                let others = || chosen().map(|it| it[other.index()]);
                let least = others().map(|it| it.0).fold(f32::INFINITY, f32::min);
                let most = others().map(|it| it.1).fold(0.0, f32::max);
                (least.min(most), most)
            })
            .collect();
        bounds[role.index()] = (low, high);
        if let Some(sum) = self.shape.sum
            && let Some(other) = sum.other(role)
        {
            bounds[other.index()] = (sum.sum - high, sum.sum - low);
        }
        bounds
    }

    /// Where chance decides: the average.
    fn chance(&mut self, level: usize, sides: &Sides, (role, rounds): (RoleId, usize)) -> Known {
        let mut joint = sides.first();
        let moves = &sides.moves[role.index()];
        let share = 1.0 / moves.len() as f32;
        let mut bounds: Bounds = SmallVec::from_elem((0.0, 0.0), self.shape.roles());
        for &action in moves {
            joint[role.index()] = action;
            self.count(1);
            if self.left <= 0 || !self.levels[level].decide(&joint) {
                return self.unknown();
            }
            let known = self.after(level, rounds);
            for (all, it) in bounds.iter_mut().zip(&known.bounds) {
                *all = (all.0 + share * it.0, all.1 + share * it.1);
            }
        }
        Known {
            bounds,
            proof: None,
        }
    }

    /// Where several choose at once in the state loaded in the first network: bounds for each move
    /// of each role. None if there are too many joint moves.
    pub(super) fn each_alone(&mut self, rounds: usize, nodes: i64) -> Option<Several> {
        self.left = nodes;
        let scout = &self.levels[0];
        let roles = RoleId::all(self.shape.roles());
        let moves = roles.map(|role| scout.legal(role).collect()).collect();
        self.several(0, &Sides { moves }, rounds)
    }

    /// Every joint move, with what chance does averaged; for each move of a role the least and the
    /// most that it may bring.
    fn several(&mut self, level: usize, sides: &Sides, rounds: usize) -> Option<Several> {
        let ways = (sides.moves.iter()).try_fold(1usize, |all, it| all.checked_mul(it.len()))?;
        if ways > JOINT || ways as i64 > self.left {
            return None;
        }
        let roles = self.shape.roles();
        let mut found = Several {
            moves: (sides.moves.iter())
                .map(|it| vec![(f32::INFINITY, 0.0); it.len()])
                .collect(),
            bounds: self.open(),
        };
        let chance = self.shape.chance.map(RoleId::index);
        let drawn = chance.map_or(1, |it| sides.moves[it].len());
        let mut places = vec![0; roles];
        for _ in 0..ways / drawn {
            let bounds = self.drawn(level, sides, (&places, rounds))?;
            for role in (0..roles).filter(|&it| Some(it) != chance) {
                let all = &mut found.moves[role][places[role]];
                *all = (all.0.min(bounds[role].0), all.1.max(bounds[role].1));
            }
            advance(&mut places, |role| match Some(role) == chance {
                true => 1,
                false => sides.moves[role].len(),
            });
        }
        for role in (0..roles).filter(|&it| Some(it) != chance) {
            let moves = &found.moves[role];
            let low = moves.iter().map(|it| it.0).fold(0.0, f32::max);
            let high = moves.iter().map(|it| it.1).fold(0.0, f32::max);
            found.bounds[role] = (low, high);
        }
        Some(found)
    }

    /// What the roles get after what the players choose, by places, on the average of chance.
    fn drawn(
        &mut self,
        level: usize,
        sides: &Sides,
        (places, rounds): (&[usize], usize),
    ) -> Option<Bounds> {
        let pick = |(moves, &place): (&Vec<MoveId>, &usize)| moves[place];
        let mut joint: Vec<MoveId> = sides.moves.iter().zip(places).map(pick).collect();
        let chance = self.shape.chance.map(RoleId::index);
        let drawn = chance.map_or(1, |it| sides.moves[it].len());
        let share = 1.0 / drawn as f32;
        let mut bounds: Bounds = SmallVec::from_elem((0.0, 0.0), self.shape.roles());
        for place in 0..drawn {
            if let Some(chance) = chance {
                joint[chance] = sides.moves[chance][place];
            }
            self.count(1);
            if !self.levels[level].decide(&joint) {
                return None;
            }
            let known = self.after(level, rounds);
            for (all, it) in bounds.iter_mut().zip(&known.bounds) {
                *all = (all.0 + share * it.0, all.1 + share * it.1);
            }
        }
        Some(bounds)
    }
}

/// What is known where several choose at once.
#[derive(Clone, Debug)]
pub(super) struct Several {
    /// For each role and move what it brings at least, and at most, whatever the others do.
    pub(super) moves: Vec<Vec<(f32, f32)>>,
    pub(super) bounds: Bounds,
}

/// Goes to the next combination of places, the last of which changes first.
fn advance(places: &mut [usize], count: impl Fn(usize) -> usize) {
    for role in (0..places.len()).rev() {
        places[role] += 1;
        if places[role] < count(role) {
            return;
        }
        places[role] = 0;
    }
}
