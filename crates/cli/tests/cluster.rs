//! Workers as processes: found, killed, stopped, wrong, and left by their master.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "a test says what it skips")]
#![cfg(unix)]

use arena::referee::{Setup, Substitute, play};
use arena::{Clocks, Patience};
use cluster::Pipes;
use game::{Game, Limits};
use players::witness::{Testimony, Witness};
use players::{
    Budget, Decision, Ending, Failure, Observation, Player, Recruiter, Refusal, Seat, roster,
};
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

const LUDEX: &str = env!("CARGO_BIN_EXE_ludex");
const BUILD: &str = env!("LUDEX_VERSION");

fn load(name: &str) -> Arc<Game> {
    let rules = library::find(name).unwrap().rules();
    let rules = gdl::Source::from_bytes(rules.to_vec());
    Arc::new(Game::load(rules, &Limits::default()).unwrap())
}

/// Workers that note their process in a folder before they begin.
fn noted(folder: &TempDir) -> Pipes {
    let script = format!(
        "touch '{}'/$$ && exec '{LUDEX}' worker",
        folder.path().display()
    );
    Pipes::new(Path::new("sh"), &["-c", &script], BUILD)
}

/// Workers that are a shell script.
fn scripted(script: &str) -> Pipes {
    Pipes::new(Path::new("sh"), &["-c", script], BUILD)
}

fn seat(game: &Arc<Game>, role: usize, helpers: Pipes) -> Seat {
    Seat {
        game: Arc::clone(game),
        role: game::RoleId::new(role),
        seed: 1,
        threads: 1,
        memory: None,
        helpers: Some(Arc::new(helpers)),
    }
}

/// The processes that have noted themselves.
fn processes(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|it| it.unwrap());
    names
        .map(|it| it.file_name().to_string_lossy().into_owned())
        .collect()
}

fn signal(name: &str, process: &str) {
    // It may have ended.
    let _ = Command::new("kill")
        .args([&format!("-{name}"), process])
        .stderr(Stdio::null())
        .status();
}

/// Whether a process is there, and is no zombie.
fn is_alive(process: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|it| !it.contains(") Z "))
}

/// Waits until processes are gone, for as long as the test may take.
fn wait_for_end(processes: &[String]) {
    while processes.iter().any(|it| is_alive(it)) {
        std::thread::yield_now();
    }
}

/// Whatever happens to its workers happens while the player chooses for the second time.
struct Troubled {
    player: Box<dyn Player>,
    folder: PathBuf,
    signal: &'static str,
    choices: usize,
}

impl Player for Troubled {
    fn start(&mut self, budget: &Budget) -> Result<(), Refusal> {
        self.player.start(budget)
    }

    fn observe(&mut self, seen: &Observation<'_>) {
        self.player.observe(seen);
    }

    fn choose(&mut self, budget: &Budget) -> Result<Decision, Failure> {
        self.choices += 1;
        let trouble = (self.choices == 2).then(|| {
            let (folder, name) = (self.folder.clone(), self.signal);
            std::thread::spawn(move || {
                processes(&folder).iter().for_each(|it| signal(name, it));
            })
        });
        let chosen = self.player.choose(budget);
        if let Some(trouble) = trouble {
            trouble.join().unwrap();
        }
        chosen
    }

    fn finish(&mut self, ending: Ending) {
        self.player.finish(ending);
    }
}

/// Plays matches in each of which the workers of the first player get a signal.
fn play_with(text: &str, signal: &'static str, (matches, clocks): (usize, Clocks)) {
    // A game whose start is not proven within these clocks: workers search when the signal comes.
    let setup = Setup {
        game: load("connect-four"),
        clocks,
        patience: Patience::default(),
        substitute: Substitute::default(),
        seed: 1,
    };
    for number in 0..matches {
        let folder = TempDir::new().unwrap();
        let helpers = noted(&folder).with_silence(Duration::from_millis(500));
        let player = roster::player(text, seat(&setup.game, 0, helpers)).unwrap();
        let troubled = Troubled {
            player,
            folder: folder.path().to_owned(),
            signal,
            choices: 0,
        };
        let testimony = Testimony::default();
        let witness = Witness::new(Box::new(troubled), testimony.clone());
        let other = roster::player("random", seat(&setup.game, 1, scripted("false"))).unwrap();
        let seats: Vec<Option<Box<dyn Player>>> = vec![Some(Box::new(witness)), Some(other)];
        let record = play(&setup, seats, &mut |_| {}).unwrap();
        assert!(record.completed, "{text} {signal} {number}");
        assert_eq!(record.faults(), 0, "{text} {signal} {number}");
        assert_eq!(testimony.breach(), None);
        wait_for_end(&processes(folder.path()));
    }
}

fn short() -> Clocks {
    Clocks::Times {
        start: Duration::from_millis(300),
        play: Duration::from_millis(40),
    }
}

const COUNTED: Clocks = Clocks::Iterations { start: 5, play: 5 };

#[test]
fn no_move_is_late_when_a_worker_is_killed_in_every_match() {
    play_with("ary:workers=2", "KILL", (25, short()));
    play_with("ary:workers=2,merge=tree", "KILL", (25, short()));
    play_with("ary:workers=3", "KILL", (3, COUNTED));
    play_with("ary:workers=3,merge=tree", "KILL", (3, COUNTED));
}

