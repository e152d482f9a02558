//! `ludex player`, `ludex host` and `ludex arena` as processes that talk to each other over
//! loopback: killed and started again, abused, recorded, signed.

#![allow(clippy::unwrap_used, reason = "a test may panic")]
#![allow(clippy::print_stderr, reason = "a test says what it skips")]

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::thread;
use std::time::Duration;

fn ludex(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    command
        .current_dir(folder)
        .args(arguments.split_whitespace());
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Runs a command to its end.
fn run(folder: &Path, arguments: &str) -> Output {
    ludex(folder, arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A player in a process of its own, which ends with the test.
struct Player {
    process: Child,
    address: String,
}

impl Player {
    fn start(folder: &Path, arguments: &str) -> Player {
        let mut player = ludex(folder, &format!("player {arguments}"));
        Player::of(player.spawn().unwrap())
    }

    /// A process that says where it listens.
    fn of(mut process: Child) -> Player {
        let mut line = String::new();
        let stdout = process.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut line).unwrap();
        let address = line.trim_end().rsplit(' ').next().unwrap().to_string();
        assert!(address.starts_with("http://127.0.0.1:"), "{line}");
        Player { process, address }
    }

    fn port(&self) -> &str {
        self.address.rsplit(':').next().unwrap()
    }

    /// Ends it; returns what it logged.
    fn end(&mut self) -> String {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        let mut log = String::new();
        let stderr = self.process.stderr.as_mut().unwrap();
        stderr.read_to_string(&mut log).unwrap();
        log
    }

    /// Sends a message, and returns the whole answer.
    fn ask(&self, message: &[u8]) -> String {
        let mut stream = self.connect();
        let head = format!(
            "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n",
            message.len()
        );
        // Who is refused may not be listened to until the end.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(message);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        text(&answer)
    }

    fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address.strip_prefix("http://").unwrap()).unwrap()
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn record(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// What a role did wrong at the start and in each turn.
fn errors(record: &Value, role: usize) -> Vec<String> {
    let turns = record["errors"].as_array().unwrap().iter();
    turns
        .map(|it| it[role].as_str().unwrap().to_string())
        .collect()
}

/// Waits until the first turn of connect four is shown; returns what is shown after it.
fn first_turn(host: &mut Child) -> BufReader<ChildStdout> {
    let mut shown = BufReader::new(host.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("drop") {
        line.clear();
        assert!(shown.read_line(&mut line).unwrap() > 0, "no turn was shown");
    }
    shown
}

#[test]
fn a_match_is_hosted_recorded_signed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut player = Player::start(folder, "--port 0 --player random --record diary --name Zed");
    assert!(run(folder, "key key.json").status.success());
    assert!(run(folder, "key other.json").status.success());
    let again = run(folder, "key key.json");
    assert_eq!(again.status.code(), Some(2), "a key is never written over");
    let host = format!(
        "host tic-tac-toe {} random --preview-clock 1 --scramble --id m1 --key key.json --json \
         m.json --quiet",
        player.address
    );
    let hosted = run(folder, &host);
    assert!(hosted.status.success(), "{}", text(&hosted.stderr));
    let file = folder.join("m.json");
    let record = record(&file);
    assert_eq!(record["matchId"], "m1");
    assert_eq!(record["playerNamesFromHost"][0], "Zed");
    assert_eq!(record["scrambled"], true);
    assert_eq!(record["previewClock"], 1);
    assert!(errors(&record, 0).iter().all(String::is_empty), "{record}");
    for (arguments, code) in [
        ("replay --verify m.json", 0),
        ("replay --verify --signed-by key.json m.json", 0),
        ("replay --verify --signed-by other.json m.json", 1),
        ("replay --verify --signed-by nothing m.json", 2),
    ] {
        let verified = run(folder, arguments);
        assert_eq!(verified.status.code(), Some(code), "{arguments}");
    }
    // A word that is changed makes the signature wrong.
    let changed = fs::read_to_string(&file).unwrap().replace("Zed", "Zod");
    fs::write(&file, changed).unwrap();
    let verified = run(folder, "replay --verify m.json");
    assert_eq!(verified.status.code(), Some(1));
    assert!(text(&verified.stdout).contains("the signature is wrong"));
    // What was said is written down, a line for each message; and the match is summed up.
    let diary = fs::read_to_string(folder.join("diary/m1.jsonl")).unwrap();
    let lines: Vec<Value> = diary
        .lines()
        .map(|it| serde_json::from_str(it).unwrap())
        .collect();
    let turns = record["moves"].as_array().unwrap().len();
    assert_eq!(lines.len(), turns + 2);
    assert!(
        lines[0]["message"]
            .as_str()
            .unwrap()
            .starts_with("( START m1 ")
    );
    assert_eq!(lines[0]["reply"], "ready");
    assert_eq!(lines[turns + 1]["reply"], "done");
    let log = player.end();
    assert!(log.contains("metrics: match over id=\"m1\""), "{log}");
    assert!(log.contains(&format!("turns={turns}")), "{log}");
}

#[test]
fn a_player_that_is_killed_and_started_again_spoils_no_match() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut player = Player::start(folder, "--port 0 --player random");
    let host = format!(
        "host connect-four {} uct --play-clock 0.3 --start-clock 1 --json m.json",
        player.address
    );
    let mut host = ludex(folder, &host).spawn().unwrap();
    let mut shown = first_turn(&mut host);
    player.end();
    thread::sleep(Duration::from_millis(600));
    let again = Player::start(folder, &format!("--port {} --player random", player.port()));
    let mut rest = String::new();
    shown.read_to_string(&mut rest).unwrap();
    assert!(host.wait().unwrap().success());
    let record = record(&folder.join("m.json"));
    assert_eq!(record["isCompleted"], true);
    let errors = errors(&record, 0);
    assert_eq!(errors[..2], ["", ""], "the start and the first turn");
    assert!(errors.iter().any(|it| it == "CE"), "{errors:?}");
    // The new one does not know the match, and says so.
    assert!(errors.iter().any(|it| it == "IL busy"), "{errors:?}");
    assert!(run(folder, "replay --verify m.json").status.success());
    assert!(again.ask(b"( INFO )").contains("( status available )"));
}

/// Sends a signal to a process.
#[cfg(unix)]
fn signal(process: &Child, name: &str) {
    let id = process.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &id]).status();
    assert!(sent.unwrap().success());
}

