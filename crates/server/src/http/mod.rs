//! Requests and responses of HTTP, as far as the peers of a GGP player and browsers use it.
//!
//! | part | what it is |
//! |---|---|
//! | `request.rs` | bytes of a connection → [`Request`]: the head, and where its body ends |
//! | `body.rs` | the three ways in which a body ends |
//! | `response.rs` | [`Response`] → bytes |
//!
//! Everything that is read has a limit, whatever route it belongs to.

mod body;
mod request;
mod response;

pub use body::Framing;
pub(crate) use request::Reader;
pub use request::{Method, Request};
pub(crate) use response::{Delivery, Refused};
pub use response::{Response, Status};

use std::time::Duration;

/// The resources that one peer may use.
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
}

impl Default for PeerLimits {
    fn default() -> PeerLimits {
        PeerLimits {
            head: 32 << 10,
            body: 16 << 20,
            arrival: Duration::from_secs(10),
            connections: 800,
        }
    }
}
