//! Playouts that take wins at once, held against the rules: one turn from states of random matches,
//! where every move is tried. Where a win is found, only wins are played; elsewhere all legal moves
//! are, each as often as its weight says. Where threats are answered, moves after which the other
//! wins at once are avoided.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "a test may say how much it found")]

use game::{
    BitsBuf, Decisive, Game, Limits, MoveId, MoveTable, Request, RoleId, Start, Walk, Weights,
};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// How many states of each game are compared, and playouts of each state.
const STATES: usize = 1600;
const PLAYOUTS: u64 = 600;
/// Binary digits of weights.
const DIGITS: usize = 3;

fn load(name: &str) -> Game {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    let rules = fs::read_to_string(games.join(name).join("rules.kif")).unwrap();
    Game::load(rules.as_str(), &Limits::default()).unwrap()
}

/// A state in which one role chooses.
struct Case {
    state: BitsBuf,
    role: RoleId,
    legal: Vec<MoveId>,
    /// Moves that end the match, and those that win it.
    ends: HashSet<MoveId>,
    wins: HashSet<MoveId>,
}

impl Case {
    /// Tries all moves of the role that chooses, if just one does.
    fn new(game: &Game, walk: &mut Walk<'_>) -> Option<Case> {
        let state = walk.state().to_owned();
        let legal: Vec<Vec<MoveId>> = game.role_ids().map(|role| walk.legal(role)).collect();
        let mut choosing = game.role_ids().filter(|role| legal[role.index()].len() > 1);
        let (role, None) = (choosing.next()?, choosing.next()) else {
            return None;
        };
        let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
        let (mut ends, mut wins) = (HashSet::new(), HashSet::new());
        for &it in &legal[role.index()] {
            joint[role.index()] = it;
            walk.load(&state);
            walk.play(&joint);
            if walk.terminal() {
                ends.insert(it);
                // The highest goal of all games that are compared.
                wins.extend((walk.goal(role) == Some(100)).then_some(it));
            }
        }
        walk.load(&state);
        let legal = legal[role.index()].clone();
        Some(Case {
            state,
            role,
            legal,
            ends,
            wins,
        })
    }
}

/// States along random matches.
fn cases(game: &Game) -> Vec<Case> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut walk = game.walk();
    let mut joint = Vec::new();
    let mut cases = Vec::new();
    while cases.len() < STATES {
        if walk.terminal() || !walk.any_joint(&mut joint, &mut random) {
            walk.restart();
            continue;
        }
        cases.extend(Case::new(game, &mut walk));
        walk.play(&joint);
    }
    cases
}

/// Each move is played as often as expected, but for six standard deviations: by chance once in
/// 5e8; the seed is fixed. Playouts that did not end are not counted.
fn is_proportional(played: impl Iterator<Item = (u64, f64)>, name: &str) {
    for (count, share) in played {
        let expected = PLAYOUTS as f64 * share;
        let error = (expected * (1.0 - share)).sqrt() + 1e-9;
        let off = (count as f64 - expected).abs();
        assert!(off <= 6.0 * error + 1.0, "{name}: {count}, not {expected}");
    }
}

/// Compares playouts of one turn; returns in how many states there is a win, and in how many it is
/// found.
fn compare(name: &str, game: &Game, weights: Option<Weights<'_>>) -> (usize, usize) {
    let lanes = game.lanes().unwrap();
    assert!(lanes.decides(), "{name}");
    let cases = cases(game);
    let starts: Vec<Start<'_>> = (cases.iter())
        .map(|case| Start {
            state: &case.state,
            playouts: PLAYOUTS,
        })
        .collect();
    let request = Request {
        starts: &starts,
        turns: 1,
        seed: 3,
        weights,
        counts: true,
        decisive: Decisive::Wins,
        ..Request::default()
    };
    let outcomes = lanes.playouts_with(&request);
    let uncounted = Request {
        counts: false,
        ..request
    };
    let uncounted = lanes.playouts_with(&uncounted);
    assert_eq!(outcomes.tallies, uncounted.tallies, "{name}");
    let (mut wins, mut found) = (0, 0);
    let tables = outcomes.moves.unwrap();
    for ((case, table), tally) in cases.iter().zip(&tables).zip(&outcomes.tallies) {
        assert_eq!(tally.ended(), PLAYOUTS, "{name}");
        let weight = |it: &MoveId| weights.map_or(1, |weights| weights.table[(case.role, *it)]);
        let total = |moves: &[MoveId]| moves.iter().map(|it| f64::from(weight(it))).sum::<f64>();
        let count = |it: &MoveId| table[(case.role, *it)].playouts;
        let counted: u64 = case.legal.iter().map(count).sum();
        assert_eq!(counted, tally.playouts, "{name}: one move in each playout");
        let played = |moves: &[MoveId]| {
            let total = total(moves);
            let shares = moves
                .iter()
                .map(|it| (count(it), f64::from(weight(it)) / total));
            shares.collect::<Vec<_>>()
        };
        let won: u64 = case.wins.iter().map(count).sum();
        wins += usize::from(!case.wins.is_empty());
        if !case.wins.is_empty() && won == PLAYOUTS {
            found += 1;
            let taken = case.wins.iter().filter(|it| count(it) > 0).copied();
            let taken: Vec<MoveId> = taken.collect();
            is_proportional(played(&taken).into_iter(), name);
        } else {
            let ends = case.legal.iter().zip(played(&case.legal));
            let ends = ends.filter(|(it, _)| case.ends.contains(it));
            is_proportional(ends.map(|(_, it)| it), name);
        }
    }
    (wins, found)
}

