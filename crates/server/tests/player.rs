//! What managers say to the player, in both dialects, and what it answers.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{ask, body, exchange, listen, options, start};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn a_match_is_played_as_ggp_base_asks() {
    let address = listen(options("legal"));
    assert_eq!(
        ask(address, "( INFO )"),
        "( ( name Test ) ( status available ) ( species program ) )"
    );
    assert_eq!(
        ask(address, &start("m1", "x", ("tic-tac-toe", 1, 1))),
        "ready"
    );
    assert!(ask(address, "( INFO )").contains("( status busy )"));
    let first = ask(address, "( PLAY m1 NIL )");
    assert!(first.starts_with("(mark "), "{first}");
    assert_eq!(ask(address, &format!("( PLAY m1 ({first} noop) )")), "noop");
    assert_eq!(ask(address, "( PLAY m2 NIL )"), "busy");
    assert_eq!(
        ask(address, &start("m2", "x", ("tic-tac-toe", 1, 1))),
        "busy"
    );
    assert_eq!(ask(address, "( STOP m1 (noop noop) )"), "done");
    assert!(ask(address, "( INFO )").contains("( status available )"));
    assert_eq!(ask(address, "( ABORT m1 )"), "aborted");
}

#[test]
fn the_dresden_manager_is_answered() {
    // No host, no blank after a parenthesis, everything in upper case, other cases of headers.
    let say = |address, message: &str| {
        let length = message.len();
        let request = format!(
            "POST / HTTP/1.0\r\nACCEPT: text/delim\r\nSENDER: GAMEMASTER\r\nRECEIVER: \
             ANY\r\nCONTENT-TYPE: text/acl\r\nCONTENT-LENGTH: {length}\r\n\r\n{message}"
        );
        body(&exchange(address, request.as_bytes()))
    };
    let address = listen(options("legal"));
    let message = start("match.1", "x", ("tic-tac-toe", 1, 1)).to_uppercase();
    assert_eq!(say(address, &message), "ready");
    let first = say(address, "(PLAY MATCH.1 NIL)");
    assert!(first.starts_with("(MARK "), "{first}");
    let told = format!("(PLAY MATCH.1 ({first}NOOP))");
    assert_eq!(say(address, &told), "NOOP");
    assert_eq!(say(address, "(STOP MATCH.1 (NOOP (MARK 2 2)))"), "done");
}

#[test]
fn requests_come_in_many_forms() {
    let address = listen(options("legal"));
    let available = "( ( name Test ) ( status available ) ( species program ) )";
    for request in [
        "POST / HTTP/1.0\r\nContent-Length: 8\r\n\r\n( INFO )",
        "POST / HTTP/1.1\r\nhost: a\r\ncontent-length:6\r\n\r\n(info)",
        // No length, and the peer waits for the answer: the message ends with its parenthesis.
        "POST / HTTP/1.0\r\n\r\n( info )",
        "POST / HTTP/1.0\n\n(Info)",
        // In pieces, as clients do that do not know the length.
        "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n(in\r\n3\r\nfo)\r\n0\r\n\r\n",
        "GET /(INFO) HTTP/1.0\r\n\r\n",
        "GET /%28%20INFO%20%29 HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /(+info+) HTTP/1.0\r\n\r\n",
    ] {
        assert_eq!(
            body(&exchange(address, request.as_bytes())),
            available,
            "{request}"
        );
    }
    // The reference server counts characters where others count bytes.
    let message = "(START m x ((role x) (role ö) (init é) (<= (legal ?r é) (role ?r)) \
                   (<= terminal (true ü)) (goal x 0) (goal ö 0)) 1 1)";
    for length in [message.chars().count(), message.len()] {
        let request = format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}");
        assert_eq!(body(&exchange(address, request.as_bytes())), "ready");
        assert_eq!(ask(address, "(PLAY m NIL)"), "é");
        assert_eq!(ask(address, "(ABORT m)"), "aborted");
    }
    let ping = exchange(address, b"POST / HTTP/1.0\r\n\r\n(ping)");
    assert_eq!(body(&ping), "ready");
    let preview = "(PREVIEW ((role a) (<= terminal (true b))) 10)";
    assert_eq!(ask(address, preview), "ready");
    let options = exchange(address, b"OPTIONS / HTTP/1.1\r\nOrigin: a\r\n\r\n");
    assert!(options.contains("Access-Control-Allow-Origin: *"));
    assert_eq!(ask(address, "what is this"), "nil");
    assert_eq!(ask(address, "(START m1 x ((role x)"), "nil");
    assert_eq!(ask(address, "(START m1 nobody ((role x)) 1 1)"), "nil");
    let put = exchange(address, b"PUT / HTTP/1.0\r\n\r\n");
    assert!(put.starts_with("HTTP/1.0 405 "), "{put}");
}

#[test]
fn a_connection_stays_open_if_that_is_asked_for() {
    let address = listen(options("legal"));
    let mut stream = TcpStream::connect(address).unwrap();
    for _ in 0..3 {
        let request =
            "POST / HTTP/1.1\r\nConnection: keep-alive\r\nContent-Length: 6\r\n\r\n(ping)";
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        while !answer.ends_with(b"ready") {
            let mut piece = [0; 512];
            let count = stream.read(&mut piece).unwrap();
            assert!(count > 0);
            answer.extend_from_slice(&piece[..count]);
        }
        assert!(answer.starts_with(b"HTTP/1.1 200 OK\r\n"));
    }
}

#[test]
fn hidden_games_are_told_in_two_forms() {
    let address = listen(options("legal"));
    // As of 2010.
    assert_eq!(
        ask(address, &start("a", "candidate", ("monty-hall", 2, 2))),
        "ready"
    );
    let first = ask(address, "(PLAY a NIL)");
    assert_eq!(first, "noop");
    let second = ask(address, "(PLAY a ())");
    assert!(second.starts_with("(choose "), "{second}");
    assert_eq!(ask(address, "(STOP a NIL)"), "done");
    // As of 2013: the number of the turn, and the move that was made.
    assert_eq!(
        ask(address, &start("b", "candidate", ("monty-hall", 2, 2))),
        "ready"
    );
    assert_eq!(ask(address, "(PLAY b 0 NIL NIL)"), "noop");
    let second = ask(address, "(PLAY b 1 noop ())");
    assert!(second.starts_with("(choose "), "{second}");
    // Another move was made than the one that was sent, and is learnt from the message.
    let doors = ["1", "2", "3"].map(|door| format!("(choose {door})"));
    let other = doors.iter().find(|it| **it != second).unwrap();
    assert_eq!(ask(address, &format!("(PLAY b 2 {other} ())")), "noop");
    assert_eq!(ask(address, "(ABORT b)"), "aborted");
}

#[test]
fn what_cannot_have_been_seen_does_not_silence_a_player() {
    let address = listen(options("legal"));
    assert_eq!(
        ask(address, &start("a", "candidate", ("monty-hall", 1, 1))),
        "ready"
    );
    assert_eq!(ask(address, "(PLAY a NIL)"), "noop");
    for _ in 0..5 {
        let reply = ask(address, "(PLAY a ((no such) percept))");
        assert_ne!(reply, "nil");
    }
    // The move that was made is none.
    assert_ne!(ask(address, "(PLAY a 7 (no such) ())"), "nil");
    assert_eq!(ask(address, "(STOP a ((no such) percept))"), "done");
}
