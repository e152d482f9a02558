//! Bodies: by their length, in chunks, or up to the closing parenthesis of a message.
//!
//! Managers leave out the length, or count characters instead of bytes. A body that is framed
//! as a message ends with its parentheses in these cases; any other body needs a length.

use super::memory::Hold;
use super::request::{Head, Reader};
use super::response::Refused;
use tokio::io::{AsyncRead, AsyncReadExt};

/// How the end of a body is found.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Framing {
    /// By the length in the head; without one the body is empty.
    #[default]
    Length,
    /// As [`Framing::Length`], but a message without a length, or with a length that counts
    /// characters, ends with its last parenthesis.
    Message,
}

/// The longest line with the size of a chunk.
const SIZE_LINE: usize = 1 << 10;

impl<S: AsyncRead + Unpin> Reader<S> {
    /// Reads the body and removes the whole request from the buffer; with the memory it takes.
    pub(super) async fn body(
        &mut self,
        head: &Head,
        by: Framing,
    ) -> Result<(Vec<u8>, Hold), Refused> {
        if head.length.is_some_and(|length| length > self.limits.body) {
            return Err(Refused::TooLarge);
        }
        let end = match by {
            _ if head.is_chunked => self.chunks(head).await?,
            Framing::Length => self.measured(head).await?,
            Framing::Message => self.message(head).await?,
        };
        // The buffer becomes the body: a copy would take as much again.
        let mut body = std::mem::take(&mut self.buffer);
        self.buffer = body.split_off(end);
        body.drain(..head.end);
        let rest = self.hold.another();
        let hold = std::mem::replace(&mut self.hold, rest);
        match self.hold.set(self.buffer.capacity()) {
            true => Ok((body, hold)),
            false => Err(Refused::Crowded),
        }
    }

    /// Reads some more bytes; false if there are none.
    pub(super) async fn more(&mut self) -> Result<bool, Refused> {
        if self.buffer.len() == self.buffer.capacity() {
            self.grow()?;
        }
        Ok(self.stream.read_buf(&mut self.buffer).await? > 0)
    }

    /// Makes room for more bytes, if all peers together leave any: twice as many, but no more
    /// than a request may have.
    fn grow(&mut self) -> Result<(), Refused> {
        let had = self.buffer.capacity();
        let most = self.limits.head + self.limits.body;
        let wanted = (2 * had).min(most).max(had + (1 << 10));
        if !self.hold.set(wanted) {
            return Err(Refused::Crowded);
        }
        self.buffer.reserve_exact(wanted - self.buffer.len());
        Ok(())
    }

    /// Reads a body of a known length; returns its end in the buffer.
    async fn measured(&mut self, head: &Head) -> Result<usize, Refused> {
        let end = head.end + head.length.unwrap_or(0);
        while self.buffer.len() < end {
            if !self.more().await? {
                return Err(Refused::Malformed);
            }
        }
        Ok(end)
    }

    /// Reads a message; returns its end in the buffer.
    async fn message(&mut self, head: &Head) -> Result<usize, Refused> {
        let mut scan = Scan::default();
        loop {
            let seen = head.end + scan.seen;
            scan.take(&self.buffer[seen..]);
            let seen = self.buffer.len();
            let length = head.length.unwrap_or(0);
            if head.length.is_some() && scan.seen >= length && scan.is_ascii(length) {
                return Ok(head.end + length);
            }
            if scan.seen > self.limits.body {
                return Err(Refused::TooLarge);
            }
            // The reference server counts characters: then there are more bytes.
            if scan.seen >= length && scan.is_closed {
                return Ok(seen);
            }
            if !self.more().await? {
                return Ok(seen);
            }
        }
    }

    /// Reads a body in chunks, and puts them together in the buffer; returns its end there.
    async fn chunks(&mut self, head: &Head) -> Result<usize, Refused> {
        // The body so far ends at `end`, and the next chunk begins at `next`.
        let (mut end, mut next) = (head.end, head.end);
        loop {
            let size = httparse::parse_chunk_size(&self.buffer[next..]);
            match size.map_err(|_| Refused::Malformed)? {
                httparse::Status::Complete((start, size)) => {
                    if size > (self.limits.body - (end - head.end)) as u64 {
                        return Err(Refused::TooLarge);
                    }
                    let (from, to) = (next + start, next + start + size as usize);
                    if let Some(line_end) = self.buffer.get(to..to + 2) {
                        if line_end != b"\r\n" {
                            return Err(Refused::Malformed);
                        }
                        self.buffer.copy_within(from..to, end);
                        (end, next) = (end + size as usize, to + 2);
                        if size == 0 {
                            self.buffer.drain(end..next);
                            return Ok(end);
                        }
                        continue;
                    }
                }
                httparse::Status::Partial if self.buffer.len() - next > SIZE_LINE => {
                    return Err(Refused::Malformed);
                }
                httparse::Status::Partial => {}
            }
            self.buffer.drain(end..next);
            next = end;
            if !self.more().await? {
                return Err(Refused::Malformed);
            }
        }
    }
}

/// What was seen of a message so far; every byte is looked at once.
#[derive(Default)]
struct Scan {
    seen: usize,
    depth: usize,
    /// Whether the outermost parenthesis has been closed.
    is_closed: bool,
    /// Where the first byte stands that is not ASCII.
    other: Option<usize>,
}

impl Scan {
    /// Takes the bytes that follow those seen before.
    fn take(&mut self, bytes: &[u8]) {
        if self.other.is_none() && !bytes.is_ascii() {
            let place = bytes.iter().position(|it| !it.is_ascii());
            self.other = place.map(|place| self.seen + place);
        }
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
        self.seen += bytes.len();
    }

    /// Whether the first bytes are ASCII.
    fn is_ascii(&self, length: usize) -> bool {
        self.other.is_none_or(|place| place >= length)
    }
}
