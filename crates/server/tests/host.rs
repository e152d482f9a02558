//! What the host says to players, in both dialects, byte by byte, and what it makes of answers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use arena::referee::{Substitute, play};
use arena::{Fault, Record};
use common::{Hosted, rules};
use players::{Player, roster};
use server::remote::{Dialect, Form, Wording, info, preview};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// A player that answers what it was told to, one reply a request, and tells what it was sent.
struct Scripted {
    address: String,
    heard: Receiver<String>,
}

impl Scripted {
    fn new(replies: &[&str]) -> Scripted {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let replies: Vec<String> = replies.iter().map(ToString::to_string).collect();
        let (hears, heard) = channel();
        thread::spawn(move || {
            for reply in replies {
                let (mut stream, _) = listener.accept().unwrap();
                hears.send(request(&mut stream)).unwrap();
                stream.write_all(reply.as_bytes()).unwrap();
            }
        });
        Scripted { address, heard }
    }

    /// The bodies of all requests, and whether their heads are as they should be.
    fn bodies(&self) -> Vec<String> {
        let bodies = self.heard.try_iter().map(|request| {
            let (head, body) = request.split_once("\r\n\r\n").unwrap();
            let host = self.address.strip_prefix("http://").unwrap();
            let length = body.len();
            for line in [
                "POST / HTTP/1.0",
                "Accept: text/delim",
                &format!("Host: {host}"),
                "Sender: GAMESERVER",
                "Content-Type: text/acl",
                &format!("Content-Length: {length}"),
            ] {
                assert!(head.lines().any(|it| it == line), "{line} in {head}");
            }
            body.to_string()
        });
        bodies.collect()
    }
}

/// A whole request: as long as its head says.
fn request(stream: &mut impl Read) -> String {
    let mut text = Vec::new();
    let mut piece = [0; 1 << 14];
    loop {
        let count = stream.read(&mut piece).unwrap();
        text.extend_from_slice(&piece[..count]);
        let said = String::from_utf8(text.clone()).unwrap();
        let Some((head, body)) = said.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head
            .lines()
            .find_map(|it| it.strip_prefix("Content-Length: "));
        if body.len() >= length.unwrap().parse().unwrap() {
            return said;
        }
    }
}

/// A reply as the reference player sends it.
fn ggp_base(body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {length}\r\n\
         Access-Control-Allow-Origin: *\r\n\r\n{body}"
    )
}

/// Two players; whoever says `stop` first ends it, and gets what its number says.
const SHORT: &str = "(role a) (role b) (init (turn 1)) (<= (legal ?r (say 1)) (role ?r))
    (<= (legal ?r (say 2)) (role ?r)) (<= (legal ?r stop) (role ?r))
    (<= (next (turn 2)) (true (turn 1)) (not (does a stop)))
    (<= (next over) (does ?r stop)) (<= (next over) (true (turn 2)))
    (<= terminal (true over)) (goal a 60) (goal b 40)";

/// The first role is told what the second said, the other way round nothing.
const HIDDEN: &str = "(role a) (role b) (init (turn 1)) (<= (legal ?r (say 1)) (role ?r))
    (<= (legal ?r (say 2)) (role ?r)) (<= (sees a (heard ?n)) (does b (say ?n)))
    (<= (next (turn 2)) (true (turn 1))) (<= (next (turn 3)) (true (turn 2)))
    (<= terminal (true (turn 3))) (goal a 60) (goal b 40)";

/// A match of the first role at an address against one that takes the first legal move.
fn play_first(hosted: &Hosted, address: &str) -> Record {
    let second = roster::player("legal", hosted.seat(1)).unwrap();
    let seats: Vec<Option<Box<dyn Player>>> = vec![Some(hosted.remote(address, 0)), Some(second)];
    let record = play(&hosted.setup, seats, &mut |_| {}).unwrap();
    record.replay(&hosted.setup.game).unwrap();
    record
}

/// The fault of the first role in a turn.
fn fault(record: &Record, turn: usize) -> Option<&Fault> {
    record.rounds[turn].faults[0].as_ref()
}

#[test]
fn a_player_is_asked_as_ggp_base_asks() {
    let hosted = Hosted::new(SHORT).timed(Duration::from_secs(3), Duration::from_secs(2));
    // In a head of another case, without a length, and in other words for the same move.
    let bare = "HTTP/1.1 200 OK\nCONTENT-TYPE: text/acl\n\n ( SAY\n2 ) ";
    let player = Scripted::new(&[
        &ggp_base("ready"),
        bare,
        &ggp_base("stop"),
        &ggp_base("done"),
    ]);
    let record = play_first(&hosted, &player.address);
    assert_eq!((fault(&record, 0), fault(&record, 1)), (None, None));
    let rules = "(role a)(role b)(init (turn 1))(<= (legal ?r (say 1))(role ?r))\
                 (<= (legal ?r (say 2))(role ?r))(<= (legal ?r stop)(role ?r))\
                 (<= (next (turn 2))(true (turn 1))(not (does a stop)))\
                 (<= (next over)(does ?r stop))(<= (next over)(true (turn 2)))\
                 (<= terminal (true over))(goal a 60)(goal b 40)";
    assert_eq!(
        player.bodies(),
        [
            format!("( START m a ({rules}) 3 2 )"),
            "( PLAY m NIL )".to_string(),
            "( PLAY m ((say 2) (say 1)) )".to_string(),
            "( STOP m (stop (say 1)) )".to_string(),
        ]
    );
}