#[test]
#[cfg(unix)]
fn a_host_that_is_stopped_ends_its_match_in_good_order() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut player = Player::start(folder, "--port 0 --player random");
    for name in ["INT", "TERM"] {
        let host = format!(
            "host connect-four {} uct --play-clock 0.5 --start-clock 1 --json m.json",
            player.address
        );
        let mut host = ludex(folder, &host).spawn().unwrap();
        let mut shown = first_turn(&mut host);
        signal(&host, name);
        let mut rest = String::new();
        shown.read_to_string(&mut rest).unwrap();
        assert_eq!(host.wait().unwrap().code(), Some(130));
        let record = record(&folder.join("m.json"));
        assert_eq!(record["isAborted"], true);
        let moves = record["moves"].as_array().unwrap().len();
        assert!(moves > 0);
        for key in ["states", "stateTimes", "errors"] {
            assert_eq!(record[key].as_array().unwrap().len(), moves + 1, "{key}");
        }
        assert!(run(folder, "replay --verify m.json").status.success());
        assert!(player.ask(b"( INFO )").contains("( status available )"));
    }
    assert!(player.end().contains("aborted"));
}

#[test]
fn a_person_plays_somebody_somewhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut player = Player::start(folder, "--port 0 --player legal");
    let says = |lines: &str| {
        let host = format!("host tic-tac-toe person {} --json m.json", player.address);
        let mut host = ludex(folder, &host).stdin(Stdio::piped()).spawn().unwrap();
        host.stdin
            .take()
            .unwrap()
            .write_all(lines.as_bytes())
            .unwrap();
        let output = host.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    // The other one takes the first cell that is free.
    let shown = says("(mark 3 1)\nundo\n(mark 2 2)\n(mark 1 3)\n");
    assert!(shown.contains("nothing can be taken back"), "{shown}");
    let played = record(&folder.join("m.json"));
    assert_eq!(played["isCompleted"], true);
    assert_eq!(played["goalValues"][0], 100);
    assert_eq!(played["isPlayerHuman"][0], true);
    assert!(run(folder, "replay --verify m.json").status.success());
    // Who leaves ends the match for the other one.
    assert!(says("(mark 3 1)\nquit\n").contains("You left the match."));
    assert_eq!(record(&folder.join("m.json"))["isAborted"], true);
    assert!(player.ask(b"( INFO )").contains("( status available )"));
    assert!(player.end().contains("aborted"));
}

