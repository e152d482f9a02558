//! Playouts that look ahead against a slow reference, turn by turn, and frequencies by chi-square.
//! Seeds are fixed.

use super::MOST;
use crate::Budget;
use crate::kit::policy::tests::{Played, chi_square, load, play_from, threshold};
use crate::kit::policy::{Knowledge, PolicySettings, Wanted};
use crate::kit::{Batch, By, Clock, Evaluate, Playouts, Thread};
use game::{Bits, BitsBuf, Decisive, Game, MoveId, RoleId};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// Policies whose playouts are played by themselves, as all are without lanes.
const POLICIES: [&str; 6] = ["uniform", "mast", "nst", "past", "lgr1", "lgr2"];

fn of_library(name: &str) -> Game {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = std::fs::read_to_string(games.join(name).join("rules.kif"));
    load(&rules.expect("the game is there"))
}

/// The state after moves of the role that has a choice.
fn after(game: &Game, moves: &[&str]) -> BitsBuf {
    let mut walk = game.walk();
    for text in moves {
        let joint: Vec<MoveId> = game
            .role_ids()
            .map(|role| {
                let legal = walk.legal(role);
                let name = |it: &&MoveId| game.scratch().terms().text(game.move_term(role, **it));
                *legal
                    .iter()
                    .find(|it| name(it) == *text)
                    .unwrap_or(&legal[0])
            })
            .collect();
        walk.play(&joint);
    }
    walk.state().to_owned()
}

fn name(game: &Game, role: RoleId, action: MoveId) -> String {
    game.scratch().terms().text(game.move_term(role, action))
}

/// Playouts of a policy from a state.
fn played(
    game: &Game,
    (policy, decisive): (&str, Decisive),
    (state, times): (&Bits, usize),
) -> Vec<Played> {
    let shared = Arc::new(Knowledge::new(game));
    let policy = PolicySettings::named(policy, Wanted::Is(decisive)).make(game, &shared, false);
    play_from(game, policy, (state, times))
}

/// How often each move of a role was the first.
fn first_moves(game: &Game, role: RoleId, all: &[Played]) -> Vec<u64> {
    let mut counts = vec![0; game.moves(role).expect("moves are numbered").len()];
    for one in all {
        counts[one.turns[0].1[role.index()].index()] += 1;
    }
    counts
}

/// The state after a move of a role in a state where the others have one each.
fn play(game: &Game, state: &Bits, (role, action): (RoleId, MoveId)) -> BitsBuf {
    let mut walk = game.walk();
    walk.load(state);
    let legal = |it| {
        if it == role {
            action
        } else {
            walk.legal(it)[0]
        }
    };
    let joint: Vec<MoveId> = game.role_ids().map(legal).collect();
    walk.play(&joint);
    walk.state().to_owned()
}

/// The legal moves of a role, those that win at once, and those after which no other does.
fn tried(game: &Game, state: &Bits, role: RoleId) -> [Vec<MoveId>; 3] {
    let mut walk = game.walk();
    walk.load(state);
    let all = walk.legal(role);
    let (mut wins, mut safe) = (Vec::new(), Vec::new());
    for &action in &all {
        let next = play(game, state, (role, action));
        walk.load(&next);
        if walk.terminal() {
            if walk.value(role) == 1.0 {
                wins.push(action);
            }
            safe.push(action);
            continue;
        }
        let other = RoleId::new(1 - role.index());
        let replies = walk.legal(other);
        let lost = replies.into_iter().any(|reply| {
            let mut walk = game.walk();
            walk.load(&play(game, &next, (other, reply)));
            walk.terminal() && walk.value(other) == 1.0
        });
        if !lost {
            safe.push(action);
        }
    }
    [all, wins, safe]
}

/// Every turn of playouts is as the reference has it, where it is looked at.
#[test]
fn wins_are_taken_and_threats_answered_in_every_turn() {
    for (name, times) in [("tic-tac-toe", 60), ("connect-four", 10)] {
        let game = of_library(name);
        for policy in POLICIES {
            for decisive in [Decisive::Wins, Decisive::Both] {
                let first = game.walk().state().to_owned();
                let all = played(&game, (policy, decisive), (&first, times));
                let (mut taken, mut answered) = (0, 0);
                for (state, joint) in all.iter().flat_map(|it| &it.turns) {
                    let mut walk = game.walk();
                    walk.load(state);
                    let mut roles = game.role_ids();
                    let Some(role) = roles.find(|&it| walk.legal(it).len() > 1) else {
                        continue;
                    };
                    let [moves, wins, safe] = tried(&game, state, role);
                    let action = joint[role.index()];
                    // In both games a role replies with one move less, or as many.
                    let looked_at = moves.len() * moves.len() <= MOST;
                    if !wins.is_empty() {
                        assert!(wins.contains(&action), "{name}, {policy}");
                        taken += 1;
                    } else if decisive == Decisive::Both && looked_at && !safe.is_empty() {
                        assert!(safe.contains(&action), "{name}, {policy}");
                        answered += usize::from(safe.len() < moves.len());
                    }
                }
                assert!(taken > 0, "{name}, {policy}");
                assert_eq!(answered > 0, decisive == Decisive::Both, "{name}, {policy}");
            }
        }
    }
}

