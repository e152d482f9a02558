//! Players ↔ processes that help them: orders and answers as bytes, over pipes or MPI.
//!
//! | part | what it is |
//! |---|---|
//! | `bytes.rs`, `message.rs` | orders and answers in a checked binary form, with limits |
//! | `frame.rs` | messages on a stream of bytes: length, checksum, content |
//! | `transport.rs` | what reaches workers: [`Transport`]; any of them may be lost |
//! | `staff.rs` | [`Staff`], a player's helpers on a transport: their greetings, unanswered orders and signs of life |
//! | `worker.rs`, `inbox.rs` | a worker's loop: orders in, answers out |
//! | `pipes.rs` | workers as child processes, over pipes: [`Pipes`] |
//! | `mpi.rs` | workers as ranks of MPI, with the feature `mpi` |
//!
//! The two sides trust each other's intentions, not each other's health: a peer may be another
//! build, die, hang, or send what makes no sense. A worker that does is lost, and why is logged; a
//! worker whose master is gone ends by itself.

mod bytes;
mod frame;
mod inbox;
mod message;
#[cfg(feature = "mpi")]
pub mod mpi;
mod pipes;
mod staff;
mod transport;
mod worker;

pub use bytes::Garbled;
pub use frame::{MOST_BYTES, read_frame, write_frame};
pub use message::{Message, PROTOCOL};
pub use pipes::{Pipes, serve_pipes};
pub use staff::Staff;
pub use transport::{Event, Transport};
