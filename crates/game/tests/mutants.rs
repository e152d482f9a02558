//! All engines agree on sheets that are a little wrong: see `mutation`.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod mutation;

use mutation::{Outcome, engines_agree, mutant};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Longer sheets take too long for many mutants.
const MOST_BYTES: u64 = 6000;
/// How many mutants there are of each sheet; `LUDEX_MUTANTS` for more.
const MUTANTS: usize = 5;

/// Sheets below a folder that are not too long, in order.
fn sheets(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let entries = entries.map(|entry| entry.unwrap().path());
    let mut sheets: Vec<PathBuf> = entries
        .map(|it| {
            if it.is_dir() {
                it.join("rules.kif")
            } else {
                it
            }
        })
        .filter(|it| it.metadata().is_ok_and(|it| it.len() <= MOST_BYTES))
        .collect();
    sheets.sort();
    sheets
}

fn all_sheets() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let shared = env::var_os("LUDEX_SHARED").map_or(root.join("../shared"), PathBuf::from);
    let folders = [
        root.join("games"),
        shared.join("ggp-games"),
        shared.join("gdl2-games"),
    ];
    folders.iter().flat_map(|folder| sheets(folder)).collect()
}

#[test]
fn engines_agree_on_mutated_sheets() {
    let count = env::var("LUDEX_MUTANTS").ok();
    let count = count.map_or(MUTANTS, |it| it.parse().unwrap());
    let (mut refused, mut not_ground, mut agree, mut states) = (0, 0, 0, 0);
    for (sheet, path) in all_sheets().iter().enumerate() {
        let text = fs::read_to_string(path).unwrap();
        for number in 0..count {
            let seed = (sheet * count + number) as u64;
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut draw = |most: usize| (random.next_u64() % most as u64) as usize;
            let mutated = mutant(&text, &mut draw);
            // A panic is told with the sheet it came from.
            let told = Told(&mutated, path);
            match engines_agree(&mutated, &mut draw) {
                Outcome::Refused => refused += 1,
                Outcome::NotGround => not_ground += 1,
                Outcome::Agree { states: more } => {
                    agree += 1;
                    states += more;
                }
            }
            drop(told);
        }
    }
    let text = format!(
        "mutants: {agree} on which all engines agree in {states} states, {refused} refused, \
         {not_ground} not ground\n"
    );
    std::io::stderr().write_all(text.as_bytes()).unwrap();
    assert!(agree > refused / 4 && states > agree, "{text}");
}

/// Prints a mutant if the test panics while it is there.
struct Told<'a>(&'a str, &'a Path);

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let text = format!("a mutant of {}:\n{}", self.1.display(), self.0);
            std::io::stderr().write_all(text.as_bytes()).unwrap();
        }
    }
}
