//! FAST (Finnsson and Björnsson 2010): a value of states is learned by TD(λ) from random matches,
//! and a move weighs more the more it raises that value for its role.
//!
//! The features are the fluents, each with a weight for each role; pieces and the cells they stand
//! on are fluents of the rules. What a move changes is the mean over the matches in which it was
//! made. It is learned once from some matches played one by one, beside the first searches where
//! time counts (`ready.rs`); then playouts run in lanes, by weights as MAST has them.

use super::knowledge::{Knowledge, Quality, sizes};
use crate::kit::TURNS;
use game::{BitsBuf, FluentId, Game, MoveId, MoveTable, RoleId, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many matches are learned from.
const MATCHES: u64 = 200;
/// More turns of a match are not learned from.
const LONGEST: u64 = 400;
/// As in the paper's tests: the step, how far back a difference counts, and the discount.
const STEP: f32 = 0.01;
const LAMBDA: f32 = 0.99;
const DISCOUNT: f32 = 0.999;

/// Learns the worths of moves, unless that is done. Nobody has to wait for it meanwhile.
pub(super) fn learn(game: &Game, shared: &Knowledge) {
    if shared.lock().trained {
        return;
    }
    let mut moves = MoveTable::new(sizes(game), Quality::default());
    train(game, &mut moves);
    let mut learned = shared.lock();
    learned.moves = moves;
    learned.trained = true;
}

/// The values of states as sums of weights of the fluents that hold, a row for each role.
struct Values {
    weights: Vec<Vec<f32>>,
}

impl Values {
    fn new(roles: usize, fluents: usize) -> Values {
        Values {
            weights: vec![vec![0.0; fluents]; roles],
        }
    }

    /// What a state is worth to a role, about one half.
    fn of(&self, state: &[usize], role: usize) -> f32 {
        let sum: f32 = state.iter().map(|&it| self.weights[role][it]).sum();
        1.0 / (1.0 + (-sum).exp())
    }

    /// Learns from the states of a match, the last first, and what it brought: TD(λ) by its
    /// λ-returns, which are the same as eligibility traces over a whole match.
    fn learn(&mut self, states: &[Vec<usize>], goals: &[f32]) {
        for (role, &goal) in goals.iter().enumerate() {
            let mut wanted = goal;
            for state in states.iter().rev() {
                let value = self.of(state, role);
                let step = STEP * (wanted - value);
                state.iter().for_each(|&it| self.weights[role][it] += step);
                wanted = DISCOUNT * (LAMBDA * wanted + (1.0 - LAMBDA) * value);
            }
        }
    }
}

/// Plays matches at random, learns the values, then how much each move changes them.
fn train(game: &Game, moves: &mut MoveTable<Quality>) {
    let roles = game.roles().len();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(MATCHES);
    let mut walk = game.walk();
    let mut courses = Vec::new();
    let mut values: Option<Values> = None;
    for _ in 0..MATCHES {
        walk.restart();
        let Some((course, goals)) = random_match(&mut walk, roles, &mut random) else {
            continue;
        };
        let fluents = walk.state().words().len() * 64;
        let values = values.get_or_insert_with(|| Values::new(roles, fluents));
        let states: Vec<Vec<usize>> = (course.iter()).map(|(state, _)| ones(state)).collect();
        values.learn(&states, &goals);
        courses.push((course, states));
    }
    let Some(values) = values else { return };
    for (course, states) in &courses {
        for (turn, pair) in states.windows(2).enumerate() {
            for role in RoleId::all(roles) {
                let [before, after] = [0, 1].map(|it| values.of(&pair[it], role.index()));
                let action = course[turn].1[role.index()];
                moves[(role, action)].add(1.0, 0.5 + after - before);
            }
        }
    }
    // What is known of a move counts as if it was seen often.
    for quality in moves.values_mut() {
        quality.playouts *= 10.0;
        quality.sum *= 10.0;
    }
}

fn ones(state: &BitsBuf) -> Vec<usize> {
    state.ones().map(FluentId::index).collect()
}

/// States with the joint moves made in them, and what the match brought; none if it does not end.
type Course = Vec<(BitsBuf, Vec<MoveId>)>;

fn random_match(
    walk: &mut Walk<'_>,
    roles: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Option<(Course, Vec<f32>)> {
    let mut course = Course::new();
    let mut joint = Vec::new();
    for _ in 0..LONGEST.min(TURNS) {
        if walk.terminal() {
            course.push((walk.state().to_owned(), vec![MoveId::new(0); roles]));
            let goals = RoleId::all(roles).map(|role| walk.value(role)).collect();
            return Some((course, goals));
        }
        if !walk.any_joint(&mut joint, random) {
            return None;
        }
        course.push((walk.state().to_owned(), joint.clone()));
        walk.play(&joint);
    }
    None
}
