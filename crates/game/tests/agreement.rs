//! Interpreter, ground program, single states and all lanes agree along random matches of our own games.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use game::{Engine, Game, Limits, TermId};
use gdl::{Policy, Source};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::Path;

/// How many turns of each game are compared.
const TURNS: usize = 150;

fn load(rules: Vec<u8>, engine: Engine) -> Game {
    let tree = gdl::read(Source::from_bytes(rules), None, &gdl::ReadLimits::default());
    let program = gdl::check(tree, &Policy::lenient()).program.unwrap();
    Game::new(&program, engine, &Limits::default()).unwrap()
}

/// Something that both engines name alike: ids are those of each game.
fn texts(game_terms: &logic::Terms, terms: &[TermId]) -> Vec<String> {
    let mut texts: Vec<String> = terms.iter().map(|&term| game_terms.text(term)).collect();
    texts.sort();
    texts
}

#[test]
fn every_engine_gives_the_same_answers() {
    let games = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games");
    for folder in fs::read_dir(games)
        .unwrap()
        .map(|entry| entry.unwrap().path())
    {
        let rules = fs::read(folder.join("rules.kif")).unwrap();
        for engine in [Engine::Ground, Engine::Single, Engine::Lanes] {
            compare(&rules, engine, &folder.display().to_string());
        }
    }
}

fn compare(rules: &[u8], engine: Engine, name: &str) {
    let oracle = load(rules.to_vec(), Engine::Interpreter);
    let game = load(rules.to_vec(), engine);
    let (mut oracle_scratch, mut scratch) = (oracle.scratch(), game.scratch());
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut states = None;
    for _ in 0..TURNS {
        let (expected, found) = states.take().unwrap_or_else(|| {
            let expected = oracle.initial(&mut oracle_scratch).unwrap();
            (expected, game.initial(&mut scratch).unwrap())
        });
        let expected_view = oracle.view(&mut oracle_scratch, &expected).unwrap();
        let view = game.view(&mut scratch, &found).unwrap();
        let terms = oracle_scratch.terms();
        assert_eq!(
            texts(scratch.terms(), found.fluents()),
            texts(terms, expected.fluents()),
            "{name}"
        );
        assert_eq!(view.terminal, expected_view.terminal, "{name}");
        let both = [
            (&view.legal, &expected_view.legal),
            (&view.goals, &expected_view.goals),
        ];
        for (found, expected) in both {
            for (found, expected) in found.iter().zip(expected) {
                assert_eq!(
                    texts(scratch.terms(), found),
                    texts(terms, expected),
                    "{name}"
                );
            }
        }
        if view.terminal {
            continue;
        }
        // The same joint move by its text, as the two games number terms apart.
        let mut joint = Vec::new();
        let mut expected_joint = Vec::new();
        for (found, expected) in view.legal.iter().zip(&expected_view.legal) {
            let chosen = expected[random.next_u64() as usize % expected.len()];
            let text = terms.text(chosen);
            let same = |&&term: &&TermId| scratch.terms().text(term) == text;
            joint.push(*found.iter().find(same).unwrap());
            expected_joint.push(chosen);
        }
        let (expected, expected_seen) = oracle
            .next(&mut oracle_scratch, &expected, &expected_joint)
            .unwrap();
        let (found, seen) = game.next(&mut scratch, &found, &joint).unwrap();
        for (found, expected) in seen.iter().zip(&expected_seen) {
            assert_eq!(
                texts(scratch.terms(), found),
                texts(oracle_scratch.terms(), expected),
                "{name}"
            );
        }
        states = Some((expected, found));
    }
}
