//! Checking whatever was read ends well.
#![no_main]

#[allow(dead_code, reason = "each target runs one of the properties")]
#[path = "../../crates/gdl/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::check_never_panics(bytes));
