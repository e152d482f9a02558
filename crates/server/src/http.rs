//! Requests and replies as HTTP has them, as far as GGP uses it.
//!
//! Takes bytes as they come, gives messages. Managers leave out what they please: a host, a
//! length, carriage returns. So a message without a length ends where its parentheses do; and as
//! some count characters and not bytes, so does one that is not ASCII. All that is read has a
//! limit.

use percent_encoding::percent_decode_str;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// What a request may take.
#[derive(Copy, Clone, Debug)]
pub struct Limits {
    /// How many bytes the line and the headers may have.
    pub head: usize,
    /// How many bytes the message may have.
    pub body: usize,
    /// How long all of it may take to arrive.
    pub arrival: Duration,
    /// How many connections may be open; beyond that, the oldest one is closed that nobody owes
    /// an answer.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            head: 32 << 10,
            body: 16 << 20,
            arrival: Duration::from_secs(10),
            connections: 800,
        }
    }
}

/// How many headers a request may have.
const HEADERS: usize = 100;

/// Why a request gets no answer but this.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Bad {
    #[error("400 Bad Request")]
    Malformed,
    #[error("413 Content Too Large")]
    TooLarge,
    #[error("431 Request Header Fields Too Large")]
    HeadTooLarge,
    #[error("405 Method Not Allowed")]
    Method,
    #[error("501 Not Implemented")]
    Encoded,
    /// Nobody is there to be answered.
    #[error("the connection broke off")]
    Gone(#[from] std::io::Error),
}

/// What is asked.
#[derive(Debug)]
pub(crate) struct Request {
    /// The message; none for what a browser asks first (`OPTIONS`).
    pub(crate) message: Option<String>,
    /// Whether the peer wants to ask more on the same connection.
    pub(crate) stays: bool,
}

/// What is said before the message.
struct Head {
    /// Where the message begins.
    end: usize,
    source: Place,
    length: Option<usize>,
    /// Whether the message comes in pieces, each with its length.
    is_chunked: bool,
    stays: bool,
    /// Whether the peer waits for leave to send the message.
    waits: bool,
}

/// Where the message stands.
enum Place {
    Body,
    Path(String),
    Nowhere,
}

/// Reads a request. What is left of the bytes read is kept in the buffer.
pub(crate) async fn read<S: AsyncRead + AsyncWrite + Unpin>(
    stream: &mut S,
    buffer: &mut Vec<u8>,
    limits: &Limits,
) -> Result<Option<Request>, Bad> {
    let head = loop {
        if let Some(head) = parse(buffer, limits)? {
            break head;
        }
        if stream.read_buf(buffer).await? == 0 {
            return match buffer.iter().all(u8::is_ascii_whitespace) {
                true => Ok(None),
                false => Err(Bad::Malformed),
            };
        }
    };
    let stays = head.stays;
    let message = match head.source {
        Place::Nowhere => None,
        Place::Path(message) => Some(message),
        Place::Body => {
            if head.waits && buffer.len() == head.end {
                stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n").await?;
            }
            let (message, end) = match head.is_chunked {
                true => chunks(stream, buffer, (&head, limits)).await?,
                false => {
                    let end = body(stream, buffer, (&head, limits)).await?;
                    (buffer[head.end..end].to_vec(), end)
                }
            };
            buffer.drain(..end);
            return Ok(Some(Request {
                message: Some(String::from_utf8_lossy(&message).into_owned()),
                stays,
            }));
        }
    };
    buffer.drain(..head.end);
    Ok(Some(Request { message, stays }))
}

/// Reads until the message is complete; returns where it ends.
async fn body<S: AsyncRead + Unpin>(
    stream: &mut S,
    buffer: &mut Vec<u8>,
    (head, limits): (&Head, &Limits),
) -> Result<usize, Bad> {
    if head.length.is_some_and(|length| length > limits.body) {
        return Err(Bad::TooLarge);
    }
    let mut balance = Balance::default();
    let mut seen = head.end;
    loop {
        let is_closed = balance.take(&buffer[seen..]);
        seen = buffer.len();
        match head.length.map(|length| head.end + length) {
            Some(end) if seen >= end && buffer[head.end..end].is_ascii() => return Ok(end),
            // The reference server counts characters: then there are more bytes.
            Some(end) if seen >= end && is_closed => return Ok(seen),
            None if is_closed => return Ok(seen),
            _ => {}
        }
        if seen - head.end > limits.body {
            return Err(Bad::TooLarge);
        }
        if stream.read_buf(buffer).await? == 0 {
            return Ok(seen);
        }
    }
}

/// Reads a message that comes in pieces; returns it, and where the last piece ends.
async fn chunks<S: AsyncRead + Unpin>(
    stream: &mut S,
    buffer: &mut Vec<u8>,
    (head, limits): (&Head, &Limits),
) -> Result<(Vec<u8>, usize), Bad> {
    let (mut message, mut end) = (Vec::new(), head.end);
    loop {
        match httparse::parse_chunk_size(&buffer[end..]).map_err(|_| Bad::Malformed)? {
            httparse::Status::Complete((start, size)) => {
                if size > (limits.body - message.len()) as u64 {
                    return Err(Bad::TooLarge);
                }
                // Behind each piece the line ends.
                let (from, to) = (end + start, end + start + size as usize);
                if buffer.len() >= to + 2 {
                    message.extend_from_slice(&buffer[from..to]);
                    end = to + 2;
                    if size == 0 {
                        return Ok((message, end));
                    }
                    continue;
                }
            }
            httparse::Status::Partial => {}
        }
        // Lengths are told in many bytes for few of the message by who means no good.
        if buffer.len() - head.end > 2 * limits.body + limits.head {
            return Err(Bad::TooLarge);
        }
        if stream.read_buf(buffer).await? == 0 {
            return Err(Bad::Malformed);
        }
    }
}