#[test]
fn the_arena_takes_addresses_for_players() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let player = Player::start(folder, "--port 0 --player random --matches 2");
    let arena = format!(
        "arena tic-tac-toe rock-paper-scissors eight-queens --players {},random --matches 4 \
         --clock 1 --json --quiet --csv matches.csv",
        player.address
    );
    let played = run(folder, &arena);
    assert!(played.status.success(), "{}", text(&played.stderr));
    let standings: Value = serde_json::from_slice(&played.stdout).unwrap();
    assert!(standings.to_string().contains(&player.address));
    let matches = fs::read_to_string(folder.join("matches.csv")).unwrap();
    let mut lines = matches.lines();
    let column = lines
        .next()
        .unwrap()
        .split(',')
        .position(|it| it == "faults");
    for line in lines {
        let faults = line.split(',').nth(column.unwrap()).unwrap();
        assert!(faults.split(' ').all(|it| it == "0"), "{matches}");
    }
    // It meets itself, with a match for each seat.
    let alone = format!(
        "arena tic-tac-toe --players {} --matches 2 --clock 1 --quiet",
        player.address
    );
    assert!(run(folder, &alone).status.success());
    // Nobody is there, or it cannot count.
    let absent = run(
        folder,
        "arena tic-tac-toe --players http://127.0.0.1:1,random --quiet",
    );
    assert!(text(&absent.stderr).contains("nobody answers at http://127.0.0.1:1"));
    assert_eq!(absent.status.code(), Some(2));
    let counted = format!(
        "arena tic-tac-toe --players {},random --iterations 5",
        player.address
    );
    assert_eq!(run(folder, &counted).status.code(), Some(2));
}

/// A player at a free port that says nonsense to whatever it is asked.
fn nonsense() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut peer in listener.incoming().map_while(Result::ok) {
            let mut some = [0; 1 << 16];
            let _ = peer.read(&mut some);
            let reply = "HTTP/1.0 200 OK\r\nContent-Length: 8\r\n\r\nnonsense";
            let _ = peer.write_all(reply.as_bytes());
        }
    });
    address
}

#[test]
fn an_arena_with_many_faults_says_that_it_is_not_to_be_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let arguments = format!(
        "arena tic-tac-toe --players {},legal --matches 2 --clock 1 --quiet",
        nonsense()
    );
    let played = run(folder, &arguments);
    assert_eq!(played.status.code(), Some(4), "{}", text(&played.stderr));
    let table = text(&played.stdout);
    assert!(table.starts_with("NOT TO BE TRUSTED: "), "{table}");
    assert!(table.contains("100.0 %, and 1 % is allowed"), "{table}");
    let shown = run(folder, "arena --show --json");
    assert_eq!(shown.status.code(), Some(4));
    let shown: Value = serde_json::from_slice(&shown.stdout).unwrap();
    assert_eq!(shown["trust"]["trusted"], false);
    assert_eq!(shown["trust"]["at_fault"].as_array().unwrap().len(), 1);
    assert!(
        run(folder, "arena --show --faults-allowed 1")
            .status
            .success()
    );
}

#[test]
#[cfg(unix)]
fn a_person_who_presses_ctrl_c_ends_the_match_in_good_order() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut play = ludex(folder, "play connect-four --vs random --json m.json");
    let mut play = play.stdin(Stdio::piped()).spawn().unwrap();
    let mut lines = play.stdin.take().unwrap();
    lines.write_all(b"1\n").unwrap();
    // It waits for a line.
    let mut shown = first_turn(&mut play);
    signal(&play, "INT");
    let mut rest = String::new();
    shown.read_to_string(&mut rest).unwrap();
    assert_eq!(play.wait().unwrap().code(), Some(130));
    assert!(rest.ends_with("You stopped the match.\n"), "{rest}");
    assert_eq!(record(&folder.join("m.json"))["isAborted"], true);
    assert!(run(folder, "replay --verify m.json").status.success());
}

/// The most memory a process ever had, in megabytes; none where the system does not tell.
fn peak(process: &Child) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{}/status", process.id())).ok()?;
    let line = status.lines().find_map(|it| it.strip_prefix("VmHWM:"))?;
    let kilobytes: usize = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kilobytes >> 10)
}

