//! Records the commit of the sources: `LUDEX_COMMIT`, and `LUDEX_VERSION` for people.
//!
//! The commit is empty where there is no git, or where the sources are not the top of a working
//! tree, as in an unpacked archive. `-dirty` follows it if files that make the program differ
//! from the commit. The script runs again when one of these files, or the commit, changes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let sources = sources(&root);
    for path in &sources {
        watch(&root.join(path));
    }
    let commit = commit(&root, &sources).unwrap_or_default();
    let version = match &commit[..] {
        "" => env!("CARGO_PKG_VERSION").to_string(),
        _ => format!("{} ({commit})", env!("CARGO_PKG_VERSION")),
    };
    println!("cargo:rustc-env=LUDEX_COMMIT={commit}");
    println!("cargo:rustc-env=LUDEX_VERSION={version}");
}

/// The paths of which the program is made, from the root.
fn sources(root: &Path) -> Vec<PathBuf> {
    let mut sources: Vec<PathBuf> = ["Cargo.toml", "Cargo.lock", "games", "crates/cli/build.rs"]
        .map(PathBuf::from)
        .to_vec();
    let crates = fs::read_dir(root.join("crates")).into_iter().flatten();
    for name in crates.flatten().map(|entry| entry.file_name()) {
        let folder = Path::new("crates").join(name);
        sources.extend([folder.join("Cargo.toml"), folder.join("src")]);
    }
    sources.retain(|path| root.join(path).exists());
    sources
}

/// Cargo runs the script again when this changes. A path that is missing would always count as
/// changed.
fn watch(path: &Path) {
    if path.exists() {
        println!("cargo:rerun-if-changed={}", path.display());
    }
}

/// The commit, if the root is the top of a working tree of git.
fn commit(root: &Path, sources: &[PathBuf]) -> Option<String> {
    let top = PathBuf::from(git(root, &["rev-parse", "--show-toplevel"])?);
    if top.canonicalize().ok()? != root.canonicalize().ok()? {
        return None;
    }
    watch_commit(root);
    let commit = git(root, &["rev-parse", "HEAD"])?;
    let mut status = vec!["--no-optional-locks", "status", "--porcelain", "--"];
    status.extend(sources.iter().filter_map(|path| path.to_str()));
    let is_clean = git(root, &status)?.is_empty();
    Some(if is_clean {
        commit
    } else {
        format!("{commit}-dirty")
    })
}

/// Watches the files of git that change with the commit.
fn watch_commit(root: &Path) {
    let mut names = vec!["HEAD".to_string(), "logs/HEAD".to_string()];
    names.push("packed-refs".to_string());
    names.extend(git(root, &["symbolic-ref", "--quiet", "HEAD"]));
    for name in names {
        if let Some(path) = git(root, &["rev-parse", "--git-path", &name]) {
            watch(&root.join(path));
        }
    }
}

/// What git prints; none if it fails, or is not there.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let mut command = Command::new("git");
    let output = command.current_dir(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_string())
}
