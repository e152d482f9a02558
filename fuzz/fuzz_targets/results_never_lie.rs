//! A results file that was damaged gives the results that were written, or an error.
#![no_main]

#[path = "../../crates/arena/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    properties::results_never_lie(bytes);
});