/// The rules of tic-tac-toe on one line.
fn rules() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../games/tic-tac-toe/rules.kif"
    );
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines().map(|it| it.split(';').next().unwrap());
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn what_peers_send_is_kept_neither_in_memory_nor_in_records() {
    let folder = tempfile::tempdir().unwrap();
    let mut player = Player::start(folder.path(), "--port 0 --player random --record diary");
    let start = format!("(START m x ({}) 1 1)", rules());
    assert!(player.ask(start.as_bytes()).ends_with("ready"));
    // Joint moves of fifteen megabytes, one after the other.
    let huge = format!("(PLAY m ({} noop))", "x".repeat(15 << 20));
    for _ in 0..20 {
        assert!(player.ask(huge.as_bytes()).contains("(mark "));
    }
    // Requests that are never finished, all at once.
    let part = vec![b'('; 15_900_000];
    let unfinished = (0..40).map(|_| {
        let mut stream = player.connect();
        let _ = stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 16000000\r\n\r\n");
        let _ = stream.write_all(&part);
        stream
    });
    let unfinished: Vec<TcpStream> = unfinished.collect();
    assert!(player.ask(b"( INFO )").contains("( status "));
    assert!(player.ask(b"(PLAY m NIL)").contains("(mark "));
    drop(unfinished);
    match peak(&player.process) {
        Some(megabytes) => assert!(megabytes < 250, "{megabytes} MB"),
        None => eprintln!("skipped: this system does not tell how much memory a process has"),
    }
    let diary = fs::metadata(folder.path().join("diary/m.jsonl")).unwrap();
    assert!(diary.len() < 1 << 20, "{} bytes", diary.len());
    assert!(player.end().len() < 1 << 16);
}

/// A program in Python that plays, as long as the test runs; none without Python.
fn example(folder: &Path) -> Option<Player> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/player.py");
    let mut command = Command::new("python3");
    command.args([path, "0"]).current_dir(folder);
    command.env("LUDEX", env!("CARGO_BIN_EXE_ludex"));
    command.stdout(Stdio::piped()).stderr(Stdio::null());
    Some(Player::of(command.spawn().ok()?))
}

#[test]
fn the_example_in_python_plays_whole_matches() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let Some(player) = example(folder) else {
        eprintln!("skipped: there is no python3");
        return;
    };
    let address = &player.address;
    for seats in [
        format!("eight-queens {address} --dialect dresden"),
        format!("tic-tac-toe {address} random"),
        format!("rock-paper-scissors {address} random --scramble"),
    ] {
        let host = format!("host {seats} --start-clock 5 --play-clock 5 --json m.json --quiet");
        let hosted = run(folder, &host);
        assert!(hosted.status.success(), "{}", text(&hosted.stderr));
        let record = record(&folder.join("m.json"));
        assert_eq!(record["isCompleted"], true, "{seats}");
        let faults = errors(&record, 0);
        assert!(faults.iter().all(String::is_empty), "{seats}: {faults:?}");
    }
    assert_eq!(
        record(&folder.join("m.json"))["playerNamesFromHost"][0],
        "Example"
    );
}

#[test]
fn memory_stays_bounded_whatever_peers_do() {
    let folder = tempfile::tempdir().unwrap();
    let player = Player::start(folder.path(), "--port 0 --player uct --log off");
    // Messages of a hundred megabytes, with and without a length, a part of 500 each.
    let huge = vec![b'('; 100 << 20];
    assert!(player.ask(&huge).starts_with("HTTP/1.0 413 "));
    let mut stream = player.connect();
    let _ = stream.write_all(b"POST / HTTP/1.0\r\n\r\n");
    let _ = stream.write_all(&huge);
    let piece = vec![b'('; 1 << 18];
    let mut open: Vec<TcpStream> = (0..500).map(|_| player.connect()).collect();
    for stream in &mut open {
        let _ = stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 1000000\r\n\r\n");
        let _ = stream.write_all(&piece);
    }
    // Rules without end, and as many as one can send.
    let endless = "(role x) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) \
                   (<= (legal x (go ?x)) (true (n ?x))) (<= terminal (true (n done))) (goal x 0)";
    for number in 0..20 {
        let start = format!("(START bad{number} x ({endless}) 0 0)");
        player.ask(start.as_bytes());
        player.ask(format!("(ABORT bad{number})").as_bytes());
    }
    drop(open);
    assert!(player.ask(b"( INFO )").contains("( status available )"));
    match peak(&player.process) {
        Some(megabytes) => assert!(megabytes < 1024, "{megabytes} MB"),
        None => eprintln!("skipped: this system does not tell how much memory a process has"),
    }
}
