//! Every command that reads rules ends on sheets that are a little wrong: with an exit code of
//! ours, within limits.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "../../game/tests/mutation/mod.rs"]
mod mutation;

use mutation::mutant;
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, io, thread};

/// How many sheets are mutated.
const SHEETS: usize = 60;
/// Longer sheets take too long.
const MOST_BYTES: usize = 3340;
/// A command that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(300);

/// The commands, SHEET being the sheet.
const COMMANDS: &[&str] = &[
    "check SHEET",
    "fmt --check SHEET",
    "convert SHEET --to infix",
    "show program SHEET",
    "show ground SHEET",
    "show playthrough SHEET",
    "perft --quiet SHEET 2",
    "solve SHEET --quiet --max-nodes 2000 --memory 16",
    "solve SHEET --quiet --max-nodes 2000 --memory 16 --cooperative",
    "match SHEET --quiet --iterations 1",
];

fn start(command: &str, sheet: &Path) -> Child {
    let mut ludex = Command::new(env!("CARGO_BIN_EXE_ludex"));
    for argument in command.split_whitespace() {
        match argument {
            "SHEET" => ludex.arg(sheet),
            _ => ludex.arg(argument),
        };
    }
    let quiet = ludex.stdout(Stdio::null()).stdin(Stdio::null());
    quiet.stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits for a command, and returns its exit code; none if it was killed, or hangs.
fn code(mut child: Child) -> Option<i32> {
    let mut errors = child.stderr.take().unwrap();
    let (ended, end) = mpsc::channel();
    // The pipe ends when the command does.
    let reader = thread::spawn(move || {
        let _ = io::copy(&mut errors, &mut io::sink());
        let _ = ended.send(());
    });
    if end.recv_timeout(PATIENCE).is_err() {
        child.kill().unwrap();
    }
    reader.join().unwrap();
    child.wait().unwrap().code()
}

#[test]
fn every_command_ends_on_mutated_sheets() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = folder.path().join("mutant.kif");
    let games = library::all().into_iter().map(library::OurGame::rules);
    let games: Vec<&[u8]> = games.filter(|it| it.len() <= MOST_BYTES).collect();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    for number in 0..SHEETS {
        let mut draw = |most: usize| (random.next_u64() % most as u64) as usize;
        let rules = String::from_utf8_lossy(games[number % games.len()]);
        // The first is as it was: no command is misused.
        let (text, codes) = match number {
            0 => (rules.into_owned(), [0, 1, 3].as_slice()),
            _ => (mutant(&rules, &mut draw), [0, 1, 2, 3].as_slice()),
        };
        fs::write(&sheet, &text).unwrap();
        for pair in COMMANDS.chunks(2) {
            let children: Vec<Child> = pair.iter().map(|it| start(it, &sheet)).collect();
            for (command, child) in pair.iter().zip(children) {
                let code = code(child);
                let ours = code.is_some_and(|it| codes.contains(&it));
                assert!(ours, "{command}: {code:?}\n{text}");
            }
        }
    }
}
