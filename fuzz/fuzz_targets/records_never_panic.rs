//! Reading, replaying and verifying any record ends well.
#![no_main]

#[path = "../../crates/record/tests/properties/mod.rs"]
mod properties;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| properties::records_never_panic(bytes));