#[test]
fn a_player_is_asked_as_dresden_asks() {
    let mut hosted = Hosted::new(SHORT).timed(Duration::from_secs(3), Duration::from_secs(2));
    hosted.common.dialect = Dialect::Dresden;
    hosted.setup.substitute = Substitute::First;
    // What is wrong is replaced by the first legal move.
    let player = Scripted::new(&[
        &ggp_base("READY"),
        &ggp_base("(SAY 3)"),
        &ggp_base("STOP"),
        &ggp_base("DONE"),
    ]);
    let record = play_first(&hosted, &player.address);
    assert_eq!(
        fault(&record, 0),
        Some(&Fault::NoMove("(SAY 3)".to_string()))
    );
    assert_eq!(fault(&record, 1), None);
    let bodies = player.bodies();
    assert!(bodies[0].starts_with("(START m A ((ROLE A)(ROLE B)(INIT (TURN 1))(<= (LEGAL ?R (SAY"));
    assert!(bodies[0].ends_with("(GOAL A 60)(GOAL B 40)) 3 2)"));
    assert_eq!(
        bodies[1..],
        [
            "(PLAY m NIL)",
            "(PLAY m ((SAY 1) (SAY 1)))",
            "(STOP m (STOP (SAY 1)))"
        ]
    );
}

#[test]
fn hidden_games_are_told_in_both_forms() {
    let replies = [
        ggp_base("ready"),
        ggp_base("(say 1)"),
        ggp_base("(say 3)"),
        ggp_base("done"),
    ];
    let replies: Vec<&str> = replies.iter().map(String::as_str).collect();
    let mut hosted = Hosted::new(HIDDEN);
    let player = Scripted::new(&replies);
    let record = play_first(&hosted, &player.address);
    // The player learns which move was put in the place of its own.
    let made = record.rounds[1].joint[0];
    let made = hosted.setup.game.scratch().terms().text(made);
    assert_eq!(
        player.bodies()[1..],
        [
            "( PLAY m 0 NIL NIL )".to_string(),
            "( PLAY m 1 (say 1) ((heard 1)) )".to_string(),
            format!("( STOP m 2 {made} ((heard 1)) )"),
        ]
    );
    hosted.common.form = Form::Plain;
    let player = Scripted::new(&replies);
    play_first(&hosted, &player.address);
    assert_eq!(
        player.bodies()[1..],
        [
            "( PLAY m NIL )",
            "( PLAY m ((heard 1)) )",
            "( STOP m ((heard 1)) )"
        ]
    );
}

#[test]
fn a_match_that_cannot_go_on_is_aborted() {
    // After the first turn nobody has a move, and it is not the end.
    let stuck = "(role a) (role b) (init first) (<= (legal ?r go) (role ?r) (true first))
        (next second) (<= terminal (true third)) (goal a 0) (goal b 0)";
    let player = Scripted::new(&[&ggp_base("ready"), &ggp_base("go"), &ggp_base("aborted")]);
    let hosted = Hosted::new(stuck);
    let second = roster::player("legal", hosted.seat(1)).unwrap();
    let seats: Vec<Option<Box<dyn Player>>> =
        vec![Some(hosted.remote(&player.address, 0)), Some(second)];
    let record = play(&hosted.setup, seats, &mut |_| {}).unwrap();
    assert!(!record.completed);
    assert_eq!(player.bodies()[1..], ["( PLAY m NIL )", "( ABORT m )"]);
}

#[test]
fn who_does_not_understand_the_end_is_told_again() {
    // The connection is closed without an answer.
    let player = Scripted::new(&[
        &ggp_base("ready"),
        &ggp_base("stop"),
        "",
        &ggp_base("aborted"),
    ]);
    play_first(&Hosted::new(SHORT), &player.address);
    let bodies = player.bodies();
    assert_eq!(bodies[2..], ["( STOP m (stop (say 1)) )", "( ABORT m )"]);
}