#[test]
fn a_worker_that_hangs_is_not_waited_for() {
    play_with("ary:workers=2", "STOP", (3, short()));
    play_with("ary:workers=2,merge=tree", "STOP", (3, short()));
    // A counted search waits until it is sure that nobody is there.
    play_with("ary:workers=2", "STOP", (1, COUNTED));
    play_with("ary:workers=2,merge=tree", "STOP", (1, COUNTED));
}

/// What a player with such workers does at the start, and then the same as alone.
fn start(helpers: Pipes) -> Result<Decision, String> {
    let game = load("tic-tac-toe");
    let mut player = roster::player("ary:workers=3", seat(&game, 0, helpers)).unwrap();
    let budget = Budget::Iterations(5);
    player.start(&budget).map_err(|it| it.to_string())?;
    let walk = game.walk();
    let legal = walk.legal(game::RoleId::new(0));
    player.observe(&Observation {
        turn: 0,
        state: Some(walk.state()),
        legal: &legal,
        joint: None,
        percepts: &[],
        own: None,
    });
    Ok(player.choose(&budget).unwrap())
}

#[test]
fn workers_that_cannot_help_are_told_of_at_the_start() {
    let fails = |helpers| start(helpers).unwrap_err();
    let said = fails(Pipes::new(Path::new("/no/such/ludex"), &["worker"], BUILD));
    assert!(said.starts_with("ary cannot use 2 worker processes: cannot start /no/such/ludex"));
    let said = fails(Pipes::new(Path::new(LUDEX), &["worker"], "another"));
    assert!(said.contains("it is another build"), "{said}");
    let said = fails(scripted(
        "echo 'I am no worker, whatever you say.'; cat > /dev/null",
    ));
    assert!(said.contains("it sent no message"), "{said}");
    let said = fails(scripted("head -c 1000000 /dev/zero | tr '\\0' x"));
    assert!(said.contains("it sent no message"), "{said}");
    let said = fails(scripted("exit 0"));
    assert!(said.contains("it has ended"), "{said}");
}

#[test]
fn processes_search_as_one_and_repeatably() {
    let found = || start(Pipes::new(Path::new(LUDEX), &["worker"], BUILD)).unwrap();
    assert_eq!(found(), found());
}

#[test]
fn workers_end_with_their_player_and_with_their_master() {
    let folder = TempDir::new().unwrap();
    let helpers = noted(&folder).recruit(3).unwrap();
    while processes(folder.path()).len() < 3 {
        std::thread::yield_now();
    }
    drop(helpers);
    wait_for_end(&processes(folder.path()));
}

/// A master that is killed: its workers end, also the one that is stopped.
#[test]
fn workers_of_a_killed_master_end() {
    let mut master = Command::new(LUDEX)
        .args(["match", "connect-four", "ary:workers=3", "ary:workers=2"])
        .args(["--play-clock", "60", "--start-clock", "60"])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let children = || -> Vec<String> {
        let path = format!("/proc/{0}/task/{0}/children", master.id());
        let mut all = fs::read_to_string(path).unwrap_or_default();
        // Players have threads of their own, which start their workers.
        let tasks = fs::read_dir(format!("/proc/{}/task", master.id()));
        for task in tasks.into_iter().flatten().flatten() {
            all += &fs::read_to_string(task.path().join("children")).unwrap_or_default();
        }
        let mut all: Vec<String> = all.split_whitespace().map(str::to_string).collect();
        all.sort();
        all.dedup();
        all
    };
    let mut workers = children();
    while workers.len() < 2 {
        std::thread::yield_now();
        workers = children();
    }
    signal("STOP", &workers[0]);
    master.kill().unwrap();
    master.wait().unwrap();
    wait_for_end(&workers);
}

#[test]
fn a_worker_without_a_master_ends_at_once() {
    let mut worker = Command::new(LUDEX)
        .arg("worker")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = Vec::new();
    worker
        .stdout
        .take()
        .unwrap()
        .read_to_end(&mut said)
        .unwrap();
    assert!(worker.wait().unwrap().success());
    assert!(said.is_empty());
}

/// Whether `mpirun` is there, and the program was built for it.
fn has_mpi() -> bool {
    let is_there = || Command::new("mpirun").arg("--version").output().is_ok();
    cfg!(feature = "mpi") && is_there()
}

#[test]
fn ranks_of_mpi_help() {
    if !has_mpi() {
        eprintln!("skipped: MPI needs `--features mpi`, and `mpirun` on the path");
        return;
    }
    for merge in ["sum", "tree"] {
        let player = format!("ary:merge={merge}");
        let mut ranks = Command::new("mpirun")
            .args(["--allow-run-as-root", "--oversubscribe", "-n", "3", LUDEX])
            .args(["match", "tic-tac-toe", &player, "random", "-q"])
            .args(["--iterations", "20"])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(ranks.stdout.take().unwrap()).lines();
        let lines: Vec<String> = lines.map_while(Result::ok).collect();
        assert!(ranks.wait().unwrap().success(), "{lines:?}");
        assert_eq!(lines.len(), 2, "rank 0 alone prints the goals: {lines:?}");
    }
}
