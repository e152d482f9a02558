//! Broken sheets, one fault each: what every command says of them, and how it exits.
//!
//! A case in `broken/cases` is a healthy sheet of `broken/`, the lines that break it, who plays a
//! match if that decides what is met, and what is said then. The healthy neighbour is the sheet
//! without these changes, and every command is pleased with it. `BROKEN=overwrite` writes down what
//! is said; read it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const COMMANDS: [(&str, &[&str]); 5] = [
    ("check", &["check", "--play", "50", "--seconds", "5"]),
    ("match", &["match", "--quiet", "--iterations", "20"]),
    ("solve", &["solve", "--quiet"]),
    (
        "arena",
        &[
            "arena",
            "--quiet",
            "--players",
            "random,legal",
            "--iterations",
            "5",
            "--matches",
            "2",
            "--threads",
            "1",
            "--results",
            "RESULTS",
        ],
    ),
    ("bench", &["bench", "--quiet", "--seconds", "0.05"]),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken")
}

/// A fault, and what is said of it.
struct Case {
    path: PathBuf,
    /// The lines that say what is broken and how.
    head: String,
    sheet: String,
    /// Who plays its match, where what is met depends on that; else whoever plays by default.
    players: Vec<String>,
    said: String,
}

impl Case {
    fn read(path: PathBuf) -> Case {
        let text = fs::read_to_string(&path).expect("a case can be read");
        let (head, said) = match text.find("\n== ") {
            Some(end) => text.split_at(end + 1),
            None => (&text[..], ""),
        };
        let mut sheet = String::new();
        let mut removed: Option<&str> = None;
        let mut players = Vec::new();
        for line in head.lines() {
            if let Some(names) = line.strip_prefix("players ") {
                players = names.split(' ').map(str::to_string).collect();
            } else if let Some(base) = line.strip_prefix("base ") {
                sheet = fs::read_to_string(folder().join(format!("{base}.kif"))).expect(base);
            } else if let Some(old) = line.strip_prefix("- ") {
                assert_eq!(sheet.matches(old).count(), 1, "{}: {old}", path.display());
                sheet = sheet.replace(old, "");
                removed = Some(old);
            } else if let Some(new) = line.strip_prefix("+ ") {
                // Put back where it was taken, so that lines keep their numbers.
                let old = removed.take().expect("something was removed before");
                let base = fs::read_to_string(folder().join(format!("{}.kif", base(head))));
                let base = base.expect("it was read before");
                let line = base.lines().position(|it| it.contains(old));
                let line = line.expect("what was removed stood in a line");
                let start = base.lines().nth(line).and_then(|it| it.find(old));
                let mut lines: Vec<String> = sheet.lines().map(str::to_string).collect();
                lines[line].insert_str(start.expect("it stands there"), new);
                sheet = lines.join("\n") + "\n";
            }
        }
        Case {
            head: head.to_string(),
            said: said.to_string(),
            path,
            sheet,
            players,
        }
    }
}

fn base(head: &str) -> &str {
    let base = head.lines().find_map(|line| line.strip_prefix("base "));
    base.expect("a case names its healthy neighbour")
}

/// What a command says of a sheet: its exit code, and its complaints.
fn said(name: &str, arguments: &[&str], (sheet, players): (&Path, &[String])) -> (i32, String) {
    let folder = sheet.parent().expect("it lies in a folder");
    let results = format!("{name}.sqlite");
    let arguments = arguments.iter().map(|&it| match it {
        "RESULTS" => results.as_str(),
        other => other,
    });
    let output = Command::new(env!("CARGO_BIN_EXE_ludex"))
        .current_dir(folder)
        .args(arguments)
        .arg(sheet.file_name().expect("it has a name"))
        .args(players.iter().filter(|_| name == "match"))
        .env("NO_COLOR", "1")
        .output()
        .expect("ludex runs");
    let text = match name {
        "check" => String::from_utf8_lossy(&output.stdout).into_owned(),
        _ => String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    let told = |line: &&str| match name {
        "check" => line.starts_with("error") || line.starts_with("warning"),
        _ => !line.is_empty(),
    };
    let lines: Vec<&str> = text.lines().filter(told).collect();
    let text = lines.join("\n");
    assert!(!text.contains("panicked"), "{}: {text}", sheet.display());
    (output.status.code().unwrap_or(-1), text)
}

/// What all commands say of a sheet.
fn all_said(sheet: &Path, players: &[String]) -> BTreeMap<&'static str, (i32, String)> {
    let with = (sheet, players);
    let said = COMMANDS.map(|(name, arguments)| (name, said(name, arguments, with)));
    said.into_iter().collect()
}

/// A folder with a sheet in it.
fn laid_out(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("there is room");
    let path = folder.path().join("sheet.kif");
    fs::write(&path, text).expect("there is room");
    (folder, path)
}

#[test]
fn every_command_names_what_is_broken() {
    let cases = fs::read_dir(folder().join("cases")).expect("there are cases");
    let mut paths: Vec<PathBuf> = cases.map(|it| it.expect("a case").path()).collect();
    paths.sort();
    assert!(paths.len() >= 30, "only {} kinds", paths.len());
    let overwrite = std::env::var("BROKEN").is_ok_and(|it| it == "overwrite");
    let mut wrong = Vec::new();
    for case in paths.into_iter().map(Case::read) {
        let (_folder, sheet) = laid_out(&case.sheet);
        let said = all_said(&sheet, &case.players);
        let mut text = String::new();
        for (name, _) in COMMANDS {
            let (code, said) = &said[name];
            text += &format!("== {name}: exit {code}\n{}\n", said.trim_end());
        }
        if overwrite {
            fs::write(&case.path, case.head.clone() + &text).expect("there is room");
        } else if text != case.said {
            let name = case.path.display();
            wrong.push(format!("{name}\nsaid:\n{text}\nexpected:\n{}", case.said));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn the_healthy_neighbours_please_every_command() {
    for name in ["heaps", "corridor", "dice", "fingers"] {
        let text = fs::read_to_string(folder().join(format!("{name}.kif"))).expect(name);
        let (_folder, sheet) = laid_out(&text);
        for (command, (code, said)) in all_said(&sheet, &[]) {
            assert_eq!((code, &said[..]), (0, ""), "{name}: {command}");
        }
    }
}
