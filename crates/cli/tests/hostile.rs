//! Files from elsewhere: a record leads to no file that its reader did not mean, and a small trace
//! does not inflate without end.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ludex"));
    let arguments = arguments.split_whitespace();
    command
        .current_dir(folder)
        .args(arguments)
        .output()
        .unwrap()
}

/// The exit code, and all that was said.
fn said(output: &Output) -> (Option<i32>, String) {
    let texts = [&output.stdout, &output.stderr];
    let texts = texts.map(|it| String::from_utf8_lossy(it).into_owned());
    (output.status.code(), texts.concat())
}

/// A record of a match in `folder/records`, which names the rules `name`.
fn naming(folder: &Path, name: &str) {
    let records = folder.join("records");
    let file = records.join("m.json");
    if !file.exists() {
        fs::create_dir_all(&records).unwrap();
        let made = "match nim legal legal --iterations 1 -q --json records/m.json";
        assert!(run(folder, made).status.success());
    }
    let mut record: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    record["x-ludexGame"] = name.into();
    fs::write(&file, record.to_string()).unwrap();
}

#[test]
fn a_record_leads_to_our_games_and_to_sheets_near_it() {
    let folder = tempfile::tempdir().unwrap();
    let here = &folder.path().join("here");
    fs::create_dir(here).unwrap();
    naming(here, "nim");
    let verify = "replay --verify records/m.json";
    assert_eq!(said(&run(here, verify)).0, Some(0));
    let rules = library::find("nim").unwrap().rules();
    for (place, name) in [
        ("here/records/beside.kif", "beside.kif"),
        ("here/sheets/below.kif", "sheets/below.kif"),
    ] {
        let path = folder.path().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, rules).unwrap();
        naming(here, name);
        assert_eq!(said(&run(here, verify)).0, Some(0), "{name}");
    }
    // What is elsewhere has to be meant.
    let elsewhere = folder.path().join("elsewhere.kif");
    fs::write(&elsewhere, rules).unwrap();
    for name in ["../elsewhere.kif", elsewhere.to_str().unwrap()] {
        naming(here, name);
        let (code, text) = said(&run(here, verify));
        assert_eq!(code, Some(2), "{name}: {text}");
        assert!(text.contains("--game"), "{text}");
        let given = format!("{verify} --game {}", elsewhere.display());
        assert_eq!(said(&run(here, &given)).0, Some(0));
    }
}

#[test]
fn nothing_is_told_of_a_file_that_a_record_names() {
    const SECRET: &str = "hunter2";
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    fs::write(here.join("private"), format!("({SECRET} {SECRET}")).unwrap();
    naming(here, "private");
    let (code, text) = said(&run(here, "replay records/m.json"));
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("private") && !text.contains(SECRET), "{text}");
    // Nor does a name reach the terminal as it is.
    naming(here, "\u{1b}[31mred\n");
    let (code, text) = said(&run(here, "replay records/m.json"));
    assert_eq!(code, Some(2), "{text}");
    assert!(!text.contains('\u{1b}'), "{text:?}");
}

#[cfg(unix)]
#[test]
fn no_device_is_opened_because_a_record_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let made = Command::new("mkfifo").arg(here.join("pipe")).status();
    assert!(made.unwrap().success());
    std::os::unix::fs::symlink("/dev/zero", here.join("zero")).unwrap();
    std::os::unix::fs::symlink("/", here.join("root")).unwrap();
    for name in ["pipe", "zero", "/dev/zero", "root/dev/zero", "."] {
        naming(here, name);
        let (code, text) = said(&run(here, "replay records/m.json"));
        assert_eq!(code, Some(2), "{name}: {text}");
    }
}

#[test]
fn a_record_that_is_too_long_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    naming(here, "nim");
    let (code, text) = said(&run(here, "replay --max-bytes 100 records/m.json"));
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("the limit of 100"), "{text}");
}

#[test]
fn a_small_trace_does_not_inflate_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let file = File::create(here.join("bomb.jsonl.gz")).unwrap();
    let mut file = GzEncoder::new(file, Compression::fast());
    file.write_all(b"{\"match\":1,\"roles\":[\"").unwrap();
    for _ in 0..200 {
        file.write_all(&vec![b'a'; 1 << 20]).unwrap();
    }
    file.finish().unwrap();
    let (code, text) = said(&run(here, "verify --game nim bomb.jsonl.gz"));
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.contains("match 1 has more than 67108864 bytes"),
        "{text}"
    );
}

/// Lists of a trace that lack a role, or have one too many.
#[test]
fn a_trace_has_an_entry_for_each_role() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let facts = run(here, "show facts nim --quiet");
    let facts = String::from_utf8_lossy(&facts.stdout).into_owned();
    let fluents: Vec<&str> = (facts.lines())
        .filter_map(|line| line.trim().strip_prefix("(true "))
        .filter_map(|line| line.strip_suffix(')'))
        .collect();
    for does in ["[]", r#"["noop"]"#, r#"["noop","noop","noop"]"#] {
        let fluents = serde_json::to_string(&fluents).unwrap();
        let text = format!(
            r#"{{"match":1,"roles":["first","second"],"steps":[{{"true":{fluents},"terminal":false,"does":{does}}}]}}"#
        );
        fs::write(here.join("t.jsonl"), text).unwrap();
        let (code, text) = said(&run(here, "verify --game nim t.jsonl"));
        assert_eq!(code, Some(1), "{text}");
        assert!(text.contains("`does` has"), "{text}");
    }
}
