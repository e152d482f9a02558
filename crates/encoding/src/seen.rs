//! Random matches refute wrong candidates quickly.

use crate::groups::Candidate;
use logic::{Evaluator, State};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How many matches are played, and how many states they may have together.
const MATCHES: usize = 10;
const STATES: usize = 400;

/// The sets of which no two fluents held in a state of the random matches.
pub(crate) fn never_two(evaluator: &Evaluator, mut sets: Vec<Candidate>) -> Vec<Candidate> {
    let program = evaluator.program();
    for state in states(evaluator) {
        let mut holds = vec![false; program.fluents().len()];
        for (number, fluent) in program.fluents().iter().enumerate() {
            holds[number] = state.fluents().binary_search(fluent).is_ok();
        }
        let held = |set: &Candidate| set.fluents.iter().filter(|it| holds[it.index()]).count();
        sets.retain(|set| held(set) < 2);
    }
    sets
}

/// States of random matches; deterministic for a game.
fn states(evaluator: &Evaluator) -> Vec<State> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut seen = Vec::new();
    for _ in 0..MATCHES {
        let mut state = evaluator.initial();
        while seen.len() < STATES {
            seen.push(state.clone());
            let Some(view) = evaluator.view(&state).filter(|view| !view.terminal) else {
                break;
            };
            let any = |legal: &Vec<_>| {
                let count = legal.len().max(1);
                legal.get(random.next_u64() as usize % count).copied()
            };
            let joint: Option<Vec<_>> = view.legal.iter().map(any).collect();
            let next = joint.and_then(|joint| evaluator.next(&state, &joint));
            let Some((next, _)) = next else {
                break;
            };
            state = next;
        }
    }
    seen
}
