//! Properties of every text that may be a network: run by a seeded test, and by a fuzz target.

use constraint::solve::{Effort, feasible, raise};
use constraint::text::{TextLimits, read, write};
use constraint::{Network, Query, Scsp, SearchLimits, Solver, preprocess};

/// Small limits: what exceeds them ends soon.
const NODES: u64 = 2000;
const VALUES: usize = 200;
const BYTES: usize = 1 << 16;

/// Reading a text, writing it again and solving it neither panics nor exceeds limits.
pub fn networks_never_panic(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let limits = TextLimits {
        bytes: BYTES,
        values: VALUES,
        ..TextLimits::default()
    };
    let Ok(scsp) = read(&text, &limits) else {
        return;
    };
    let written = write(&scsp);
    let again = read(&written, &TextLimits::default()).expect("what is written can be read");
    assert_eq!(write(&again), written);
    solve(&scsp);
    if let Ok(Some(smaller)) = preprocess::stochastic(&scsp) {
        solve(&smaller);
    }
}

/// Solves a network every way, as far as limits allow.
fn solve(scsp: &Scsp) {
    let effort = Effort {
        nodes: NODES,
        ..Effort::default()
    };
    // What stops them is an answer, too.
    let _ = feasible(scsp, &effort);
    let _ = raise(scsp, &effort);
    if let Ok(network) = Network::new(scsp.model()) {
        let limits = SearchLimits {
            nodes: Some(NODES),
            ..SearchLimits::default()
        };
        let query = Query {
            limits,
            ..Query::default()
        };
        // The values of the last variable are counted at once.
        let nodes = Solver::new(&network).count(&query).nodes;
        assert!(nodes <= NODES + VALUES as u64, "{nodes} nodes");
    }
}