const RED: RoleId = RoleId::new(0);
const YELLOW: RoleId = RoleId::new(1);

#[test]
fn a_threat_is_answered_by_both_alone() {
    let game = of_library("connect-four");
    let drops = ["(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)"];
    let threatened = after(&game, &drops);
    for policy in POLICIES {
        let all = played(&game, (policy, Decisive::Both), (&threatened, 50));
        let answers = all.iter().map(|it| it.turns[0].1[YELLOW.index()]);
        assert!(
            answers
                .into_iter()
                .all(|it| name(&game, YELLOW, it) == "(drop 1)")
        );
    }
    for decisive in [Decisive::No, Decisive::Wins] {
        let all = played(&game, ("uniform", decisive), (&threatened, 7000));
        let counts = first_moves(&game, YELLOW, &all);
        let drawn: Vec<u64> = counts.into_iter().filter(|&it| it > 0).collect();
        assert_eq!(drawn.len(), 7);
        assert!(chi_square(&drawn, &[1.0; 7]) < threshold(7), "{drawn:?}");
    }
}

#[test]
fn a_win_is_taken_unless_it_is_not_asked_for() {
    let game = of_library("connect-four");
    let drops = [
        "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)", "(drop 1)", "(drop 2)",
    ];
    let state = after(&game, &drops);
    for decisive in [Decisive::Wins, Decisive::Both] {
        for policy in POLICIES {
            let all = played(&game, (policy, decisive), (&state, 50));
            let wins = |it: &Played| it.turns.len() == 1 && it.values == [1.0, 0.0];
            assert!(all.iter().all(wins), "{policy}");
        }
    }
    let all = played(&game, ("uniform", Decisive::No), (&state, 7000));
    let counts = first_moves(&game, RED, &all);
    let drawn: Vec<u64> = counts.into_iter().filter(|&it| it > 0).collect();
    assert!(chi_square(&drawn, &[1.0; 7]) < threshold(7), "{drawn:?}");
}

/// One of two wins is drawn, and one of the moves that are safe: two roles name a number each, and
/// the second wins by five after four, or by three or four after five.
#[test]
fn of_several_moves_one_is_drawn_uniformly() {
    let rules = "(role a) (role b) (init (control a)) (num 1) (num 2) (num 3) (num 4) (num 5)
        (<= (legal ?r (say ?n)) (true (control ?r)) (num ?n))
        (<= (legal a noop) (true (control b))) (<= (legal b noop) (true (control a)))
        (<= (next (said ?n)) (does ?r (say ?n)))
        (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
        (<= (next (won ?r)) (true (said 4)) (does ?r (say 5)))
        (<= (next (won ?r)) (true (said 5)) (does ?r (say 4)))
        (<= (next (won ?r)) (true (said 5)) (does ?r (say 3)))
        (<= (next late) (true (control b))) (<= terminal (true late)) (<= (goal ?r 100) (true (won ?r)))
        (<= (goal ?r 0) (role ?r) (not (true (won ?r))))";
    let game = load(rules);
    let first = game.walk().state().to_owned();
    let counts = |decisive, state: &Bits, role| {
        let all = played(&game, ("uniform", decisive), (state, 6000));
        let counts = first_moves(&game, role, &all);
        counts
            .into_iter()
            .filter(|&it| it > 0)
            .collect::<Vec<u64>>()
    };
    for (decisive, left) in [(Decisive::No, 5), (Decisive::Wins, 5), (Decisive::Both, 3)] {
        let drawn = counts(decisive, &first, RED);
        assert_eq!(drawn.len(), left, "{decisive:?}");
        let shares = vec![1.0; left];
        assert!(chi_square(&drawn, &shares) < threshold(left), "{drawn:?}");
    }
    let five = after(&game, &["(say 5)"]);
    for decisive in [Decisive::Wins, Decisive::Both] {
        let drawn = counts(decisive, &five, YELLOW);
        assert_eq!(drawn.len(), 2);
        assert!(chi_square(&drawn, &[1.0; 2]) < threshold(2), "{drawn:?}");
    }
}

/// Lanes are there, but one playout by itself is asked for when time is short.
#[test]
fn playouts_by_themselves_end_in_time() {
    let game = of_library("connect-four");
    let shared = Arc::new(Knowledge::new(&game));
    let policy =
        PolicySettings::named("nst", Wanted::Is(Decisive::Both)).make(&game, &shared, false);
    let mut playouts = Playouts::new(&game, None, policy);
    let mut thread = Thread::new(&game, 1, &Budget::Iterations(1));
    let first = thread.walk.state().to_owned();
    let batch = Batch {
        states: &[&first],
        by: By::One,
    };
    let mut out = Vec::new();
    playouts.evaluate(&mut thread, &batch, &mut out);
    assert!(!out[0].over && out[0].values.iter().sum::<f32>() == 1.0);
    // Time is over now: the playout is cut after its first turn.
    thread.clock = Clock::new(&Budget::Until(Instant::now()));
    playouts.evaluate(&mut thread, &batch, &mut out);
    assert_eq!(out[1].values[..], [0.5, 0.5]);
}
