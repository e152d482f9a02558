//! A few matches played by the fast engine and by the rules themselves at once.

use super::seen::Way;
use super::{Settings, Trial};
use game::{Broken, Defect, Game, MoveId, Scratch, State, TermId, Unanswered, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::time::Instant;

/// How many matches, and how many turns of each.
const MATCHES: u64 = 3;
const TURNS: usize = 200;

/// Plays until there are enough matches, the time is over, or something differs.
pub(super) fn compare(trial: &mut Trial<'_>, settings: &Settings, until: Instant) {
    let game = trial.game;
    if game.ground().is_none() {
        return;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let scratch = &mut game.scratch();
    scratch.set_deadline(Some(until));
    for _ in 0..MATCHES.min(settings.matches) {
        let mut walk = game.walk();
        let mut way: Vec<Vec<MoveId>> = Vec::new();
        let mut joint = Vec::new();
        let mut state = game.unpacked(walk.state());
        while way.len() < TURNS && Instant::now() < until {
            match agrees((game, scratch), &mut walk, &state) {
                Ok(true) => {}
                Ok(false) => {
                    trial.disagreement = Some(Broken {
                        defect: Defect::Unanswered(Unanswered::Disagreement),
                        moves: way.moves(game),
                        state,
                    });
                    return;
                }
                // The rules themselves are too slow here.
                Err(_) => return,
            }
            if walk.terminal() || !walk.any_joint(&mut joint, &mut random) {
                break;
            }
            way.push(joint.clone());
            let terms = game.role_ids().zip(&joint);
            let terms = terms.map(|(role, &it)| game.move_term(role, it));
            let terms: Vec<TermId> = terms.collect();
            let Ok(next) = game.next_by_rules(scratch, &state, &terms) else {
                return;
            };
            walk.play(&joint);
            state = next;
        }
    }
}

/// Whether both are in the same state, and say the same of it.
fn agrees(
    (game, scratch): (&Game, &mut Scratch),
    walk: &mut Walk<'_>,
    state: &State,
) -> Result<bool, Unanswered> {
    let view = game.view_by_rules(scratch, state)?;
    Ok(game.unpacked(walk.state()) == *state && walk.view(game) == view)
}
