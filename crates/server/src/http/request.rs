//! Requests: the bytes of a connection → a head, then the request with its body.
//!
//! The head comes first, so that the route can say how the body ends ([`Framing`]). Managers
//! leave out a host, a length or carriage returns; none of these is needed.

use super::body::Framing;
use super::memory::Hold;
use super::response::Refused;
use super::{Memory, PeerLimits};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};

/// The most headers of a request.
const HEADERS: usize = 100;

/// What a request asks to be done.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// Show something.
    Get,
    /// As `Get`, without the body.
    Head,
    /// Take this.
    Post,
    /// Put this in the place of what is there.
    Put,
    /// Remove it.
    Delete,
    /// Say what may be asked.
    Options,
    /// Any other method: no route takes it.
    Other,
}

impl Method {
    /// The method of a name.
    fn of(name: &str) -> Method {
        let known = [
            Method::Get,
            Method::Head,
            Method::Post,
            Method::Put,
            Method::Delete,
            Method::Options,
        ];
        let found = known.into_iter().find(|method| method.name() == name);
        found.unwrap_or(Method::Other)
    }

    /// The method as it is written.
    pub fn name(self) -> &'static str {
        match self {
            Method::Get => "GET",
            Method::Head => "HEAD",
            Method::Post => "POST",
            Method::Put => "PUT",
            Method::Delete => "DELETE",
            Method::Options => "OPTIONS",
            Method::Other => "another method",
        }
    }

    fn has_body(self) -> bool {
        matches!(self, Method::Post | Method::Put | Method::Delete)
    }
}

/// A request that has been read.
#[derive(Debug)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The path with the query, as they were sent: encoded.
    pub target: String,
    /// Names and values of the headers, in their order.
    pub headers: Vec<(String, String)>,
    /// The body; empty for methods without one.
    pub body: Vec<u8>,
    /// The memory that the body takes.
    pub(crate) hold: Hold,
}

impl Request {
    /// The path without the query.
    pub fn path(&self) -> &str {
        self.target.split_once('?').map_or(&self.target, |it| it.0)
    }

    /// The query: what follows the first `?`.
    pub fn query(&self) -> Option<&str> {
        self.target.split_once('?').map(|it| it.1)
    }

    /// The first header of a name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers_named(name).next()
    }

    fn headers_named(&self, name: &str) -> impl Iterator<Item = &str> {
        let headers = self.headers.iter();
        let named = headers.filter(move |(other, _)| other.eq_ignore_ascii_case(name));
        named.map(|(_, value)| &value[..])
    }

    fn says(&self, name: &str, word: &str) -> bool {
        self.header(name)
            .is_some_and(|it| it.eq_ignore_ascii_case(word))
    }
}

/// A request whose body has not been read.
#[derive(Debug)]
pub(crate) struct Head {
    /// The request, with an empty body.
    pub(crate) request: Request,
    /// Whether the connection is to stay open.
    pub(crate) stays: bool,
    /// Where the body begins in the buffer.
    pub(super) end: usize,
    pub(super) length: Option<usize>,
    pub(super) is_chunked: bool,
    /// Whether the peer waits for leave to send the body.
    waits: bool,
}

