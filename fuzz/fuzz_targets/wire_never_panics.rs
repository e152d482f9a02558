//! Whatever peers send is read or refused, within the limits.
#![no_main]

#[path = "../../crates/server/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::wire_never_panics(bytes));
