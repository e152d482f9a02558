//! Makes puzzles of a game: positions near the end of matches, judged by proof search.
//!
//! Moves are random, but whoever can win at once does, so that threats count. Of each match the
//! position with the longest proof is taken, if there is one that fits.

use super::proof::{self, Verdict};
use super::words::Words;
use super::{Kind, Puzzle};
use game::{BitsBuf, Game, MoveId, RoleId, Walk};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Matches that are played at most for a game.
const MATCHES: usize = 60;
/// Longer matches are left out: their puzzles would be long lines.
const TURNS: usize = 100;
/// Positions of a match that are judged: so many turns before its end.
const BEFORE: std::ops::RangeInclusive<usize> = 3..=8;

/// Makes up to so many puzzles of a game, the longest of three times as many. Half of them have all other moves refuted, if there are
/// enough.
pub(super) fn make((name, game): (&str, &Game), each: usize, seed: u64) -> Vec<Puzzle> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let words = Words::new(game);
    let mut seen = HashSet::new();
    let (mut refuted, mut slower) = (Vec::new(), Vec::new());
    for _ in 0..MATCHES {
        let Some(found) = best_of_match(game, &mut seen, &mut random) else {
            continue;
        };
        let list = match found.verdict.kind {
            Kind::Refuted => &mut refuted,
            Kind::Slower => &mut slower,
        };
        list.push(found.puzzle(name, &words));
        if refuted.len() >= each && refuted.len() + slower.len() >= 3 * each {
            break;
        }
    }
    // The longest proofs are the hardest puzzles.
    for list in [&mut refuted, &mut slower] {
        list.sort_by_key(|it: &Puzzle| Reverse(it.turns));
    }
    let rest = each.saturating_sub(slower.len()).max(each.div_ceil(2));
    refuted.truncate(rest);
    slower.truncate(each - refuted.len().min(each));
    refuted.append(&mut slower);
    refuted
}

/// A position of a match, and what is proven of it.
struct Found {
    joints: Vec<Vec<MoveId>>,
    role: RoleId,
    verdict: Verdict,
}

impl Found {
    fn puzzle(&self, game: &str, words: &Words<'_>) -> Puzzle {
        let Verdict {
            right,
            value,
            turns,
            ..
        } = &self.verdict;
        let right = right.iter().map(|&it| words.action(self.role, it));
        Puzzle {
            game: game.to_string(),
            role: words.role(self.role),
            turns: *turns,
            value: *value,
            kind: self.verdict.kind,
            right: right.collect(),
            joints: self.joints.iter().map(|it| words.joint(it)).collect(),
        }
    }
}

/// Plays a match, and finds the position with the longest proof.
fn best_of_match(
    game: &Game,
    seen: &mut HashSet<BitsBuf>,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Found> {
    let (states, joints) = play(game, random)?;
    let mut best: Option<Found> = None;
    for before in BEFORE.filter(|&it| it <= states.len()) {
        let place = states.len() - before;
        let Some((role, verdict)) = judged(game, &states[place]) else {
            continue;
        };
        let longer = best
            .as_ref()
            .is_none_or(|it| verdict.turns > it.verdict.turns);
        if longer && !seen.contains(&states[place]) {
            let joints = joints[..place].to_vec();
            best = Some(Found {
                joints,
                role,
                verdict,
            });
        }
    }
    let found = best?;
    seen.insert(states[found.joints.len()].clone());
    Some(found)
}

/// The role that is to move, and the verdict, if at least half of three or more moves are wrong.
fn judged(game: &Game, state: &BitsBuf) -> Option<(RoleId, Verdict)> {
    let mut walk = game.walk();
    walk.load(state);
    let role = game.players().find(|&role| walk.legal(role).len() > 2)?;
    let verdict = proof::judge(game, (state, role))?;
    (2 * verdict.right.len() <= verdict.moves).then_some((role, verdict))
}

/// The states and joint moves of a match; none if it is too long.
fn play(game: &Game, random: &mut Xoshiro256PlusPlus) -> Option<(Vec<BitsBuf>, Vec<Vec<MoveId>>)> {
    let mut walk = game.walk();
    let (mut states, mut joints) = (Vec::new(), Vec::new());
    let mut joint = Vec::new();
    while !walk.terminal() {
        let state = walk.state().to_owned();
        if states.len() == TURNS || !walk.any_joint(&mut joint, random) {
            return None;
        }
        win_at_once(game, (&mut walk, &state), &mut joint);
        walk.load(&state);
        walk.play(&joint);
        states.push(state);
        joints.push(joint.clone());
    }
    Some((states, joints))
}

/// Changes the move of a role to one that ends the match with all there is to get, if it has one.
fn win_at_once(game: &Game, (walk, state): (&mut Walk<'_>, &BitsBuf), joint: &mut [MoveId]) {
    for role in game.players() {
        let drawn = joint[role.index()];
        for action in walk.legal(role) {
            joint[role.index()] = action;
            walk.load(state);
            walk.play(joint);
            if walk.terminal() && walk.value(role) >= game.most(role) {
                return;
            }
        }
        joint[role.index()] = drawn;
        walk.load(state);
    }
}
