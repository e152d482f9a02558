//! Results files that were damaged: no other results than were written ever come out of them.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

#[path = "properties/mod.rs"]
mod properties;

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

#[test]
fn results_never_lie() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    let mut told = 0;
    for case in 0..600 {
        // One edit most of the time; several hide behind each other.
        let mut edits = vec![0; if case % 4 == 0 { 18 } else { 6 }];
        random.fill_bytes(&mut edits);
        told += usize::from(properties::results_never_lie(&edits));
    }
    // What was damaged was not always in use; most of the time it was.
    assert!(told > 200, "{told} of 600 were told of");
    assert!(!properties::results_never_lie(&[]));
}
