//! Asks a player for information as fast as it answers, and says how often that was.
//!
//! `cargo run --release -p server --example load -- 127.0.0.1:9147 30 4`: for half a minute, on
//! four connections that stay open; with `close` after it, on a new connection each time.

#![allow(clippy::print_stdout, reason = "it is a program to be run by hand")]

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let address = words.first().map_or("127.0.0.1:9147", String::as_str);
    let number = |place: usize, default| {
        words
            .get(place)
            .and_then(|it| it.parse().ok())
            .unwrap_or(default)
    };
    let (seconds, connections) = (number(1, 10), number(2, 4));
    let stays = !words.iter().any(|it| it == "close");
    let until = Instant::now() + Duration::from_secs(seconds);
    let counts = thread::scope(|scope| {
        let workers = (0..connections).map(|_| scope.spawn(|| ask(address, until, stays)));
        let workers: Vec<_> = workers.collect();
        let counts = workers
            .into_iter()
            .map(|it| it.join().expect("a worker goes on"));
        counts.collect::<io::Result<Vec<(u64, Duration)>>>()
    })?;
    let all: u64 = counts.iter().map(|it| it.0).sum();
    let slowest = counts.iter().map(|it| it.1).max().unwrap_or_default();
    println!(
        "{all} answers in {seconds} s, {} a second, the slowest after {} ms",
        all / seconds,
        slowest.as_millis()
    );
    Ok(())
}

/// Asks until a time; returns how many answers there were, and the slowest.
fn ask(address: &str, until: Instant, stays: bool) -> io::Result<(u64, Duration)> {
    let (mut count, mut slowest) = (0, Duration::ZERO);
    let connection = if stays { "keep-alive" } else { "close" };
    let request = format!(
        "POST / HTTP/1.1\r\nHost: a\r\nConnection: {connection}\r\nContent-Length: 6\r\n\r\n(INFO)"
    );
    let mut stream = TcpStream::connect(address)?;
    while Instant::now() < until {
        let began = Instant::now();
        if !stays && count > 0 {
            stream = TcpStream::connect(address)?;
        }
        stream.set_nodelay(true)?;
        stream.write_all(request.as_bytes())?;
        let mut answer = Vec::new();
        let mut piece = [0; 2048];
        while !answer.ends_with(b") )") {
            match stream.read(&mut piece)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => answer.extend_from_slice(&piece[..read]),
            }
        }
        slowest = slowest.max(began.elapsed());
        count += 1;
    }
    Ok((count, slowest))
}