/// The requests of a connection.
pub(crate) struct Reader<S> {
    /// The connection.
    pub(crate) stream: S,
    /// The bytes read from it that belong to no request yet.
    pub(super) buffer: Vec<u8>,
    pub(super) limits: PeerLimits,
    /// The memory that the buffer takes.
    pub(super) hold: Hold,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Reader<S> {
    /// A reader of a connection on which nothing was read.
    pub(crate) fn new(stream: S, limits: PeerLimits) -> Reader<S> {
        Reader {
            stream,
            // Most requests are short, and arrive at once.
            buffer: Vec::with_capacity(1 << 10),
            limits,
            hold: Hold::default(),
        }
    }

    /// The same reader, which takes its memory from what all peers share.
    pub(crate) fn sharing(mut self, memory: Arc<Memory>, peer: IpAddr) -> Reader<S> {
        self.hold = Hold::new(memory, peer);
        self
    }

    /// Bytes that the buffer takes.
    pub(crate) fn held(&self) -> usize {
        self.buffer.capacity()
    }

    /// The connection; what was read of it is dropped.
    pub(crate) fn into_stream(self) -> S {
        self.stream
    }

    /// Reads the head of the next request; none if the peer has no more.
    pub(crate) async fn head(&mut self) -> Result<Option<Head>, Refused> {
        loop {
            if let Some(head) = parse(&self.buffer, &self.limits)? {
                return Ok(Some(head));
            }
            if !self.more().await? {
                return match self.buffer.iter().all(u8::is_ascii_whitespace) {
                    true => Ok(None),
                    false => Err(Refused::Malformed),
                };
            }
        }
    }

    /// Reads the rest of a request.
    pub(crate) async fn rest(&mut self, head: Head, by: Framing) -> Result<Request, Refused> {
        if !head.request.method.has_body() {
            self.buffer.drain(..head.end);
            return Ok(head.request);
        }
        if head.waits && self.buffer.len() == head.end {
            let leave = b"HTTP/1.1 100 Continue\r\n\r\n";
            self.stream.write_all(leave).await?;
        }
        let (body, hold) = self.body(&head, by).await?;
        Ok(Request {
            body,
            hold,
            ..head.request
        })
    }
}

/// The head of a request, if all of it is there.
fn parse(buffer: &[u8], limits: &PeerLimits) -> Result<Option<Head>, Refused> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut parsed = httparse::Request::new(&mut headers);
    match parsed.parse(buffer) {
        Ok(httparse::Status::Complete(end)) => head(&parsed, end).map(Some),
        Ok(httparse::Status::Partial) if buffer.len() > limits.head => Err(Refused::HeadTooLarge),
        Ok(httparse::Status::Partial) => Ok(None),
        Err(httparse::Error::TooManyHeaders) => Err(Refused::HeadTooLarge),
        Err(_) => Err(Refused::Malformed),
    }
}

fn head(parsed: &httparse::Request<'_, '_>, end: usize) -> Result<Head, Refused> {
    let headers = parsed.headers.iter().map(|it| {
        let value = String::from_utf8_lossy(it.value).into_owned();
        (it.name.to_string(), value)
    });
    let request = Request {
        method: Method::of(parsed.method.unwrap_or_default()),
        target: parsed.path.unwrap_or_default().to_string(),
        headers: headers.collect(),
        body: Vec::new(),
        hold: Hold::default(),
    };
    let (length, is_chunked) = (length(&request)?, is_chunked(&request)?);
    // Two statements of where the body ends: peers in between may believe the other one.
    if length.is_some() && is_chunked {
        return Err(Refused::Malformed);
    }
    let is_over = request.method.has_body() || (length.unwrap_or(0) == 0 && !is_chunked);
    Ok(Head {
        end,
        length,
        is_chunked,
        // Some managers read until the connection is closed: it stays open only on request, and
        // if what follows is no body of a method without one.
        stays: is_over && request.says("connection", "keep-alive"),
        waits: request.says("expect", "100-continue"),
        request,
    })
}

/// The length of the body, if it is given: one number, in digits.
fn length(request: &Request) -> Result<Option<usize>, Refused> {
    let mut length = None;
    for value in request.headers_named("content-length") {
        let value = value.trim();
        if value.is_empty() || !value.bytes().all(|it| it.is_ascii_digit()) {
            return Err(Refused::Malformed);
        }
        let value: usize = value.parse().map_err(|_| Refused::TooLarge)?;
        if length.is_some_and(|it| it != value) {
            return Err(Refused::Malformed);
        }
        length = Some(value);
    }
    Ok(length)
}

