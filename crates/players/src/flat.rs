//! Where rules are too large for a network: no tree, the interpreter, and as many playouts as
//! there is time for, shared out among the moves by confidence bounds.

use crate::{Budget, Decision, Seat, Turn};
use game::{Game, Scratch, State, TermId, View};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Playouts are cut after so many turns, and count one half.
const TURNS: u64 = 1000;

/// What came of a move.
#[derive(Clone, Debug, Default)]
struct Arm {
    visits: f64,
    sum: f64,
}

/// Chooses a move by playouts of the interpreter.
pub(crate) fn choose(seat: &Seat, turn: &Turn<'_>, budget: &Budget, exploration: f32) -> Decision {
    let Some(state) = turn.state else {
        return Decision::plain(turn.legal[0]);
    };
    let mut flat = Flat {
        game: &seat.game,
        role: seat.role,
        scratch: seat.game.scratch(),
        random: Xoshiro256PlusPlus::seed_from_u64(seat.seed),
        budget,
    };
    let mut arms = vec![Arm::default(); turn.legal.len()];
    let mut playouts = 0;
    while budget.is_left(playouts) {
        let arm = best_arm(&arms, f64::from(exploration));
        let Some(value) = flat.playout(state, turn.legal[arm]) else {
            break;
        };
        playouts += 1;
        arms[arm].visits += 1.0;
        arms[arm].sum += value;
    }
    let mean = |arm: &Arm| arm.sum / arm.visits.max(1.0);
    let best = (0..arms.len()).max_by(|&a, &b| mean(&arms[a]).total_cmp(&mean(&arms[b])));
    let best = best.unwrap_or(0);
    Decision {
        action: turn.legal[best],
        value: (arms[best].visits > 0.0).then(|| mean(&arms[best])),
        proven: false,
        playouts,
    }
}

struct Flat<'f> {
    game: &'f Game,
    role: usize,
    scratch: Scratch,
    random: Xoshiro256PlusPlus,
    budget: &'f Budget,
}

impl Flat<'_> {
    /// What a match brings that begins with a move and goes on at random; none if there was no
    /// time for it, or the rules gave no answer.
    fn playout(&mut self, state: &State, first: TermId) -> Option<f64> {
        let mut state = state.clone();
        let mut first = Some(first);
        for _ in 0..TURNS {
            if self.budget.time_left().is_some_and(|left| left.is_zero()) {
                return None;
            }
            let view = self.game.view(&mut self.scratch, &state).ok()?;
            if view.terminal {
                return Some(self.goal(&view));
            }
            let mut joint = self.any_joint(&view)?;
            if let Some(first) = first.take() {
                joint[self.role] = first;
            }
            (state, _) = self.game.next(&mut self.scratch, &state, &joint).ok()?;
        }
        Some(0.5)
    }

    fn any_joint(&mut self, view: &View) -> Option<Vec<TermId>> {
        let mut any = |legal: &Vec<TermId>| {
            let count = legal.len().max(1);
            legal.get(self.random.next_u64() as usize % count).copied()
        };
        view.legal.iter().map(&mut any).collect()
    }

    fn goal(&self, view: &View) -> f64 {
        let goal = view.goals[self.role].first();
        let goal = goal.and_then(|&goal| self.scratch.terms().name(goal).parse::<f64>().ok());
        goal.unwrap_or(0.0) / 100.0
    }
}

fn best_arm(arms: &[Arm], exploration: f64) -> usize {
    let all: f64 = arms.iter().map(|arm| arm.visits).sum();
    let bound = |arm: &Arm| match arm.visits {
        0.0 => f64::INFINITY,
        tried => arm.sum / tried + exploration * (all.ln() / tried).sqrt(),
    };
    let bounds = arms.iter().map(bound).enumerate();
    let best = bounds.max_by(|a, b| a.1.total_cmp(&b.1));
    best.map_or(0, |(arm, _)| arm)
}
