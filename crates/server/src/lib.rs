//! HTTP ↔ players and matches, as the world of GGP speaks it.
//!
//! | part | what it is |
//! |---|---|
//! | [`player`] | a player that managers ask for moves |
//! | [`remote`] | players somewhere else, asked as managers do |
//! | [`Limits`] | what a peer may take |

mod http;
mod listener;
mod message;
pub mod player;
pub mod remote;

pub use http::Limits;
