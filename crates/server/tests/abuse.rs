//! Peers that do what they should not: the player stays available, the host finishes.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use arena::referee::play;
use arena::{Fault, Record};
use common::{Hosted, ask, exchange, listen, options, read, start};
use players::{BadOption, Budget, Decision, Failure, Observation, Player, Refusal, Seat, roster};
use server::player::Options;
use std::io::Write;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

fn is_available(address: SocketAddr) -> bool {
    ask(address, "( INFO )").contains("( status available )")
}

#[test]
fn what_never_ends_is_cut() {
    let mut slow = options("legal");
    slow.limits.arrival = Duration::from_millis(300);
    let address = listen(slow);
    // Nothing, half a message, and a byte now and then: each is told to hurry, and closed.
    for said in ["", "POST / HTTP/1.0\r\nContent-Length: 10\r\n\r\n(INFO"] {
        let answer = exchange(address, said.as_bytes());
        assert!(answer.starts_with("HTTP/1.0 408 "), "{answer}");
    }
    let mut trickle = TcpStream::connect(address).unwrap();
    let began = Instant::now();
    while trickle.write_all(b"P").is_ok() && began.elapsed() < Duration::from_secs(20) {
        thread::sleep(Duration::from_millis(20));
    }
    assert!(trickle.write_all(b"OST").is_err());
    assert!(is_available(address));
}

#[test]
fn what_is_too_large_is_not_read() {
    let address = listen(options("legal"));
    let said = exchange(
        address,
        b"POST / HTTP/1.0\r\nContent-Length: 100000000\r\n\r\n(START ",
    );
    assert!(said.starts_with("HTTP/1.0 413 "), "{said}");
    // A hundred megabytes without a length, and headers without an end.
    for (head, piece, status) in [
        ("POST / HTTP/1.0\r\n\r\n(", "(((((((( ", "HTTP/1.0 413 "),
        ("POST / HTTP/1.0\r\n", "X: y\r\n", "HTTP/1.0 431 "),
        ("POST / HTTP/1.0\r\nX: ", "yyyyyyyy", "HTTP/1.0 431 "),
    ] {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let pieces = piece.repeat((1 << 20) / piece.len());
        for _ in 0..100 {
            if stream.write_all(pieces.as_bytes()).is_err() {
                break;
            }
        }
        let answer = read(&mut stream);
        // It may have been closed before the answer could be read.
        assert!(answer.is_empty() || answer.starts_with(status), "{answer}");
    }
    assert!(is_available(address));
}

#[test]
fn garbage_is_refused() {
    let address = listen(options("legal"));
    for said in [
        "\0\u{1}\u{2}\u{3}",
        "hello\r\n\r\n",
        "POST\r\n\r\n",
        "\r\n\r\n\r\n\r\nx y\r\n\r\n",
    ] {
        let answer = exchange(address, said.as_bytes());
        assert!(answer.starts_with("HTTP/1.0 400 "), "{said:?}: {answer}");
    }
    assert_eq!(ask(address, "((((((((("), "nil");
    assert_eq!(ask(address, "(PLAY)"), "busy");
    assert_eq!(ask(address, "(ÄÖÜ)"), "nil");
    assert!(is_available(address));
}

#[test]
fn five_hundred_connections_are_too_many_for_nobody() {
    let address = listen(options("legal"));
    let mut silent: Vec<TcpStream> = Vec::new();
    for _ in 0..500 {
        silent.push(TcpStream::connect(address).unwrap());
    }
    assert!(is_available(address));
    // All of them may still speak.
    for stream in &mut silent {
        stream.write_all(b"POST / HTTP/1.0\r\n\r\n(ping)").unwrap();
    }
    for stream in &mut silent {
        assert!(read(stream).ends_with("ready"));
    }
}

