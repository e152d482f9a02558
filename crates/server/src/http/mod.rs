//! Requests and responses of HTTP, as far as the peers of a GGP player and browsers use it.
//!
//! | part | what it is |
//! |---|---|
//! | `request.rs` | bytes of a connection → [`Request`]: the head, and where its body ends |
//! | `body.rs` | the three ways in which a body ends |
//! | `memory.rs` | what all requests together may keep in memory |
//! | `response.rs` | [`Response`] → bytes |
//!
//! Everything that is read has a limit, whatever route it belongs to.

mod body;
mod memory;
mod request;
mod response;

pub use body::Framing;
pub(crate) use memory::{Hold, Memory};
pub(crate) use request::Reader;
pub use request::{Method, Request};
pub(crate) use response::{Delivery, Refused};
pub use response::{Response, Status};

use std::time::Duration;

/// The resources that peers may use: a request, and all of them together.
#[derive(Copy, Clone, Debug)]
pub struct PeerLimits {
    /// Bytes of the request line and the headers together.
    pub head: usize,
    /// Bytes of the body.
    pub body: usize,
    /// Time from the first byte awaited to the last byte of the request.
    pub arrival: Duration,
    /// Open connections; beyond that, the oldest idle connection is closed.
    pub connections: usize,
    /// Bytes that all peers together have sent and that are still kept; more is refused.
    pub memory: usize,
}

impl PeerLimits {
    /// Bytes that the connections from one address may hold of the memory: a quarter, or the
    /// largest request if that is more.
    pub fn share(&self) -> usize {
        (self.memory / 4).max(self.head + self.body)
    }
}

impl Default for PeerLimits {
    fn default() -> PeerLimits {
        PeerLimits {
            head: 32 << 10,
            body: 16 << 20,
            arrival: Duration::from_secs(10),
            connections: 800,
            memory: 256 << 20,
        }
    }
}
