//! One question over HTTP, and its answer, in a bounded time.

use std::fmt;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::str::FromStr;
use std::time::{Duration, Instant};

/// Where a player is: `http://host:port/path`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
    path: String,
}

/// The port of players that say nothing else.
pub const PORT: u16 = 9147;

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no address such as http://localhost:9147")]
pub struct BadAddress(String);

impl FromStr for Address {
    type Err = BadAddress;

    fn from_str(text: &str) -> Result<Address, BadAddress> {
        let bad = || BadAddress(text.to_string());
        let rest = text.strip_prefix("http://").ok_or_else(bad)?;
        let (place, path) = match rest.find('/') {
            Some(slash) => rest.split_at(slash),
            None => (rest, "/"),
        };
        let (host, port) = match place.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| bad())?),
            _ => (place, PORT),
        };
        let is_plain = |it: &str| it.chars().all(|it| it.is_ascii_graphic());
        if host.is_empty() || !is_plain(host) || !is_plain(path) {
            return Err(bad());
        }
        Ok(Address {
            host: host.to_string(),
            port,
            path: path.to_string(),
        })
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.path == "/" { "" } else { &self.path };
        write!(f, "http://{}:{}{path}", self.host, self.port)
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It did not come in time.
    #[error("late")]
    Late,
    /// Nobody was there, or went away.
    #[error("not reached: {0}")]
    Unreachable(io::Error),
    /// It has no end.
    #[error("an answer of more than a megabyte")]
    TooLong,
    /// It is something else.
    #[error("an answer that is not HTTP")]
    Malformed,
}

/// Longer answers than this are not read.
const LONGEST: usize = 1 << 20;
/// To connect takes no longer than this, or nobody is there.
const CONNECT: Duration = Duration::from_secs(5);

/// A question to a player.
pub(super) struct Call<'c> {
    pub(super) address: &'c Address,
    /// Who is asked, as the header says.
    pub(super) receiver: &'c str,
    pub(super) until: Instant,
}

impl Call<'_> {
    pub(super) fn send(&self, message: &str) -> Result<String, CallError> {
        let mut stream = self.connect()?;
        let Address { host, port, path } = self.address;
        let (receiver, length) = (self.receiver, message.len());
        let request = format!(
            "POST {path} HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}:{port}\r\nSender: \
             GAMESERVER\r\nReceiver: {receiver}\r\nContent-Type: text/acl\r\nContent-Length: \
             {length}\r\n\r\n{message}"
        );
        let request = request.as_bytes();
        let mut sent = 0;
        while sent < request.len() {
            stream
                .set_write_timeout(Some(self.left()?))
                .map_err(CallError::Unreachable)?;
            sent += stream.write(&request[sent..]).map_err(failed)?;
        }
        self.receive(&mut stream)
    }

    fn left(&self) -> Result<Duration, CallError> {
        let left = self.until.saturating_duration_since(Instant::now());
        match left.is_zero() {
            true => Err(CallError::Late),
            false => Ok(left),
        }
    }

    fn connect(&self) -> Result<TcpStream, CallError> {
        let host = self.address.host.trim_matches(['[', ']']);
        let places = (host, self.address.port).to_socket_addrs();
        let mut last = io::Error::from(ErrorKind::NotFound);
        for place in places.map_err(CallError::Unreachable)? {
            match TcpStream::connect_timeout(&place, self.left()?.min(CONNECT)) {
                Ok(stream) => {
                    let _ = stream.set_nodelay(true);
                    return Ok(stream);
                }
                Err(error) => last = error,
            }
        }
        Err(CallError::Unreachable(last))
    }

    /// Reads until the answer is complete.
    fn receive(&self, stream: &mut TcpStream) -> Result<String, CallError> {
        let mut answer = Vec::new();
        let mut piece = [0; 1 << 14];
        loop {
            if let Some(body) = whole(&answer)? {
                return Ok(String::from_utf8_lossy(body).into_owned());
            }
            stream
                .set_read_timeout(Some(self.left()?))
                .map_err(CallError::Unreachable)?;
            match stream.read(&mut piece).map_err(failed)? {
                0 => break,
                count => answer.extend_from_slice(&piece[..count]),
            }
            if answer.len() > LONGEST {
                return Err(CallError::TooLong);
            }
        }
        match head(&answer)? {
            Some((start, _)) => Ok(String::from_utf8_lossy(&answer[start..]).into_owned()),
            None if answer.is_empty() => {
                Err(CallError::Unreachable(ErrorKind::UnexpectedEof.into()))
            }
            None => Err(CallError::Malformed),
        }
    }
}

fn failed(error: io::Error) -> CallError {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => CallError::Late,
        _ => CallError::Unreachable(error),
    }
}

/// Where the body begins and how long it is said to be, if the head is there.
fn head(answer: &[u8]) -> Result<Option<(usize, Option<usize>)>, CallError> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut response = httparse::Response::new(&mut headers);
    match response.parse(answer) {
        Ok(httparse::Status::Complete(start)) => {
            let mut found = response.headers.iter();
            let length = found.find(|it| it.name.eq_ignore_ascii_case("content-length"));
            let length =
                length.and_then(|it| std::str::from_utf8(it.value).ok()?.trim().parse().ok());
            Ok(Some((start, length)))
        }
        Ok(httparse::Status::Partial) => Ok(None),
        Err(_) => Err(CallError::Malformed),
    }
}

/// The body, if all of it is there and its length is known.
fn whole(answer: &[u8]) -> Result<Option<&[u8]>, CallError> {
    let Some((start, Some(length))) = head(answer)? else {
        return Ok(None);
    };
    Ok(answer.get(start..start.saturating_add(length)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn addresses_are_read() {
        let shown = |text: &str| text.parse::<Address>().unwrap().to_string();
        assert_eq!(shown("http://localhost"), "http://localhost:9147");
        assert_eq!(shown("http://10.0.0.1:80/a/b"), "http://10.0.0.1:80/a/b");
        assert_eq!(shown("http://[::1]:9148"), "http://[::1]:9148");
        for bad in [
            "localhost:9147",
            "http://",
            "http://a:b",
            "http://a b",
            "https://a",
        ] {
            assert!(bad.parse::<Address>().is_err(), "{bad}");
        }
    }
}
