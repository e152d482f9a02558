//! `ludex lab`: tables of the papers, made again beside the published ones; that of our own
//! games is in `library.rs`.

use crate::args::Lab;
use crate::progress::Spinner;
use crate::{Outcome, games, table};
use anstream::stdout;
use anyhow::{Result, bail};
use game::{Engine, Game};
use gdl::{Policy, Source};
use std::io::Write;
use std::time::Instant;

/// A row of Table 2 of P1 (Constraints, 2016): the game, the name of ours, variables, largest
/// domain, constraints and seconds to build the network.
type Row = (&'static str, &'static str, [usize; 4]);

const TABLE_2: &[Row] = &[
    ("Awale", "awale", [19, 37, 73, 94]),
    ("Backgammon", "backgammon", [76, 768, 86, 347]),
    ("Bomberman", "bomberman", [145, 64, 42, 31]),
    ("Can't Stop", "cant-stop", [16, 1296, 409, 248]),
    ("Checkers", "checkers", [86, 262_144, 52, 43]),
    ("Chess", "chess", [71, 4096, 50, 76]),
    ("Chinese Checkers", "chinese-checkers", [103, 192, 87, 54]),
    ("Hex", "hex", [22, 6561, 27, 91]),
    ("Kaseklau", "kaseklau", [18, 7776, 106, 35]),
    ("Orchard", "orchard", [9, 146_410, 40, 12]),
    ("Othello", "othello", [81, 65, 29, 51]),
    ("Pacman", "pacman", [93, 64, 22, 36]),
    ("Pickomino", "pickomino", [29, 1_679_616, 223, 172]),
    ("Tic-tac-toe", "tic-tac-toe", [19, 18, 37, 0]),
    ("Yahtzee", "yahtzee", [12, 30, 8862, 182]),
];

pub(crate) fn run(arguments: &Lab) -> Result<Outcome> {
    match arguments {
        Lab::Networks { quiet } => networks(*quiet),
        Lab::Library(arguments) => super::library::run(arguments),
    }
}

/// The sizes of networks, and how long they take to build, beside the paper's.
fn networks(quiet: bool) -> Result<Outcome> {
    let head = [
        "game",
        "variables",
        "domain",
        "constraints",
        "seconds",
        "times as fast",
    ];
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for &(title, name, paper) in TABLE_2 {
        match games::find(name) {
            Some(game) => rows.push(row((title, paper), game, quiet)?),
            None => missing.push(title),
        }
    }
    let mut out = stdout();
    writeln!(
        out,
        "Table 2 of P1: what it says, and what our networks have\n"
    )?;
    write!(out, "{}", table::text(&head.map(str::to_string), &rows))?;
    if !missing.is_empty() {
        writeln!(out, "\nwithout a rule sheet: {}", missing.join(", "))?;
    }
    Ok(Outcome::Fine)
}

/// Builds the network of a game, from its text on.
fn row(
    (title, paper): (&str, [usize; 4]),
    game: games::OurGame,
    quiet: bool,
) -> Result<[String; 6]> {
    let spinner = Spinner::new(title, quiet);
    let began = Instant::now();
    let tree = gdl::read(
        Source::from_bytes(game.rules().to_vec()),
        None,
        &gdl::Limits::default(),
    );
    let Some(program) = gdl::check(tree, &Policy::lenient()).program else {
        bail!("{}: the rules were refused", game.name);
    };
    let loaded = Game::new(&program, Engine::Ground, &spinner.limits())?;
    let encoding = match loaded.encoding() {
        Some(Ok(encoding)) => encoding,
        Some(Err(reason)) => return Ok(absent(title, &reason.to_string())),
        None => return Ok(absent(title, "no ground program")),
    };
    let seconds = began.elapsed().as_secs_f64();
    let size = encoding.size();
    let both = |paper: usize, ours: usize| format!("{paper} / {ours}");
    let [variables, domain, constraints, slow] = paper;
    let ratio = match slow {
        // The paper rounds down to seconds.
        0 => "–".to_string(),
        _ => format!("{:.0}", slow as f64 / seconds),
    };
    Ok([
        title.to_string(),
        both(variables, size.variables),
        both(domain, size.largest),
        both(constraints, size.constraints),
        format!("{slow} / {seconds:.2}"),
        ratio,
    ])
}

fn absent(title: &str, reason: &str) -> [String; 6] {
    let mut row: [String; 6] = Default::default();
    row[0] = title.to_string();
    row[1] = format!("no network: {reason}");
    row
}
