//! HTTP ↔ players and matches: the GGP protocol, and pages beside it.
//!
//! | part | what it is |
//! |---|---|
//! | [`player`] | a player that managers ask for moves |
//! | [`remote`] | players elsewhere, asked as managers do |
//! | [`serve`], [`PeerLimits`] | accepts connections; the resources that a peer may use |
//! | [`Router`], [`Handler`] | method and path → what answers a [`Request`] with a [`Response`] |
//! | [`wire`] | what peers send, read without a connection |

mod ggp;
mod http;
mod listener;
mod message;
pub mod player;
pub mod remote;
mod router;
pub mod wire;

pub use http::{Framing, Method, PeerLimits, Request, Response, Status};
pub use listener::serve;
pub use router::{Answer, Handler, Router};