#[test]
fn who_was_always_late_is_told_the_end_all_the_same() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (hears, heard) = channel();
    thread::spawn(move || {
        let mut kept = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let said = request(&mut stream);
            // Moves are never answered.
            match said.contains("( PLAY ") {
                true => kept.push(stream),
                false => stream.write_all(ggp_base("done").as_bytes()).unwrap(),
            }
            hears.send(said).unwrap();
        }
    });
    let long = "(role a) (role b) (init (turn 1)) (after 1 2) (after 2 3) (after 3 4) (after 4 5)
        (after 5 6) (after 6 7) (after 7 8) (after 8 9) (after 9 10) (<= (legal ?r go) (role ?r))
        (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n)) (<= terminal (true (turn 10)))
        (goal a 50) (goal b 50)";
    let hosted = Hosted::new(long).timed(Duration::from_secs(1), Duration::from_millis(100));
    let record = play_first(&hosted, &address);
    assert_eq!(record.rounds.len(), 9);
    assert!((0..9).all(|turn| fault(&record, turn) == Some(&Fault::Late)));
    assert!(heard.try_iter().any(|it| it.contains("( STOP m (go go) )")));
}

#[test]
fn terms_that_did_not_exist_at_the_start_are_told() {
    // Every turn makes a term that was never there.
    let growing = "(role a) (role b) (init (n 0)) (init (turn 1)) (after 1 2) (after 2 3)
        (<= (next (n (s ?x))) (true (n ?x))) (<= (legal ?r (go ?x)) (role ?r) (true (n ?x)))
        (<= (next (turn ?n)) (true (turn ?m)) (after ?m ?n)) (<= terminal (true (turn 3)))
        (goal a 50) (goal b 50)";
    let player = Scripted::new(&[
        &ggp_base("ready"),
        &ggp_base("(go 0)"),
        &ggp_base("(go (s 0))"),
        &ggp_base("done"),
    ]);
    let record = play_first(&Hosted::interpreted(growing), &player.address);
    assert_eq!((fault(&record, 0), fault(&record, 1)), (None, None));
    let bodies = player.bodies();
    assert_eq!(bodies[3], "( STOP m ((go (s 0)) (go (s 0))) )");
}

#[test]
fn players_are_asked_who_they_are_and_shown_the_rules() {
    let player = Scripted::new(&[
        &ggp_base("( ( name Zed ) ( status available ) )"),
        &ggp_base("ready"),
    ]);
    let address = player.address.parse().unwrap();
    let said = info(&address).unwrap();
    assert_eq!(
        (said.name.as_deref(), said.status.as_deref()),
        (Some("Zed"), Some("available"))
    );
    let wording = Wording::plain(common::program(SHORT).tree());
    assert!(preview(&address, &wording, Duration::from_secs(7)).unwrap());
    let rules = wording.rules();
    let shown = format!("( PREVIEW ({rules}) 7 )");
    assert_eq!(player.bodies(), ["( INFO )", &shown]);
}

#[test]
fn answers_of_another_match_are_no_moves() {
    // A move of tic-tac-toe in a match of something else, and then what was said a turn before.
    let player = Scripted::new(&[
        &ggp_base("ready"),
        &ggp_base("(mark 2 2)"),
        &ggp_base("ready"),
        &ggp_base("done"),
    ]);
    let record = play_first(&Hosted::new(HIDDEN), &player.address);
    for (turn, said) in [(0, "(mark 2 2)"), (1, "ready")] {
        assert_eq!(fault(&record, turn), Some(&Fault::NoMove(said.to_string())));
    }
}

#[test]
fn an_answer_that_comes_after_its_clock_is_not_taken_for_the_next_one() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let mut late = None;
        for (number, stream) in listener.incoming().enumerate() {
            let mut stream = stream.unwrap();
            let said = request(&mut stream);
            match number {
                // The first move is kept back, and sent when the second is asked for.
                1 => late = Some(stream),
                _ => {
                    if let Some(mut late) = late.take() {
                        let _ = late.write_all(ggp_base("(say 1)").as_bytes());
                    }
                    let reply = if said.contains("PLAY") {
                        "(say 2)"
                    } else {
                        "done"
                    };
                    let _ = stream.write_all(ggp_base(reply).as_bytes());
                }
            }
        }
    });
    let hosted = Hosted::new(HIDDEN);
    let record = play_first(&hosted, &address);
    assert_eq!(fault(&record, 0), Some(&Fault::Late));
    assert_eq!(fault(&record, 1), None);
    let scratch = hosted.setup.game.scratch();
    assert_eq!(scratch.terms().text(record.rounds[1].joint[0]), "(say 2)");
}

#[test]
fn rules_of_our_games_are_sent_whole() {
    // What is sent means what was read, whatever comments and blanks there were.
    for name in ["tic-tac-toe", "chess", "backgammon"] {
        let own = common::program(&rules(name));
        let sent = Wording::plain(own.tree());
        let again = common::program(sent.rules());
        assert_eq!(own.clauses().count(), again.clauses().count(), "{name}");
        assert_eq!(Wording::plain(again.tree()).rules(), sent.rules(), "{name}");
    }
}
