//! Networks with something changed, lost or doubled are read and solved without a panic.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "properties/mod.rs"]
mod properties;

use properties::networks_never_panic;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::fs;
use std::path::Path;

/// How many damaged texts there are of each network.
const TEXTS: usize = 300;

/// A text in which some tokens are lost, doubled, exchanged or numbers.
fn damaged(text: &str, random: &mut Xoshiro256PlusPlus) -> String {
    let mut tokens: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    let mut draw = |most: usize| (random.next_u64() % most as u64) as usize;
    for _ in 0..=draw(4) {
        let place = draw(tokens.len());
        match draw(5) {
            0 => drop(tokens.remove(place)),
            1 => tokens.insert(place, tokens[draw(tokens.len())]),
            2 => tokens[place] = tokens[draw(tokens.len())],
            3 => tokens[place] = ["0 ", "-1 ", "99999999999999999999 ", "1e999 ", "1/0 "][draw(5)],
            _ => tokens[place] = ["( ", ") ", "\n", "\"", "é\n"][draw(5)],
        }
        if tokens.is_empty() {
            break;
        }
    }
    tokens.concat()
}

#[test]
fn damaged_networks_never_panic() {
    let networks = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/networks");
    let mut paths: Vec<_> = (fs::read_dir(networks).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    for path in paths {
        let text = fs::read_to_string(&path).unwrap();
        networks_never_panic(text.as_bytes());
        for _ in 0..TEXTS {
            networks_never_panic(damaged(&text, &mut random).as_bytes());
        }
    }
}
