//! The memory that all peers of a server share: bytes that they sent and that are still kept.
//!
//! A request takes its share as its bytes arrive, and gives it back when it, or the message made
//! of it, is dropped. Short requests are free: so a peer that fills the memory keeps nobody from
//! asking for a move. Invariant: the shares of all peers add up to what is held in all.

use super::PeerLimits;
use std::collections::HashMap;
use std::fmt;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard};

/// Bytes of a request that are not counted; the number of connections bounds them.
const FREE: usize = 64 << 10;

/// The memory of all peers together.
pub(crate) struct Memory {
    /// Bytes for all peers, and for each.
    limit: usize,
    share: usize,
    held: Mutex<Held>,
}

#[derive(Default)]
struct Held {
    all: usize,
    by_peer: HashMap<IpAddr, usize>,
}

impl Memory {
    /// Memory of which nothing is held.
    pub(crate) fn new(limits: &PeerLimits) -> Arc<Memory> {
        Arc::new(Memory {
            limit: limits.memory,
            share: limits.share(),
            held: Mutex::default(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, Held> {
        self.held.lock().expect("no holder panics")
    }

    /// Exchanges some bytes of a peer for others; whether there is room.
    fn exchange(&self, peer: IpAddr, (old, new): (usize, usize)) -> bool {
        let mut held = self.lock();
        let own = held.by_peer.get(&peer).copied().unwrap_or(0);
        let (all, own) = (held.all - old + new, own - old + new);
        if new > old && (all > self.limit || own > self.share) {
            return false;
        }
        held.all = all;
        match own {
            0 => held.by_peer.remove(&peer),
            _ => held.by_peer.insert(peer, own),
        };
        true
    }
}

/// What a request holds of the memory.
#[derive(Default)]
pub(crate) struct Hold {
    of: Option<(Arc<Memory>, IpAddr)>,
    counted: usize,
}

impl Hold {
    /// Nothing yet, for a peer.
    pub(crate) fn new(memory: Arc<Memory>, peer: IpAddr) -> Hold {
        Hold {
            of: Some((memory, peer.to_canonical())),
            counted: 0,
        }
    }

    /// Nothing yet, for the same peer.
    pub(super) fn another(&self) -> Hold {
        Hold {
            of: self.of.clone(),
            counted: 0,
        }
    }

    /// Holds so many bytes, in place of what was held; whether there is room.
    pub(super) fn set(&mut self, bytes: usize) -> bool {
        let counted = bytes.saturating_sub(FREE);
        let fits = match &self.of {
            Some((memory, peer)) => memory.exchange(*peer, (self.counted, counted)),
            None => true,
        };
        if fits {
            self.counted = counted;
        }
        fits
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.set(0);
    }
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hold({})", self.counted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::BROADCAST);

    fn memory() -> Arc<Memory> {
        Memory::new(&PeerLimits {
            memory: 10 << 20,
            head: 0,
            body: 1 << 20,
            ..PeerLimits::default()
        })
    }

    fn take(memory: &Arc<Memory>, peer: IpAddr, bytes: usize) -> Option<Hold> {
        let mut hold = Hold::new(Arc::clone(memory), peer);
        hold.set(bytes + FREE).then_some(hold)
    }

    #[test]
    fn a_peer_has_a_share_and_all_have_the_memory() {
        let memory = memory();
        let mut one = take(&memory, HERE, 2 << 20);
        assert!(one.is_some());
        // A quarter is the share of one; the next has its own.
        assert!(take(&memory, HERE, 1 << 20).is_none());
        let other = take(&memory, THERE, 2 << 20);
        assert!(other.is_some());
        // What is free is never refused.
        assert!(take(&memory, HERE, 0).is_some());
        drop(one.take());
        assert!(take(&memory, HERE, 2 << 20).is_some());
        drop(other);
        let held = memory.lock();
        assert!(held.all == 0 && held.by_peer.is_empty());
    }

    #[test]
    fn all_peers_together_have_no_more_than_the_memory() {
        let memory = memory();
        let address = |last| IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, last));
        let taken = (0..20).map(|last| take(&memory, address(last), 2 << 20));
        let taken: Vec<Hold> = taken.flatten().collect();
        assert_eq!(taken.len(), 5);
    }
}
