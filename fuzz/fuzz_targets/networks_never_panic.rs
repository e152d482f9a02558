//! Reading and solving any network ends well.
#![no_main]

#[path = "../../crates/constraint/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::networks_never_panic(bytes));
