//! The network of a round with its end, and the reasons it gives, along random matches of all our
//! games: after every joint move the next state, the end and the goals are those of the rules, and
//! a reason holds wherever its pattern does.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stdout, reason = "a test may say how much it compared")]

use encoding::{Pattern, Scout};
use game::{Bits, BitsBuf, FluentId, Game, Joints, Limits, MoveId, RoleId, Walk};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::{Path, PathBuf};

/// How many matches, turns of each, and joint moves of a turn are compared.
const MATCHES: usize = 2;
const TURNS: usize = 60;
const JOINTS: usize = 12;

fn games() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

fn load(name: &str) -> Game {
    let rules = fs::read_to_string(games().join(name).join("rules.kif")).unwrap();
    Game::load(rules.as_str(), &Limits::default()).unwrap()
}

/// A way of asking the network of a game, if it has one.
fn scout(game: &Game) -> Option<Scout<'_>> {
    let encoding = game.encoding()?.ok()?;
    Some(Scout::new(encoding, game.ahead()?.ok()?))
}

/// Some joint moves of a state, drawn at random if there are many.
fn some_joints(walk: &Walk<'_>, game: &Game, random: &mut impl Rng) -> Vec<Vec<MoveId>> {
    let legal: Vec<Vec<MoveId>> = game.role_ids().map(|role| walk.legal(role)).collect();
    if let Some(all) = Joints::new(&legal).filter(|it| it.size_hint().0 <= JOINTS) {
        return all.collect();
    }
    let mut draw = |moves: &Vec<MoveId>| moves[random.next_u64() as usize % moves.len()];
    (0..JOINTS)
        .map(|_| legal.iter().map(&mut draw).collect())
        .collect()
}

/// Visits states of random matches, with joint moves to try in them.
fn along_matches(game: &Game, seed: u64, mut visit: impl FnMut(&Bits, &[Vec<MoveId>])) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut walk = game.walk();
    for _ in 0..MATCHES {
        walk.restart();
        for _ in 0..TURNS {
            let mut joint = Vec::new();
            if walk.terminal() || !walk.any_joint(&mut joint, &mut random) {
                break;
            }
            let joints = some_joints(&walk, game, &mut random);
            visit(walk.state(), &joints);
            walk.play(&joint);
        }
    }
}

#[test]
fn the_network_ends_as_the_rules_do() {
    let mut names: Vec<_> = fs::read_dir(games())
        .unwrap()
        .map(|it| it.unwrap().file_name())
        .collect();
    names.sort();
    let (mut compared, mut ends) = (0, 0);
    for name in names {
        let name = name.to_string_lossy();
        let game = load(&name);
        let Some(mut scout) = scout(&game) else {
            println!("{name}: no network with its end, skipped");
            continue;
        };
        let mut walk = game.walk();
        along_matches(&game, 7, |state, joints| {
            scout.load(state).unwrap();
            for role in game.role_ids() {
                walk.load(state);
                assert_eq!(
                    scout.legal(role).collect::<Vec<_>>(),
                    walk.legal(role),
                    "{name}"
                );
            }
            for joint in joints {
                walk.load(state);
                walk.play(joint);
                assert!(scout.decide(joint), "{name}");
                assert_eq!(scout.next(), walk.state(), "{name}");
                assert_eq!(scout.is_over(), walk.terminal(), "{name}");
                compared += 1;
                if walk.terminal() {
                    ends += 1;
                    for role in game.role_ids() {
                        assert_eq!(scout.value(role), Some(walk.value(role)), "{name}");
                    }
                }
            }
        });
    }
    println!("{compared} joint moves, {ends} ends");
    assert!(compared > 20_000 && ends > 500);
}

/// A state with other fluents where a pattern does not ask.
fn changed(state: &Bits, pattern: &Pattern, random: &mut impl Rng, count: usize) -> BitsBuf {
    let mut other = BitsBuf::empty(count);
    let mask = pattern.words().0;
    for fluent in FluentId::all(count) {
        let fixed = mask[fluent.index() / 64] >> (fluent.index() % 64) & 1 == 1;
        let flipped = !fixed && random.next_u64().is_multiple_of(8);
        if state.holds(fluent) != flipped {
            other.insert(fluent);
        }
    }
    other
}

/// Asks a network again in states that have a pattern and differ elsewhere.
fn holds_elsewhere(
    (state, pattern, fluents): (&Bits, &Pattern, usize),
    random: &mut impl Rng,
    mut holds: impl FnMut(&Bits) -> Option<bool>,
) -> usize {
    assert!(pattern.fits(state));
    let mut asked = 0;
    for _ in 0..4 {
        let other = changed(state, pattern, random, fluents);
        assert!(pattern.fits(&other));
        if let Some(holds) = holds(&other) {
            assert!(holds);
            asked += 1;
        }
    }
    asked
}

#[test]
fn a_reason_holds_wherever_its_pattern_does() {
    let mut asked = 0;
    for name in [
        "connect-four-4x4",
        "breakthrough",
        "hex",
        "checkers",
        "quarto",
        "nim",
        "dice-race",
    ] {
        let game = load(name);
        let (mut one, mut two) = (scout(&game).unwrap(), scout(&game).unwrap());
        let fluents = game.encoding().unwrap().unwrap().grouping().places.len();
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        along_matches(&game, 5, |state, joints| {
            one.load(state).unwrap();
            for joint in joints {
                assert!(one.decide(joint));
                let role = RoleId::new(0);
                let (over, value) = (one.is_over(), one.value(role));
                if over {
                    let pattern = one.why_over(role);
                    asked += holds_elsewhere((state, &pattern, fluents), &mut random, |other| {
                        two.load(other).ok()?;
                        two.decide(joint);
                        Some(
                            two.is_over()
                                && (two.value(role) == value || two.value(role).is_none()),
                        )
                    });
                    continue;
                }
                let mut next = Pattern::new(one.next().words().len());
                for fluent in
                    FluentId::all(fluents).filter(|_| random.next_u64().is_multiple_of(16))
                {
                    next.add(fluent, one.next().holds(fluent));
                }
                let pattern = one.why_next(&next);
                asked += holds_elsewhere((state, &pattern, fluents), &mut random, |other| {
                    two.load(other).ok()?;
                    two.decide(joint);
                    Some(!two.is_over() && next.fits(two.next()))
                });
            }
        });
    }
    println!("{asked} reasons asked again");
    assert!(asked > 500);
}