#[test]
fn beyond_the_limit_the_oldest_connection_goes_that_waits_for_nothing() {
    let mut few = options("uct");
    few.limits.connections = 10;
    let address = listen(few);
    assert_eq!(
        ask(address, &start("m", "x", ("tic-tac-toe", 1, 2))),
        "ready"
    );
    // Somebody waits for a move, which takes more than a second.
    let waits = thread::spawn(move || ask(address, "(PLAY m NIL)"));
    thread::sleep(Duration::from_millis(300));
    let silent: Vec<TcpStream> = (0..50)
        .map(|_| TcpStream::connect(address).unwrap())
        .collect();
    assert!(ask(address, "( INFO )").contains("busy"));
    assert!(waits.join().unwrap().starts_with("(mark "));
    drop(silent);
}

#[test]
fn hostile_rules_do_not_disturb_a_match() {
    let mut two = options("legal");
    two.matches = 2;
    let address = listen(two);
    assert_eq!(
        ask(address, &start("good", "x", ("tic-tac-toe", 1, 2))),
        "ready"
    );
    // Rules that ground without end, that are nested deep, and that mean nothing.
    let endless = "(role x) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) \
                   (<= (legal x (go ?x)) (true (n ?x))) (<= terminal (true (n done))) (goal x 0)";
    assert_eq!(
        ask(address, &format!("(START bad x ({endless}) 1 1)")),
        "ready"
    );
    let first = ask(address, "(PLAY bad NIL)");
    assert_eq!(first, "(go 0)");
    assert!(ask(address, "(PLAY good NIL)").starts_with("(mark "));
    assert_eq!(ask(address, "(ABORT bad)"), "aborted");
    let deep = format!("{}x{}", "(".repeat(100_000), ")".repeat(100_000));
    assert_eq!(ask(address, &format!("(START deep x ({deep}) 1 1)")), "nil");
    assert_eq!(ask(address, "(START none x (x y z) 1 1)"), "nil");
    assert!(ask(address, "( INFO )").contains("available"));
    assert_eq!(ask(address, "(STOP good NIL)"), "done");
}

#[test]
fn a_manager_that_vanishes_makes_room_for_another() {
    let address = listen(options("legal"));
    assert_eq!(
        ask(address, &start("gone", "x", ("tic-tac-toe", 1, 1))),
        "ready"
    );
    let other = start("next", "x", ("tic-tac-toe", 1, 1));
    assert_eq!(ask(address, &other), "busy");
    assert!(ask(address, "( INFO )").contains("busy"));
    // It should have asked for a move after a second, and this player's patience is short.
    while ask(address, "( INFO )").contains("busy") {
        thread::sleep(Duration::from_millis(50));
    }
    // As long as nobody else wants to play it may still come back.
    assert!(ask(address, "(PLAY gone NIL)").starts_with("(mark "));
    assert_eq!(ask(address, &other), "busy");
    while ask(address, "( INFO )").contains("busy") {
        thread::sleep(Duration::from_millis(50));
    }
    assert_eq!(ask(address, &other), "ready");
    assert_eq!(ask(address, "(PLAY gone NIL)"), "busy");
    assert!(ask(address, "(PLAY next NIL)").starts_with("(mark "));
}

#[test]
fn matches_that_are_left_take_no_threads_for_long() {
    let address = listen(options("legal"));
    // Each would be grounded for a long time, if nobody ended it.
    let endless = "(role x) (init (n 0)) (<= (next (n (s ?x))) (true (n ?x))) \
                   (<= (legal x (go ?x)) (true (n ?x))) (<= terminal (true (n done))) (goal x 0)";
    for number in 0..30 {
        let start = format!("(START bad{number} x ({endless}) 0 0)");
        assert_eq!(ask(address, &start), "ready", "{number}");
        assert_eq!(ask(address, &format!("(ABORT bad{number})")), "aborted");
    }
    assert!(is_available(address));
    assert_eq!(
        ask(address, &start("good", "x", ("tic-tac-toe", 1, 1))),
        "ready"
    );
}