/// Whether the body comes in chunks, which is the only encoding there is.
fn is_chunked(request: &Request) -> Result<bool, Refused> {
    let mut encodings = request.headers_named("transfer-encoding");
    match (encodings.next(), encodings.next()) {
        (None, _) => Ok(false),
        (Some(it), None) if it.trim().eq_ignore_ascii_case("chunked") => Ok(true),
        (Some(_), None) => Err(Refused::Encoded),
        (Some(_), Some(_)) => Err(Refused::Malformed),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use crate::Status;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::pin::Pin;
    use std::task::{Context, Poll};
    use tokio::io::ReadBuf;

    /// The request read from bytes that arrive in pieces, and the capacity of the buffer.
    fn read_pieces(pieces: &[Vec<u8>], by: Framing) -> (Result<Option<Request>, Refused>, usize) {
        let limits = PeerLimits {
            head: 200,
            body: 100,
            ..PeerLimits::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.build().unwrap();
        runtime.block_on(async {
            let (mut peer, stream) = tokio::io::duplex(1 << 16);
            for piece in pieces {
                peer.write_all(piece).await.unwrap();
            }
            peer.shutdown().await.unwrap();
            let mut reader = Reader::new(stream, limits);
            let request = match reader.head().await {
                Ok(Some(head)) => reader.rest(head, by).await.map(Some),
                other => other.map(|_| None),
            };
            (request, reader.buffer.capacity())
        })
    }

    /// The body of a request that is read as one.
    fn body(bytes: &str, by: Framing) -> Result<String, Refused> {
        let request = read_pieces(&[bytes.into()], by).0?.unwrap();
        Ok(String::from_utf8(request.body).unwrap())
    }

    #[test]
    fn a_request_has_a_path_a_query_and_headers() {
        let bytes = "GET /games/hex?turn=3&x HTTP/1.1\r\nACCEPT: a\r\naccept: b\r\n\r\n";
        let request = read_pieces(&[bytes.into()], Framing::Length).0;
        let request = request.unwrap().unwrap();
        assert_eq!(request.method, Method::Get);
        assert_eq!(request.path(), "/games/hex");
        assert_eq!(request.query(), Some("turn=3&x"));
        assert_eq!(request.header("Accept"), Some("a"));
        assert_eq!(request.header("Host"), None);
    }

    #[test]
    fn only_messages_end_without_a_length() {
        let (by_length, as_message) = (Framing::Length, Framing::Message);
        let json = "POST /a HTTP/1.1\r\nContent-Length: 6\r\n\r\n{\"é\"}";
        assert_eq!(body(json, by_length).unwrap(), "{\"é\"}");
        let bare = "POST /a HTTP/1.1\r\n\r\n(a)";
        assert_eq!(body(bare, by_length).unwrap(), "");
        assert_eq!(body(bare, as_message).unwrap(), "(a)");
        let cut = "POST /a HTTP/1.1\r\nContent-Length: 6\r\n\r\n(a)";
        assert!(matches!(body(cut, by_length), Err(Refused::Malformed)));
        assert_eq!(body(cut, as_message).unwrap(), "(a)");
        let large = "POST /a HTTP/1.1\r\nContent-Length: 101\r\n\r\n";
        assert!(matches!(body(large, by_length), Err(Refused::TooLarge)));
    }

    #[test]
    fn a_request_says_once_where_its_body_ends() {
        let refused = |headers: &str| {
            let bytes = format!("POST /a HTTP/1.1\r\n{headers}\r\n\r\n(info)");
            let read = body(&bytes, Framing::Message);
            read.err().and_then(|it| it.response()).map(|it| it.status)
        };
        let (bad, large) = (Status::BAD_REQUEST, Status::CONTENT_TOO_LARGE);
        for (headers, status) in [
            ("Content-Length: 6", None),
            ("Content-Length: 6\r\ncontent-length: 6", None),
            ("Content-Length: 6\r\nContent-Length: 5", Some(bad)),
            ("Content-Length: +6", Some(bad)),
            ("Content-Length: 6, 6", Some(bad)),
            ("Content-Length: 0x6", Some(bad)),
            ("Content-Length:", Some(bad)),
            ("Content-Length: 99999999999999999999", Some(large)),
            ("Content-Length: 6\r\nTransfer-Encoding: chunked", Some(bad)),
            ("Transfer-Encoding: chunked\r\nContent-Length: 6", Some(bad)),
            (
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: a",
                Some(bad),
            ),
            ("Transfer-Encoding: gzip", Some(Status::NOT_IMPLEMENTED)),
        ] {
            assert_eq!(refused(headers), status, "{headers}");
        }
    }

    #[test]
    fn chunks_are_read_strictly() {
        let chunked = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
        let by = Framing::Message;
        let of = |chunks: &str| body(&format!("{chunked}{chunks}"), by);
        assert_eq!(of("2\r\n(a\r\n1;x=y\r\n)\r\n0\r\n\r\n").unwrap(), "(a)");
        // Something else where a line should end, and a size without an end.
        assert!(matches!(of("2\r\n(a12\r\n)"), Err(Refused::Malformed)));
        let long = format!("2;{}", "x".repeat(5000));
        assert!(matches!(of(&long), Err(Refused::Malformed)));
    }

    /// Bytes that arrive one at a time after those that arrive at once.
    struct Trickle {
        bytes: Vec<u8>,
        read: usize,
        at_once: usize,
    }

    impl AsyncRead for Trickle {
        fn poll_read(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
            buffer: &mut ReadBuf<'_>,
        ) -> Poll<std::io::Result<()>> {
            let left = self.at_once.saturating_sub(self.read).max(1);
            let end = (self.read + left.min(buffer.remaining())).min(self.bytes.len());
            buffer.put_slice(&self.bytes[self.read..end]);
            self.read = end;
            Poll::Ready(Ok(()))
        }
    }

    impl AsyncWrite for Trickle {
        fn poll_write(
            self: Pin<&mut Self>,
            _: &mut Context<'_>,
            bytes: &[u8],
        ) -> Poll<std::io::Result<usize>> {
            Poll::Ready(Ok(bytes.len()))
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
            Poll::Ready(Ok(()))
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<std::io::Result<()>> {
            Poll::Ready(Ok(()))
        }
    }

    #[test]
    fn every_byte_of_a_body_is_looked_at_once() {
        // Reading all of it again at each of these bytes would take minutes.
        const LATER: usize = 400_000;
        let length = 12 << 20;
        let head = format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n");
        let at_once = head.len() + length;
        let mut bytes = head.into_bytes();
        bytes.push(b'(');
        bytes.resize(at_once - 2, b'a');
        bytes.extend_from_slice("é".as_bytes());
        bytes.extend_from_slice(&[b'a'; LATER]);
        bytes.push(b')');
        let (send, receive) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let trickle = Trickle {
                bytes,
                read: 0,
                at_once,
            };
            let runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = { runtime }.build().unwrap();
            runtime.block_on(async {
                let mut reader = Reader::new(trickle, PeerLimits::default());
                let head = reader.head().await.unwrap().unwrap();
                let request = reader.rest(head, Framing::Message).await.unwrap();
                send.send(request.body.len()).unwrap();
            });
        });
        let read = receive.recv_timeout(std::time::Duration::from_secs(60));
        assert_eq!(read, Ok(length + LATER + 1));
    }

    proptest! {
        #[test]
        fn nothing_that_is_sent_breaks_the_reader(pieces in vec(vec(any::<u8>(), 0..200), 0..8)) {
            for by in [Framing::Length, Framing::Message] {
                let (_, kept) = read_pieces(&pieces, by);
                prop_assert!(kept < 4096);
            }
        }

        #[test]
        fn no_pieces_break_the_reader(text in "[0-9a-fA-F;\\r\\n(x]{0,300}") {
            let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
            let (read, _) = read_pieces(&[head.into(), text.into()], Framing::Message);
            let body = read.ok().flatten().map(|it| it.body);
            prop_assert!(body.is_none_or(|it| it.len() <= 100));
        }

        #[test]
        fn a_request_is_read_however_it_is_cut(
            message in "\\([a-z ]{0,40}\\)", cut in 0usize..100, way in 0..3
        ) {
            let length = message.len();
            let whole = match way {
                0 => format!("POST / HTTP/1.0\r\nContent-Length: {length}\r\n\r\n{message}"),
                1 => format!("POST / HTTP/1.0\n\n{message}"),
                _ => format!(
                    "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n(\r\n{:x}\r\n{}\r\n\
                     0\r\n\r\n",
                    length - 1,
                    &message[1..]
                ),
            };
            let whole = whole.into_bytes();
            let (one, other) = whole.split_at(cut.min(whole.len()));
            let (read, _) = read_pieces(&[one.to_vec(), other.to_vec()], Framing::Message);
            prop_assert_eq!(read.unwrap().unwrap().body, message.into_bytes());
        }
    }
}
