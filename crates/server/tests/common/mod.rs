//! A player of ours in this process, and what peers say to it, byte by byte.

#![allow(dead_code, reason = "each test uses some of it")]

use arena::referee::{Setup, Substitute};
use arena::{Clocks, Patience};
use game::{Engine, Game, RoleId};
use gdl::{Policy, Program, Source};
use players::Seat;
use server::PeerLimits;
use server::player::{self, MatchLimits, Options};
use server::remote::{Dialect, Form, Match, Remote, Wording};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The rules of one of our games.
pub fn rules(name: &str) -> String {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let path = format!("{games}/{name}/rules.kif");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let lines = text.lines().map(|line| line.split(';').next().unwrap());
    lines.collect::<Vec<_>>().join(" ")
}

/// How a player plays in tests.
pub fn options(player: &str) -> Options {
    Options {
        name: "Test".to_string(),
        player: player.to_string(),
        make: Arc::new(players::roster::player),
        matches: 1,
        margin: Duration::from_millis(200),
        patience: Duration::from_millis(100),
        threads: 1,
        seed: 1,
        record: None,
        limits: PeerLimits::default(),
        match_limits: MatchLimits::default(),
    }
}

/// Starts a player; it listens as long as the test runs.
pub fn listen(options: Options) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || player::serve(listener, options));
    address
}

/// Sends bytes and reads until the connection is closed.
pub fn exchange(address: SocketAddr, request: &[u8]) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request).unwrap();
    read(&mut stream)
}

/// Reads until the connection is closed.
pub fn read(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset after the answer is an end, too.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8(answer).unwrap()
}

/// The body of the answer to a message, sent as ggp-base does.
pub fn ask(address: SocketAddr, message: &str) -> String {
    let length = message.len();
    let request = format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n\
         Receiver: player\r\nContent-type: text/acl\r\nContent-length: {length}\r\n\r\n{message}"
    );
    body(&exchange(address, request.as_bytes()))
}

/// The body of an answer that is fine.
pub fn body(answer: &str) -> String {
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.0 200 OK\r\n"), "{head}");
    body.to_string()
}

/// A message to start a match.
pub fn start(id: &str, role: &str, (game, start, play): (&str, u32, u32)) -> String {
    format!("(START {id} {role} ({}) {start} {play})", rules(game))
}

/// The program of a text of rules.
pub fn program(rules: &str) -> Program {
    let tree = gdl::read(Source::from(rules), None, &gdl::ReadLimits::default());
    gdl::check(tree, &Policy::lenient()).program.unwrap()
}

/// A match that is hosted: the game and its clocks, and what players somewhere else are told.
pub struct Hosted {
    pub setup: Setup,
    pub common: Match,
}

impl Hosted {
    /// A match with short clocks.
    pub fn new(rules: &str) -> Hosted {
        let program = program(rules);
        let (start, play) = (Duration::from_secs(1), Duration::from_millis(300));
        let grace = Duration::from_millis(100);
        let game = Game::of(&program, &game::Limits::default());
        Hosted {
            common: Match {
                id: "m".to_string(),
                wording: Arc::new(Wording::plain(program.tree())),
                start_clock: start,
                play_clock: play,
                grace,
                form: Form::Numbered,
                dialect: Dialect::GgpBase,
            },
            setup: Setup {
                game: Arc::new(game),
                clocks: Clocks::Times { start, play },
                patience: Patience {
                    grace,
                    ..Patience::default()
                },
                substitute: Substitute::default(),
                seed: 1,
            },
        }
    }

    /// The same, told by the rules themselves.
    pub fn interpreted(rules: &str) -> Hosted {
        let mut hosted =
            Hosted::new("(role a) (<= terminal (true b)) (init b) (goal a 0) (legal a c)");
        let program = program(rules);
        let game = Game::new(&program, Engine::Interpreter, &game::Limits::default());
        hosted.setup.game = Arc::new(game.unwrap());
        hosted.common.wording = Arc::new(Wording::plain(program.tree()));
        hosted
    }

    /// Other clocks.
    pub fn timed(mut self, start: Duration, play: Duration) -> Hosted {
        (self.common.start_clock, self.common.play_clock) = (start, play);
        self.setup.clocks = Clocks::Times { start, play };
        self
    }

    pub fn seat(&self, role: usize) -> Seat {
        Seat {
            game: Arc::clone(&self.setup.game),
            role: RoleId::new(role),
            seed: 1,
            threads: 1,
            memory: None,
            helpers: None,
        }
    }

    /// A player at an address.
    pub fn remote(&self, address: &str, role: usize) -> Box<Remote> {
        let address = address.parse().unwrap();
        Box::new(Remote::new(address, self.common.clone(), self.seat(role)))
    }
}