#[test]
fn questions_of_matches_that_are_left_are_given_up() {
    let address = listen(options("legal"));
    // To find the legal moves would take the rules minutes, and grounding them as long.
    let numbers: String = (0..40).map(|it| format!("(n {it})")).collect();
    let join = format!(
        "(role x) {numbers} (init a) (goal x 0) (<= terminal (true b)) (<= (legal x (go ?a ?b \
         ?c ?d ?e ?f)) (n ?a) (n ?b) (n ?c) (n ?d) (n ?e) (n ?f) (true a))"
    );
    for number in 0..8 {
        let start = format!("(START bad{number} x ({join}) 0 0)");
        assert_eq!(ask(address, &start), "ready", "{number}");
        assert_eq!(ask(address, &format!("(ABORT bad{number})")), "aborted");
        assert!(is_available(address), "{number}");
    }
    let message = start("good", "x", ("tic-tac-toe", 1, 1));
    assert_eq!(ask(address, &message), "ready");
}

#[test]
fn a_manager_that_vanishes_is_forgotten_when_it_comes_back() {
    let address = listen(options("legal"));
    assert_eq!(
        ask(address, &start("m", "x", ("tic-tac-toe", 1, 1))),
        "ready"
    );
    // The same match again: the manager was started again.
    assert_eq!(
        ask(address, &start("m", "o", ("tic-tac-toe", 1, 1))),
        "ready"
    );
    assert_eq!(ask(address, "(PLAY m NIL)"), "noop");
}

/// A player that does not come back from a question until it is let go.
struct Stuck {
    in_choice: bool,
    door: Arc<RwLock<()>>,
}

impl Stuck {
    /// A player whose seats are taken by such ones, and the door they wait at.
    fn options(in_choice: bool) -> (Options, Arc<RwLock<()>>) {
        let door = Arc::new(RwLock::new(()));
        let theirs = Arc::clone(&door);
        let make = move |_: &str, _: Seat| -> Result<Box<dyn Player>, BadOption> {
            let door = Arc::clone(&theirs);
            Ok(Box::new(Stuck { in_choice, door }))
        };
        let options = Options {
            make: Arc::new(make),
            ..options("stuck")
        };
        (options, door)
    }

