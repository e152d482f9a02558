//! Tables of the papers, made again beside the published figures.

use crate::load::{self, Engine, NotLoaded, Unmeasured};
use crate::{Table, Watch, limits};
use library::OurGame;
use std::time::Instant;

/// A row of Table 2 of P1 (Constraints, 2016).
struct Published {
    /// The game, as the paper calls it.
    title: &'static str,
    /// The name of ours.
    name: &'static str,
    /// Variables, largest domain, constraints, and seconds to build the network.
    figures: [usize; 4],
}

/// A row of the table.
const fn row(title: &'static str, name: &'static str, figures: [usize; 4]) -> Published {
    Published {
        title,
        name,
        figures,
    }
}

const TABLE_2: &[Published] = &[
    row("Awale", "awale", [19, 37, 73, 94]),
    row("Backgammon", "backgammon", [76, 768, 86, 347]),
    row("Bomberman", "bomberman", [145, 64, 42, 31]),
    row("Can't Stop", "cant-stop", [16, 1296, 409, 248]),
    row("Checkers", "checkers", [86, 262_144, 52, 43]),
    row("Chess", "chess", [71, 4096, 50, 76]),
    row("Chinese Checkers", "chinese-checkers", [103, 192, 87, 54]),
    row("Hex", "hex", [22, 6561, 27, 91]),
    row("Kaseklau", "kaseklau", [18, 7776, 106, 35]),
    row("Orchard", "orchard", [9, 146_410, 40, 12]),
    row("Othello", "othello", [81, 65, 29, 51]),
    row("Pacman", "pacman", [93, 64, 22, 36]),
    row("Pickomino", "pickomino", [29, 1_679_616, 223, 172]),
    row("Tic-tac-toe", "tic-tac-toe", [19, 18, 37, 0]),
    row("Yahtzee", "yahtzee", [12, 30, 8862, 182]),
];

/// The names of our games in the table.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    TABLE_2.iter().map(|it| it.name)
}

const HEAD: [&str; 6] = [
    "game",
    "variables",
    "domain",
    "constraints",
    "seconds",
    "times as fast",
];

/// The sizes of networks, and how long they take to build, beside the paper's.
pub fn networks(watch: &impl Watch) -> Result<Table, Unmeasured> {
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for published in TABLE_2 {
        match library::find(published.name) {
            Some(game) => rows.push(measured(published, game, watch).map_err(|reason| {
                let game = game.name;
                Unmeasured { game, reason }
            })?),
            None => missing.push(published.title),
        }
    }
    let note = format!("without a rule sheet: {}", missing.join(", "));
    Ok(Table {
        title: "Table 2 of P1: what it says, and what our networks have".to_string(),
        notes: (!missing.is_empty()).then_some(note).into_iter().collect(),
        ..Table::new(HEAD, rows)
    })
}

/// The same games: their networks with the end, and in extension, and what a state costs.
pub fn network_times(watch: &impl Watch) -> Result<Table, Unmeasured> {
    let names: Vec<&str> = TABLE_2.iter().map(|row| row.name).collect();
    crate::times::times(&names, watch)
}

/// Builds the network of a game, from its text on.
fn measured(
    published: &Published,
    game: OurGame,
    watch: &impl Watch,
) -> Result<[String; 6], NotLoaded> {
    let title = published.title;
    let task = watch.begin("reading", title);
    let began = Instant::now();
    let loaded = load::ours(game, Engine::Ground, &limits(&task))?;
    let encoding = match loaded.encoding() {
        Some(Ok(encoding)) => encoding,
        Some(Err(reason)) => return Ok(absent(title, &reason.to_string())),
        None => return Ok(absent(title, "no ground program")),
    };
    let seconds = began.elapsed().as_secs_f64();
    let size = encoding.size();
    let both = |paper: usize, ours: usize| format!("{paper} / {ours}");
    let [variables, domain, constraints, slow] = published.figures;
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
