//! What tests share that use things which are not part of this project.

use std::env;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Where the public games and traces are: beside this project, or where `LUDEX_SHARED` says.
pub fn shared() -> PathBuf {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    env::var_os("LUDEX_SHARED").map_or(beside, PathBuf::from)
}

/// Says that something was left out. Not by `eprintln!`: what a passing test prints is not
/// shown.
pub fn skipped(what: &str) {
    let text = format!("skipped: {what}\n");
    std::io::stderr().write_all(text.as_bytes()).unwrap();
}