    fn wait(&self) {
        drop(self.door.read().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Player for Stuck {
    fn start(&mut self, _: &Budget) -> Result<(), Refusal> {
        Ok(())
    }

    fn observe(&mut self, _: &Observation<'_>) {}

    fn choose(&mut self, _: &Budget) -> Result<Decision, Failure> {
        self.wait();
        Err(Failure::Late)
    }

    fn ponder(&mut self, _: &Budget) -> bool {
        if !self.in_choice {
            self.wait();
        }
        false
    }
}

#[test]
fn a_player_that_never_answers_has_a_legal_move_in_every_turn() {
    // In the first turn, or before it: nothing that it does keeps the match from being followed.
    for in_choice in [true, false] {
        let (options, door) = Stuck::options(in_choice);
        let closed = door.write().unwrap();
        let address = listen(options);
        let begun = ask(address, &start("m", "x", ("tic-tac-toe", 1, 1)));
        assert_eq!(begun, "ready");
        let first = ask(address, "(PLAY m NIL)");
        assert!(first.starts_with("(mark "), "{first}");
        assert_eq!(ask(address, &format!("(PLAY m ({first} noop))")), "noop");
        let free = ["(mark 1 1)", "(mark 2 2)"];
        let other = free.iter().find(|it| **it != first).unwrap();
        let third = ask(address, &format!("(PLAY m (noop {other}))"));
        assert!(third.starts_with("(mark ") && third != first && third != **other);
        assert_eq!(ask(address, &format!("(STOP m ({third} noop))")), "done");
        drop(closed);
    }
}

#[test]
fn matches_that_do_not_end_make_the_player_busy_and_it_says_so() {
    let (options, door) = Stuck::options(false);
    let closed = door.write().unwrap();
    let address = listen(options);
    let mut begun = 0;
    loop {
        let status = ask(address, "( INFO )");
        let message = start(&format!("m{begun}"), "x", ("tic-tac-toe", 1, 1));
        let reply = ask(address, &message);
        // What is said is what is done.
        assert_eq!(status.contains("available"), reply == "ready", "{begun}");
        if reply == "busy" {
            break;
        }
        ask(address, &format!("(ABORT m{begun})"));
        begun += 1;
        assert!(
            begun < 20,
            "matches that never end take threads without a limit"
        );
    }
    assert_eq!(ask(address, "(PREVIEW ((role a)) 1)"), "busy");
    drop(closed);
    while ask(address, "( INFO )").contains("busy") {}
    let message = start("last", "x", ("tic-tac-toe", 1, 1));
    assert_eq!(ask(address, &message), "ready");
}

#[test]
fn any_name_of_a_match_will_do() {
    let address = listen(options("legal"));
    let long = "m".repeat(1000);
    for (name, reply) in [("a\0b", "ready"), ("\u{1b}[2J", "ready"), (&*long, "nil")] {
        let message = start(name, "x", ("tic-tac-toe", 1, 1));
        assert_eq!(ask(address, &message), reply, "{name:?}");
        ask(address, &format!("(ABORT {name})"));
    }
    assert!(is_available(address));
}

#[test]
fn nobody_has_a_place_for_days() {
    let mut strict = options("legal");
    let address = listen(strict.clone());
    for (clocks, reply) in [
        ((1_000_000, 1), "nil"),
        ((1, 3601), "nil"),
        ((1, 3600), "ready"),
    ] {
        let message = start("m", "x", ("tic-tac-toe", clocks.0, clocks.1));
        assert_eq!(ask(address, &message), reply, "{clocks:?}");
    }
    ask(address, "(ABORT m)");
    let rules = common::rules("tic-tac-toe");
    for clock in ["1e300", "inf", "nan", "-1"] {
        let message = format!("(START m x ({rules}) 1 {clock})");
        assert_eq!(ask(address, &message), "nil", "{clock}");
    }
    assert!(is_available(address));
    // The limit is an option.
    strict.match_limits.clock = Duration::from_secs(5);
    let address = listen(strict);
    let message = start("m", "x", ("tic-tac-toe", 1, 6));
    assert_eq!(ask(address, &message), "nil");
}

#[test]
fn a_request_says_once_where_its_body_ends() {
    let address = listen(options("legal"));
    for headers in [
        "Content-Length: 6\r\nContent-Length: 4",
        "Content-Length: +6",
        "Content-Length: 6\r\nTransfer-Encoding: chunked",
    ] {
        let request = format!("POST / HTTP/1.1\r\n{headers}\r\n\r\n(info)");
        let answer = exchange(address, request.as_bytes());
        assert!(answer.starts_with("HTTP/1.0 400 "), "{headers}: {answer}");
    }
    assert!(is_available(address));
}

#[test]
fn all_peers_together_have_a_bounded_memory() {
    let mut small = options("legal");
    small.limits.body = 1 << 20;
    small.limits.memory = 8 << 20;
    let address = listen(small);
    // Ten that are never finished: two megabytes are the share of one address.
    let unfinished = (0..10).map(|_| {
        let mut stream = TcpStream::connect(address).unwrap();
        let head = "POST / HTTP/1.0\r\nContent-Length: 1000000\r\n\r\n";
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&vec![b'('; 900_000]);
        stream
    });
    let unfinished: Vec<TcpStream> = unfinished.collect();
    // Short messages are answered all the same.
    assert!(is_available(address));
    let message = start("m", "x", ("tic-tac-toe", 1, 1));
    assert_eq!(ask(address, &message), "ready");
    // Whoever asks for too much is told so, and has it again when others are gone.
    let large = format!("(INFO {})", "x".repeat(900_000));
    let request = format!(
        "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{large}",
        large.len()
    );
    let answer = exchange(address, request.as_bytes());
    assert!(
        answer.is_empty() || answer.starts_with("HTTP/1.0 503 "),
        "{answer}"
    );
    drop(unfinished);
    while !exchange(address, request.as_bytes()).starts_with("HTTP/1.0 200 ") {}
}

#[test]
fn a_huge_turn_is_not_kept_and_a_move_is_sent() {
    let address = listen(options("legal"));
    assert_eq!(
        ask(address, &start("m", "x", ("tic-tac-toe", 1, 1))),
        "ready"
    );
    let huge = "x".repeat(3 << 20);
    for _ in 0..3 {
        let reply = ask(address, &format!("(PLAY m ({huge} noop))"));
        assert!(reply.starts_with("(mark "), "{reply}");
    }
    assert_eq!(ask(address, "(STOP m NIL)"), "done");
}

/// A player that says the same to everything.
fn says(reply: Vec<u8>) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut piece = [0; 1 << 16];
            let _ = std::io::Read::read(&mut stream, &mut piece);
            let _ = stream.write_all(&reply);
        }
    });
    address
}

