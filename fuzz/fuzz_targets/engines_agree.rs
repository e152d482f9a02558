//! All engines say the same of a mutated sheet of ours.
#![no_main]

#[path = "../../crates/game/tests/mutation/mod.rs"]
mod mutation;

/// Longer sheets take too long.
const MOST_BYTES: usize = 6000;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.iter();
    let mut draw = |most: usize| {
        let mut digit = || usize::from(bytes.next().copied().unwrap_or(0));
        (digit() << 8 | digit()) % most
    };
    let games = library::all().into_iter().map(library::OurGame::rules);
    let games: Vec<&[u8]> = games.filter(|it| it.len() <= MOST_BYTES).collect();
    let sheet = String::from_utf8_lossy(games[draw(games.len())]);
    let mutant = mutation::mutant(&sheet, &mut draw);
    mutation::engines_agree(&mutant, &mut draw);
});
