//! The reference: bounds of all roles by trying every joint move on a walk, without networks.
//!
//! Within a number of rounds, or to the end of every match. What lies beyond is unknown, so a role
//! gets something from 0 to the most it can. A role that decides alone takes the best; where moves
//! tie, the others may get what either brings. Chance is averaged. Where several choose at once, a
//! role gets at least its best guaranteed value and at most the best of all.

use crate::tree::{NEAR, Shape};
use game::{Bits, BitsBuf, Game, MoveId, RoleId, Walk};
use hashbrown::HashMap;

/// What each role gets at least, and at most.
pub(super) type Bounds = Vec<(f32, f32)>;

/// To the end of every match.
pub(super) const ALL: usize = usize::MAX;

/// Working memory, with what was found.
pub(super) struct Brute<'g> {
    walk: Walk<'g>,
    shape: &'g Shape,
    known: HashMap<(BitsBuf, usize), Bounds>,
}

impl<'g> Brute<'g> {
    pub(super) fn new(game: &'g Game, shape: &'g Shape) -> Brute<'g> {
        Brute {
            walk: game.walk(),
            shape,
            known: HashMap::new(),
        }
    }

    /// The state after a joint move.
    pub(super) fn next(&mut self, state: &Bits, joint: &[MoveId]) -> BitsBuf {
        self.walk.load(state);
        self.walk.play(joint);
        self.walk.state().to_owned()
    }

    /// Whether the match is over in a state.
    pub(super) fn is_over(&mut self, state: &Bits) -> bool {
        self.walk.load(state);
        self.walk.terminal()
    }

    /// The legal moves of each role in a state.
    pub(super) fn legal(&mut self, state: &Bits) -> Vec<Vec<MoveId>> {
        self.walk.load(state);
        let roles = RoleId::all(self.shape.roles());
        roles.map(|role| self.walk.legal(role)).collect()
    }

    /// What the roles get in a state, as far as so many rounds tell.
    pub(super) fn bounds(&mut self, state: &Bits, rounds: usize) -> Bounds {
        self.walk.load(state);
        if self.walk.terminal() {
            return self.end();
        }
        if rounds == 0 {
            return self.shape.most.iter().map(|&most| (0.0, most)).collect();
        }
        let key = (state.to_owned(), rounds);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let bounds = self.not_over(state, rounds);
        self.known.insert(key, bounds.clone());
        bounds
    }

    /// The goals of the state that the walk is in; where a sum is said to be constant, it is.
    fn end(&mut self) -> Bounds {
        let roles = RoleId::all(self.shape.roles());
        let values: Vec<f32> = roles.map(|role| self.walk.value(role)).collect();
        if let Some(sum) = self.shape.sum {
            let both = sum.roles.map(|role| values[role.index()]);
            assert!((both[0] + both[1] - sum.sum).abs() < NEAR, "a constant sum");
        }
        values.into_iter().map(|it| (it, it)).collect()
    }

    fn not_over(&mut self, state: &Bits, rounds: usize) -> Bounds {
        let legal = self.legal(state);
        let chance = self.shape.chance.map(RoleId::index);
        let choosing = (0..legal.len()).filter(|&it| legal[it].len() > 1);
        let choosing: Vec<usize> = choosing.collect();
        match choosing[..] {
            [role] if Some(role) != chance => self.choice((state, rounds), &legal, role),
            [] | [_] => self.drawn((state, rounds), &legal, &vec![0; legal.len()]),
            _ => self.several((state, rounds), &legal).1,
        }
    }

    fn choice(
        &mut self,
        (state, rounds): (&Bits, usize),
        legal: &[Vec<MoveId>],
        role: usize,
    ) -> Bounds {
        let mut all = Vec::new();
        for place in 0..legal[role].len() {
            let mut places = vec![0; legal.len()];
            places[role] = place;
            let bounds = self.drawn((state, rounds), legal, &places);
            let won = bounds[role].0 >= self.shape.most[role] - NEAR;
            all.push(bounds);
            if won && self.shape.sum.is_some() {
                break;
            }
        }
        let best = |of: fn(&(f32, f32)) -> f32| {
            let values = all.iter().map(|it| of(&it[role]));
            values.fold(0.0, f32::max)
        };
        let own = (best(|it| it.0), best(|it| it.1));
        let taken = || all.iter().filter(|it| it[role].1 >= own.0 - NEAR);
        let mut bounds: Bounds = (0..legal.len())
            .map(|other| {
                let least = taken().map(|it| it[other].0).fold(f32::INFINITY, f32::min);
                (least, taken().map(|it| it[other].1).fold(0.0, f32::max))
            })
            .collect();
        bounds[role] = own;
        if let Some(sum) = self.shape.sum
            && let Some(other) = sum.other(RoleId::new(role))
        {
            bounds[other.index()] = (sum.sum - own.1, sum.sum - own.0);
        }
        bounds
    }

    /// The average over the moves of chance, with what the others choose given by places.
    fn drawn(
        &mut self,
        (state, rounds): (&Bits, usize),
        legal: &[Vec<MoveId>],
        places: &[usize],
    ) -> Bounds {
        let mut joint: Vec<MoveId> = legal.iter().zip(places).map(|(it, &at)| it[at]).collect();
        let chance = self.shape.chance.map(RoleId::index);
        let draws = chance.map_or(1, |it| legal[it].len());
        let mut sums = vec![(0.0, 0.0); legal.len()];
        for draw in 0..draws {
            if let Some(chance) = chance {
                let moves = &legal[chance];
                joint[chance] = moves[draw];
            }
            let next = self.next(state, &joint);
            let after = self.bounds(&next, rounds.saturating_sub(usize::from(rounds != ALL)));
            for (sum, it) in sums.iter_mut().zip(after) {
                *sum = (sum.0 + it.0, sum.1 + it.1);
            }
        }
        let share = 1.0 / draws as f32;
        let mean = |(low, high): (f32, f32)| (low * share, high * share);
        sums.into_iter().map(mean).collect()
    }

    /// Where several choose at once: for each role and move the least and the most it brings,
    /// whatever the others do; and the bounds of the state.
    pub(super) fn several(
        &mut self,
        at: (&Bits, usize),
        legal: &[Vec<MoveId>],
    ) -> (Vec<Bounds>, Bounds) {
        let chance = self.shape.chance.map(RoleId::index);
        let count = |role: usize| match Some(role) == chance {
            true => 1,
            false => legal[role].len(),
        };
        let ways: usize = (0..legal.len()).map(count).product();
        let empty = |it: &Vec<MoveId>| vec![(f32::INFINITY, 0.0); it.len()];
        let mut moves: Vec<Bounds> = legal.iter().map(empty).collect();
        for way in 0..ways {
            let mut rest = way;
            let places = (0..legal.len()).map(|role| {
                let place = rest % count(role);
                rest /= count(role);
                place
            });
            let places: Vec<usize> = places.collect();
            let bounds = self.drawn(at, legal, &places);
            for (role, &place) in places.iter().enumerate() {
                let all: &mut (f32, f32) = &mut moves[role][place];
                *all = (all.0.min(bounds[role].0), all.1.max(bounds[role].1));
            }
        }
        let best = |(role, moves): (usize, &Bounds)| match Some(role) == chance {
            true => (0.0, self.shape.most[role]),
            false => moves.iter().fold((0.0f32, 0.0f32), |best, it| {
                (best.0.max(it.0), best.1.max(it.1))
            }),
        };
        let bounds = moves.iter().enumerate().map(best).collect();
        (moves, bounds)
    }
}
