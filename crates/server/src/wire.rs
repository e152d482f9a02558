//! What peers send, read without a connection: for tests, fuzz targets and tools.

use crate::http::{Framing, PeerLimits, Reader, Refused, Request, Status};
use crate::message::{self, MessageKind};
use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// What was made of the bytes of a connection.
#[derive(Debug)]
pub struct Heard {
    /// The requests, in their order.
    pub requests: Vec<Request>,
    /// How the last one was refused, if it was; then the connection is closed.
    pub refused: Option<Status>,
    /// The most bytes that the connection took in memory before it had read a request.
    pub held: usize,
}

/// Reads requests from bytes that arrive so many at a time, until they end or one is refused.
pub fn read(bytes: &[u8], at_a_time: usize, (limits, by): (PeerLimits, Framing)) -> Heard {
    let arriving = Arriving {
        bytes,
        at_a_time: at_a_time.max(1),
    };
    let mut heard = Heard {
        requests: Vec::new(),
        refused: None,
        held: 0,
    };
    let mut reader = Reader::new(arriving, limits);
    while let Some(request) = next(&mut reader, by, &mut heard) {
        heard.requests.push(request);
    }
    heard
}

/// The next request; none if there is none, or it is refused.
fn next(reader: &mut Reader<Arriving<'_>>, by: Framing, heard: &mut Heard) -> Option<Request> {
    let read = async {
        match reader.head().await? {
            Some(head) => Ok::<_, Refused>(Some((head.stays, reader.rest(head, by).await?))),
            None => Ok(None),
        }
    };
    // The bytes are there already: nothing is ever waited for.
    let polled = pin!(read).poll(&mut Context::from_waker(Waker::noop()));
    heard.held = heard.held.max(reader.held());
    match polled {
        Poll::Ready(Ok(Some((true, request)))) => Some(request),
        Poll::Ready(Ok(Some((false, request)))) => {
            heard.requests.push(request);
            None
        }
        Poll::Ready(Ok(None)) | Poll::Pending => None,
        Poll::Ready(Err(refused)) => {
            heard.refused = refused.response().map(|it| it.status);
            None
        }
    }
}

/// Whether a text is a message that a player understands.
pub fn is_message(text: &str) -> bool {
    match message::peek(text) {
        Some((MessageKind::Start, _)) => message::start(text).is_some(),
        Some((MessageKind::Play | MessageKind::Stop, _)) => message::turn(text).is_some(),
        Some(_) => true,
        None => false,
    }
}

/// A connection whose bytes are known.
struct Arriving<'b> {
    bytes: &'b [u8],
    at_a_time: usize,
}

impl AsyncRead for Arriving<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let count = self.at_a_time.min(buffer.remaining()).min(self.bytes.len());
        let (now, later) = self.bytes.split_at(count);
        buffer.put_slice(now);
        self.bytes = later;
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Arriving<'_> {
    fn poll_write(
        self: Pin<&mut Self>,
        _: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }
}
