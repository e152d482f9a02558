//! Bodies: by their length, in chunks, or up to the closing parenthesis of a message.
//!
//! Managers leave out the length, or count characters instead of bytes. A body that is framed
//! as a message ends with its parentheses in these cases; any other body needs a length.

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

impl<S: AsyncRead + Unpin> Reader<S> {
    /// Reads the body and removes the whole request from the buffer.
    pub(super) async fn body(&mut self, head: &Head, by: Framing) -> Result<Vec<u8>, Refused> {
        if head.is_chunked {
            return self.chunks(head).await;
        }
        if head.length.is_some_and(|length| length > self.limits.body) {
            return Err(Refused::TooLarge);
        }
        let end = match by {
            Framing::Length => self.measured(head).await?,
            Framing::Message => self.message(head).await?,
        };
        let body = self.buffer[head.end..end].to_vec();
        self.buffer.drain(..end);
        Ok(body)
    }

    /// Reads some more bytes; false if there are none.
    pub(super) async fn more(&mut self) -> Result<bool, Refused> {
        Ok(self.stream.read_buf(&mut self.buffer).await? > 0)
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
        let mut balance = Balance::default();
        let mut seen = head.end;
        loop {
            let is_closed = balance.take(&self.buffer[seen..]);
            seen = self.buffer.len();
            match head.length.map(|length| head.end + length) {
                Some(end) if seen >= end && self.buffer[head.end..end].is_ascii() => {
                    return Ok(end);
                }
                // The reference server counts characters: then there are more bytes.
                Some(end) if seen >= end && is_closed => return Ok(seen),
                None if is_closed => return Ok(seen),
                _ => {}
            }
            if seen - head.end > self.limits.body {
                return Err(Refused::TooLarge);
            }
            if !self.more().await? {
                return Ok(seen);
            }
        }
    }

    /// Reads a body in chunks.
    async fn chunks(&mut self, head: &Head) -> Result<Vec<u8>, Refused> {
        let (mut body, mut end) = (Vec::new(), head.end);
        loop {
            match httparse::parse_chunk_size(&self.buffer[end..]).map_err(|_| Refused::Malformed)? {
                httparse::Status::Complete((start, size)) => {
                    if size > (self.limits.body - body.len()) as u64 {
                        return Err(Refused::TooLarge);
                    }
                    // A line break follows each chunk.
                    let (from, to) = (end + start, end + start + size as usize);
                    if self.buffer.len() >= to + 2 {
                        body.extend_from_slice(&self.buffer[from..to]);
                        end = to + 2;
                        if size == 0 {
                            self.buffer.drain(..end);
                            return Ok(body);
                        }
                        continue;
                    }
                }
                httparse::Status::Partial => {}
            }
            // Tiny chunks with long size lines would fill the memory.
            if self.buffer.len() - head.end > 2 * self.limits.body + self.limits.head {
                return Err(Refused::TooLarge);
            }
            if !self.more().await? {
                return Err(Refused::Malformed);
            }
        }
    }
}

/// The depth of the parentheses read so far.
#[derive(Default)]
struct Balance {
    depth: usize,
    is_closed: bool,
}

impl Balance {
    /// Whether the outermost parenthesis has been closed.
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
