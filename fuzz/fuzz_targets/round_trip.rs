//! What is printed is read as the same tree.
#![no_main]

#[allow(dead_code, reason = "each target runs one of the properties")]
#[path = "../../crates/gdl/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::round_trip(bytes));
