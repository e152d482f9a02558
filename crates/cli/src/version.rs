//! The version and the build of this program.
//!
//! The build script records the commit. Builds of one commit are the same build wherever they
//! were made; a build with changes, or without git, is known by its executable.

use arena::fingerprint;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The version with the commit, if it is known: `0.1.0 (1a2b…)`, or `0.1.0 (1a2b…-dirty)`.
pub(crate) const VERSION: &str = env!("LUDEX_VERSION");

/// The commit; `-dirty` follows if there were changes. Empty without git.
const COMMIT: &str = env!("LUDEX_COMMIT");

/// The build, as experiments have it: players of another build may play differently.
pub(crate) fn build() -> String {
    let executable = || {
        let print = std::env::current_exe().and_then(|it| file_fingerprint(&it));
        print.ok()
    };
    describe(COMMIT, executable)
}

fn describe(commit: &str, executable: impl Fn() -> Option<u64>) -> String {
    let mut words = vec![env!("CARGO_PKG_VERSION").to_string()];
    if !commit.is_empty() {
        words.push(commit.to_string());
    }
    let is_exact = !commit.is_empty() && !commit.ends_with("-dirty");
    match is_exact {
        // A debug build is slower, so it is another build.
        true if cfg!(debug_assertions) => words.push("debug".to_string()),
        true => {}
        false => words.extend(executable().map(|print| format!("{print:016x}"))),
    }
    words.join(" ")
}

/// The fingerprint of a large file, read piece by piece.
fn file_fingerprint(path: &Path) -> io::Result<u64> {
    let (mut file, mut piece, mut prints) = (File::open(path)?, Vec::new(), Vec::new());
    while (&mut file).take(1 << 20).read_to_end(&mut piece)? > 0 {
        prints.extend(fingerprint(&piece).to_le_bytes());
        piece.clear();
    }
    Ok(fingerprint(&prints))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changed_builds_are_known_by_their_executable() {
        let version = env!("CARGO_PKG_VERSION");
        let print = || Some(0xab);
        let clean = describe("1a2b", print);
        assert!(clean.starts_with(&format!("{version} 1a2b")), "{clean}");
        assert!(!clean.contains("00ab"), "{clean}");
        let print16 = "00000000000000ab";
        assert_eq!(
            describe("1a2b-dirty", print),
            format!("{version} 1a2b-dirty {print16}")
        );
        assert_eq!(describe("", print), format!("{version} {print16}"));
        assert_eq!(describe("", || None), version);
    }

    #[test]
    fn the_version_begins_with_a_number_and_has_the_commit() {
        assert!(VERSION.starts_with(env!("CARGO_PKG_VERSION")));
        assert!(VERSION.contains(COMMIT));
    }
}
