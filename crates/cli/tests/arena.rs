//! `ludex arena`, killed again and again, comes to the same end as one that was left alone; stopped,
//! it says how to go on; and a damaged file is told of.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const KILLS: u64 = 20;
/// Two players and two games of 400 matches, one of them for one player.
const MATCHES: usize = 400 + 2 * 400;

fn ludex(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command.current_dir(folder).args(arguments);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Starts the experiment, or goes on with it.
fn start(folder: &Path) -> Child {
    let arguments = "arena tic-tac-toe eight-queens --players uct:playouts=32,random \
                     --matches 400 --iterations 4 --seed 9 --json --csv matches.csv";
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    ludex(folder, &arguments).spawn().unwrap()
}

/// The experiment to its end, and how long that takes.
fn timed(folder: &Path) -> (String, Duration) {
    let began = Instant::now();
    (finish(start(folder)), began.elapsed())
}

/// Lets it finish; gives the standings, which have no times in them.
fn finish(child: Child) -> String {
    let output = child.wait_with_output().unwrap();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    String::from_utf8(output.stdout).unwrap()
}

/// The matches that are in the file, times and all, each a line.
fn stored(folder: &Path) -> BTreeSet<String> {
    let file = "stored.csv";
    let shown = ludex(folder, &["arena", "--show", "--csv", file])
        .output()
        .unwrap();
    match shown.status.success() {
        true => lines(&folder.join(file)),
        // It was killed before there was an experiment.
        false => BTreeSet::new(),
    }
}

fn lines(file: &Path) -> BTreeSet<String> {
    let text = fs::read_to_string(file).unwrap();
    let lines: Vec<&str> = text.lines().skip(1).collect();
    let set: BTreeSet<String> = lines.iter().map(ToString::to_string).collect();
    assert_eq!(set.len(), lines.len());
    set
}

/// What tells matches apart: game, players and number.
fn keys(lines: &BTreeSet<String>) -> BTreeSet<String> {
    let key = |line: &String| line.split(',').take(4).collect::<Vec<_>>().join(",");
    lines.iter().map(key).collect()
}

#[test]
fn a_killed_arena_loses_nothing_and_counts_nothing_twice() {
    let (left_alone, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let (wanted, whole) = timed(left_alone.path());
    // Nothing is left to be played: this is how long it takes to begin.
    let (again, begin) = timed(left_alone.path());
    assert_eq!(again, wanted);
    let play = whole.saturating_sub(begin);

    let mut random: u64 = 9;
    let mut before = BTreeSet::new();
    let mut in_between = 0;
    // So many kills, and more if none came while matches were played.
    for kill in 1.. {
        let mut child = start(killed.path());
        // Any moment will do: what is asserted holds for all of them. Play goes on for a
        // sixteenth of the whole at most, so that there is something left to be killed.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let share = (random >> 40) as u32 % 1000;
        thread::sleep(begin / 2 + (begin / 2 + play / 16) * share / 1000);
        child.kill().unwrap();
        child.wait().unwrap();
        let after = stored(killed.path());
        assert!(
            after.is_superset(&before),
            "a match was lost, or played again"
        );
        in_between += usize::from(!after.is_empty() && after.len() < MATCHES);
        before = after;
        if kill >= KILLS && (in_between > 0 || before.len() == MATCHES) {
            break;
        }
    }

    assert_eq!(finish(start(killed.path())), wanted);
    let end = lines(&killed.path().join("matches.csv"));
    assert!(
        end.is_superset(&before),
        "a match was lost, or played again"
    );
    assert_eq!((end.len(), keys(&end).len()), (MATCHES, MATCHES));
}

/// Waits until there are more matches in the file than these.
#[cfg(unix)]
fn await_match(folder: &Path, before: usize) {
    let began = Instant::now();
    while stored(folder).len() <= before {
        assert!(began.elapsed() < Duration::from_secs(300), "no match ends");
    }
}

#[test]
#[cfg(unix)]
fn an_arena_that_is_stopped_says_what_is_kept_and_how_to_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments = "arena tic-tac-toe --players random,legal --matches 1000000 --iterations 1";
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    let start = || ludex(folder, &arguments).spawn().unwrap();
    let mut kept = 0;
    for run in 0..2 {
        let (arena, before) = (start(), kept);
        await_match(folder, before);
        let kill = ["-s", "INT", &arena.id().to_string()];
        assert!(Command::new("kill").args(kill).status().unwrap().success());
        let output = arena.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130));
        kept = stored(folder).len();
        assert!(kept > before, "{before} matches became {kept}");
        let said = String::from_utf8(output.stderr).unwrap();
        let wanted = format!(
            "ludex: stopped; {kept} matches are kept in arena.sqlite, and {} are left: the same \
             command goes on with them. The table so far:\n",
            1_000_000 - kept
        );
        assert!(said.ends_with(&wanted), "{said}");
        assert_eq!(said.contains("were there already"), run == 1, "{said}");
        let table = String::from_utf8(output.stdout).unwrap();
        assert!(table.contains("tic-tac-toe  random  legal"), "{table}");
    }
}

/// The standings of the file, or what is said instead.
fn shown(folder: &Path, file: &str) -> Result<String, String> {
    let arguments = ["arena", "--show", "--json", "--results", file];
    let output = ludex(folder, &arguments).output().unwrap();
    match output.status.code() {
        Some(0) => Ok(String::from_utf8(output.stdout).unwrap()),
        code => {
            assert_eq!(code, Some(2));
            assert!(output.stdout.is_empty());
            Err(String::from_utf8(output.stderr).unwrap())
        }
    }
}

#[test]
fn a_damaged_file_gives_the_same_results_or_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments =
        "arena tic-tac-toe eight-queens --players random,legal --matches 60 --iterations 1";
    let arguments: Vec<&str> = arguments.split_whitespace().collect();
    finish(ludex(folder, &arguments).spawn().unwrap());
    let whole = fs::read(folder.join("arena.sqlite")).unwrap();
    let wanted = shown(folder, "arena.sqlite").unwrap();
    let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
    let mut told = 0;
    for case in 0..150 {
        let mut damaged = whole.clone();
        // A byte, or some in a row, become others.
        let length = [1, 1, 16, 300][case % 4];
        let place = random.next_u64() as usize % (damaged.len() - length);
        random.fill_bytes(&mut damaged[place..place + length]);
        fs::write(folder.join("damaged.sqlite"), damaged).unwrap();
        match shown(folder, "damaged.sqlite") {
            Ok(standings) => assert_eq!(standings, wanted, "{length} bytes at {place}"),
            Err(said) => {
                told += 1;
                assert!(said.starts_with("ludex: damaged.sqlite: "), "{said}");
                assert_eq!(said.lines().count(), 1, "{said}");
            }
        }
    }
    assert!(told > 20, "{told} of 150 were told of");
}