fn some_weights(game: &Game) -> MoveTable<u8> {
    let sizes = game.role_ids().map(|role| game.moves(role).unwrap().len());
    let mut weights = MoveTable::new(sizes, 0);
    for (number, weight) in weights.values_mut().iter_mut().enumerate() {
        *weight = 1 + (number * 5 % 7) as u8;
    }
    weights
}

#[test]
fn wins_at_once_are_taken_where_they_are_found() {
    for name in [
        "breakthrough",
        "connect-four",
        "connect-four-5x4",
        "knight-through",
        "majorities",
        "nim",
        "pentago",
        "quarto",
        "tic-tac-toe",
        "tictac-chess",
        "ttcc4",
    ] {
        let game = load(name);
        let table = &some_weights(&game);
        let digits = DIGITS;
        for weights in [None, Some(Weights { table, digits })] {
            let (wins, found) = compare(name, &game, weights);
            println!("{name}: found in {found} of {wins} states that can be won at once");
            assert!(found as f64 >= 0.95 * wins as f64, "{name}");
        }
    }
}

/// States in which a role is threatened: it cannot win at once, and after most of its moves the next
/// role can, but not after all. With each state, the moves that help.
fn threatened(game: &Game) -> Vec<(Case, Vec<MoveId>)> {
    let mut walk = game.walk();
    let mut found = Vec::new();
    for case in cases(game) {
        if !case.wins.is_empty() {
            continue;
        }
        let helps = |action: &MoveId, walk: &mut Walk<'_>| {
            walk.load(&case.state);
            let joint: Vec<MoveId> = (game.role_ids())
                .map(|role| match role == case.role {
                    true => *action,
                    false => walk.legal(role)[0],
                })
                .collect();
            walk.play(&joint);
            walk.terminal() || Case::new(game, walk).is_none_or(|reply| reply.wins.is_empty())
        };
        let legal = case.legal.iter().copied();
        let help: Vec<MoveId> = legal.filter(|it| helps(it, &mut walk)).collect();
        if !help.is_empty() && 2 * help.len() < case.legal.len() {
            found.push((case, help));
        }
    }
    found
}

/// What share of playouts makes a move that helps where a role is threatened: with threats answered,
/// and without.
fn shares_of_help(game: &Game) -> (usize, [f64; 2]) {
    let lanes = game.lanes().unwrap();
    let states = threatened(game);
    let start = |it: &(Case, Vec<MoveId>)| it.0.state.clone();
    let states_only: Vec<BitsBuf> = states.iter().map(start).collect();
    let playouts = PLAYOUTS;
    let starts = states_only.iter().map(|state| Start { state, playouts });
    let starts: Vec<Start<'_>> = starts.collect();
    // Whoever can win in the second turn does, and the third finds the end.
    let share = |decisive| {
        let outcomes = lanes.playouts_with(&Request {
            starts: &starts,
            turns: 3,
            seed: 3,
            decisive,
            ..Request::default()
        });
        let all = PLAYOUTS * states.len() as u64;
        let lost: u64 = outcomes.tallies.iter().map(|it| it.playouts).sum();
        1.0 - lost as f64 / all as f64
    };
    (states.len(), [share(Decisive::Both), share(Decisive::Wins)])
}

/// Games with the least share of playouts in which a threat is answered.
#[test]
fn threats_are_answered() {
    for (name, least) in [
        ("breakthrough", 0.95),
        ("connect-four", 0.9),
        ("knight-through", 0.95),
        ("tic-tac-toe", 0.75),
        ("tictac-chess", 0.7),
        ("ttcc4", 0.6),
    ] {
        let game = load(name);
        assert!(game.lanes().unwrap().answers(), "{name}");
        let (states, [both, wins]) = shares_of_help(&game);
        println!("{name}: in {states} states with a threat, {both:.2} answer it, else {wins:.2}");
        assert!(states > 50 && both >= least && wins < 0.3, "{name}: {both}");
    }
}

/// Where nothing is found, playouts are the same.
#[test]
fn nothing_changes_where_no_win_is_found() {
    for name in ["othello", "hex", "matching-pennies"] {
        let game = load(name);
        let lanes = game.lanes().unwrap();
        assert!(!lanes.decides(), "{name}");
        let walk = game.walk();
        let plain = Request {
            starts: &[Start {
                state: walk.state(),
                playouts: 3000,
            }],
            turns: 100,
            seed: 3,
            ..Request::default()
        };
        let decisive = Request {
            decisive: Decisive::Wins,
            ..plain
        };
        let outcomes = [plain, decisive].map(|it| lanes.playouts_with(&it));
        assert_eq!(outcomes[0], outcomes[1], "{name}");
    }
}
