//! Random matches: one by one, each state looked at, and many in lanes.

use super::{Settings, Trial};
use game::{BitsBuf, Defect, Game, MoveId, Request, Start, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashMap;
use std::time::Instant;

/// A circuit with more gates is large.
const LARGE: usize = 300_000;

/// How many joint moves are tried to prove that a match cannot end.
const ENDLESS_LIMIT: usize = 2_000;

/// Plays matches until there are enough, or until the time is over.
pub(super) fn play(trial: &mut Trial<'_>, settings: &Settings, until: Instant) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(settings.seed);
    let mut walk = trial.game.walk_until(until);
    while trial.matches < settings.matches && Instant::now() < until {
        walk.restart();
        let ended = play_one(trial, &mut walk, (settings.turns, until), &mut random);
        trial.unended |= !ended && trial.matches == 0;
        trial.matches += 1;
    }
}

/// Plays a match to its end, to a defect, or until the time is over; whether it ended in time.
fn play_one(
    trial: &mut Trial<'_>,
    walk: &mut Walk<'_>,
    (turns, until): (usize, Instant),
    random: &mut Xoshiro256PlusPlus,
) -> bool {
    let game = trial.game;
    let mut way: Vec<Vec<MoveId>> = Vec::new();
    let mut states: HashMap<BitsBuf, usize> = HashMap::new();
    let mut joint = Vec::new();
    let mut goal = None;
    while trial.seen.look(walk, &way) && !walk.terminal() {
        let repeats = states.entry(walk.state().to_owned()).or_default();
        let over = way.len() >= turns;
        if let Some(defect) = without_end((game, until), walk, *repeats, over) {
            trial.seen.meet_at(walk, defect, &way);
            return true;
        }
        *repeats += 1;
        if Instant::now() > until || !walk.any_joint(&mut joint, random) {
            return false;
        }
        way.push(joint.clone());
        walk.play(&joint);
        let before = std::mem::replace(&mut goal, only_goal(game, walk));
        if let (Some(from), Some(to)) = (before, goal)
            && to < from
        {
            trial.seen.falls((from, to), walk, &way);
        }
    }
    !walk.is_broken_off()
}

/// What is wrong with a state that came up again, or with a match that is too long.
fn without_end(
    (game, until): (&Game, Instant),
    walk: &Walk<'_>,
    repeats: usize,
    over: bool,
) -> Option<Defect> {
    let endless = match repeats.is_power_of_two() {
        true => game.endless(&mut game.walk_until(until), walk.state(), ENDLESS_LIMIT),
        false => None,
    };
    let endless = endless.map(|states| Defect::Endless { states });
    endless.or(over.then_some(Defect::TooLong { repeats }))
}

/// The goal of the only player.
fn only_goal(game: &Game, walk: &mut Walk<'_>) -> Option<u32> {
    let mut players = game.players();
    match (players.next(), players.next()) {
        (Some(only), None) => walk.goal(only),
        _ => None,
    }
}

/// Plays in lanes, where the game has them: a hundred times as many matches.
pub(super) fn play_in_lanes(trial: &mut Trial<'_>, settings: &Settings, until: Instant) {
    const BATCH: u64 = 2048;
    let Some(lanes) = trial.game.lanes() else {
        return;
    };
    // To count moves needs code of its own, which takes long to make of a large circuit.
    let gates = trial.game.simulator().map_or(0, |it| it.circuit().len());
    let counts = gates <= LARGE;
    let walk = trial.game.walk();
    let wanted = settings.matches.saturating_mul(100);
    while trial.lanes < wanted && Instant::now() < until {
        let playouts = BATCH.min(wanted - trial.lanes);
        let outcomes = lanes.playouts_with(&Request {
            starts: &[Start {
                state: walk.state(),
                playouts,
            }],
            turns: settings.turns as u64,
            seed: settings.seed.wrapping_add(trial.lanes),
            until: Some(until),
            counts,
            ..Request::default()
        });
        // When the time is over, matches are cut that might have ended.
        let in_time = Instant::now() < until;
        for tally in &outcomes.tallies {
            let cut = if in_time { tally.cut } else { 0 };
            trial.stuck += tally.stuck;
            trial.cut += cut;
            trial.lanes += tally.playouts + tally.stuck + cut;
        }
        for moves in outcomes.moves.iter().flatten() {
            let played = moves.iter().filter(|(_, _, tally)| tally.playouts > 0);
            played.for_each(|(role, action, _)| trial.seen.legal(role, action));
        }
    }
}