fn http(body: &[u8]) -> Vec<u8> {
    let mut reply = b"HTTP/1.0 200 OK\r\nContent-type: text/acl\r\n\r\n".to_vec();
    reply.extend_from_slice(body);
    reply
}

/// A match of tic-tac-toe against a player at an address.
fn host(address: &str) -> Record {
    let hosted = Hosted::new(&common::rules("tic-tac-toe"));
    let other = roster::player("random", hosted.seat(1)).unwrap();
    let seats: Vec<Option<Box<dyn Player>>> = vec![Some(hosted.remote(address, 0)), Some(other)];
    let record = play(&hosted.setup, seats, &mut |_| {}).unwrap();
    assert!(record.completed);
    record.replay(&hosted.setup.game).unwrap();
    record
}

/// What the first player did wrong in the first turn.
fn fault(record: &Record) -> Option<Fault> {
    record.rounds[0].faults[0].clone()
}

#[test]
fn the_host_finishes_whatever_a_player_says() {
    let cases: [(Vec<u8>, &str); 7] = [
        (http(b"(mark 9 9)"), "(mark 9 9)"),
        (http(b""), ""),
        (http("(märk 1 1)".as_bytes()), "(märk 1 1)"),
        (http(&[0xff, 0xfe, b'a']), "\u{fffd}\u{fffd}a"),
        (http(b"(((((((("), "(((((((("),
        (b"no http at all".to_vec(), "an answer that is not HTTP"),
        (
            http(&vec![b'x'; 2 << 20]),
            "an answer of more than a megabyte",
        ),
    ];
    for (reply, text) in cases {
        let record = host(&format!("http://{}", says(reply)));
        assert_eq!(fault(&record), Some(Fault::NoMove(text.to_string())));
    }
    // What is long is shortened wherever it is noted.
    let record = host(&format!("http://{}", says(http(&vec![b'x'; 500_000]))));
    let Some(Fault::NoMove(text)) = fault(&record) else {
        panic!("{:?}", fault(&record));
    };
    assert!(
        text.len() < 300 && text.ends_with("x… (500000 bytes)"),
        "{text}"
    );
    // What is said in another case and spacing is a move all the same.
    let record = host(&format!("http://{}", says(http(b"( MARK  2 2)\n"))));
    assert_eq!(fault(&record), None);
}

#[test]
fn the_host_finishes_without_a_player() {
    // Nobody listens there.
    let free = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = free.local_addr().unwrap();
    drop(free);
    let record = host(&format!("http://{address}"));
    assert_eq!(fault(&record), Some(Fault::Unreachable));
    // It closes without a word, or never answers.
    let record = host(&format!("http://{}", says(Vec::new())));
    assert_eq!(fault(&record), Some(Fault::Unreachable));
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let record = host(&format!("http://{}", silent.local_addr().unwrap()));
    assert_eq!(fault(&record), Some(Fault::Late));
}