/// Whether parentheses that were opened are closed.
#[derive(Default)]
struct Balance {
    depth: usize,
    is_closed: bool,
}

impl Balance {
    fn take(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            match byte {
                b'(' => self.depth += 1,
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.is_closed |= self.depth == 0;
                }
                _ => {}
            }
        }
        self.is_closed
    }
}

/// What stands before the message, if all of it is there.
fn parse(buffer: &[u8], limits: &Limits) -> Result<Option<Head>, Bad> {
    let mut headers = [httparse::EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut headers);
    let end = match request.parse(buffer) {
        Ok(httparse::Status::Complete(end)) => end,
        Ok(httparse::Status::Partial) if buffer.len() > limits.head => {
            return Err(Bad::HeadTooLarge);
        }
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Bad::HeadTooLarge),
        Err(_) => return Err(Bad::Malformed),
    };
    let header = |name: &str| {
        let found = request.headers.iter();
        let mut found = found.filter(|it| it.name.eq_ignore_ascii_case(name));
        found.next().map(|it| String::from_utf8_lossy(it.value))
    };
    let says =
        |name: &str, word: &str| header(name).is_some_and(|it| it.eq_ignore_ascii_case(word));
    let is_chunked = says("transfer-encoding", "chunked");
    if !is_chunked && header("transfer-encoding").is_some() {
        return Err(Bad::Encoded);
    }
    let length = header("content-length").map(|it| it.trim().parse());
    let length = length.transpose().map_err(|_| Bad::Malformed)?;
    let source = match request.method.unwrap_or_default() {
        "POST" => Place::Body,
        "GET" => Place::Path(from_path(request.path.unwrap_or_default())),
        "OPTIONS" => Place::Nowhere,
        _ => return Err(Bad::Method),
    };
    Ok(Some(Head {
        end,
        source,
        length,
        is_chunked,
        // Some managers read until the connection is closed, so who wants it open has to say so.
        stays: says("connection", "keep-alive"),
        waits: says("expect", "100-continue"),
    }))
}

/// A message in the path of a request.
fn from_path(path: &str) -> String {
    let path = path.strip_prefix('/').unwrap_or(path).replace('+', " ");
    percent_decode_str(&path).decode_utf8_lossy().into_owned()
}

/// What a browser needs to be told before it shows a page the answer.
const CORS: &str = "Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, \
                    OPTIONS\r\nAccess-Control-Allow-Headers: Content-Type, Sender, Receiver\r\n\
                    Access-Control-Allow-Age: 86400\r\n";

/// A reply to be sent.
pub(crate) fn reply(status: &str, text: &str, stays: bool) -> Vec<u8> {
    let (version, connection) = match stays {
        true => ("1.1", "keep-alive"),
        false => ("1.0", "close"),
    };
    let length = text.len();
    format!(
        "HTTP/{version} {status}\r\nContent-type: text/acl\r\nContent-length: {length}\r\n\
         {CORS}Connection: {connection}\r\n\r\n{text}"
    )
    .into_bytes()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    /// What is read of bytes that come in pieces, and how many bytes were kept at most.
    fn read_pieces(pieces: &[Vec<u8>]) -> (Result<Option<Request>, Bad>, usize) {
        let limits = Limits {
            head: 200,
            body: 100,
            ..Limits::default()
        };
        let runtime = tokio::runtime::Builder::new_current_thread();
        let runtime = { runtime }.build().unwrap();
        runtime.block_on(async {
            let (mut peer, mut stream) = tokio::io::duplex(1 << 16);
            for piece in pieces {
                peer.write_all(piece).await.unwrap();
            }
            peer.shutdown().await.unwrap();
            let mut buffer = Vec::new();
            let read = read(&mut stream, &mut buffer, &limits).await;
            (read, buffer.capacity())
        })
    }

    proptest! {
        #[test]
        fn nothing_that_is_sent_breaks_the_reader(pieces in vec(vec(any::<u8>(), 0..200), 0..8)) {
            let (_, kept) = read_pieces(&pieces);
            prop_assert!(kept < 4096);
        }

        #[test]
        fn no_pieces_break_the_reader(text in "[0-9a-fA-F;\\r\\n(x]{0,300}") {
            let head = "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n";
            let (read, _) = read_pieces(&[head.into(), text.into()]);
            let message = read.ok().flatten().and_then(|it| it.message);
            prop_assert!(message.is_none_or(|it| it.len() <= 100));
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
            let (read, _) = read_pieces(&[one.to_vec(), other.to_vec()]);
            prop_assert_eq!(read.unwrap().unwrap().message.unwrap(), message);
        }
    }
}
