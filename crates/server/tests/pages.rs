//! Web pages stand beside the GGP protocol on one port.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod common;

use common::{ask, exchange, options};
use server::{Answer, Handler, Method, PeerLimits, Request, Response, Router, Status, player};
use std::net::{SocketAddr, TcpListener};
use std::thread;
use std::time::{Duration, Instant};

/// A page, and a form that is echoed.
struct Pages;

impl Handler for Pages {
    fn handle(&self, request: Request, _: Instant) -> Answer<'_> {
        let html = |status, text: String| Response::new(status, "text/html", text);
        let response = match (request.method, request.path()) {
            (Method::Post, "/hello/form") => {
                let form = String::from_utf8_lossy(&request.body).into_owned();
                html(Status::OK, form)
            }
            (_, "/hello") => {
                let name = request.query().unwrap_or("world");
                html(Status::OK, format!("<p>Hello {name}"))
            }
            _ => html(Status::NOT_FOUND, "<p>no such page".to_string()),
        };
        Box::pin(std::future::ready(response))
    }
}

fn listen(with: impl Fn(Router) -> Router, limits: PeerLimits) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let router = with(player::router(options("legal")));
    thread::spawn(move || server::serve(listener, router, limits));
    address
}

fn with_pages(router: Router) -> Router {
    const PAGE: &[Method] = &[Method::Get, Method::Head];
    router
        .under("/hello", PAGE, Pages)
        .at("/hello/form", &[Method::Post], Pages)
}

fn say(address: SocketAddr, request: &str) -> (String, String) {
    let answer = exchange(address, request.as_bytes());
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_string(), body.to_string())
}

#[test]
fn a_page_stands_beside_the_protocol() {
    let address = listen(with_pages, PeerLimits::default());
    let (head, body) = say(address, "GET /hello?you HTTP/1.1\r\nHost: a\r\n\r\n");
    assert_eq!(
        head,
        "HTTP/1.0 200 OK\r\nContent-type: text/html\r\nContent-length: 12\r\nConnection: close"
    );
    assert_eq!(body, "<p>Hello you");
    let (head, body) = say(address, "HEAD /hello?you HTTP/1.1\r\n\r\n");
    assert!(head.contains("Content-length: 12\r\n"), "{head}");
    assert_eq!(body, "");
    let (head, _) = say(address, "GET /hello/nobody HTTP/1.1\r\n\r\n");
    assert!(head.starts_with("HTTP/1.0 404 Not Found\r\n"), "{head}");
    // A body that is no message ends where its length says.
    let form = "POST /hello/form HTTP/1.1\r\nContent-Length: 5\r\n\r\nné=1";
    assert_eq!(say(address, form).1, "né=1");
}

#[test]
fn messages_stay_messages_beside_pages() {
    let address = listen(with_pages, PeerLimits::default());
    let alone = listen(|router| router, PeerLimits::default());
    for request in [
        "GET /(info) HTTP/1.0\r\n\r\n",
        "GET /helloes HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "POST / HTTP/1.0\r\n\r\n(ping)",
        "POST /hello HTTP/1.0\r\n\r\n(ping)",
        "OPTIONS /hello HTTP/1.1\r\n\r\n",
        "HEAD /(info) HTTP/1.1\r\n\r\n",
        "PUT / HTTP/1.1\r\n\r\n",
        "what\r\n\r\n",
    ] {
        assert_eq!(say(address, request), say(alone, request), "{request}");
    }
    assert_eq!(ask(address, "(ping)"), "ready");
    let (head, _) = say(address, "PATCH /hello HTTP/1.1\r\n\r\n");
    assert!(head.starts_with("HTTP/1.0 405 "), "{head}");
    assert!(
        head.contains("\r\nAllow: POST, GET, OPTIONS, HEAD\r\n"),
        "{head}"
    );
}

#[test]
fn limits_hold_for_pages_too() {
    let limits = PeerLimits {
        body: 100,
        arrival: Duration::from_millis(300),
        ..PeerLimits::default()
    };
    let address = listen(with_pages, limits);
    let form = "POST /hello/form HTTP/1.1\r\nContent-Length: ";
    let (head, _) = say(address, &format!("{form}101\r\n\r\n"));
    assert!(head.starts_with("HTTP/1.0 413 "), "{head}");
    let (head, _) = say(address, &format!("{form}10\r\n\r\nhalf"));
    assert!(head.starts_with("HTTP/1.0 408 "), "{head}");
    let long = format!("GET /hello HTTP/1.1\r\nX: {}", "y".repeat(40 << 10));
    let (head, _) = say(address, &long);
    assert!(head.starts_with("HTTP/1.0 431 "), "{head}");
}
