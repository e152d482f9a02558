//! What reaches workers.

use std::time::Instant;

/// A master's side: it has some workers, sends to each and hears of all.
pub trait Transport: Send {
    /// How many workers there are, those lost since included.
    fn count(&self) -> usize;

    /// Sends a message. It never waits for the worker: one that takes nothing is closed.
    fn send(&mut self, to: usize, message: Vec<u8>);

    /// The next event, or none if there is none until a time.
    fn receive(&mut self, until: Instant) -> Option<(usize, Event)>;

    /// Ends a worker; nothing more is heard of it, or nothing that matters.
    fn close(&mut self, worker: usize);
}

/// What happens to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It sends a message.
    Message(Vec<u8>),
    /// It is gone, and why.
    Closed(String),
}
