//! Properties of everything that peers can send: run by the property tests on random bytes, and by
//! the fuzz target.

use server::wire::{self, Heard};
use server::{Framing, PeerLimits};

/// Limits that short texts can reach.
pub const LIMITS: PeerLimits = PeerLimits {
    head: 1 << 10,
    body: 256,
    arrival: std::time::Duration::from_secs(1),
    connections: 1,
    memory: 1 << 20,
};

/// Requests and messages are read or refused within their limits, however their bytes arrive.
pub fn wire_never_panics(bytes: &[u8]) {
    for by in [Framing::Length, Framing::Message] {
        for at_a_time in [1, 7, usize::MAX] {
            let heard = wire::read(bytes, at_a_time, (LIMITS, by));
            assert!(heard.held <= LIMITS.head + LIMITS.body + (2 << 10));
            for request in &heard.requests {
                assert!(request.body.len() <= LIMITS.body);
                wire::is_message(&String::from_utf8_lossy(&request.body));
            }
        }
    }
    wire::is_message(&String::from_utf8_lossy(bytes));
    // A length says where a body ends: then it does not matter how the bytes are cut.
    if bytes.len() <= LIMITS.head {
        let read = |at_a_time| shape(&wire::read(bytes, at_a_time, (LIMITS, Framing::Length)));
        assert_eq!(read(1), read(usize::MAX));
    }
}

/// The identity of what was read.
fn shape(heard: &Heard) -> String {
    let requests = heard.requests.iter();
    let requests = requests.map(|it| (it.method, &it.target, &it.headers, &it.body));
    let requests: Vec<_> = requests.collect();
    format!("{requests:?} {:?}", heard.refused)
}
